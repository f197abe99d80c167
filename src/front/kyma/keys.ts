// Flat dotted keys → nested values, as kyma-operator makes them: split at every dot (there is no escape and no
// list), text stays text, and only the exact words `true` and `false` become booleans.
import { isUtf8 } from "node:buffer";
import type { Diagnostic } from "../../diagnostic.ts";
import { Guarded } from "../../layer/guarded.ts";
import type { Holdings } from "../../layer/holdings.ts";
import { describe, type Item, type Named, refOf } from "../../wire/item.ts";
import { doubleQuote, isLiteralSafe, quote } from "../../yaml/quote.ts";
import type { Flat, Override } from "./overrides.ts";

/** The flat keys of an override, in the order they are written. What cannot be read is a fault. */
export function flatOf(item: Item, target: Named, holdings: Holdings, diagnostics: Diagnostic[]): Flat[] {
  return holdings.keysOf(item).flatMap((key) => {
    const text = holdings.textOf(item, key);
    const bytes = text instanceof Guarded ? text.for(item) : undefined;
    if (bytes !== undefined && isUtf8(bytes))
      return [{ key, path: key.split("."), text: Buffer.from(bytes).toString("utf8") }];
    diagnostics.push({
      code: "layer-unreadable",
      severity: "error",
      item: refOf(item),
      at: { text: `${describe(item)} ${key}`, role: `layer of ${describe(target)}` },
      message: "expected text under the data key",
      hint: "correct the value: text, or base64 of it under `data` of a Secret",
    });
    return [];
  });
}

/** True if one path is the other, or leads to it. */
export function overlap(a: readonly string[], b: readonly string[]): boolean {
  return a.every((part, index) => index >= b.length || part === b[index]);
}

/** A key that is a leaf here and a parent there: within one scope Kyma takes one of them at random. */
export function scopeFaults(layers: readonly Override[], target: Named): Diagnostic[] {
  return [true, false].flatMap((isCommon) => {
    const all = layers
      .filter((layer) => layer.isCommon === isCommon)
      .flatMap(({ item, flat }) => flat.map((one) => ({ item, ...one })));
    const leaves = new Map(all.map((one) => [one.key, one]));
    return [...leaves.values()].flatMap((deep) => {
      const parents = deep.path.slice(1).map((_, length) => deep.path.slice(0, length + 1).join("."));
      const leaf = parents.map((key) => leaves.get(key)).find((found) => found !== undefined);
      return leaf === undefined ? [] : [conflict(leaf, deep, target)];
    });
  });
}

interface Placed extends Flat {
  readonly item: Item;
}

function conflict(leaf: Placed, deep: Placed, target: Named): Diagnostic {
  const role = `layer of ${describe(target)}`;
  return {
    code: "dotted-key-conflict",
    severity: "error",
    item: refOf(deep.item),
    at: { text: `${describe(deep.item)} ${deep.key}`, role },
    also: [{ text: `${describe(leaf.item)} ${leaf.key}`, role }],
    message: `\`${leaf.key}\` is a value, and \`${deep.key}\` needs a mapping there`,
    hint: "drop one of the two: Kyma would take either, at random",
  };
}

interface Branch extends Map<string, Branch | string> {}

/** YAML text of the overrides as nested values (UTF-8 bytes). */
export function nestedText(flat: readonly Flat[]): Uint8Array {
  const root: Branch = new Map();
  for (const { path, text } of flat) place(root, path, text);
  return Buffer.from(linesOf(root, "").join(""), "utf8");
}

function place(into: Branch, [part = "", ...rest]: readonly string[], text: string): void {
  if (rest.length === 0) return void into.set(part, text);
  const known = into.get(part);
  const inner: Branch = known instanceof Map ? known : new Map();
  into.set(part, inner);
  place(inner, rest, text);
}

function linesOf(branch: Branch, pad: string): string[] {
  return [...branch].flatMap(([key, value]) =>
    value instanceof Map
      ? [`${pad}${quote(key)}:\n`, ...linesOf(value, `${pad}  `)]
      : [`${pad}${quote(key)}: ${valueText(value, `${pad}  `)}\n`],
  );
}

function valueText(text: string, pad: string): string {
  if (text === "true" || text === "false") return text;
  const content = text.replace(/\n+$/, "");
  const asBlock = content.includes("\n") && isLiteralSafe(text) && !/^\s|\n\n$/.test(text);
  if (!asBlock) return text.includes("\n") ? doubleQuote(text) : quote(text);
  const lines = content.split("\n").map((line) => (line === "" ? "" : pad + line));
  return `|${text.endsWith("\n") ? "" : "-"}\n${lines.join("\n")}`;
}
