// Texts that a reader by backtracking, by recursion or by spread arguments does not get through. A test that hangs fails by the limit
// of the runner.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../../src/cli/commands.ts";
import { oneLine } from "../../src/explain/one-line.ts";
import { newPart, partsOf, rewritten } from "../../src/krm/bracket-parts.ts";
import { renderItem } from "../../src/krm/index.ts";
import { scalarOf } from "../../src/krm/key-text.ts";
import { valueText } from "../../src/krm/peek-text.ts";
import { readJson } from "../../src/merge/json.ts";
import { filled } from "../../src/render/variables.ts";
import { noParameters, variablesIn } from "../../src/sources/argo/parameters-of-sets.ts";
import { type Lookup, substitutionOf } from "../../src/sources/flux/substitution.ts";
import { remotesOf } from "../../src/sources/repository.ts";
import { isFault, Node, readDocument } from "../../src/yaml/index.ts";
import { worldOf } from "../support/world.ts";

const long = 300_000;

test("blanks inside of a plain value", () => {
  const doc = readDocument(Buffer.from(`b: x${" ".repeat(long)}y\n`));
  const value = isFault(doc) ? undefined : new Node(doc).get("b");
  expect(value && oneLine(value).length).toBe(long + 2);
});

test("line ends inside of a text", () => {
  expect(scalarOf(`a${"\n".repeat(long)}b`, 2).lines.length).toBe(long + 1);
});

test("blanks inside of a name", () => {
  const name = `a${" ".repeat(long)}b`;
  expect(valueText(Buffer.from(`${name} # c`), 0, long + 6)).toBe(name);
});

test("a comment of many `#` before the comma of an element", () => {
  const doc = readDocument(Buffer.from(`[a ${"#".repeat(long)}\n , b]\n`));
  const list = new Node(isFault(doc) ? expect.unreachable() : doc);
  expect(rewritten(list, [...partsOf(list), newPart("c")]).text.toString()).toBe(", c");
});

test("line ends inside of a new text", () => {
  const text = Buffer.from(`ü${"\n".repeat(long)}b`);
  const texts = { labels: new Map(), annotations: new Map(), dataKey: "values", text, unencoded: false };
  const item = { kind: "ConfigMap", name: "a", namespace: undefined, ...texts } as const;
  const embedding = { type: "document", inline: false, separator: 0 } as const;
  expect(renderItem(item, embedding, "instead").length).toBeGreaterThan(long);
});

test("a comment of many quotes in JSON", () => {
  expect(readJson(Buffer.from(`{ # "${'\\"'.repeat(long)}\n}`))).toMatchObject({ code: "syntax", offset: 2 });
});

test("starts of placeholders without an end", () => {
  const starts = "<< ".repeat(long);
  expect(filled(`${starts}\n<< a >>`, new Map([["a", "b"]]))).toEqual({ text: `${starts}\nb` });
  expect(variablesIn(`{{ a }}${"{{".repeat(long)}`, noParameters)).toEqual([]);
});

test("empty lines in the settings of git; of its URLs those of remotes", () => {
  const top = mkdtempSync(join(tmpdir(), "valuefold-long-"));
  mkdirSync(join(top, ".git"));
  const sections = '[remote "origin"]\r\n\turl = https://a\r\n[submodule "lib"]\n\turl = https://b\n';
  writeFileSync(join(top, ".git/config"), `${"\n".repeat(long)}${sections}`);
  expect(remotesOf(top)).toEqual(["https://a"]);
});

/** A text of an object, once variables are replaced. */
async function substituted(text: string, find: Lookup["find"]): Promise<string> {
  const refused = (_: string, reason: string): never => expect.unreachable(reason);
  const substitution = substitutionOf({ find, missed: () => undefined, unset: () => undefined }, refused);
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" }, data: { text } };
  const { bytes } = await substitution(Buffer.from(JSON.stringify(object)));
  return (JSON.parse(Buffer.from(bytes).toString("utf8")) as typeof object).data.text;
}

test.for([
  ["##", "b", "a".repeat(100)],
  ["#", "b", "a".repeat(100)],
  ["%%", "b", "a".repeat(100)],
  ["%", "b", "a".repeat(100)],
  ["##", "", ""],
] as const)("`%s` with many stars", async ([operator, end, left]) => {
  const stars = "*a".repeat(30);
  const pattern = operator.startsWith("%") ? `${end}${stars}` : `${stars}${end}`;
  const value = { name: "d", at: { of: "file" }, value: "a".repeat(100) } as const;
  expect(await substituted(`\${d${operator}${pattern}}`, () => value)).toBe(left);
});

test("expressions in each other: one that stays, stays as a whole", async () => {
  const nested = `${"${y:=".repeat(2000)}\${z}${"}".repeat(2000)}`;
  expect(await substituted(nested, () => "unset")).toBe("");
  const stays = { name: "z", at: { of: "file" }, stays: "it is not here" } as const;
  expect(await substituted(nested, (name) => (name === "z" ? stays : "unset"))).toBe(nested);
});

test("two files of which each has more keys than a call may have arguments", { tags: "law" }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-long-"));
  const keys = Array.from({ length: 130_000 }, (_, index) => `k${index}`);
  for (const value of ["v", "w"])
    writeFileSync(join(folder, `${value}.yaml`), keys.map((key) => `${key}: ${value}\n`).join(""));
  const world = worldOf("", { directory: folder });
  const { exitCode, output } = await runCommand(["compare", "v.yaml", "w.yaml"], world);
  expect(exitCode).toBe(0);
  expect(Buffer.concat(output).toString("utf8")).toContain("130000 of 130000 values differ");
});
