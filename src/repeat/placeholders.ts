// Texts with placeholders: `{name}`, `{value.port}`, `{item.name}`, `{item.value.port}`. A text that is one placeholder
// and nothing else keeps the type of what it stands for; inside text it is text.
import { nearest } from "../diagnostic.ts";
import { parsePath, type Step } from "../merge/path.ts";
import { scalarText } from "../yaml/scalar.ts";
import { isNull, resolveScalar } from "../yaml/resolve.ts";
import { isMapping, isScalar, isSequence, type Node, valueOf } from "../yaml/tape.ts";
import { isTold, told, type Told, type Where } from "./faults.ts";
import { keyOf, within } from "./instance-value.ts";
import type { Filled, Instance, Pattern, Scope } from "./model.ts";

/** A word in single braces; `${x}` and `{{x}}` are somebody else's. */
const placeholder = /(?<![${])\{([A-Za-z](?:[^{}"]|"(?:[^"\\]|\\.)*")*)\}(?!\})/g;

/** What a pattern comes to in a scope. A scalar that is no text is itself. */
export function fill({ node, field }: Pattern, scope: Scope, repeat: Where["repeat"]): Filled | Told {
  if (resolveScalar(node).type !== "string") return { node, secret: false };
  return fillText(scalarText(node), scope, { repeat, field });
}

export function fillText(text: string, scope: Scope, where: Where): Filled | Told {
  const [alone] = text.matchAll(placeholder);
  if (alone !== undefined && alone[0] === text) return meaning(alone[1] ?? "", scope, where);
  let secret = false;
  let fault: Told | undefined;
  const filled = text.replaceAll(placeholder, (whole, inner: string) => {
    const found = asText(meaning(inner, scope, where), inner, where);
    if (isTold(found)) fault ??= found;
    else secret ||= found.secret;
    return isTold(found) ? whole : found.text;
  });
  return fault ?? { text: filled, secret };
}

/** The same where only text will do: a name, a key. */
export function fillAsText(
  pattern: Pattern,
  scope: Scope,
  repeat: Where["repeat"],
): { readonly text: string; readonly secret: boolean } | Told {
  const where = { repeat, ...pattern };
  return asText(fill(pattern, scope, repeat), scalarText(pattern.node), where);
}

export function asText(
  filled: Filled | Told,
  asked: string,
  where: Where,
): { readonly text: string; readonly secret: boolean } | Told {
  if (isTold(filled) || "text" in filled) return filled;
  const value = valueOf(filled.node);
  if (isScalar(value) && !isNull(value)) return { text: scalarText(value), secret: filled.secret };
  const hint = "let the placeholder stand alone, or name a value inside it";
  return told(
    "repeat-path",
    where,
    `expected text from \`{${asked.replace(/^\{|\}$/g, "")}}\`, got ${kindName(value)}`,
    hint,
  );
}

export function kindName(value: Node): string {
  if (isMapping(value)) return "a mapping";
  return isSequence(value) ? "a sequence" : isNull(value) ? "null" : "a scalar";
}

function meaning(inner: string, scope: Scope, where: Where): Filled | Told {
  const steps = parsePath(inner);
  if ("wrongAt" in steps)
    return told("repeat-path", where, `\`{${inner}}\` is no placeholder`, "write `{name}` or `{value.…}`");
  const [first, ...rest] = steps.map(keyOf);
  if (first === "item") {
    const [second, ...deeper] = rest;
    if (scope.item === undefined)
      return told(
        "repeat-path",
        where,
        `\`{${inner}}\` means an item, and there is none`,
        "say `each` beside it",
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
): Filled | Told {
  if (root === "name" && depth === 0) return { text: instance.name, secret: false };
  if (root === "value") return within(instance, steps, inner, where);
  const known = ["name", "value", "item.name", "item.value"];
  const near = nearest(inner.split(/[.[]/)[0] ?? "", ["name", "value", "item"]);
  const hint =
    near === undefined
      ? `the placeholders are ${known.map((each) => `{${each}}`).join(", ")}`
      : `did you mean \`${near}\`?`;
  return told("repeat-path", where, `unknown placeholder \`{${inner}}\``, hint);
}
