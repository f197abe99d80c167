// The code reads top to bottom as data flows: what a file may import as a value. Read from import lines.
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const source = new URL("../src/", import.meta.url);
const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".ts"),
);

function importsOf(file: string): string[] {
  const text = readFileSync(new URL(file, source), "utf8");
  const valueImports = [...text.matchAll(/^import (?!type )[^;]*?from "(\.[^"]+)"/gm)].map(
    (match) => match[1] as string,
  );
  return valueImports.map((path) =>
    new URL(path, new URL(file, source)).pathname.replace(source.pathname, ""),
  );
}

/** Folders and files, lowest first: a file imports values from its own level and below. */
const levels = [
  [
    "diagnostic.ts",
    "version.ts",
    "command-line.ts",
    "stdio.ts",
    "sops-keys.ts",
    "sops.ts",
    "settings.ts",
    "mentions.ts",
    "lines.ts",
  ],
  ["yaml/"],
  ["layout.ts"],
  ["wire/"],
  [
    "merge.ts",
    "unchanged.ts",
    "pieces.ts",
    "write.ts",
    "json.ts",
    "values.ts",
    "function-config.ts",
    "report.ts",
    "outcome.ts",
  ],
  [
    "data-keys.ts",
    "layers.ts",
    "names.ts",
    "record.ts",
    "origin.ts",
    "annotations.ts",
    "annotated-faults.ts",
    "selectors.ts",
    "order.ts",
    "sealed.ts",
    "sealing.ts",
    "opening.ts",
    "steps.ts",
    "targets.ts",
    "segments.ts",
    "layer-faults.ts",
    "splits.ts",
    "ties.ts",
  ],
  ["refold.ts", "runs.ts", "naming.ts", "emit.ts", "dispose.ts"],
  ["front/"],
  ["summary.ts", "seal-steps.ts", "assembly.ts", "fold.ts", "verify.ts"],
  ["main.ts"],
];

function levelOf(file: string): number {
  return levels.findIndex((names) =>
    names.some((name) => (name.endsWith("/") ? file.startsWith(name) : file === name)),
  );
}

test.for(files)("%s has its level", (file) => {
  if (file !== "model.ts") expect(levelOf(file)).toBeGreaterThanOrEqual(0);
});

test.for(files)("%s imports no value from a later level", (file) => {
  const later = importsOf(file).filter(
    (path) => levelOf(path) > levelOf(file) && !path.endsWith("package.json"),
  );
  expect(later).toEqual([]);
});

test("only main.ts touches the process, only fold.ts calls the stages", () => {
  const touching = files.filter((file) => /\bprocess\./.test(readFileSync(new URL(file, source), "utf8")));
  expect(touching).toEqual(["main.ts"]);
  const callers = files.filter((file) =>
    importsOf(file).some((path) => path === "runs.ts" || path === "refold.ts" || path === "dispose.ts"),
  );
  expect(callers.toSorted()).toEqual(["assembly.ts", "fold.ts"]);
});

test("no front end knows another, and only the callers of the stages know any", () => {
  const fronts = files.filter((file) => file.startsWith("front/") && file !== "front/all.ts");
  for (const file of fronts) {
    const kind = file.split("/")[1]?.split(/[-.]/)[0] ?? "";
    const others = importsOf(file).filter(
      (path) =>
        path.startsWith("front/") &&
        !path.startsWith(`front/${kind}`) &&
        !["front/front-end.ts", "front/target-faults.ts"].includes(path),
    );
    expect(others).toEqual([]);
  }
  const users = files.filter(
    (file) => !file.startsWith("front/") && importsOf(file).some((path) => path.startsWith("front/")),
  );
  expect(users.toSorted()).toEqual(["assembly.ts", "fold.ts", "seal-steps.ts", "summary.ts", "verify.ts"]);
});
