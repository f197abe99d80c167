// Texts with placeholders: `{name}`, `{value.port}`, `{item.name}`, `{item.value.port|int}`. A text that is one placeholder
// and nothing else keeps the type of its value; inside text it becomes text. A value that has no such form is a fault,
// which never quotes it.
//
//     set: { env[0].value: "{value.port|string}", targetPort: "{value.port|int}", data.file: "{value.file|fromBase64}" }
import { isUtf8 } from "node:buffer";
import { meantOr, nearest } from "../diagnostic.ts";
import {
  decodeBase64,
  Guarded,
  isFault,
  isNull,
  isScalar,
  type Node,
  parsePath,
  readDocument,
  resolveScalar,
  scalarText,
  type Step,
  valueOf,
} from "../core/index.ts";
import { fail, type Failure, isFailure, type RepeatPlace } from "./faults.ts";
import { keyOf, within } from "./scopes.ts";
import { kindName, type Content, type Filled, type Instance, type Pattern, type Scope } from "./model.ts";

/** A word in single braces; `${x}` and `{{x}}` belong to other tools. */
const placeholders = /(?<![${])\{([A-Za-z](?:[^{}"]|"(?:[^"\\]|\\.)*")*)\}(?!\})/g;

/** How placeholders are written: what finds one, and what it says between our braces. */
export interface Syntax {
  readonly token: RegExp;
  readonly meant: (found: readonly (string | undefined)[]) => string;
}

const ours: Syntax = { token: placeholders, meant: ([, inner = ""]) => inner };

/** What a text comes to where only text will do. */
export type FilledText = Guarded<{ readonly text: string } | Failure>;

type FoundValue = Guarded<Meaning | Failure>;

/** What a pattern comes to in a scope. A scalar that is no text is itself. */
export function fill({ node, field }: Pattern, scope: Scope, repeat: RepeatPlace["repeat"]): Filled {
  if (resolveScalar(node).type !== "string") return Guarded.plain({ node });
  const where = { repeat, field };
  const text = scalarText(node);
  return meaningOf(text, scope, where).map((found) =>
    "bytes" in found ? asText(found, text, where) : found,
  );
}

/** The same for text of KOTS. No instance of a Config comes from a Secret. */
export function fillPlain(text: string, scope: Scope, where: RepeatPlace, syntax: Syntax): Content | Failure {
  const found = meaningOf(text, scope, where, syntax).map((each) =>
    "bytes" in each ? asText(each, text, where) : each,
  );
  return found.writeTo(where.repeat, "spec");
}

/** The same where only text will do: a name, a key, a label. */
export function fillAsText(pattern: Pattern, scope: Scope, repeat: RepeatPlace["repeat"]): FilledText {
  const where = { repeat, ...pattern };
  return fill(pattern, scope, repeat).map((found) => asText(found, scalarText(pattern.node), where));
}

/** The same where base64 is due: what a placeholder decoded is encoded again. */
export function fillAsBase64(
  { node, field }: Pattern,
  scope: Scope,
  repeat: RepeatPlace["repeat"],
): FilledText {
  const where = { repeat, field };
  return meaningOf(scalarText(node), scope, where).map((found) =>
    "bytes" in found
      ? { text: Buffer.from(found.bytes).toString("base64") }
      : asText(found, scalarText(node), where),
  );
}

/** Text with placeholders where only text will do. */
export function fillText(text: string, scope: Scope, where: RepeatPlace): FilledText {
  return meaningOf(text, scope, where).map((found) => asText(found, text, where));
}

function asText(
  found: Meaning | Failure,
  written: string,
  where: RepeatPlace,
): { readonly text: string } | Failure {
  if (isFailure(found)) return found;
  const text = textOf(found, written.replaceAll(/^\{|\}$/g, ""), where);
  return typeof text === "string" ? { text } : text;
}

function meaningOf(
  text: string,
  scope: Scope,
  where: RepeatPlace,
  { token, meant }: Syntax = ours,
): FoundValue {
  const found = [...text.matchAll(token)];
  const [first] = found;
  if (first !== undefined && first[0] === text) return meaning(meant(first), scope, where);
  const values = found.map((one) =>
    meaning(meant(one), scope, where).map((each) => asText(each, meant(one), where)),
  );
  return Guarded.all(values).map((texts) => {
    const fault = texts.find(isFailure);
    if (fault !== undefined) return fault;
    const filled = texts.values();
    return { text: text.replaceAll(token, () => textOr(filled.next().value)) };
  });
}

function textOr(found: { readonly text: string } | Failure | undefined): string {
  return found !== undefined && "text" in found ? found.text : "";
}

function meaning(inner: string, scope: Scope, where: RepeatPlace): FoundValue {
  const [path = "", ...conversions] = partsOf(inner);
  const written = { inner, where, instance: scope.instance.name };
  return valueAt(path, scope, where).map((value) => {
    let found: Meaning | Failure = value;
    for (const conversion of conversions)
      found = isFailure(found) ? found : converted(found, conversion, written);
    return found;
  });
}

function valueAt(inner: string, scope: Scope, where: RepeatPlace): Filled {
  const steps = parsePath(inner);
  if ("wrongAt" in steps)
    return failed(where, `\`{${inner}}\` is no placeholder`, "write `{name}` or `{value.…}`");
  const [first, ...rest] = steps.map(keyOf);
  if (first === "item") {
    const [second, ...deeper] = rest;
    if (scope.item === undefined)
      return failed(where, `\`{${inner}}\` means an item, and the entry has no items`, "add `each`");
    return ofInstance(scope.item, second, steps.slice(2), deeper.length, inner, where);
  }
  return ofInstance(scope.instance, first, steps.slice(1), rest.length, inner, where);
}

function failed(where: RepeatPlace, message: string, hint: string): Filled {
  return Guarded.plain(fail(where, message, hint));
}

function ofInstance(
  instance: Instance,
  root: string | undefined,
  steps: readonly Step[],
  depth: number,
  inner: string,
  where: RepeatPlace,
): Filled {
  if (root === "name" && depth === 0) return Guarded.plain({ text: instance.name });
  if (root === "value") return within(instance, steps, inner, where);
  const known = ["name", "value", "item.name", "item.value"];
  const near = nearest(inner.split(/[.[]/)[0] ?? "", ["name", "value", "item"]);
  const hint = meantOr(near, `the placeholders are ${known.map((each) => `{${each}}`).join(", ")}`);
  return failed(where, `unknown placeholder \`{${inner}}\``, hint);
}

/** The value of a placeholder: `bytes` is what base64 encoded. */
type Meaning = Content | { readonly bytes: Uint8Array };

const names = ["string", "int", "bool", "fromBase64"] as const;
type Name = (typeof names)[number];

/** The path of a placeholder, and the conversions after it: `value.port`, `int`. */
function partsOf(inner: string): readonly string[] {
  return inner.match(/(?:"(?:[^"\\]|\\.)*"|[^"|])+/g)?.map((part) => part.trim()) ?? [inner];
}

/** A placeholder as it is written, without its braces, and the instance that it is filled in for. */
interface Placeholder {
  readonly inner: string;
  readonly where: RepeatPlace;
  readonly instance: string;
}

function converted(found: Meaning, conversion: string, placeholder: Placeholder): Meaning | Failure {
  const { inner, where } = placeholder;
  const name = names.find((each) => each === conversion);
  if (name === undefined) return unknown(conversion, inner, where);
  const text = textOf(found, inner, where);
  if (typeof text !== "string") return text;
  const value = "node" in found ? valueOf(found.node) : undefined;
  switch (name) {
    case "string":
      return { text };
    case "int":
      if (isOfType(value, "int", "big")) return found;
      return parsed(/^-?(?:0|[1-9]\d*)$/.exec(text)?.[0]) ?? cannot("a whole number", name, placeholder);
    case "bool":
      if (isOfType(value, "bool")) return found;
      return parsed(booleans.get(text)) ?? cannot("a boolean", name, placeholder);
    case "fromBase64": {
      const bytes = decodeBase64(text);
      return bytes === undefined ? cannot("base64", name, placeholder) : { bytes };
    }
  }
}

/** KOTS writes `1` and `0` for a checkbox. */
const booleans: ReadonlyMap<string, string> = new Map([
  ["true", "true"],
  ["1", "true"],
  ["false", "false"],
  ["0", "false"],
]);

function isOfType(value: Node | undefined, ...types: readonly string[]): boolean {
  return value !== undefined && types.includes(resolveScalar(value).type);
}

function parsed(text: string | undefined): Meaning | undefined {
  if (text === undefined) return undefined;
  const doc = readDocument(Buffer.from(text, "utf8"));
  return isFault(doc) ? undefined : { node: { doc, row: 0 } };
}

/** A value as text; a fault for what has no text. @param inner the placeholder, as it is written */
function textOf(found: Meaning, inner: string, where: RepeatPlace): string | Failure {
  if ("text" in found) return found.text;
  if ("bytes" in found) {
    if (isUtf8(found.bytes)) return Buffer.from(found.bytes).toString("utf8");
    return fail(
      where,
      `\`{${inner}}\` is not text, but a binary file`,
      "set it under `data` of a Secret, or `binaryData` of a ConfigMap",
    );
  }
  const value = valueOf(found.node);
  if (isScalar(value) && !isNull(value)) return scalarText(value);
  return fail(
    where,
    `expected text from \`{${inner}}\`, got ${kindName(value)}`,
    "write the placeholder alone, or name a value inside it",
  );
}

/** True for one placeholder with `|fromBase64`: it may be set where Kubernetes wants base64. */
export function isFromBase64({ node }: Pattern): boolean {
  return isScalar(node) && /^\{[^{}]*\|\s*fromBase64\s*\}$/.test(scalarText(node));
}

function unknown(conversion: string, inner: string, where: RepeatPlace): Failure {
  const near = nearest(conversion, names);
  const hint = near === undefined ? `expected one of ${names.join(", ")}` : `did you mean \`|${near}\`?`;
  return fail(where, `unknown conversion \`|${conversion}\` in \`{${inner}}\``, hint);
}

function cannot(what: string, name: Name, { inner, where, instance }: Placeholder): Failure {
  const message = `\`{${inner}}\` of instance \`${instance}\` is not ${what}`;
  return fail(where, message, `correct the value, or leave \`|${name}\` off`);
}
