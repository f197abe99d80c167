// Elements put between brackets that hold none.
import type { Edit } from "../wire/envelope.ts";
import { Field, field, isFlow, isMapping, Kind, type Node, parentOf } from "../yaml/tape.ts";
import { inBlock, inBrackets } from "./elements.ts";
import { put } from "./list-lines.ts";
import { isDashed } from "./records-in-place.ts";

/** An empty list, in brackets, gets elements. */
export function filled(list: Node, texts: readonly string[]): Edit {
  const { bytes } = list.doc;
  const parent = parentOf(list);
  const [body, end] = [field(list, Field.body), field(list, Field.end)];
  const isBlock =
    parent !== undefined && isMapping(parent) && !isFlow(parent) && field(list, Field.keyEnd) >= 0;
  // A comment between the brackets keeps its place.
  if (bytes.toString("latin1", body + 1, end - 1).trim() !== "")
    return put(end - 1, end - 1, inBrackets(texts, isJson(list)));
  if (!isBlock || !texts.some(isDashed)) return put(body, end, `[${inBrackets(texts, isJson(list))}]`);
  const lines = inBlock(texts, field(list, Field.column) + 2).replace(/\n$/, "");
  const newline = bytes.indexOf(0x0a, end);
  const lineEnd = newline < 0 ? bytes.length : newline;
  let start = body;
  while (bytes[start - 1] === 0x20 || bytes[start - 1] === 0x09) start--;
  return put(start, lineEnd, `${bytes.toString("utf8", end, lineEnd)}\n${lines}`);
}

/** By the keys around it: JSON's stand in double quotes. */
export function isJson(list: Node): boolean {
  for (let node: Node | undefined = list; node !== undefined; node = parentOf(node)) {
    if (field(node, Field.keyStart) < 0) continue;
    const parent = parentOf(node);
    return parent !== undefined && isFlow(parent) && field(node, Field.keyKind) === Kind.double;
  }
  return false;
}
