// The code reads top to bottom as data flows: the ranks of the folders. Types count like values: a stage knows the
// vocabulary and the stages before it, and nothing that comes later. Read from import lines.
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const source = new URL("../src/", import.meta.url);
const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".ts"),
);
const texts = new Map(files.map((file) => [file, readFileSync(new URL(file, source), "utf8")]));

/** What a file imports or exports from, types included, as paths in `src`. */
function importsOf(file: string): string[] {
  const found = [
    ...(texts.get(file) ?? "").matchAll(/^(?:import|export) [^;]*?from "(\.[^"]+)"|import\("(\.[^"]+)"\)/gm),
  ];
  return found
    .map(([, named, loaded]) => named ?? loaded ?? "")
    .filter((path) => path.endsWith(".ts"))
    .map((path) => new URL(path, new URL(file, source)).pathname.replace(source.pathname, ""));
}

/** Folders and files, first those that know nothing. Each knows only those before it, and its own folder. */
const ranks = [
  ["diagnostic.ts", "difference.ts", "explanation.ts", "notes.ts", "grouped.ts", "version.ts"],
  ["yaml/"],
  ["wire/"],
  ["merge/"],
  ["report/"],
  ["config/"],
  ["model.ts", "layer/"],
  ["select/"],
  ["refold/"],
  ["context.ts", "stack/"],
  ["schema/"],
  ["front/"],
  ["sops/"],
  ["emit/"],
  ["render/"],
  ["plan.ts"],
  ["repeat/"],
  ["foresight.ts"],
  ["fold.ts"],
  ["explain/"],
  ["lint/", "diff/"],
  ["verify.ts", "values.ts"],
  ["page/"],
  ["public.ts", "index.ts"],
  ["cli/"],
  ["start/"],
];

function rankOf(file: string): number {
  return ranks.findIndex((names) =>
    names.some((name) => (name.endsWith("/") ? file.startsWith(name) : file === name)),
  );
}

test.for(files)("%s has a rank, and knows nothing that comes later", (file) => {
  expect(rankOf(file)).toBeGreaterThanOrEqual(0);
  expect(importsOf(file).filter((path) => rankOf(path) > rankOf(file))).toEqual([]);
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

test("only the edge touches the process, only the table of contents calls the stages", () => {
  const without = (text: string): string => text.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, "");
  const touching = files.filter((file) => /\bprocess\b\./.test(without(texts.get(file) ?? "")));
  expect(touching.toSorted()).toEqual(["cli/main.ts", "start/compile.ts", "start/start.ts"]);
  const stages = ["stack/runs.ts", "refold/restore.ts", "sops/steps.ts", "emit/assembly.ts"];
  const calls = (file: string): boolean =>
    /^import (?!type )/m.test(texts.get(file) ?? "") &&
    stages.some((stage) =>
      new RegExp(
        `^import (?!type )[^;]*\\b(foldStack|restore|openSealed|assemble)\\b[^;]*${stage.split("/")[1]}`,
        "m",
      ).test(texts.get(file) ?? ""),
    );
  expect(files.filter(calls).toSorted()).toEqual(["fold.ts", "plan.ts"]);
});

test.for(files.filter((file) => file.startsWith("page/")))("%s knows nothing but explanations", (file) => {
  const explanations = ["explanation.ts", "notes.ts"];
  const others = importsOf(file).filter((path) => !path.startsWith("page/") && !explanations.includes(path));
  expect(others).toEqual([]);
});

const fronts = files.filter((file) => /^front\/.+\//.test(file));

test.for(fronts)("%s knows no other front end", (file) => {
  const own = `${file.split("/").slice(0, 2).join("/")}/`;
  const others = importsOf(file).filter(
    (path) =>
      path.startsWith("front/") &&
      !path.startsWith(own) &&
      !["front/front-end.ts", "front/spec.ts", "front/annotated.ts"].includes(path),
  );
  expect(others).toEqual([]);
});

/** What a front end may know of items and layers: no way to a value but as guarded text. */
const allowed = [
  "config/",
  "diagnostic.ts",
  "grouped.ts",
  "model.ts",
  "select/",
  "refold/record.ts",
  "front/",
  "layer/held.ts",
  "layer/key-texts.ts",
  "layer/metadata.ts",
  "wire/",
  "yaml/layout.ts",
  "yaml/quote.ts",
  "yaml/resolve.ts",
  "yaml/scalar.ts",
  "yaml/standalone.ts",
  "yaml/tape.ts",
];

test.for(files.filter((file) => file.startsWith("front/")))(
  "%s reaches values as guarded text only",
  (file) => {
    const others = importsOf(file).filter((path) => !allowed.some((each) => path.startsWith(each)));
    expect(others).toEqual([]);
    expect(texts.get(file)).not.toMatch(/\breveal\b|\bimport\(/);
  },
);

test("nothing is cast to a kind of layer", () => {
  expect(files.filter((file) => /\bas LayerKind\b|\bas LayerItem\b/.test(texts.get(file) ?? ""))).toEqual([]);
});
