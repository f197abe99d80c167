// A value's text as lines of YAML: a long list item by item, and a text of several lines as a block.
import { isLiteralSafe } from "../../../yaml/index.ts";

/** How long a list may be on one line. */
const longest = 60;

/** The line of the key, and lines below it. */
export function spread(text: string): readonly string[] {
  if (text.startsWith("[") && text.endsWith("]") && text.length > longest)
    return ["", ...itemsOf(text).map((item) => `- ${item}`)];
  return text.startsWith('"') && text.includes("\\n") ? (blockOf(text) ?? [text]) : [text];
}

/** A quoted text, what opens or ends a list or mapping, or anything else. Quotes only begin a text where a text may begin. */
const token = /(?<=[[{,:] *(?:!\S* +)?)(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')|[^]/g;

function itemsOf(list: string): string[] {
  const items: string[] = [];
  let depth = 0;
  let item = "";
  for (const [part] of list.matchAll(token)) {
    if (part === "]" || part === "}") depth--;
    if (depth === 1 && part === ",") {
      items.push(item.trim());
      item = "";
    } else if (depth > 0) item += part;
    if (part === "[" || part === "{") depth++;
  }
  return [...items, item.trim()].filter((each) => each !== "");
}

function blockOf(text: string): string[] | undefined {
  const content = parsed(text);
  if (content === undefined || !isLiteralSafe(content) || /^\s|\n\n$|\p{Surrogate}/u.test(content))
    return undefined;
  const isEnded = content.endsWith("\n");
  return [isEnded ? "|" : "|-", ...(isEnded ? content.slice(0, -1) : content).split("\n")];
}

/** YAML knows more escapes than JSON: a text with one of these stays as it is. */
function parsed(text: string): string | undefined {
  try {
    const content: unknown = JSON.parse(text);
    return typeof content === "string" ? content : undefined;
  } catch {
    return undefined;
  }
}
