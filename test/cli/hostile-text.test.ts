// What a stranger names a file, an object or a key, and what it writes as a value, is spelled out in every form for people:
// no control character, no invisible one, and no line that a runner of workflows takes for a command.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCommand } from "../../src/cli/commands.ts";
import { endingOf } from "../../src/cli/failure.ts";
import { legibleText, renderDiagnostics, renderGithub, renderSarif } from "../../src/report/index.ts";
import type { Diagnostic } from "../../src/diagnostic.ts";
import { seededRandom } from "../support/stamped-tree.ts";
import { worldOf } from "../support/world.ts";

const pieces = [
  "\u0000",
  "\u0007",
  "\u0008",
  "\u001b",
  "\u007f",
  "\u0080",
  "\u009b",
  "\u00ad",
  "\u061c",
  "\u200b",
  "\u200e",
  "\u2028",
  "\u202a",
  "\u202e",
  "\u2066",
  "\u2069",
  "\ufeff",
  "\u{e0041}",
  "\u001b[2K\r",
  "\n::error::x",
  "::set-output name=a::b",
  "##[error]x",
  "##vso[task.setvariable]",
  " ::debug::",
  "\n##[group]",
  "a",
  "é",
];

function hostile(seed: number): string {
  const random = seededRandom(seed);
  return Array.from({ length: 5 }, () => pieces[Math.floor(random() * pieces.length)]).join("");
}

const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Lines of a text that have what they may not. */
function wrongIn(text: string): readonly string[] {
  return text
    .split("\n")
    .filter((line) => hidden.test(line) || /^\s*::/.test(line) || /##(?:vso)?\[/.test(line));
}

const seeds = Array.from({ length: 40 }, (_, index) => index);

describe.each(seeds)("hostile text %i", (seed) => {
  const bad = hostile(seed);
  const at = { text: bad, isFile: true, line: 1 } as const;
  const fault: Diagnostic = {
    code: "tie",
    severity: "error",
    message: bad,
    reason: bad,
    hint: bad,
    at,
    also: [at],
  };

  test.each([0, 60, 100])("in messages of %i columns", (columns) => {
    expect(wrongIn(renderDiagnostics([fault], { columns }))).toEqual([]);
    expect(wrongIn(endingOf(Object.assign(new Error(bad), { hint: bad, reason: [bad] })).messages)).toEqual(
      [],
    );
  });

  test("in annotations and SARIF", () => {
    const [line = "", ...others] = renderGithub([fault]).split("\n");
    expect(line).toMatch(/^::error /);
    expect(others).toEqual([""]);
    expect(wrongIn(line.slice(2))).toEqual([]);
    const rule = { shortDescription: { text: "" }, help: { text: "", markdown: "" }, helpUri: "" };
    const { runs } = JSON.parse(renderSarif([fault], "1", () => rule)) as {
      runs: { results: { message: { text: string } }[] }[];
    };
    expect(wrongIn(runs[0]?.results[0]?.message.text ?? "")).toEqual([]);
  });

  test("in what explain, diff, compare, verify and doctor print", async () => {
    const folder = mkdtempSync(join(tmpdir(), "valuefold-hostile-"));
    const key = JSON.stringify(bad);
    const name = `${bad.replaceAll(/[\0/,]/g, "")}.yaml`;
    writeFileSync(
      join(folder, name),
      `${key}: ${key}\nblock: ${JSON.stringify(`a\n${bad}\n::error::b\n`)}\nimage: {a: 1}\n`,
    );
    writeFileSync(join(folder, "over.yaml"), `${key}: ${JSON.stringify(`${bad}!`)}\nimage: ${key}\n`);
    const own = join(folder, name);
    const over = join(folder, "over.yaml");
    const calls = [
      ["explain", own, over],
      ["explain", "**", own, over],
      ["diff", own, over],
      ["diff", "--format", "markdown", own, over],
      ["compare", own, over],
      ["compare", "--format", "markdown", own, over],
      ["verify", own, over],
      ["doctor", folder],
    ];
    for (const words of calls) {
      const world = worldOf("", { directory: folder, env: { PATH: "" } });
      const { output, messages } = await runCommand(words, world).catch(endingOf);
      expect([words[0], ...wrongIn(Buffer.concat(output).toString("utf8")), ...wrongIn(messages)]).toEqual([
        words[0],
      ]);
    }
  });
});

test("colours stay, and so does all that is visible", () => {
  expect(legibleText("\u001b[1;31merror\u001b[0m: é 漢 a::b #[x]\n")).toBe(
    "\u001b[1;31merror\u001b[0m: é 漢 a::b #[x]\n",
  );
  expect(legibleText("\u001b[1m::error::x\n")).toBe("\u001b[1m\\u003a:error::x\n");
});
