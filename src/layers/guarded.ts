// Texts and values that keep their bytes to themselves. What comes from a Secret, or from a layer that SOPS opened, only
// ever reaches a Secret. Content comes out by the named operations of this file only. Those that write ask for the item
// that is to hold it, and throw if it may not. `bytesToMerge` gives all of it to the fold, which guards its result
// again, and `bytesToPrint` to a user who asks for secrets. The others give less: a digest, yes or no, a request to SOPS.
// Front ends get texts, but none of these functions: a test reads their imports.
import { isUtf8 } from "node:buffer";
import { hash } from "node:crypto";
import type { Item, NewItem } from "../krm/index.ts";
import { isSopsFile } from "./sealed.ts";

/** An item that exists, or one that is about to be written. */
export type Sink = Item | Omit<NewItem, "text">;

interface NamedPart<T> {
  readonly name: string;
  readonly value: T;
}

let contentOf: <T>(guarded: Guarded<T>) => T;

/**
 * A value that was read from a guarded text, or made of such values. Whatever is made of it is guarded as well.
 *
 *     if (!value.mayGoTo(item, "data")) return refused;
 *     write(value.writeTo(item, "data"));
 */
export class Guarded<T> {
  readonly #content: T;
  /** True if only a Secret may hold it. */
  readonly isSecret: boolean;

  static {
    contentOf = (guarded) => guarded.#content;
  }

  protected constructor(content: T, isSecret: boolean) {
    this.#content = content;
    this.isSecret = isSecret;
  }

  /** The text of a data key, as a value. */
  static of(text: GuardedText): Guarded<Uint8Array> {
    return inside(text);
  }

  /** A value that any item may hold. */
  static plain<T>(content: T): Guarded<T> {
    return new Guarded(content, false);
  }

  /** Parts of the value by name: names come out, the parts stay guarded. */
  named<U>(parts: (content: T) => readonly NamedPart<U>[]): readonly NamedPart<Guarded<U>>[] {
    return parts(this.#content).map(({ name, value }) => ({
      name,
      value: new Guarded(value, this.isSecret),
    }));
  }

  /** @param field of the item, at its root: a Secret's metadata may not hold its secrets */
  mayGoTo(sink: Sink, field: string): boolean {
    return !this.isSecret || (sink.kind === "Secret" && (field === "data" || field === "stringData"));
  }

  /** The content, for an item that holds it from now on. Throws where `mayGoTo` is false: a bug. */
  writeTo(sink: Sink, field: string): T {
    if (!this.mayGoTo(sink, field)) throw new Error("a secret was about to leave Secrets");
    return this.#content;
  }
}

/** A text of an item or a fold, and what every stage may know about it. */
export interface GuardedText {
  readonly length: number;
  equals(other: GuardedText): boolean;
  isUtf8(): boolean;
  isSopsFile(): boolean;
  /** True if Flux' substitution changes it. */
  holdsVariable(): boolean;
  /** Digest as a folded item records it. */
  digest(): string;
}

class TextOfItem extends Guarded<Uint8Array> implements GuardedText {
  /** Several stages ask for it, and bytes never change. */
  #digest: string | undefined;

  static guard(bytes: Uint8Array, isSecret: boolean): GuardedText {
    return new TextOfItem(bytes, isSecret);
  }

  get length(): number {
    return contentOf(this).length;
  }

  equals(other: GuardedText): boolean {
    return Buffer.compare(contentOf(this), contentOf(inside(other))) === 0;
  }

  isUtf8(): boolean {
    return isUtf8(contentOf(this));
  }

  isSopsFile(): boolean {
    return isSopsFile(contentOf(this));
  }

  holdsVariable(): boolean {
    const { buffer, byteOffset, length } = contentOf(this);
    const bytes = Buffer.from(buffer, byteOffset, length);
    return bytes.includes("${") || bytes.includes("$$");
  }

  digest(): string {
    return (this.#digest ??= `sha256:${hash("sha256", contentOf(this), "hex")}`);
  }
}

function inside(text: GuardedText): TextOfItem {
  if (text instanceof TextOfItem) return text;
  throw new Error("a text without a guard");
}

export function guard(bytes: Uint8Array, isSecret: boolean): GuardedText {
  return TextOfItem.guard(bytes, isSecret);
}

/** The bytes, for an item of the list that holds them from now on. Throws if it may not: a bug. */
export function bytesFor(text: GuardedText, item: Item): Uint8Array {
  return inside(text).writeTo(item, "data");
}

/** A new item with its text: it must not have one yet. Throws if it may not hold the text, which is a bug. */
export function withText(
  item: Omit<NewItem, "text"> & { readonly text?: never },
  text: GuardedText,
): NewItem {
  return { text: inside(text).writeTo(item, "data"), ...item };
}

/** The bytes, to be read as values. The fold guards its result again, by the layers that went into it. */
export function bytesToMerge(text: GuardedText): Uint8Array {
  return contentOf(inside(text));
}

/** The bytes, to be printed. Undefined for a secret, unless the user asks for secrets. */
export function bytesToPrint(text: GuardedText, secrets: boolean): Uint8Array | undefined {
  const { isSecret } = inside(text);
  return isSecret && !secrets ? undefined : contentOf(inside(text));
}

/** What SOPS is to open. Throws for a text that it did not seal: a bug. */
export function requestToOpen(text: GuardedText): Uint8Array {
  if (text.isSopsFile()) return contentOf(inside(text));
  throw new Error("a text that is not sealed was about to be opened");
}

/** What SOPS is to seal: a manifest in JSON, with the one key and its value only. */
export function requestToSeal(text: GuardedText, part: "data" | "stringData", key: string): Uint8Array {
  const value = Buffer.from(contentOf(inside(text))).toString(part === "data" ? "base64" : "utf8");
  return Buffer.from(JSON.stringify({ [part]: { [key]: value } }), "utf8");
}
