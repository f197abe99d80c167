// Plain words: comments and declared names in the folders below, and all that a user reads, avoid the words in these lists.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { commandNames } from "../src/cli/flags.ts";
import { helpOf } from "../src/cli/help.ts";

const root = new URL("../", import.meta.url);
const source = new URL("../src/", import.meta.url);
const checked =
  /^(?:(?:core|repeat|render|explain|factor|cli|schema)\/|(?:diagnostic|difference|explanation|public|arguments|index|settings-input|wings|version)\.ts$)/;
const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
  (file) => checked.test(file) && file.endsWith(".ts"),
);

/** Riddles, and words with a plainer one: a program reports, a layer overrides, a setting applies. */
const inComments =
  /\b(?:nobody|somebody|whoever|anybody|told|tells?|whose|(?<!there )(?:is|are) none|stands?|stood|lies over|goes over|anew|beside|behind)\b/i;

const inNames = /^(?:told|isTold|said|asked|isAsked|fates?|doubts?|standings?|foresee|anew|beside|behind)$/i;

/** What a user reads: pages, READMEs of examples, help and messages. Code, settings and names in backticks are not prose. */
const inProse = new RegExp(inComments.source.replace("|whose|", "|apart|"), "i");
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

test("there are files to look at", () => {
  expect(files.length).toBeGreaterThan(100);
});

test.for(files)("%s", (file) => {
  const lines = readFileSync(new URL(file, source), "utf8").split("\n");
  const comments = lines.flatMap((line) => /^\s*(?:\/\/|\/\*|\*).*|\s\/\/\s.*/.exec(line)?.[0] ?? []);
  expect(comments.filter((comment) => inComments.test(comment))).toEqual([]);
  const names = lines.flatMap((line) =>
    [...line.matchAll(/\b(?:function\*?|const|let|class|interface|type|readonly|private) (\w+)/g)].map(
      ([, name = ""]) => name,
    ),
  );
  expect(names.filter((name) => inNames.test(name))).toEqual([]);
});
