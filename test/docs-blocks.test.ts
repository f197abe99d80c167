// Code blocks of README, docs and examples' READMEs: YAML and JSON parse, settings are settings, and every `valuefold` command is one that there is. Blocks whose output
// is on the page are run by the tests of the tutorial, the sessions and test/real.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseAllDocuments, stringify } from "yaml";
import { parseCommandLine } from "../src/cli/command-line.ts";
import { readCheckoutSettings } from "../src/settings/index.ts";
import { foldText } from "./support/fold.ts";

const root = new URL("../", import.meta.url);
const pages = [
  "README.md",
  ...readdirSync(new URL("docs/", root)).flatMap((file) => (file.endsWith(".md") ? [`docs/${file}`] : [])),
  ...readdirSync(new URL("examples/", root)).map((name) => `examples/${name}/README.md`),
].filter((file) => existsSync(new URL(file, root)));

function blocksOf(page: string, language: string): string[] {
  const text = readFileSync(new URL(page, root), "utf8");
  const blocks = [...text.matchAll(new RegExp(`^( *)\`\`\`${language}\\n([\\s\\S]*?)^\\1\`\`\`$`, "gm"))];
  return blocks.map(([, indent = "", block = ""]) => block.replaceAll(new RegExp(`^${indent}`, "gm"), ""));
}

/** Commands of a block, a line each; what a here-document or another program gets is not one. */
function commandsIn(block: string): string[] {
  return block
    .replaceAll(/<<-?'?(\w+)'?[^\n]*\n[\s\S]*?^\1$/gm, "")
    .replaceAll("\\\n", " ")
    .split("\n")
    .flatMap((line) => line.replace(/(^|\s)#.*$/, "").split(/\||&&|;|\$\(|<\(/))
    .map((command) => command.trim())
    .filter((command) => command.startsWith("valuefold "));
}

function wordsOf(command: string): string[] {
  const [, ...words] = command.replace(/ 2?>.*$|\)$/, "").match(/(?:"[^"]*"|'[^']*'|\S)+/g) ?? [];
  return words.map((word) => word.replaceAll(/["']/g, ""));
}

test.for(pages)("%s: its YAML parses, and settings in it are settings", (page) => {
  for (const block of blocksOf(page, "yaml")) {
    if (block.includes("{{ if ")) continue; // a Go template
    const documents = parseAllDocuments(block, { logLevel: "silent" });
    expect([block, "empty" in documents ? [] : documents.flatMap(({ errors }) => errors)]).toEqual([
      block,
      [],
    ]);
    for (const document of "empty" in documents ? [] : documents) {
      const value: unknown = document.toJS();
      if (!isValueFold(value)) continue;
      if (hasCheckout(value)) {
        const bytes = Buffer.from(stringify(value));
        expect(readCheckoutSettings(bytes, ".valuefold.yaml")).not.toHaveProperty("faults");
        continue;
      }
      const { messages } = foldText(
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
        stringify(value),
      );
      expect([block, messages.match(/\[(?:unknown|invalid)-setting\]/g)]).toEqual([block, null]);
    }
  }
});

function isValueFold(value: unknown): value is object {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "ValueFold";
}

/** `checkout` is a setting of one file. */
function hasCheckout(value: object): boolean {
  return "spec" in value && typeof value.spec === "object" && value.spec !== null && "checkout" in value.spec;
}

test.for(pages)("%s: its commands are commands", (page) => {
  for (const block of blocksOf(page, "sh"))
    for (const command of commandsIn(block))
      expect(() => parseCommandLine(wordsOf(command)), command).not.toThrow();
});

test("commands are found", () => {
  const found = pages.flatMap((page) => blocksOf(page, "sh")).flatMap(commandsIn);
  expect(found.length).toBeGreaterThan(60);
  expect(() => parseCommandLine(wordsOf("valuefold fold --no-such-flag a.yaml"))).toThrow();
});
