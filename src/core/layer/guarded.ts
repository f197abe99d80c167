// Texts that nobody sees but whoever may hold them. What came from a Secret, or from a sealed layer, only ever reaches a
// Secret: `reveal` is the one way to the bytes, it asks which item they are for, and the one check stands in it.
// Front ends get texts, but not `reveal`: a test reads their imports. So no front end lets a secret out by mistake.
import { isUtf8 } from "node:buffer";
import { hash } from "node:crypto";

/** What everybody may know of a text. */
export interface GuardedText {
  readonly length: number;
  equals(other: GuardedText): boolean;
  isUtf8(): boolean;
  /** True if Flux may fill something in. */
  holdsVariable(): boolean;
  /** Digest as a folded item records it. */
  digest(): string;
}

/** Where a text is to go: an item, by its kind. */
interface Sink {
  readonly kind: string;
}

class Guarded implements GuardedText {
  readonly #bytes: Uint8Array;
  readonly #isSecret: boolean;
  /** Several stages ask for it, and bytes never change. */
  #digest: string | undefined;

  constructor(bytes: Uint8Array, isSecret: boolean) {
    this.#bytes = bytes;
    this.#isSecret = isSecret;
  }

  static reveal(text: GuardedText, { kind }: Sink): Uint8Array {
    if (!(text instanceof Guarded)) throw new Error("a text that nobody guards");
    if (text.#isSecret && kind !== "Secret")
      throw new Error("a secret was about to leave for an item that is none");
    return text.#bytes;
  }

  get length(): number {
    return this.#bytes.length;
  }

  equals(other: GuardedText): boolean {
    return other instanceof Guarded && Buffer.compare(this.#bytes, other.#bytes) === 0;
  }

  isUtf8(): boolean {
    return isUtf8(this.#bytes);
  }

  holdsVariable(): boolean {
    return Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length).includes("${");
  }

  digest(): string {
    return (this.#digest ??= `sha256:${hash("sha256", this.#bytes, "hex")}`);
  }
}

export function guard(bytes: Uint8Array, isSecret: boolean): GuardedText {
  return new Guarded(bytes, isSecret);
}

/** The bytes, for an item that holds them from now on. Throws where a secret would leave for any other kind: a bug. */
export function reveal(text: GuardedText, sink: Sink): Uint8Array {
  return Guarded.reveal(text, sink);
}
