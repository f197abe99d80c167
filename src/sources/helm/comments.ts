// The comments above a chart's defaults: they document its values.
import type { Place } from "../../explanation.ts";

/** The lines of comment above the line of a place, joined; undefined without any. */
export function commentsIn(bytes: Uint8Array): (place: Place) => string | undefined {
  let lines: readonly string[] | undefined;
  return ({ line }) => {
    if (line === undefined) return undefined;
    lines ??= Buffer.from(bytes).toString("utf8").split("\n");
    const above: string[] = [];
    const own = indentOf(lines[line - 1] ?? "");
    for (let at = line - 2; at >= 0; at--) {
      const [, text] = /^ *#(.*)$/.exec(lines[at] ?? "") ?? [];
      // What is indented further may be a line of a block text.
      if (text === undefined || indentOf(lines[at] ?? "") !== own) break;
      above.unshift(text.trim());
    }
    const joined = above.join(" ").replaceAll(/\s+/g, " ").trim();
    // `helm-docs` marks its comments.
    const text = joined.replace(/^(?:@param \S+ |-- |## )/, "").trim();
    return text === "" ? undefined : text;
  };
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
