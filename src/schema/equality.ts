// Equality of values as JSON: 1 equals 1.0, and the order of keys is ignored.
import { canonicalNumber } from "./decimal.ts";
import type { Instance } from "./instance.ts";
import { Kind, numeric } from "./kinds.ts";
import { either, Verdict } from "./verdict.ts";

/** Lists and mappings are compared many times. */
const known = new WeakMap<Instance, { readonly text: string | undefined }>();

/** One text for all spellings of a value; undefined while the value is not fully known. */
export function canonical(instance: Instance): string | undefined {
  const { kind } = instance;
  if (kind !== Kind.array && kind !== Kind.object) return textOf(instance);
  const found = known.get(instance) ?? { text: textOf(instance) };
  known.set(instance, found);
  return found.text;
}

function textOf(instance: Instance): string | undefined {
  const { kind } = instance;
  if (kind === Kind.any) return undefined;
  if (kind === Kind.string) return instance.hasVariable ? undefined : JSON.stringify(instance.text);
  if ((kind & numeric) !== 0) return canonicalNumber(instance.number);
  if (kind === Kind.array) return joined("[", instance.items().map(canonical), "]");
  if (kind === Kind.object) return instance.isOpen ? undefined : canonicalObject(instance);
  return kind === Kind.null ? "null" : String(instance.isTrue);
}

function canonicalObject(instance: Instance): string | undefined {
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
  private readonly literals: readonly Instance[];
  private readonly kinds: number;

  constructor(literals: readonly Instance[]) {
    this.literals = literals;
    this.kinds = literals.reduce((kinds, { kind }) => kinds | kind, 0);
    this.texts = new Set(literals.flatMap((each) => canonical(each) ?? []));
  }

  get size(): number {
    return this.literals.length;
  }

  holds(instance: Instance): Verdict {
    const text = canonical(instance);
    if (text !== undefined) return this.texts.has(text) ? Verdict.valid : Verdict.invalid;
    const isScalar = instance.kind === Kind.any || instance.kind === Kind.string;
    if (isScalar) return (this.kinds & instance.kind) === 0 ? Verdict.invalid : Verdict.undecided;
    let verdict: Verdict = Verdict.invalid;
    for (const literal of this.literals) verdict = either(verdict, mayEqual(instance, literal));
    return verdict;
  }
}

/** Whether a value that is not fully known may become equal to a literal. */
function mayEqual(instance: Instance, literal: Instance): Verdict {
  const { kind } = instance;
  if (kind === Kind.any) return Verdict.undecided;
  if (kind !== literal.kind) return Verdict.invalid;
  const text = canonical(instance);
  if (text !== undefined) return text === canonical(literal) ? Verdict.valid : Verdict.invalid;
  if (kind === Kind.string) return Verdict.undecided;
  return kind === Kind.array ? mayEqualList(instance, literal) : mayEqualMapping(instance, literal);
}

function mayEqualList(instance: Instance, literal: Instance): Verdict {
  const [ours, theirs] = [instance.items(), literal.items()];
  if (ours.length !== theirs.length) return Verdict.invalid;
  const isOther = ours.some((each, index) => mayEqual(each, theirs[index] as Instance) === Verdict.invalid);
  return isOther ? Verdict.invalid : Verdict.undecided;
}

function mayEqualMapping(instance: Instance, literal: Instance): Verdict {
  const isOther = instance.members().some((each) => {
    const other = literal.member(String(each.key));
    return !each.mayBeAbsent && (other === undefined || mayEqual(each, other) === Verdict.invalid);
  });
  const isShort = !instance.isOpen && instance.members().length < literal.members().length;
  return isOther || isShort ? Verdict.invalid : Verdict.undecided;
}
