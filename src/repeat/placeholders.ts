// Texts with placeholders: `{name}`, `{value.port}`, `{item.name}`, `{item.value.port}`. A text that is one placeholder
// and nothing else keeps the type of what it stands for; inside text it is text.
import { nearest } from "../diagnostic.ts";
import { parsePath, resolveScalar, scalarText, type Step } from "../core/index.ts";
import { converted, type Meaning, partsOf, textOf } from "./conversions.ts";
import { isFailure, fail, type Failure, type Where } from "./faults.ts";
import { keyOf, within } from "./scopes.ts";
import type { Filled, Instance, Pattern, Scope } from "./model.ts";

/** A word in single braces; `${x}` and `{{x}}` belong to other tools. */
const placeholder = /(?<![${])\{([A-Za-z](?:[^{}"]|"(?:[^"\\]|\\.)*")*)\}(?!\})/g;

/** What a pattern comes to in a scope. A scalar that is no text is itself. */
export function fill({ node, field }: Pattern, scope: Scope, repeat: Where["repeat"]): Filled | Failure {
  if (resolveScalar(node).type !== "string") return { node, secret: false };
  const where = { repeat, field };
  const found = meaningOf(scalarText(node), scope, where);
  return isFailure(found) || !("bytes" in found) ? found : asText(found, scalarText(node), where);
}

/** The same where only text will do: a name, a key, a label. */
export function fillAsText(pattern: Pattern, scope: Scope, repeat: Where["repeat"]): Text | Failure {
  const where = { repeat, ...pattern };
  return asText(fill(pattern, scope, repeat), scalarText(pattern.node), where);
}

/** The same where base64 is due: what a placeholder decoded is encoded again. */
export function fillAsBase64(
  { node, field }: Pattern,
  scope: Scope,
  repeat: Where["repeat"],
): Text | Failure {
  const found = meaningOf(scalarText(node), scope, { repeat, field });
  if (isFailure(found) || !("bytes" in found)) return asText(found, scalarText(node), { repeat, field });
  return { text: Buffer.from(found.bytes).toString("base64"), secret: found.secret };
}

/** Text with placeholders where only text will do. */
export function fillText(text: string, scope: Scope, where: Where): Text | Failure {
  return asText(meaningOf(text, scope, where), text, where);
}

/** True if a text asks for values of a Secret; items of a Secret do not exist. */
export function asksSecret(text: string, { instance }: Scope): boolean {
  return instance.secret && [...text.matchAll(placeholder)].some(([, inner = ""]) => /^value\b/.test(inner));
}

interface Text {
  readonly text: string;
  readonly secret: boolean;
}

function asText(found: Meaning | Failure, asked: string, where: Where): Text | Failure {
  if (isFailure(found)) return found;
  const text = textOf(found, asked.replaceAll(/^\{|\}$/g, ""), where);
  return typeof text === "string" ? { text, secret: found.secret } : text;
}

function meaningOf(text: string, scope: Scope, where: Where): Meaning | Failure {
  const [alone] = text.matchAll(placeholder);
  if (alone !== undefined && alone[0] === text) return meaning(alone[1] ?? "", scope, where);
  let secret = false;
  let fault: Failure | undefined;
  const filled = text.replaceAll(placeholder, (whole, inner: string) => {
    const found = asText(meaning(inner, scope, where), inner, where);
    if (isFailure(found)) fault ??= found;
    else secret ||= found.secret;
    return isFailure(found) ? whole : found.text;
  });
  return fault ?? { text: filled, secret };
}

function meaning(inner: string, scope: Scope, where: Where): Meaning | Failure {
  const [path = "", ...conversions] = partsOf(inner);
  const asked = { inner, where, instance: scope.instance.name };
  let found: Meaning | Failure = valueAt(path, scope, where);
  for (const conversion of conversions)
    found = isFailure(found) ? found : converted(found, conversion, asked);
  return found;
}

function valueAt(inner: string, scope: Scope, where: Where): Filled | Failure {
  const steps = parsePath(inner);
  if ("wrongAt" in steps)
    return fail("repeat-path", where, `\`{${inner}}\` is no placeholder`, "write `{name}` or `{value.…}`");
  const [first, ...rest] = steps.map(keyOf);
  if (first === "item") {
    const [second, ...deeper] = rest;
    if (scope.item === undefined)
      return fail(
        "repeat-path",
        where,
        `\`{${inner}}\` means an item, and the entry has no items`,
        "add `each`",
      );
    return ofInstance(scope.item, second, steps.slice(2), deeper.length, inner, where);
  }
  return ofInstance(scope.instance, first, steps.slice(1), rest.length, inner, where);
}

function ofInstance(
  instance: Instance,
  root: string | undefined,
  steps: readonly Step[],
  depth: number,
  inner: string,
  where: Where,
): Filled | Failure {
  if (root === "name" && depth === 0) return { text: instance.name, secret: false };
  if (root === "value") return within(instance, steps, inner, where);
  const known = ["name", "value", "item.name", "item.value"];
  const near = nearest(inner.split(/[.[]/)[0] ?? "", ["name", "value", "item"]);
  const hint =
    near === undefined
      ? `the placeholders are ${known.map((each) => `{${each}}`).join(", ")}`
      : `did you mean \`${near}\`?`;
  return fail("repeat-path", where, `unknown placeholder \`{${inner}}\``, hint);
}
