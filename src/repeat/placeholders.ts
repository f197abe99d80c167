// Texts with placeholders: `{name}`, `{value.port}`, `{item.name}`, `{item.value.port}`. A text that is one placeholder
// and nothing else keeps the type of what it stands for; inside text it is text.
import { nearest } from "../diagnostic.ts";
import { Guarded, parsePath, resolveScalar, scalarText, type Step } from "../core/index.ts";
import { converted, type Meaning, partsOf, textOf } from "./conversions.ts";
import { isFailure, fail, type Failure, type Where } from "./faults.ts";
import { keyOf, within } from "./scopes.ts";
import type { Filled, Instance, Pattern, Scope } from "./model.ts";

/** A word in single braces; `${x}` and `{{x}}` belong to other tools. */
const placeholder = /(?<![${])\{([A-Za-z](?:[^{}"]|"(?:[^"\\]|\\.)*")*)\}(?!\})/g;

/** What a text comes to where only text will do. */
export type FilledText = Guarded<{ readonly text: string } | Failure>;

type Found = Guarded<Meaning | Failure>;

/** What a pattern comes to in a scope. A scalar that is no text is itself. */
export function fill({ node, field }: Pattern, scope: Scope, repeat: Where["repeat"]): Filled {
  if (resolveScalar(node).type !== "string") return Guarded.plain({ node });
  const where = { repeat, field };
  const text = scalarText(node);
  return meaningOf(text, scope, where).map((found) =>
    "bytes" in found ? asText(found, text, where) : found,
  );
}

/** The same where only text will do: a name, a key, a label. */
export function fillAsText(pattern: Pattern, scope: Scope, repeat: Where["repeat"]): FilledText {
  const where = { repeat, ...pattern };
  return fill(pattern, scope, repeat).map((found) => asText(found, scalarText(pattern.node), where));
}

/** The same where base64 is due: what a placeholder decoded is encoded again. */
export function fillAsBase64({ node, field }: Pattern, scope: Scope, repeat: Where["repeat"]): FilledText {
  const where = { repeat, field };
  return meaningOf(scalarText(node), scope, where).map((found) =>
    "bytes" in found
      ? { text: Buffer.from(found.bytes).toString("base64") }
      : asText(found, scalarText(node), where),
  );
}

/** Text with placeholders where only text will do. */
export function fillText(text: string, scope: Scope, where: Where): FilledText {
  return meaningOf(text, scope, where).map((found) => asText(found, text, where));
}

function asText(found: Meaning | Failure, asked: string, where: Where): { readonly text: string } | Failure {
  if (isFailure(found)) return found;
  const text = textOf(found, asked.replaceAll(/^\{|\}$/g, ""), where);
  return typeof text === "string" ? { text } : text;
}

function meaningOf(text: string, scope: Scope, where: Where): Found {
  const found = [...text.matchAll(placeholder)];
  const [first] = found;
  if (first !== undefined && first[0] === text) return meaning(first[1] ?? "", scope, where);
  const values = found.map(([, inner = ""]) =>
    meaning(inner, scope, where).map((each) => asText(each, inner, where)),
  );
  return Guarded.all(values).map((texts) => {
    const fault = texts.find(isFailure);
    if (fault !== undefined) return fault;
    const filled = texts.values();
    return { text: text.replaceAll(placeholder, () => textOr(filled.next().value)) };
  });
}

function textOr(found: { readonly text: string } | Failure | undefined): string {
  return found !== undefined && "text" in found ? found.text : "";
}

function meaning(inner: string, scope: Scope, where: Where): Found {
  const [path = "", ...conversions] = partsOf(inner);
  const asked = { inner, where, instance: scope.instance.name };
  return valueAt(path, scope, where).map((value) => {
    let found: Meaning | Failure = value;
    for (const conversion of conversions)
      found = isFailure(found) ? found : converted(found, conversion, asked);
    return found;
  });
}

function valueAt(inner: string, scope: Scope, where: Where): Filled {
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

function failed(where: Where, message: string, hint: string): Filled {
  return Guarded.plain(fail("repeat-path", where, message, hint));
}

function ofInstance(
  instance: Instance,
  root: string | undefined,
  steps: readonly Step[],
  depth: number,
  inner: string,
  where: Where,
): Filled {
  if (root === "name" && depth === 0) return Guarded.plain({ text: instance.name });
  if (root === "value") return within(instance, steps, inner, where);
  const known = ["name", "value", "item.name", "item.value"];
  const near = nearest(inner.split(/[.[]/)[0] ?? "", ["name", "value", "item"]);
  const hint =
    near === undefined
      ? `the placeholders are ${known.map((each) => `{${each}}`).join(", ")}`
      : `did you mean \`${near}\`?`;
  return failed(where, `unknown placeholder \`{${inner}}\``, hint);
}
