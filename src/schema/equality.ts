// Equality of values as JSON: 1 equals 1.0, and the order of keys is ignored.
import type { JudgedValue } from "./instance.ts";
import { Kind, numeric } from "./kinds.ts";
import { decided, Verdict } from "./verdict.ts";

/** Lists and mappings are compared many times. */
const known = new WeakMap<JudgedValue, { readonly text: string | undefined }>();

/** One text for all spellings of a value; undefined while the value is not fully known. */
export function canonical(instance: JudgedValue): string | undefined {
  const { kind } = instance;
  if (kind !== Kind.array && kind !== Kind.object) return textOf(instance);
  const found = known.get(instance) ?? { text: textOf(instance) };
  known.set(instance, found);
  return found.text;
}

function textOf(instance: JudgedValue): string | undefined {
  const { kind } = instance;
  if (kind === Kind.any) return undefined;
  if (kind === Kind.string) return instance.hasVariable ? undefined : JSON.stringify(instance.text);
  if ((kind & numeric) !== 0) return String(instance.number);
  if (kind === Kind.array) return joined("[", instance.items().map(canonical), "]");
  if (kind === Kind.object) return instance.isOpen ? undefined : canonicalObject(instance);
  return kind === Kind.null ? "null" : String(instance.isTrue);
}

function canonicalObject(instance: JudgedValue): string | undefined {
  const members = instance.members().map((each): [string, string | undefined] => {
    const text = canonical(each);
    return [JSON.stringify(each.key), text];
  });
  const sorted = members.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return joined(
    "{",
    sorted.map(([key, text]) => (text === undefined ? undefined : `${key}:${text}`)),
    "}",
  );
}

function joined(open: string, parts: readonly (string | undefined)[], close: string): string | undefined {
  return parts.includes(undefined) ? undefined : open + parts.join(",") + close;
}

/** The values of `const` or `enum`. */
export class Literals {
  private readonly texts: ReadonlySet<string>;
  private readonly kinds: number;

  constructor(literals: readonly JudgedValue[]) {
    this.kinds = literals.reduce((kinds, { kind }) => kinds | kind, 0);
    this.texts = new Set(literals.flatMap((each) => canonical(each) ?? []));
  }

  /** A value that is not fully known may become any of its kind. */
  holds(instance: JudgedValue): Verdict {
    const text = canonical(instance);
    const isPossible = text === undefined ? (this.kinds & instance.kind) !== 0 : this.texts.has(text);
    return text === undefined && isPossible ? Verdict.undecided : decided(isPossible);
  }
}
