// What the documents say is what the code does.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { schemaCatalog } from "../scripts/schema-head.ts";
import { withFaults, withTables } from "../scripts/docs-tables.ts";
import { comparisonSchema, explanationSchema } from "../scripts/explanation-source.ts";
import {
  functionDefinition,
  jsonSchema,
  kptMetadata,
  renderSchema,
  repeatSchema,
} from "../scripts/schema-source.ts";
import { helpText } from "../src/cli/help.ts";
import { settingPaths } from "../src/settings/function-config.ts";
import { Mark, ownPrefix } from "../src/krm/annotation-names.ts";
import { readAction } from "./support/composite-action.ts";
import { foldText } from "./support/fold.ts";

const root = new URL("../", import.meta.url);

function read(page: string): string {
  return readFileSync(new URL(page, root), "utf8");
}

const docs = readdirSync(new URL("docs/", root))
  .filter((file) => file.endsWith(".md"))
  .map((file) => `docs/${file}`);
const pages = [...readdirSync(root).filter((file) => file.endsWith(".md")), ...docs];

/** A page without its code: neither a comment in a shell script is a heading, nor a list in YAML a link. */
function proseOf(page: string): string {
  return read(page).replaceAll(/^( *)```[\s\S]*?^\1```$/gm, "");
}

function sectionOf(page: string, heading: string): string {
  const [, section, ...more] = proseOf(page).split(`\n## ${heading}\n`);
  if (section === undefined || more.length > 0) throw new Error(`${page}: expected one section ${heading}`);
  return section.split("\n## ")[0] ?? "";
}

interface Listed {
  readonly name: string;
  readonly aside: string;
}

/** A section's one list. Strict: every line names one thing in backticks, perhaps with something in brackets, and says what it is. */
function listIn(page: string, heading: string): Listed[] {
  const lines = sectionOf(page, heading)
    .split("\n")
    .filter((line) => line.startsWith("- "));
  return lines.map((line) => {
    const [, name, aside = ""] = /^- `([^`]+)`(?: \(([^)]+)\))?: ./.exec(line) ?? [];
    if (name === undefined) throw new Error(`${page}: a line of ${heading} names nothing: ${line}`);
    return { name, aside };
  });
}

function namesIn(page: string, heading: string): string[] {
  return listIn(page, heading).map(({ name }) => name);
}

/** Anchors as the usual hosts make them of headings. */
function anchorsOf(page: string): string[] {
  const seen = new Map<string, number>();
  return [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
      .replaceAll(" ", "-");
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
}

describe("lists", () => {
  test("list every setting, and no other", () => {
    expect(namesIn("docs/settings.md", "Settings").toSorted()).toEqual(settingPaths().toSorted());
  });

  test("list every annotation, and no other; the help names those that users write", () => {
    const keys = namesIn("docs/settings.md", "Annotations").filter((name) => name.startsWith(ownPrefix));
    const helped = [...helpText().matchAll(/valuefold\.dev\/[a-z-]+/g)].map(([name]) => name);
    expect(keys.toSorted()).toEqual([...new Set(helped)].toSorted());
    const listed = sectionOf("docs/settings.md", "Annotations").matchAll(/`(valuefold\.dev\/[a-z-]+)`/g);
    // A label's prefix, and what only earlier versions wrote.
    const others: readonly string[] = [Mark.owner, Mark.templateOf, Mark.repeatedLists];
    const own = Object.values(Mark).filter((name) => name.startsWith(ownPrefix) && !others.includes(name));
    expect([...new Set([...listed].map(([, name = ""]) => name))].toSorted()).toEqual(own.toSorted());
  });
});

describe("the GitHub action", () => {
  const action = readAction(join(root.pathname, "action.yml"));

  test("its inputs and outputs are listed, and no other", () => {
    expect(namesIn("docs/github-action.md", "Inputs")).toEqual(Object.keys(action.inputs));
    expect(namesIn("docs/github-action.md", "Outputs")).toEqual(Object.keys(action.outputs));
  });

  test("a default is told as it is", () => {
    const told = listIn("docs/github-action.md", "Inputs").map(({ name, aside }) => [
      name,
      aside.replaceAll("`", ""),
    ]);
    const ours: { readonly [name: string]: string } = {
      token: "the job's token",
      version: "the action's",
      releases: "the action's",
    };
    const real = Object.entries(action.inputs).map(([name, { default: value }]) => [
      name,
      ours[name] ?? value,
    ]);
    expect(told).toEqual(real);
  });

  test.for(["docs/github-action.md", "docs/ci.md"])("%s uses inputs that there are", (page) => {
    const blocks = [...read(page).matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => text);
    const uses = blocks.filter((text) => text.includes("ORG/valuefold@COMMIT"));
    expect(uses.length).toBeGreaterThan(0);
    for (const text of uses) {
      const steps = stepsIn(parse(text)).filter((step) => step.uses?.startsWith("ORG/") === true);
      const given = steps.flatMap((step) => Object.keys(step.with ?? {}));
      expect(given.filter((name) => action.inputs[name] === undefined)).toEqual([]);
    }
  });
});

interface WorkflowStep {
  readonly uses?: string;
  readonly with?: { readonly [input: string]: unknown };
}

/** Of a whole workflow, of its jobs, or of a list of steps. */
function stepsIn(workflow: unknown): WorkflowStep[] {
  if (Array.isArray(workflow)) return workflow as WorkflowStep[];
  const { jobs = {}, steps = [] } = workflow as {
    readonly jobs?: { readonly [name: string]: { readonly steps: WorkflowStep[] } };
    readonly steps?: WorkflowStep[];
  };
  return [...steps, ...Object.values(jobs).flatMap((job) => job.steps)];
}

describe("README", () => {
  const readme = read("README.md");

  test("is read in a quarter of an hour: 8 KB at most", () => {
    expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(8192);
  });

  test("its before/after example folds as it says", () => {
    const [before, after] = [...readme.matchAll(/```yaml\n# (?:before|after)[^\n]*\n([\s\S]*?)```/g)].map(
      (match) => match[1] as string,
    );
    const { output, messages } = foldText(
      before ?? "",
      "apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nspec:\n  layers: prune\n",
    );
    expect(messages).toBe("");
    expect(output.replace(/ {2}annotations:\n {4}valuefold.dev\/folded-from: .*\n/, "")).toBe(after);
  });

  test("names the two commands, and links to every page", () => {
    expect(readme).toMatch(/^npm run demo\b/m);
    expect(readme).toMatch(/^npm cit\b/m);
    for (const page of docs) expect(readme).toContain(`](${page})`);
  });
});

describe("pages", () => {
  test.for(pages)("%s links only to what is there, files and anchors", (page) => {
    for (const [, target = ""] of proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) continue;
      const [path = "", anchor] = target.split("#");
      const url = path === "" ? new URL(page, root) : new URL(path, new URL(page, root));
      expect([target, existsSync(url)]).toEqual([target, true]);
      if (anchor === undefined) continue;
      const linked = url.pathname.slice(root.pathname.length);
      expect([target, anchorsOf(linked).includes(anchor)]).toEqual([target, true]);
    }
  });

  test.for(docs)("%s starts with its contents if it is long, and they are whole", (page) => {
    const [top = "", ...sections] = proseOf(page).split(/\n(?=## )/);
    const listed = [...top.matchAll(/^- \[[^\]]+\]\(#([^)]+)\)$/gm)].map(([, anchor]) => anchor);
    const isLong = read(page).split("\n").length - 1 > 80;
    if (!isLong && listed.length === 0) return;
    expect(sections.length).toBeGreaterThan(0);
    expect(listed).toEqual(anchorsOf(page).slice(1));
  });

  test("each page of the contract that the code cites has the section", () => {
    const sources = readdirSync(new URL("src/", root), { recursive: true, encoding: "utf8" });
    const cited = sources
      .filter((file) => file.endsWith(".ts"))
      .flatMap((file) => [...read(`src/${file}`).matchAll(/docs\/(folding|targets)\.md \(([^)]+)\)/g)]);
    expect(cited.length).toBeGreaterThan(5);
    for (const [, page, heading] of cited)
      expect(proseOf(`docs/${page}.md`)).toMatch(new RegExp(`^## ${heading}$`, "m"));
  });

  test("not-folded lists every reason that the summary gives", () => {
    const reasons = [...read("src/core/stack/run-ends.ts").matchAll(/why: (["`])(.+)\1/g)].map(
      ([, , why = ""]) =>
        why
          .replaceAll("\\`", "`")
          .replaceAll("${priority}", "…")
          .replaceAll(/`\$\{[a-z][^}]*\}`|\$\{[a-z][^}]*\}/g, "…"),
    );
    expect(reasons.length).toBeGreaterThan(15);
    const page = read("docs/not-folded.md");
    expect(reasons.filter((why) => !page.includes(`\n- **${why}**: `))).toEqual([]);
  });
});

test("the schema, function.yaml and metadata.yaml are made from the settings as they are", () => {
  expect(read("schema/valuefold.schema.json")).toBe(jsonSchema());
  expect(read("schema/explanation.schema.json")).toBe(explanationSchema());
  expect(read("schema/comparison.schema.json")).toBe(comparisonSchema());
  expect(read("schema/render.schema.json")).toBe(renderSchema());
  expect(read("schema/repeat.schema.json")).toBe(repeatSchema());
  expect(read("schema/catalog.json")).toBe(schemaCatalog());
  expect(read("function.yaml")).toBe(functionDefinition());
  expect(read("metadata.yaml")).toBe(kptMetadata());
});

test("the lists of commands, flags and fault codes are made from src/cli as it is", () => {
  expect(read("docs/command-line.md")).toBe(withTables(read("docs/command-line.md")));
  expect(read("docs/faults.md")).toBe(withFaults(read("docs/faults.md")));
});
