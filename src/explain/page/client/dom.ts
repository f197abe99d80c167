// Elements, made by name and text only: nothing that comes from values is ever read as HTML.

export type Child = Node | string | undefined;

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  for (const child of children) if (child !== undefined) made.append(child);
  return made;
}

export function button(
  text: string,
  press: () => void,
  attributes: Readonly<Record<string, string>> = {},
): HTMLButtonElement {
  const made = element("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", press);
  return made;
}

export function note(text: string): HTMLElement {
  return element("span", { class: "note" }, text);
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

/** A place, and perhaps a link to it. A long one is broken after a slash, not inside a name. */
export function placed(text: string, query: string, href?: string): HTMLElement {
  const parts = query.includes("/") ? [text] : text.split(/(?<=\/)/);
  const children = parts.flatMap((part, index) => [
    ...(index === 0 ? [] : [element("wbr")]),
    marked(part, query),
  ]);
  if (href === undefined) return element("span", { class: "place" }, ...children);
  // Another window: the page keeps what is searched for and what is collapsed.
  const attributes = { class: "place", href, target: "_blank", rel: "noopener noreferrer" };
  return element("a", attributes, ...children);
}

/** A text with what was searched for marked in it. */
export function marked(text: string, query: string): Node {
  const lower = query === "" ? "" : text.toLowerCase();
  // Some letters have no lower case of the same length: offsets would be wrong.
  const first = query !== "" && lower.length === text.length ? lower.indexOf(query) : -1;
  if (first < 0) return document.createTextNode(text);
  const all = document.createDocumentFragment();
  let end = 0;
  for (let at = first; at >= 0; at = lower.indexOf(query, end)) {
    all.append(text.slice(end, at), element("mark", {}, text.slice(at, at + query.length)));
    end = at + query.length;
  }
  all.append(text.slice(end));
  return all;
}

/** A sentence in place of what is not there. */
export function nothing(text: string): HTMLElement {
  return element("p", { class: "nothing" }, text);
}
