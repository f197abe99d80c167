// Plain words in the folders below: comments and declared names avoid the words in these two lists.
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

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
