// Placeholders of KOTS in a template that an item of a Config names. `[[repl .port ]]` is the key of a value; what asks for
// the option of that key is the value itself. All else of KOTS' templates stays as it is.
//
//     - name: '[[repl .port ]]'                                          # - name: http
//       port: repl{{ ConfigOption "[[repl .port ]]" | ParseInt }}        #   port: 80
import { doubleQuote, type Node, quote } from "../yaml/index.ts";
import type { TextEdit } from "../krm/index.ts";
import { replaced } from "./fields.ts";
import { type FieldContent, type CloneEntry, entryPlace, type Scope } from "./model.ts";
import { fillIn, type Syntax } from "./placeholders.ts";

/** The edits of what a template's keys and scalars ask for; none for an entry of a Repeat's own. */
export function declaredEdits(
  root: Node,
  entry: Pick<CloneEntry, "repeat" | "declared" | "field">,
  scope: Scope,
): readonly TextEdit[] {
  if (entry.declared === undefined) return [];
  const syntax = syntaxOf(entry.declared.name);
  const where = entryPlace(entry);
  // No instance of a Config comes from a Secret.
  const filling = { scope, where, sink: where.repeat, field: "spec", into: "its template" };
  const fill = (text: string): FieldContent | undefined =>
    text.search(syntax.token) < 0 ? undefined : fillIn(text, filling, syntax);
  return [root, ...below(root)].flatMap((node) => [...editsOf(node, fill)]);
}

function* below(node: Node): Generator<Node> {
  for (const child of node.children()) {
    yield child;
    yield* below(child);
  }
}

type Fill = (text: string) => FieldContent | undefined;

function* editsOf(node: Node, fill: Fill): Generator<TextEdit> {
  const [start, end] = [node.keyStart, node.keyEnd];
  const key = start < 0 ? undefined : fill(node.keyText);
  if (key !== undefined) yield { start, end, text: keyOf(node, key) };
  const value = node.isScalar ? fill(node.text) : undefined;
  if (value !== undefined) yield replaced(node, value);
}

/** A key is text, whatever the value is that it is made of. */
function keyOf(node: Node, key: FieldContent): string {
  const text = "text" in key ? key.text : key.node.value.text;
  const parent = node.parent;
  return parent !== undefined && parent.isFlow ? doubleQuote(text) : quote(text);
}

const conversions: ReadonlyMap<string | undefined, string> = new Map([
  ["ParseInt", "|int"],
  ["ParseBool", "|bool"],
  ["ConfigOptionData", "|fromBase64"],
]);

/** @param name of the item, as the template spells it */
function syntaxOf(name: string): Syntax {
  const key = String.raw`\[\[repl \.${name.replaceAll(/[^\w-]/g, String.raw`\$&`)} \]\]`;
  const option = String.raw`(?:repl\{\{|\{\{repl) *(ConfigOption|ConfigOptionData) +"${key}" *(?:\| *(ParseInt|ParseBool) *)?\}\}`;
  return {
    token: new RegExp(`${option}|${key}`, "g"),
    meant: ([, asked, parsed]) =>
      asked === undefined ? "name" : `value${conversions.get(parsed ?? asked) ?? ""}`,
  };
}
