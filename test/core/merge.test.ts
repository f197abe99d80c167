// Every file in test/core/merge is one behaviour: layers, lowest first, between `---` lines, then `# =>` and the
// exact text they merge to. A layer whose bytes matter may be written as `!json` text.
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { mergeTexts } from "../support/layers.ts";

const folder = new URL("merge/", import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith(".yaml"));

function layersOf(source: string): string[] {
  return source
    .split(/^---\n/m)
    .map((text) => (text.startsWith("!json ") ? (JSON.parse(text.slice(6)) as string) : text));
}

test("there are cases", () => {
  expect(files.length).toBeGreaterThan(40);
});

test.for(files)("merge/%s", (file) => {
  const [, layers = "", expected = ""] =
    /^([\s\S]*?)^# =>\n([\s\S]*)$/m.exec(readFileSync(new URL(file, folder), "utf8")) ?? [];
  const { text } = mergeTexts(layersOf(layers));
  expect(text).toBe(layersOf(expected)[0]);
});

test.for(files)("merge/%s reads back the same from its own text", (file) => {
  const [, layers = ""] = /^([\s\S]*?)^# =>\n/m.exec(readFileSync(new URL(file, folder), "utf8")) ?? [];
  const { text } = mergeTexts(layersOf(layers));
  expect(mergeTexts([text]).text).toBe(text);
  expect(() => void parse(text, { version: "1.1", merge: true })).not.toThrow();
});
