// Flat dotted keys → nested values, as kyma-operator makes them: split at every dot (there is no escape and no
// list), text stays text, and only the exact words `true` and `false` become booleans.
import { doubleQuote, isLiteralSafe, quote, withoutEnd } from "../yaml/index.ts";

/** One value and the path it is for. */
interface Dotted {
  readonly path: readonly string[];
  readonly text: string;
}

interface DottedBranch extends Map<string, DottedBranch | string> {}

/** YAML text of the overrides as nested values (UTF-8 bytes). */
export function nestedText(flat: readonly Dotted[]): Uint8Array {
  const root: DottedBranch = new Map();
  for (const { path, text } of flat) place(root, path, text);
  return Buffer.from(linesOf(root, "").join(""), "utf8");
}

function place(into: DottedBranch, [part = "", ...rest]: readonly string[], text: string): void {
  if (rest.length === 0) return void into.set(part, text);
  const known = into.get(part);
  const inner: DottedBranch = known instanceof Map ? known : new Map();
  into.set(part, inner);
  place(inner, rest, text);
}

function linesOf(branch: DottedBranch, pad: string): string[] {
  return [...branch].flatMap(([key, value]) =>
    value instanceof Map
      ? [`${pad}${quote(key)}:\n`, ...linesOf(value, `${pad}  `)]
      : [`${pad}${quote(key)}: ${valueText(value, `${pad}  `)}\n`],
  );
}

function valueText(text: string, pad: string): string {
  if (text === "true" || text === "false") return text;
  const content = withoutEnd(text, "\n");
  const asBlock = content.includes("\n") && isLiteralSafe(text) && !/^\s|\n\n$/.test(text);
  if (!asBlock) return text.includes("\n") ? doubleQuote(text) : quote(text);
  const lines = content.split("\n").map((line) => (line === "" ? "" : pad + line));
  return `|${text.endsWith("\n") ? "" : "-"}\n${lines.join("\n")}`;
}
