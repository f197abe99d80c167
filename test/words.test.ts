// Plain words: all that a user reads avoids the words in this list.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { commandNames } from "../src/cli/flags.ts";
import { helpOf } from "../src/cli/help.ts";

const root = new URL("../", import.meta.url);
/** Riddles, and words with a plainer one: a program reports, a layer overrides, a setting applies. Code in backticks is not prose. */
const inProse =
  /\b(?:nobody|somebody|whoever|anybody|told|tells?|apart|(?<!there )(?:is|are) none|stands?|stood|lies over|goes over|anew|beside|behind)\b/i;

const pages = [
  ...readdirSync(root).filter((file) => file.endsWith(".md")),
  ...readdirSync(new URL("docs/", root)).flatMap((file) => (file.endsWith(".md") ? [`docs/${file}`] : [])),
  ...readdirSync(new URL("examples/", root)).map((name) => `examples/${name}/README.md`),
  "test/messages/80.txt",
].filter((file) => existsSync(new URL(file, root)));

function sentencesOf(text: string): string[] {
  const prose = text.replaceAll(
    /^( *)```[\s\S]*?^\1```$|`[^`\n]*`|\]\([^)]*\)|[\w.-]*[.-](?:apart|behind)[\w.-]*/gm,
    "",
  );
  return prose.split("\n").filter((line) => inProse.test(line));
}

test.for(pages)("%s is in plain words", (page) => {
  expect(sentencesOf(readFileSync(new URL(page, root), "utf8"))).toEqual([]);
});

test("the help is in plain words", () => {
  expect([[], ...commandNames.map((name) => [name])].map(helpOf).flatMap(sentencesOf)).toEqual([]);
});
