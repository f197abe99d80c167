// Elements, made by name and text only: nothing that comes from values is ever read as HTML.

export type Child = Node | string | undefined;

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** A place in this page. */
export function link(address: string, attributes: Readonly<Record<string, string>>, ...children: Child[]) {
  return element("a", { href: `#${address}`, ...attributes }, ...children);
}

/** A sentence with what it names in backticks. */
export function prose(text: string): Node {
  const all = document.createDocumentFragment();
  for (const [index, part] of text.split("`").entries())
    all.append(index % 2 === 1 ? element("code", {}, part) : part);
  return all;
}

/** A place. A long one is broken after a slash, not inside a name. */
export function placed(text: string, query: string): HTMLElement {
  const parts = query.includes("/") ? [text] : text.split(/(?<=\/)/);
  const children = parts.flatMap((part, index) => [
    ...(index === 0 ? [] : [element("wbr")]),
    marked(part, query),
  ]);
  return element("span", { class: "place" }, ...children);
}

/** A text with what was searched for marked in it. */
export function marked(text: string, query: string): Node {
  const all = document.createDocumentFragment();
  const lower = text.toLowerCase();
  // Some letters have no lower case of the same length: offsets would be wrong.
  const isSearched = query !== "" && lower.length === text.length;
  let end = 0;
  for (let at = isSearched ? lower.indexOf(query) : -1; at >= 0; at = lower.indexOf(query, end)) {
    all.append(text.slice(end, at), element("mark", {}, text.slice(at, at + query.length)));
    end = at + query.length;
  }
  all.append(text.slice(end));
  return all;
}
