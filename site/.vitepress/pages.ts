// The pages of the site, by what a reader needs. The build fails if a page of docs/ is missing here, or named here and missing there.
import { readdirSync } from "node:fs";

/** The repository: the Markdown files of the site are its own. */
export const root = new URL("../../", import.meta.url).pathname;

interface Group {
  readonly text: string;
  /** Files, and their names in the sidebar. */
  readonly pages: { readonly [file: string]: string };
}

export const groups: readonly Group[] = [
  {
    text: "Start",
    pages: {
      "README.md": "Overview",
      "docs/install.md": "Install",
      "docs/tutorial.md": "Tutorial",
      "docs/concepts.md": "Concepts",
      "docs/compared-with.md": "Compared with",
    },
  },
  {
    text: "See",
    pages: {
      "docs/explain.md": "Explain and diff",
      "docs/manifests.md": "Manifests",
      "docs/upgrades.md": "Chart upgrades",
      "docs/compare.md": "Compare",
      "docs/flux.md": "Flux",
      "docs/argo-cd.md": "Argo CD",
      "docs/values-files.md": "Values files",
      "docs/charts.md": "The chart below",
      "docs/lints.md": "Lints",
      "docs/ci.md": "CI and plain pipes",
      "docs/github-action.md": "GitHub action",
    },
  },
  {
    text: "Merge",
    pages: {
      "docs/kustomize.md": "kustomize",
      "docs/kpt.md": "kpt",
      "docs/flux-controller.md": "Flux controller",
      "docs/lists.md": "Lists",
      "docs/secrets.md": "Secrets",
      "docs/repeat.md": "Repeat",
      "docs/render.md": "Render",
      "docs/go-templates.md": "Go templates",
      "docs/migrate-to-render.md": "Migrate to render",
      "docs/factor.md": "Factor copied values files",
      "docs/adopting.md": "Adopting and leaving",
      "docs/not-folded.md": "Why did these not fold?",
    },
  },
  {
    text: "Reference",
    pages: {
      "docs/command-line.md": "Command line",
      "docs/settings.md": "Settings",
      "docs/targets.md": "Targets",
      "docs/folding.md": "Folding",
      "docs/schemas.md": "Schemas",
      "docs/faults.md": "Faults",
      "docs/library.md": "Library",
      "docs/decisions.md": "Decisions",
      "docs/performance.md": "Performance",
    },
  },
  {
    text: "Project",
    pages: { "CHANGELOG.md": "Changelog", "CONTRIBUTING.md": "Contributing" },
  },
];

/** The files of the groups; throws if they are not the files that exist. */
export function checkedPages(listed: readonly Group[] = groups): readonly string[] {
  const pages = listed.flatMap((group) => Object.keys(group.pages));
  const docs = readdirSync(`${root}docs`).flatMap((file) => (file.endsWith(".md") ? [`docs/${file}`] : []));
  const files = [...docs, "README.md", "CHANGELOG.md", "CONTRIBUTING.md"];
  const wrong = [
    ...files.filter((file) => !pages.includes(file)).map((file) => `${file} is in no group: add it to one`),
    ...pages.filter((page) => !files.includes(page)).map((page) => `${page} is in a group, and missing`),
    ...pages.filter((page, index) => pages.indexOf(page) < index).map((page) => `${page} is in two groups`),
  ];
  if (wrong.length > 0) throw new Error(`site/.vitepress/pages.ts:\n  ${wrong.join("\n  ")}`);
  return pages;
}

export function addressOf(page: string): string {
  return page === "README.md" ? "/" : `/${page.replace(/\.md$/, ".html")}`;
}
