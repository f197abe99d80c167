// Which variables of Flux a value in a text is made with. Flux replaces them in the text as a whole.
import type { Variable } from "../../explanation.ts";
import { Node } from "../../yaml/index.ts";
import { distinct } from "../../grouped.ts";
import { rootOfText } from "../plain.ts";
import { scalarsIn } from "./marks.ts";

/**
 * Nothing is said of a text that has other nodes once its variables are replaced.
 * @param text before that
 * @param asked the variables that the text as a whole asks for
 */
export function variablesInText(
  text: Uint8Array,
  asked: readonly Variable[],
): (value: Node) => readonly Variable[] {
  const byName = new Map(asked.map((each) => [each.name, each]));
  let before: Node | undefined;
  return ({ doc, row }) => {
    before ??= rootOfText(text);
    if (before === undefined || before.doc.rows.length !== doc.rows.length) return [];
    const names = scalarsIn(new Node(before.doc, row)).flatMap((each) => namesIn(each.text));
    return distinct(names, (name) => name).flatMap((name) => byName.get(name) ?? []);
  };
}

/** The names of expressions, less those in a default: it may not be used. `$$` is a dollar. */
function namesIn(text: string): readonly string[] {
  const names: string[] = [];
  let depth = 0;
  for (const [part, name] of text.matchAll(/\$\$|\$\{#?([\p{L}\p{Nd}_]*)|\}/gu)) {
    if (part === "}") depth = Math.max(0, depth - 1);
    if (name === undefined) continue;
    if (depth === 0) names.push(name);
    depth++;
  }
  return names;
}
