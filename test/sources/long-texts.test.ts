// Texts that a reader by backtracking, by recursion or by spread arguments does not get through. A test that hangs fails by the limit
// of the runner.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../../src/cli/commands.ts";
import { oneLine } from "../../src/explain/one-line.ts";
import { scalarOf } from "../../src/krm/key-text.ts";
import { BadExpression, substituted } from "../../src/sources/flux/expression.ts";
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

test.for([
  ["##", "b", "a".repeat(100)],
  ["#", "b", "a".repeat(100)],
  ["%%", "b", "a".repeat(100)],
  ["%", "b", "a".repeat(100)],
  ["##", "", ""],
] as const)("`%s` with many stars", ([operator, end, left]) => {
  const stars = "*a".repeat(30);
  const pattern = operator.startsWith("%") ? `${end}${stars}` : `${stars}${end}`;
  const value = { name: "d", at: { of: "file" }, value: "a".repeat(100) } as const;
  expect(substituted(`\${d${operator}${pattern}}`, () => value).text).toBe(left);
});

test("expressions in each other, and in each other without end", () => {
  const nested = (depth: number): string => `${"${y:=".repeat(depth)}v${"}".repeat(depth)}`;
  expect(substituted(nested(500), () => "unset").text).toBe("v");
  expect(() => substituted(nested(100_000), () => "unset")).toThrow(BadExpression);
});

test(
  "two files of which each has more keys than a call may have arguments",
  { timeout: 120_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "valuefold-long-"));
    const keys = Array.from({ length: 130_000 }, (_, index) => `k${index}`);
    for (const value of ["v", "w"])
      writeFileSync(join(folder, `${value}.yaml`), keys.map((key) => `${key}: ${value}\n`).join(""));
    const world = worldOf("", { directory: folder });
    const { exitCode, output } = await runCommand(["compare", "v.yaml", "w.yaml"], world);
    expect(exitCode).toBe(0);
    expect(Buffer.concat(output).toString("utf8")).toContain("130000 of 130000 values differ");
  },
);
