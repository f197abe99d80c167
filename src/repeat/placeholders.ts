// Texts with placeholders: `{name}`, `{value.port}`, `{item.name}`, `{item.value.port|int}`. A text that is one placeholder
// and nothing else keeps the type of its value; inside text it becomes text. A value that has no such form is a fault,
// which never quotes it. What comes from a Secret comes out for a field that may hold it, or not at all.
//
//     set: { env[0].value: "{value.port|string}", targetPort: "{value.port|int}", data.file: "{value.file|fromBase64}" }
import { isUtf8 } from "node:buffer";
import { meantOr, nearest } from "../diagnostic.ts";
import { decodeBase64, type Sink } from "../layers/index.ts";
import { isFault, Node, readDocument } from "../yaml/index.ts";
import { parsePath } from "../merge/index.ts";
import { refusal, refusalAs, type Refused, type RepeatPlace } from "./faults.ts";
import { keyOf } from "./follow.ts";
import { kindName, type FieldContent, type RepeatInstance, type Scope } from "./model.ts";
import { within } from "./scopes.ts";

/** A word in single braces; `${x}` and `{{x}}` belong to other tools. */
const placeholders = /(?<![${])\{([A-Za-z](?:[^{}"]|"(?:[^"\\]|\\.)*")*)\}(?!\})/g;

/** How placeholders are written: what finds one, and what it says between our braces. */
export interface Syntax {
  readonly token: RegExp;
  readonly meant: (found: readonly (string | undefined)[]) => string;
}

const ours: Syntax = { token: placeholders, meant: ([, inner = ""]) => inner };

/** For whom a text is filled in, where it is written, and what takes it. */
export interface PlaceholderUse {
  readonly scope: Scope;
  readonly where: RepeatPlace;
  readonly sink: Sink;
  /** Field at the root of the sink. */
  readonly field: string;
  /** The same for messages: `data.a` of a ConfigMap. */
  readonly into: string;
}

/** What a scalar of the Repeat comes to. One that is no text is itself. */
export function fill(node: Node, filling: PlaceholderUse): FieldContent {
  return node.resolved().type === "string" ? fillIn(node.text, filling) : { node };
}

/** The same for a text. */
export function fillIn(text: string, filling: PlaceholderUse, syntax: Syntax = ours): FieldContent {
  const found = meaningOf(text, filling, syntax);
  return "bytes" in found ? { text: asText(found, text, filling) } : found;
}

/** The same where base64 is due: what a placeholder decoded is encoded again. */
export function fillAsBase64(node: Node, filling: PlaceholderUse): string {
  const text = node.text;
  const found = meaningOf(text, filling, ours);
  return "bytes" in found ? Buffer.from(found.bytes).toString("base64") : asText(found, text, filling);
}

/** The value of a placeholder: `bytes` is what base64 encoded. */
type Meaning = FieldContent | { readonly bytes: Uint8Array };

function meaningOf(text: string, filling: PlaceholderUse, { token, meant }: Syntax): Meaning {
  const found = [...text.matchAll(token)];
  const [first] = found;
  if (first !== undefined && first[0] === text) return meaning(meant(first), filling);
  const texts = found.map((one) => asText(meaning(meant(one), filling), meant(one), filling)).values();
  return { text: text.replaceAll(token, () => texts.next().value ?? "") };
}

/** @param inner a placeholder without its braces: `value.port|int` */
function meaning(inner: string, filling: PlaceholderUse): Meaning {
  const [path = "", ...conversions] = partsOf(inner);
  let found: Meaning = valueAt(path, filling);
  for (const conversion of conversions) found = converted(found, conversion, inner, filling);
  return found;
}

/** The path of a placeholder, and the conversions after it: `value.port`, `int`. */
function partsOf(inner: string): readonly string[] {
  return inner.match(/(?:"(?:[^"\\]|\\.)*"|[^"|])+/g)?.map((part) => part.trim()) ?? [inner];
}

function valueAt(path: string, filling: PlaceholderUse): FieldContent {
  const { scope, where } = filling;
  const steps = parsePath(path);
  if ("wrongAt" in steps)
    throw refusal(where, `\`{${path}}\` is no placeholder`, "write `{name}` or `{value.…}`");
  const isOfItem = keyOf(steps[0]) === "item";
  const instance = isOfItem ? scope.item : scope.instance;
  if (instance === undefined)
    throw refusal(where, `\`{${path}}\` means an item, and the entry has no items`, "add `each`");
  const [first, ...rest] = isOfItem ? steps.slice(1) : steps;
  if (keyOf(first) === "name" && rest.length === 0) return { text: instance.name };
  if (keyOf(first) === "value")
    return { node: within(instance, valueFor(instance, filling), rest, { path, where }) };
  const known = ["name", "value", "item.name", "item.value"];
  const near = nearest(path.split(/[.[]/)[0] ?? "", ["name", "value", "item"]);
  const hint = meantOr(near, `the placeholders are ${known.map((each) => `{${each}}`).join(", ")}`);
  throw refusal(where, `unknown placeholder \`{${path}}\``, hint);
}

function valueFor({ value }: RepeatInstance, { sink, field, into, where }: PlaceholderUse): Node {
  if (value.mayGoTo(sink, field)) return value.writeTo(sink, field);
  const message = `a value of a Secret would go into ${into}`;
  const hint =
    "set it under `data` or `stringData` of a Secret, or keep the instances in a ConfigMap; `{name}` may go anywhere";
  throw refusalAs("secret-into-configmap", where, message, hint);
}

const names = ["string", "int", "bool", "fromBase64"] as const;
type Name = (typeof names)[number];

function converted(found: Meaning, conversion: string, inner: string, filling: PlaceholderUse): Meaning {
  const name = names.find((each) => each === conversion);
  if (name === undefined) throw unknown(conversion, inner, filling);
  const text = textOf(found, inner, filling);
  const value = "node" in found ? found.node.value : undefined;
  switch (name) {
    case "string":
      return { text };
    case "int":
      if (isOfType(value, "int", "big")) return found;
      return parsed(/^-?(?:0|[1-9]\d*)$/.exec(text)?.[0], "a whole number", name, inner, filling);
    case "bool":
      if (isOfType(value, "bool")) return found;
      return parsed(booleans.get(text), "a boolean", name, inner, filling);
    case "fromBase64": {
      const bytes = decodeBase64(text);
      if (bytes === undefined) throw cannot("base64", name, inner, filling);
      return { bytes };
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
  return value !== undefined && types.includes(value.resolved().type);
}

function parsed(
  text: string | undefined,
  what: string,
  name: Name,
  inner: string,
  filling: PlaceholderUse,
): Meaning {
  const doc = text === undefined ? undefined : readDocument(Buffer.from(text, "utf8"));
  if (doc === undefined || isFault(doc)) throw cannot(what, name, inner, filling);
  return { node: new Node(doc) };
}

/** What was found, where only text will do. @param written the text of it, perhaps one placeholder alone */
export function asText(found: Meaning, written: string, filling: PlaceholderUse): string {
  return textOf(found, written.replaceAll(/^\{|\}$/g, ""), filling);
}

/** A value as text; a fault for what has no text. @param inner the placeholder, as it is written */
function textOf(found: Meaning, inner: string, { where }: PlaceholderUse): string {
  if ("text" in found) return found.text;
  if ("bytes" in found) {
    if (isUtf8(found.bytes)) return Buffer.from(found.bytes).toString("utf8");
    throw refusal(
      where,
      `\`{${inner}}\` is a binary file, and no string`,
      "set it under `data` of a Secret, or `binaryData` of a ConfigMap",
    );
  }
  const value = found.node.value;
  if (value.isScalar && !value.isNull) return value.text;
  throw refusal(
    where,
    `expected a string from \`{${inner}}\`, got ${kindName(value)}`,
    "write the placeholder alone, or name a value inside it",
  );
}

/** True for one placeholder with `|fromBase64`: it may be set where Kubernetes wants base64. */
export function isFromBase64(node: Node): boolean {
  return node.isScalar && /^\{[^{}]*\|\s*fromBase64\s*\}$/.test(node.text);
}

function unknown(conversion: string, inner: string, { where }: PlaceholderUse): Refused {
  const near = nearest(conversion, names);
  const hint = near === undefined ? `expected one of ${names.join(", ")}` : `did you mean \`|${near}\`?`;
  return refusal(where, `unknown conversion \`|${conversion}\` in \`{${inner}}\``, hint);
}

function cannot(what: string, name: Name, inner: string, { where, scope }: PlaceholderUse): Refused {
  const message = `\`{${inner}}\` of instance \`${scope.instance.name}\` is not ${what}`;
  return refusal(where, message, `correct the value, or leave \`|${name}\` off`);
}
