// What a placeholder makes of its value: `{value.port|string}`. A value that cannot become that is a fault, which never
// quotes it.
//
//     set: { env[0].value: "{value.port|string}", targetPort: "{value.port|int}", data.file: "{value.file|fromBase64}" }
import { isUtf8 } from "node:buffer";
import { nearest } from "../diagnostic.ts";
import {
  decodeBase64,
  isFault,
  isMapping,
  isNull,
  isScalar,
  isSequence,
  type Node,
  readDocument,
  resolveScalar,
  scalarText,
  valueOf,
} from "../core/index.ts";
import { fail, type Failure, type Where } from "./faults.ts";
import type { Content, Pattern } from "./model.ts";

/** What a placeholder stands for: `bytes` is what base64 encoded. */
export type Meaning = Content | { readonly bytes: Uint8Array };

const names = ["string", "int", "bool", "fromBase64"] as const;
type Name = (typeof names)[number];

/** The path of a placeholder, and the conversions after it: `value.port`, `int`. */
export function partsOf(inner: string): readonly string[] {
  return inner.match(/(?:"(?:[^"\\]|\\.)*"|[^"|])+/g)?.map((part) => part.trim()) ?? [inner];
}

/** A placeholder as it is written, without its braces, and the instance that it is filled in for. */
interface Placeholder {
  readonly inner: string;
  readonly where: Where;
  readonly instance: string;
}

export function converted(found: Meaning, conversion: string, placeholder: Placeholder): Meaning | Failure {
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
export function textOf(found: Meaning, inner: string, where: Where): string | Failure {
  if ("text" in found) return found.text;
  if ("bytes" in found) {
    if (isUtf8(found.bytes)) return Buffer.from(found.bytes).toString("utf8");
    return fail(
      "repeat-path",
      where,
      `\`{${inner}}\` is not text, but a binary file`,
      "set it under `data` of a Secret, or `binaryData` of a ConfigMap",
    );
  }
  const value = valueOf(found.node);
  if (isScalar(value) && !isNull(value)) return scalarText(value);
  return fail(
    "repeat-path",
    where,
    `expected text from \`{${inner}}\`, got ${kindName(value)}`,
    "write the placeholder alone, or name a value inside it",
  );
}

export function kindName(value: Node): string {
  if (isMapping(value)) return "a mapping";
  return isSequence(value) ? "a sequence" : isNull(value) ? "null" : "a scalar";
}

/** True for one placeholder with `|fromBase64`: it may be set where Kubernetes wants base64. */
export function isFromBase64({ node }: Pattern): boolean {
  return isScalar(node) && /^\{[^{}]*\|\s*fromBase64\s*\}$/.test(scalarText(node));
}

function unknown(conversion: string, inner: string, where: Where): Failure {
  const near = nearest(conversion, names);
  const hint = near === undefined ? `expected one of ${names.join(", ")}` : `did you mean \`|${near}\`?`;
  return fail("repeat-path", where, `unknown conversion \`|${conversion}\` in \`{${inner}}\``, hint);
}

function cannot(what: string, name: Name, { inner, where, instance }: Placeholder): Failure {
  const message = `\`{${inner}}\` of instance \`${instance}\` is not ${what}`;
  return fail("repeat-path", where, message, `correct the value, or leave \`|${name}\` off`);
}
