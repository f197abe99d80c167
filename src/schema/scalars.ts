// Keywords about scalars: type, `enum`, `const`, bounds of numbers, lengths, patterns and formats of text.
import { isIPv4, isIPv6 } from "node:net";
import { compareNumbers, isMultipleOf } from "./decimal.ts";
import type { Instance } from "./instance.ts";
import { Kind, kindName, numeric, typeText } from "./kinds.ts";
import type { KeywordJudge } from "./judging.ts";
import type { Schema } from "./schema.ts";
import { both, decided, Verdict } from "./verdict.ts";

export const judgeScalar: KeywordJudge = (schema, instance, findings) => {
  let verdict: Verdict = Verdict.valid;
  const take = (keyword: string, found: Verdict, says: () => string): void => {
    verdict = both(verdict, found);
    if (found === Verdict.invalid) findings?.add({ instance, schema, keyword, says: says() });
  };
  const { kind } = instance;
  if (schema.types !== Kind.any)
    take(
      "type",
      kind === Kind.any ? Verdict.undecided : decided((schema.types & kind) !== 0),
      () => `expected ${typeText(schema.typeNames)}, got ${kindName(kind)}`,
    );
  if (schema.enum !== undefined)
    take("enum", schema.enum.holds(instance), () => "expected one of the values that the schema lists");
  if (schema.const !== undefined)
    take("const", schema.const.holds(instance), () => "expected the one value that the schema names");
  for (const { keyword, isBroken, says } of boundsOf(kind)) {
    if (schema[keyword] === undefined) continue;
    const broken = isBroken(schema, instance);
    take(keyword, broken === undefined ? Verdict.undecided : decided(!broken), () => says(schema));
  }
  return verdict;
};

interface Bound {
  readonly keyword: keyof Schema;
  /** Undefined while the value is not fully known. */
  readonly isBroken: (schema: Schema, instance: Instance) => boolean | undefined;
  readonly says: (schema: Schema) => string;
}

function boundsOf(kind: number): readonly Bound[] {
  if (kind === Kind.any) return all;
  if ((kind & numeric) !== 0) return numbers;
  return kind === Kind.string ? texts : none;
}

const none: readonly Bound[] = [];

function compared(instance: Instance, bound: string | undefined): number | undefined {
  return instance.kind === Kind.any || bound === undefined
    ? undefined
    : compareNumbers(instance.number, bound);
}

function is(difference: number | undefined, test: (difference: number) => boolean): boolean | undefined {
  return difference === undefined ? undefined : test(difference);
}

const numbers: readonly Bound[] = [
  {
    keyword: "minimum",
    isBroken: (schema, instance) => is(compared(instance, schema.minimum), (by) => by < 0),
    says: ({ minimum }) => `expected at least ${minimum}`,
  },
  {
    keyword: "maximum",
    isBroken: (schema, instance) => is(compared(instance, schema.maximum), (by) => by > 0),
    says: ({ maximum }) => `expected at most ${maximum}`,
  },
  {
    keyword: "exclusiveMinimum",
    isBroken: (schema, instance) => is(compared(instance, schema.exclusiveMinimum), (by) => by <= 0),
    says: ({ exclusiveMinimum }) => `expected more than ${exclusiveMinimum}`,
  },
  {
    keyword: "exclusiveMaximum",
    isBroken: (schema, instance) => is(compared(instance, schema.exclusiveMaximum), (by) => by >= 0),
    says: ({ exclusiveMaximum }) => `expected less than ${exclusiveMaximum}`,
  },
  {
    keyword: "multipleOf",
    isBroken: ({ multipleOf = "" }, instance) => {
      const fits = instance.kind === Kind.any ? undefined : isMultipleOf(instance.number, multipleOf);
      return fits === undefined ? undefined : !fits;
    },
    says: ({ multipleOf }) => `expected a multiple of ${multipleOf}`,
  },
];

/** Undefined while the text is not fully known. */
function knownText(instance: Instance): string | undefined {
  return instance.kind === Kind.any || instance.hasVariable ? undefined : instance.text;
}

/** In characters, not in UTF-16 units. */
function lengthOf(instance: Instance): number | undefined {
  const text = knownText(instance);
  if (text === undefined) return undefined;
  let length = 0;
  for (const _ of text) length++;
  return length;
}

const texts: readonly Bound[] = [
  {
    keyword: "minLength",
    isBroken: ({ minLength = 0 }, instance) => is(lengthOf(instance), (length) => length < minLength),
    says: ({ minLength }) => `expected at least ${minLength} characters`,
  },
  {
    keyword: "maxLength",
    isBroken: ({ maxLength = 0 }, instance) => is(lengthOf(instance), (length) => length > maxLength),
    says: ({ maxLength }) => `expected at most ${maxLength} characters`,
  },
  {
    keyword: "pattern",
    isBroken: ({ pattern }, instance) => {
      const text = knownText(instance);
      const fits = text === undefined ? undefined : pattern?.test(text);
      return fits === undefined ? undefined : !fits;
    },
    says: () => "expected text that fits the schema's pattern",
  },
  {
    keyword: "format",
    isBroken: ({ format = "" }, instance) => {
      const text = knownText(instance);
      return text === undefined ? undefined : !fitsFormat(text, format);
    },
    says: ({ format = "" }) => `expected text in the format \`${format}\``,
  },
];

const all: readonly Bound[] = [...numbers, ...texts];

/** As Helm checks them in drafts 4 to 7. Every text fits a format that is not here. */
const formats: { readonly [format: string]: (text: string) => boolean } = {
  ipv4: isIPv4,
  ipv6: (text) => isIPv6(text) && !text.includes("%"),
  hostname: isHostname,
  email: isEmail,
  date: isDate,
  time: isTime,
  "date-time": (text) => /^.{10}[Tt]/s.test(text) && isDate(text.slice(0, 10)) && isTime(text.slice(11)),
  uuid: (text) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text),
  uri: isUri,
  duration: isDuration,
  "json-pointer": (text) => /^(?:\/(?:[^/~]|~[01])*)*$/.test(text),
};

function fitsFormat(text: string, format: string): boolean {
  const test = Object.hasOwn(formats, format) ? formats[format] : undefined;
  return test?.(text) ?? true;
}

function isHostname(text: string): boolean {
  const name = text.replace(/\.$/, "");
  return name.length <= 253 && /^(?!-)[a-z\d-]{1,63}(?<!-)(?:\.(?!-)[a-z\d-]{1,63}(?<!-))*$/i.test(name);
}

function isEmail(text: string): boolean {
  const [, local = "", domain = ""] = /^(.*)@(.*)$/s.exec(text) ?? [];
  const isLocal = /^(?:"[^"\\]*"|[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*)?$/.test(local);
  if (!isLocal || local.length > 64 || text.length > 254) return false;
  const [, address] = /^\[(.*)\]$/.exec(domain) ?? [];
  if (address === undefined) return isHostname(domain);
  return address.startsWith("IPv6:") ? isIPv6(address.slice(5)) : isIPv4(address);
}

function isDate(text: string): boolean {
  const [, year = "", month = "", day = ""] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  const last = new Date(Date.UTC(2000 + (Number(year) % 400), Number(month), 0)).getUTCDate();
  return Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= last;
}

/** A leap second is at the end of a day in UTC, in every time zone. */
function isTime(text: string): boolean {
  const [, hours, minutes, seconds, offset = "", sign, offsetHours, offsetMinutes] =
    /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?([Zz]|([-+])(\d\d):(\d\d))$/.exec(text) ?? [];
  if (offset === "") return false;
  const [h, m, s, oh, om] = [hours, minutes, seconds, offsetHours, offsetMinutes].map((part) =>
    Number(part ?? 0),
  ) as [number, number, number, number, number];
  if (h > 23 || m > 59 || s > 60 || oh > 23 || om > 59) return false;
  const atZero = h * 60 + m - (sign === "-" ? -1 : 1) * (oh * 60 + om);
  return s < 60 || (atZero + 2880) % 1440 === 1439;
}

function isDuration(text: string): boolean {
  const isWritten = /^P(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?)$/.test(
    text,
  );
  return isWritten && text !== "P";
}

/** After a scheme without a slash, Go accepts nearly anything. */
function isUri(text: string): boolean {
  const isOne = /^[a-z][a-z\d+.-]*:[^\s"<>\\^`{|}]*$/i.test(text);
  return isOne && !/^[^:]*:\/.*%(?![\da-f]{2})/i.test(text);
}
