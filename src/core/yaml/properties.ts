// The properties before a node: its anchor and its tag.

/** Anchors, tags and comments, as they may precede a node. */
const properties = /^(?:[&!]\S*(?:\s+|$)(?:#.*\s+)*)+/;

/** The source of a node → its tag and the source after its properties. */
export function splitProperties(source: string): { readonly tag: string | undefined; readonly rest: string } {
  const [before] = properties.exec(source) ?? [""];
  return { tag: tagIn(before), rest: source.slice(before.length) };
}

/** The tag among properties, as it is written. */
export function tagIn(before: string): string | undefined {
  if (!before.includes("!")) return undefined;
  return before.match(/#.*|[&!]\S*/g)?.find((each) => each.startsWith("!"));
}
