// Keywords about scalars: type, `enum`, `const`, bounds of numbers, lengths, patterns and formats of text.
import { type Argument, counted, type Judged, type Keyword, tested } from "./argument.ts";
import { isMultipleOf } from "./decimal.ts";
import { Literals } from "./equality.ts";
import { formatTest } from "./formats.ts";
import { type JudgedValue, literalOf } from "./instance.ts";
import { Kind, kindName, kindsNamed, numeric, typeText } from "./kinds.ts";
import type { Check } from "./schema.ts";
import { decided, Verdict } from "./verdict.ts";

function readType(given: Argument): Judged {
  const value = literalOf(given.node);
  const names = (value.kind === Kind.array ? value.items() : [value]).map(({ kind, text }) =>
    kind === Kind.string ? text : "",
  );
  const known = [...kindsNamed.keys()];
  if (names.length === 0 || !names.every((name) => kindsNamed.has(name)))
    return given.fault(`\`type\` is one of ${known.join(", ")}, or a list of them`);
  given.schema.typeNames = names;
  const types = names.reduce((kinds, name) => kinds | (kindsNamed.get(name) ?? 0), 0);
  return {
    judge: (_schema, { kind }) => decided(kind === Kind.any ? undefined : (types & kind) !== 0),
    says: ({ kind }) => `expected ${typeText(names)}, got ${kindName(kind)}`,
  };
}

function amongLiterals(literals: Literals | undefined, says: string): Judged {
  if (literals === undefined) return undefined;
  return { judge: (_schema, instance) => literals.holds(instance), says: () => says };
}

function bounded(
  limit: number | undefined,
  phrase: string,
  fits: (value: number, limit: number) => boolean,
): Judged {
  if (limit === undefined) return undefined;
  return tested(({ number }) => fits(number, limit), `expected ${phrase} ${limit}`);
}

/** In draft 4 `exclusiveMinimum` is a boolean: it says that `minimum` is exclusive. */
function inclusive(given: Argument, exclusiveName: string): number | undefined {
  const isExclusive = given.draft === 4 && given.sibling(exclusiveName)?.flag() === true;
  return isExclusive ? undefined : given.number();
}

function exclusive(given: Argument, inclusiveName: string): number | undefined {
  if (given.draft > 4) return given.number();
  return given.flag() === true ? given.sibling(inclusiveName)?.number() : undefined;
}

function readMultiple(given: Argument): Judged {
  const of = given.positive();
  if (of === undefined) return undefined;
  return tested(({ number }) => isMultipleOf(number, of), `expected a multiple of ${of}`);
}

/** Undecided while the text is not fully known. In characters, not in UTF-16 units. */
function hasLength(
  { hasVariable, text }: JudgedValue,
  fits: (length: number) => boolean,
): boolean | undefined {
  if (hasVariable) return undefined;
  let length = 0;
  for (const _ of text) length++;
  return fits(length);
}

function readPattern(given: Argument): Judged {
  const pattern = given.pattern();
  if (pattern === undefined) return undefined;
  const says = "expected a string that fits the schema's pattern";
  const judge: Check["judge"] = (schema, { hasVariable, text }, judging) => {
    if (hasVariable) return Verdict.undecided;
    judging.step(schema, pattern.steps(text));
    return decided(pattern.test(text));
  };
  return { judge, says: () => says };
}

function readFormat(given: Argument): Judged {
  const format = given.text();
  const test = format === undefined ? undefined : formatTest(format);
  // As Helm does: in later drafts `format` is only a note.
  if (test === undefined || given.draft > 7) return undefined;
  const fits = ({ hasVariable, text }: JudgedValue): boolean | undefined =>
    hasVariable ? undefined : test(text);
  return tested(fits, `expected a string in the format \`${format}\``);
}

const number = (read: Keyword["read"]): Keyword => ({ kinds: numeric, read });
const text = (read: Keyword["read"]): Keyword => ({ kinds: Kind.string, read });

export const scalarKeywords: { readonly [keyword: string]: Keyword } = {
  type: { read: readType },
  enum: {
    read: (given) => amongLiterals(given.literals(), "expected one of the values that the schema lists"),
  },
  const: {
    from: 6,
    read: (given) =>
      amongLiterals(new Literals([literalOf(given.node)]), "expected the one value that the schema names"),
  },
  minimum: number((given) =>
    bounded(inclusive(given, "exclusiveMinimum"), "at least", (value, limit) => value >= limit),
  ),
  maximum: number((given) =>
    bounded(inclusive(given, "exclusiveMaximum"), "at most", (value, limit) => value <= limit),
  ),
  exclusiveMinimum: number((given) =>
    bounded(exclusive(given, "minimum"), "more than", (value, limit) => value > limit),
  ),
  exclusiveMaximum: number((given) =>
    bounded(exclusive(given, "maximum"), "less than", (value, limit) => value < limit),
  ),
  multipleOf: number(readMultiple),
  minLength: text(
    counted("at least", "characters", (least, value) => hasLength(value, (length) => length >= least)),
  ),
  maxLength: text(
    counted("at most", "characters", (most, value) => hasLength(value, (length) => length <= most)),
  ),
  pattern: text(readPattern),
  format: text(readFormat),
};
