// The site is made of the repository's own Markdown files: README.md is its first page.
import { readFileSync } from "node:fs";
import { defineConfig } from "vitepress";
import type { Plugin } from "vite";
import { examples, writeExamples } from "./examples.ts";
import { dropContents, escapeBraces, linkToRepository, slugify } from "./markdown.ts";
import { addressOf, checkedPages, groups, root } from "./pages.ts";

const { description, homepage, version } = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as {
  readonly [key in "description" | "homepage" | "version"]: string;
};
const pages = checkedPages();
/** A letter in place of a picture, so that no browser asks for one. */
const icon =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><path d='M2 3l6 11 6-11' fill='none' stroke='%233451b2' stroke-width='3'/></svg>";

/** Vue is in this folder, and pages are not: they would look for it in the repository's own packages. */
const vueForPages: Plugin = {
  name: "vue-for-pages",
  enforce: "pre",
  resolveId(id, importer, { ssr }) {
    if (!/^vue(?:\/|$)/.test(id)) return null;
    if (ssr === true) return { id, external: true };
    return importer?.endsWith(".md") === true ? this.resolve(id, import.meta.filename) : null;
  },
};

export default defineConfig({
  title: "valuefold",
  description,
  head: [["link", { rel: "icon", href: icon }]],
  srcDir: "..",
  srcExclude: [
    "!(docs|*.md)/**",
    "docs/*/**",
    ...["ARCHITECTURE", "RELEASING", "SECURITY"].map((name) => `${name}.md`),
  ],
  rewrites: { "README.md": "index.md" },
  outDir: "dist",
  cacheDir: "node_modules/.vitepress",
  vite: { plugins: [vueForPages] },
  markdown: {
    anchor: { slugify },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    config: (markdown) => {
      dropContents(markdown);
      escapeBraces(markdown);
      linkToRepository(markdown, homepage, pages);
    },
  },
  themeConfig: {
    nav: [
      { text: `v${version}`, link: "/CHANGELOG.html" },
      { text: "GitHub", link: homepage },
    ],
    sidebar: [
      ...groups.map(({ text, pages: named }) => ({
        text,
        items: Object.entries(named).map(([page, name]) => ({ text: name, link: addressOf(page) })),
      })),
      {
        text: "Live examples",
        items: examples.map(({ text, file }) => ({ text, link: `/examples/${file}`, target: "_self" })),
      },
    ],
    outline: [2, 3],
    search: {
      provider: "local",
      options: {
        miniSearch: {
          searchOptions: {
            // Runs in the reader's browser. History comes after what is true today.
            boostDocument: (id: string) => (/CHANGELOG|CONTRIBUTING|decisions/.test(id) ? 0.2 : 1),
          },
        },
      },
    },
    editLink: { pattern: `${homepage}/edit/main/:path`, text: "Edit this page" },
    docFooter: { prev: false, next: false },
  },
  buildEnd: ({ outDir }) => writeExamples(`${outDir}/examples`, homepage),
});
