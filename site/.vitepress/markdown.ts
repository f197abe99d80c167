// The Markdown files are written for GitHub. These rules make the site read them as GitHub does.
import { existsSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { MarkdownEnv, MarkdownRenderer } from "vitepress";
import { root } from "./pages.ts";

/** Anchors as GitHub makes them of headings. */
export function slugify(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");
}

/** Links to files that are no pages of the site lead to the repository. */
export function linkToRepository(
  markdown: MarkdownRenderer,
  repository: string,
  pages: readonly string[],
): void {
  const addressOf = (href: string, from: string): string => {
    const [path = "", hash = ""] = href.split(/(?=#)/);
    if (path === "" || path.startsWith("#") || /^[a-z]+:/.test(path)) return href;
    const file = relative(root, join(dirname(from), path));
    if (file === "README.md") return `/${hash}`;
    if (pages.includes(file)) return href;
    if (!existsSync(join(root, file))) throw new Error(`${from}: a link to ${file}, which does not exist`);
    const kind = statSync(join(root, file)).isDirectory() ? "tree" : "blob";
    return `${repository}/${kind}/main/${file}${hash}`;
  };
  markdown.core.ruler.push("repository", ({ tokens, env }) => {
    const links = tokens.flatMap(({ children }) => children ?? []).filter(({ type }) => type === "link_open");
    for (const link of links)
      link.attrSet("href", addressOf(link.attrGet("href") ?? "", (env as MarkdownEnv).path));
  });
}

/** A page shows its contents at the side: the list of them at its top is dropped. */
export function dropContents(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push("contents", ({ tokens }) => {
    const start = tokens.findIndex(({ type }) => type === "bullet_list_open");
    const end = tokens.findIndex(({ type, level }) => type === "bullet_list_close" && level === 0);
    const items = tokens.slice(start, end).filter(({ type }) => type === "inline");
    const isContents = items.every(({ content }) => /^\[[^\]]+\]\(#[^)]+\)$/.test(content));
    if (start >= 0 && isContents) tokens.splice(start, end - start + 1);
  });
}

/** Text is text: `{{` of a Go template is not one of Vue's. */
export function escapeBraces(markdown: MarkdownRenderer): void {
  const { rules } = markdown.renderer;
  for (const kind of ["text", "code_inline"] as const) {
    const render = rules[kind];
    rules[kind] = (...args) => render?.(...args).replaceAll("{{", "&#123;&#123;") ?? "";
  }
}
