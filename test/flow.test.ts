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
  ["pre-fold.ts"],
  ["fold.ts"],
  ["explain/"],
  ["lint/", "diff/"],
  ["verify.ts", "values.ts"],
  ["page/"],
  ["settings-input.ts", "public.ts", "arguments.ts", "index.ts"],
  ["cli/"],
  ["start/"],
];

/** Imports that a rule forbids, as `file -> path`. */
function crossing(isForbidden: (file: string, path: string) => boolean, among = files): string[] {
  return among.flatMap((file) =>
    importsOf(file)
      .filter((path) => isForbidden(file, path))
      .map((path) => `${file} -> ${path}`),
  );
}

function rankOf(file: string): number {
  return ranks.findIndex((names) =>
    names.some((name) => (name.endsWith("/") ? file.startsWith(name) : file === name)),
  );
}

test("every file has a rank, and knows nothing that comes later", () => {
  expect(files.filter((file) => rankOf(file) < 0)).toEqual([]);
  expect(crossing((file, path) => rankOf(path) > rankOf(file))).toEqual([]);
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
  expect(touching.toSorted()).toEqual(["cli/main.ts", "start/compile.ts", "start/start.ts"]);
});

test("only the table of contents calls the stages", () => {
  const stages = ["stack/runs.ts", "refold/restore.ts", "sops/steps.ts", "emit/assembly.ts"];
  const calls = (file: string): boolean =>
    [...(texts.get(file) ?? "").matchAll(/^import (?!type )([^;]*?) from "(\.[^"]+)"/gm)].some(
      ([, names = "", path = ""]) =>
        stages.includes(new URL(path, new URL(file, source)).pathname.replace(source.pathname, "")) &&
        names
          .replaceAll(/[{}\s]/g, "")
          .split(",")
          .some((name) => name !== "" && !shapes.includes(name)),
    );
  // `lint/stale.ts` folds the layers of one item by themselves, to compare.
  expect(files.filter(calls).toSorted()).toEqual(["fold.ts", "lint/stale.ts", "plan.ts"]);
});

/** What is read of earlier folds, and the form of a plan: no stages. */
const shapes = ["undoneFolds", "typePlan", "typeInPlace"];

test("the page knows nothing but explanations", () => {
  const known = ["explanation.ts", "notes.ts"];
  const pages = files.filter((file) => file.startsWith("page/"));
  expect(crossing((_, path) => !path.startsWith("page/") && !known.includes(path), pages)).toEqual([]);
});

const fronts = files.filter((file) => file.startsWith("front/"));

test("no front end knows another", () => {
  const shared = ["front/front-end.ts", "front/spec.ts", "front/annotated.ts"];
  const ownFolder = (file: string): string => `${file.split("/").slice(0, 2).join("/")}/`;
  const isOther = (file: string, path: string): boolean =>
    path.startsWith("front/") && !path.startsWith(ownFolder(file)) && !shared.includes(path);
  expect(
    crossing(
      isOther,
      fronts.filter((file) => /^front\/.+\//.test(file)),
    ),
  ).toEqual([]);
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

test("front ends reach values as guarded text only", () => {
  expect(crossing((_, path) => !allowed.some((each) => path.startsWith(each)), fronts)).toEqual([]);
  expect(fronts.filter((file) => /\breveal\b|\bimport\(/.test(texts.get(file) ?? ""))).toEqual([]);
});

test("nothing is cast to a kind of layer", () => {
  expect(files.filter((file) => /\bas LayerKind\b|\bas LayerItem\b/.test(texts.get(file) ?? ""))).toEqual([]);
});
