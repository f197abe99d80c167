// The code reads top to bottom as data flows. ARCHITECTURE.md and the page of core say in which order; here their tables are
// read, and every file is held to them. Types count like values: a stage knows the vocabulary and the stages before it. Read from imports.
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { grouped } from "../src/grouped.ts";

const source = new URL("../src/", import.meta.url);
const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".ts"),
);
const texts = new Map(files.map((file) => [file, readFileSync(new URL(file, source), "utf8")]));

/** What a file imports or exports from, types included, as paths in `src`. */
function importsOf(file: string): string[] {
  const found = [
    ...(texts.get(file) ?? "").matchAll(
      /^(?:import|export) [^;]*? from "(\.[^"]+\.ts)"|import\("(\.[^"]+\.ts)"\)/gm,
    ),
  ];
  return found.map(([, named, loaded]) => pathFrom(file, named ?? loaded ?? ""));
}

function pathFrom(file: string, from: string): string {
  return new URL(from, new URL(file, source)).pathname.replace(source.pathname, "");
}

interface Taken {
  readonly name: string;
  readonly isType: boolean;
  /** The file that has it, not the door. */
  readonly path: string;
}

/** The names in the lists of a file's imports or exports. */
function listsOf(file: string, verb: string): Taken[] {
  const lists = (texts.get(file) ?? "").matchAll(
    new RegExp(`^${verb} (type )?\\{([^}]*)\\} from "(\\.[^"]+)"`, "gm"),
  );
  return [...lists].flatMap(([, type = "", list = "", from = ""]) =>
    list
      .split(",")
      .map((each) => each.trim())
      .filter((each) => each !== "")
      .map((each) => ({
        name: each.replace(/^type /, ""),
        isType: type !== "" || each.startsWith("type "),
        path: pathFrom(file, from),
      })),
  );
}

/** What a file takes from others, seen through their doors. */
function takenBy(file: string): Taken[] {
  const own = file.endsWith("/index.ts") ? [] : listsOf(file, "export");
  return [...listsOf(file, "import"), ...own].map((each) => {
    const given = each.path.endsWith("/index.ts") ? listsOf(each.path, "export") : [];
    return { ...each, path: given.find(({ name }) => name === each.name)?.path ?? each.path };
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
      .filter((path) => isForbidden(file, path))
      .map((path) => `${file} -> ${path}`),
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

test("the tables name fifteen wings, and nothing that is not there", () => {
  expect(wings.flat().filter((name) => name.endsWith("/"))).toHaveLength(15);
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

test("render, repeat and factor can be left out: only these files ask for them", () => {
  const isOptional = (path: string): boolean => ["render", "repeat", "factor"].includes(wingOf(path));
  const asking = crossing((file, path) => isOptional(path) && wingOf(path) !== wingOf(file));
  expect(asking.toSorted()).toEqual([
    "cli/factor-files.ts -> factor/index.ts",
    "cli/factor-names.ts -> factor/index.ts",
    "cli/factor-sets.ts -> factor/index.ts",
    "cli/factor.ts -> factor/index.ts",
    "cli/main.ts -> render/index.ts",
    "explain/clone.ts -> repeat/index.ts",
    "explain/verify.ts -> repeat/index.ts",
    "sources/fold-settings.ts -> render/index.ts",
    "sources/render-files.ts -> render/index.ts",
    "sources/run-render.ts -> render/index.ts",
    "wings.ts -> repeat/index.ts",
  ]);
});

test("a door lists at most 100 names", () => {
  const doors = files.filter((file) => /^\w+\/(?:\w+\/)?index\.ts$/.test(file));
  expect(doors.length).toBeGreaterThan(5);
  for (const door of doors) {
    const text = texts.get(door) ?? "";
    expect(listsOf(door, "export").length, door).toBeLessThanOrEqual(100);
    const rest = text
      .replaceAll(/^\/\/.*\n/gm, "")
      .replaceAll(/^export (?:type )?\{[^}]*\} from "[^"]+";\n/gm, "");
    expect(rest, door).toBe("");
  }
});

test("own modules are imported by name", () => {
  const other = /^(?:import|export) (?!(?:type )?\{)[^;]*? from "\.[^"]*\.ts"/m;
  // The library's types.
  const found = files.filter(
    (file) => file !== "index.ts" && file !== "public.ts" && other.test(texts.get(file) ?? ""),
  );
  expect(found).toEqual([]);
  const pages = files.filter((file) => file.startsWith("explain/page/"));
  expect(pages.filter((file) => /\bimport\(/.test(texts.get(file) ?? ""))).toEqual([]);
});

test("no file imports itself by way of others, types included", () => {
  const done = new Set<string>();
  const visit = (file: string, open: readonly string[]): void => {
    expect(open).not.toContain(file);
    if (done.has(file)) return;
    for (const path of importsOf(file)) visit(path, [...open, file]);
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
  const entries = ["stack/runs", "refold/restore", "sops/steps", "emit/assembly"].map(
    (each) => `core/${each}.ts`,
  );
  const isCall = (file: string): boolean =>
    takenBy(file).some(
      ({ name, isType, path }) => !isType && !shapes.includes(name) && entries.includes(path),
    );
  const calling = files.filter((file) => !file.endsWith("/index.ts") && isCall(file));
  // `survey` and `in-place` are steps of the plan. `stale` folds the layers of one item alone, to compare.
  expect(calling.toSorted()).toEqual([
    "core/fold-in-place.ts",
    "core/fold.ts",
    "core/plan.ts",
    "core/survey.ts",
    "explain/lint/stale.ts",
  ]);
});

/** What is read of earlier folds: no stage. */
const shapes = ["undoneFolds"];

test("the pages know nothing but explanations, comparisons and how paths and values are written", () => {
  const known = ["explanation.ts", "comparison.ts", "explain/notes.ts", "explain/lines.ts"];
  const isKnown = (path: string): boolean => known.includes(path) || path.startsWith("explain/page/");
  const others = files
    .filter((file) => file.startsWith("explain/page/"))
    .flatMap(takenBy)
    .filter(({ path }) => !isKnown(path));
  expect([...new Set(others.map(({ name }) => name))].toSorted()).toEqual(["isLiteralSafe", "pathText"]);
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
  "grouped.ts",
  "kinds.ts",
  "object-id.ts",
  "settings/",
  "krm/",
  "core/select/",
  "core/refold/record.ts",
  "core/front/",
  "layers/held.ts",
  "layers/key-texts.ts",
  "layers/metadata.ts",
  "layers/missing-data.ts",
  "layers/model.ts",
  "layers/treatment.ts",
  "yaml/layout.ts",
  "yaml/node.ts",
  "yaml/quote.ts",
  "yaml/standalone.ts",
  "yaml/tape.ts",
];

test("front ends reach values as guarded text only", () => {
  const known = (path: string): boolean => allowed.some((each) => path.startsWith(each));
  expect(fronts.flatMap(takenBy).filter(({ path }) => !known(path))).toEqual([]);
  expect(fronts.filter((file) => /\bimport\(/.test(texts.get(file) ?? ""))).toEqual([]);
});

test("a type name means one thing", () => {
  const declared = files.flatMap((file) =>
    [...(texts.get(file) ?? "").matchAll(/^(?:export )?(?:interface|type|(?:abstract )?class) (\w+)/gm)].map(
      ([, name = ""]) => ({ name, file }),
    ),
  );
  const homes = grouped(declared, ({ name }) => name);
  const twice = [...homes].filter(([, all]) => new Set(all.map(({ file }) => file)).size > 1);
  expect(twice.map(([name]) => name)).toEqual([]);
});

test("nothing is cast to a kind of layer", () => {
  expect(files.filter((file) => /\bas LayerKind\b|\bas LayerItem\b/.test(texts.get(file) ?? ""))).toEqual([]);
});
