// The code reads top to bottom as data flows. ARCHITECTURE.md and the page of core say in which order; here their tables are
// read, and every file is held to them. Types count like values: a stage knows the vocabulary and the stages before it. Read from imports.
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const source = new URL("../src/", import.meta.url);
const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".ts"),
);
const texts = new Map(files.map((file) => [file, readFileSync(new URL(file, source), "utf8")]));

interface Import {
  readonly path: string;
  /** Names of values; none of an import of types. */
  readonly values: readonly string[];
}

/** What a file imports or exports from, types included, as paths in `src`. */
function importsOf(file: string): Import[] {
  const found = [
    ...(texts.get(file) ?? "").matchAll(
      /^(?:import|export) ([^;]*?) from "(\.[^"]+)"|import\("(\.[^"]+)"\)/gm,
    ),
  ];
  return found.flatMap(([, names = "", named, loaded]) => {
    const path = named ?? loaded ?? "";
    if (!path.endsWith(".ts")) return [];
    const all = names.startsWith("type ") ? [] : names.replaceAll(/[{}\s]+/g, " ").split(",");
    const values = all.map((name) => name.trim()).filter((name) => name !== "" && !name.startsWith("type "));
    return { path: new URL(path, new URL(file, source)).pathname.replace(source.pathname, ""), values };
  });
}

/** The rows of a page's table with a heading: folders and files that share a row. */
function rowsUnder(file: string, heading: string): string[][] {
  const page = readFileSync(new URL(`../${file}`, import.meta.url), "utf8");
  const table = page.slice(page.indexOf(`| ${heading} `)).split("\n\n")[0] ?? "";
  return table
    .split("\n")
    .slice(2)
    .map((line) => [...(line.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name));
}

const wings = rowsUnder("ARCHITECTURE.md", "in `src`");
const stages = rowsUnder("src/core/README.md", "in `src/core`").map((row) =>
  row.map((name) => `core/${name}`),
);
/** First those that know nothing. Each row knows only those before it, and its own names. */
const ranks = wings.flatMap((row) => (row.includes("core/") ? [...stages, ["core/index"]] : [row]));

/** Imports that a rule forbids, as `file -> path`. */
function crossing(isForbidden: (file: string, path: string) => boolean, among = files): string[] {
  return among.flatMap((file) =>
    importsOf(file)
      .filter(({ path }) => isForbidden(file, path))
      .map(({ path }) => `${file} -> ${path}`),
  );
}

/** The longest name applies: `sops/need` has a row of its own. */
function rankOf(file: string): number {
  const isIn = (name: string): boolean =>
    name.endsWith("/") ? file.startsWith(name) : file === `${name}.ts`;
  const names = ranks.flat().filter(isIn);
  const longest = names.toSorted((a, b) => b.length - a.length)[0] ?? "";
  return ranks.findIndex((row) => row.includes(longest));
}

function wingOf(file: string): string {
  return file.includes("/") ? file.slice(0, file.indexOf("/")) : "";
}

test("the tables name eight wings, and nothing that is not there", () => {
  expect(wings.flat().filter((name) => name.endsWith("/"))).toHaveLength(8);
  const there = (name: string): boolean =>
    files.some((file) => (name.endsWith("/") ? file.startsWith(name) : file === `${name}.ts`));
  expect([...wings, ...stages].flat().filter((name) => !there(name))).toEqual([]);
});

test("every file has a row, and knows nothing that comes later", () => {
  expect(files.filter((file) => rankOf(file) < 0)).toEqual([]);
  expect(crossing((file, path) => rankOf(path) > rankOf(file))).toEqual([]);
});

test("a wing is entered by its door only", () => {
  const isInside = (file: string, path: string): boolean =>
    wingOf(path) !== "" && wingOf(path) !== wingOf(file) && path !== `${wingOf(path)}/index.ts`;
  expect(crossing(isInside)).toEqual([]);
  const usesOwn = (file: string, path: string): boolean => path === `${wingOf(file)}/index.ts`;
  expect(crossing(usesOwn)).toEqual([]);
});

test("a door lists names, and fits on a screen", () => {
  const doors = files.filter((file) => /^\w+\/(?:\w+\/)?index\.ts$/.test(file));
  expect(doors.length).toBeGreaterThan(5);
  for (const door of doors) {
    const text = texts.get(door) ?? "";
    expect(text.split("\n").length, door).toBeLessThanOrEqual(61);
    const rest = text
      .replaceAll(/^\/\/.*\n/gm, "")
      .replaceAll(/^export (?:type )?(?:\*|\{[^}]*\}) from "[^"]+";\n/gm, "");
    expect(rest, door).toBe("");
  }
});

test("no file imports itself by way of others, types included", () => {
  const done = new Set<string>();
  const visit = (file: string, open: readonly string[]): void => {
    expect(open).not.toContain(file);
    if (done.has(file)) return;
    for (const { path } of importsOf(file)) visit(path, [...open, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
});

test("only the edge touches the process", () => {
  const without = (text: string): string => text.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, "");
  const touching = files.filter((file) => /\bprocess\b\./.test(without(texts.get(file) ?? "")));
  expect(touching.toSorted()).toEqual(["cli/main.ts", "cli/start/compile.ts", "cli/start/start.ts"]);
});

test("only the table of contents calls the stages", () => {
  const entries = ["stack/runs", "refold/restore", "sops/steps", "emit/assembly"];
  const calls = entries.flatMap((entry) => {
    const module = `core/${entry}.ts`;
    const given = files
      .filter((file) => file.endsWith("/index.ts"))
      .flatMap((door) => importsOf(door).filter(({ path }) => path === module))
      .flatMap(({ values }) => values);
    const isCall = ({ path, values }: Import): boolean =>
      path === module
        ? values.some((name) => !shapes.includes(name))
        : path === "core/index.ts" && values.some((name) => given.includes(name));
    return files.filter((file) => !file.endsWith("/index.ts") && importsOf(file).some(isCall));
  });
  // `survey` and `in-place` are steps of the plan. `stale` folds the layers of one item alone, to compare; `planned` finds what cannot be written.
  expect([...new Set(calls)].toSorted()).toEqual([
    "core/fold-in-place.ts",
    "core/fold.ts",
    "core/plan.ts",
    "core/survey.ts",
    "explain/lint/stale.ts",
    "explain/planned.ts",
  ]);
});

/** What is read of earlier folds: no stage. */
const shapes = ["undoneFolds"];

test("the pages know nothing but explanations, comparisons and how paths and values are written", () => {
  const known = ["explanation.ts", "comparison.ts", "explain/notes.ts", "explain/lines.ts", "core/index.ts"];
  const pages = files.filter((file) => file.startsWith("explain/page/"));
  expect(crossing((_, path) => !path.startsWith("explain/page/") && !known.includes(path), pages)).toEqual(
    [],
  );
  const ofCore = pages
    .flatMap(importsOf)
    .filter(({ path }) => path === "core/index.ts")
    .flatMap(({ values }) => values);
  expect([...new Set(ofCore)].toSorted()).toEqual(["isLiteralSafe", "pathText"]);
});

const fronts = files.filter((file) => file.startsWith("core/front/"));

test("no front end knows another", () => {
  const shared = ["core/front/front-end.ts", "core/front/spec.ts", "core/front/annotated.ts"];
  const ownFolder = (file: string): string => `${file.split("/").slice(0, 3).join("/")}/`;
  const isOther = (file: string, path: string): boolean =>
    path.startsWith("core/front/") && !path.startsWith(ownFolder(file)) && !shared.includes(path);
  expect(
    crossing(
      isOther,
      fronts.filter((file) => /^core\/front\/.+\//.test(file)),
    ),
  ).toEqual([]);
});

/** What a front end may know of items and layers: no way to a value but as guarded text. */
const allowed = [
  "diagnostic.ts",
  "core/config/",
  "core/grouped.ts",
  "core/kinds.ts",
  "core/model.ts",
  "core/select/",
  "core/refold/record.ts",
  "core/front/",
  "core/layer/held.ts",
  "core/layer/key-texts.ts",
  "core/layer/metadata.ts",
  "core/layer/missing-data.ts",
  "core/layer/treatment.ts",
  "core/wire/",
  "core/yaml/layout.ts",
  "core/yaml/quote.ts",
  "core/yaml/resolve.ts",
  "core/yaml/scalar.ts",
  "core/yaml/standalone.ts",
  "core/yaml/tape.ts",
];

test("front ends reach values as guarded text only", () => {
  expect(crossing((_, path) => !allowed.some((each) => path.startsWith(each)), fronts)).toEqual([]);
  expect(fronts.filter((file) => /\bimport\(/.test(texts.get(file) ?? ""))).toEqual([]);
});

test("nothing is cast to a kind of layer", () => {
  expect(files.filter((file) => /\bas LayerKind\b|\bas LayerItem\b/.test(texts.get(file) ?? ""))).toEqual([]);
});
