// What the documents say is what the code does.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { functionDefinition, jsonSchema } from "../scripts/schema-source.ts";
import { helpText } from "../src/cli/command-line.ts";
import { codes } from "../src/diagnostic.ts";
import { settingPaths } from "../src/config/function-config.ts";
import { foldText } from "./support/fold.ts";

const root = new URL("../", import.meta.url);
const readme = readFileSync(new URL("README.md", root), "utf8");

function tableKeys(heading: string): string[] {
  const section = readme.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  return [...section.matchAll(/^\| `([^`]+)`/gm)].map((match) => match[1] as string);
}

describe("README", () => {
  test("lists every fault code, and no other", () => {
    expect(tableKeys("Fault codes").toSorted()).toEqual([...codes].toSorted());
  });

  test("lists every setting, and no other", () => {
    expect(tableKeys("Settings").toSorted()).toEqual(settingPaths().toSorted());
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

  test("names the two commands and links only to what is there", () => {
    expect(readme).toContain("npm run demo");
    expect(readme).toContain("npm cit");
    for (const [, target = ""] of readme.matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
      expect([target, existsSync(new URL(target, root))]).toEqual([target, true]);
    }
  });
});

test("the schema and function.yaml are made from the settings as they are", () => {
  expect(readFileSync(new URL("schema/valuefold.schema.json", root), "utf8")).toBe(jsonSchema());
  expect(readFileSync(new URL("function.yaml", root), "utf8")).toBe(functionDefinition());
});

test("the help names every annotation that the README does", () => {
  for (const [, name = ""] of readme.matchAll(/^\| `(valuefold\.dev\/[a-z-]+)`/gm)) {
    if (!name.startsWith("valuefold.dev/folded-")) expect(helpText).toContain(name);
  }
});

test("ARCHITECTURE names every source file, and no other", () => {
  const text = readFileSync(new URL("ARCHITECTURE.md", root), "utf8");
  const named = [...text.matchAll(/^\| `([a-z/-]+\.ts)`/gm)].map((match) => match[1] as string);
  const files = readdirSync(new URL("src/", root), { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".ts"),
  );
  expect(named.toSorted()).toEqual(files.toSorted());
});
