// Messages as text: one of each code that the cases have, in three widths; what holds for all of them; and the limits on
// how many are printed.
import { readdirSync, readFileSync, existsSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { runCommand } from "../src/cli/commands.ts";
import { isColoured } from "../src/cli/ending.ts";
import { sopsFaults } from "../src/core/stack/sops-faults.ts";
import { renderDiagnostics } from "../src/report/text.ts";
import type { Diagnostic } from "../src/diagnostic.ts";
import { faultCodes } from "../src/fault-codes.ts";
import { verify } from "../src/explain/verify.ts";
import { foldText } from "./support/fold.ts";
import { worldOf } from "./support/world.ts";

const widths = [60, 80, 100];
const here = (path: string): URL => new URL(path, import.meta.url);

function ofCases(): Diagnostic[] {
  const folder = here("core/cases/");
  return readdirSync(folder).flatMap((name) => {
    const [input, config] = ["input.yaml", "config.yaml"].map((file) => {
      const url = new URL(`${name}/${file}`, folder);
      return existsSync(url) ? readFileSync(url, "utf8") : undefined;
    });
    if (input === undefined) return [];
    const folded = foldText(input, config);
    const verified = [input, folded.output].map((text) =>
      verify({ input: Buffer.from(text), strict: true, ...(config && { config: Buffer.from(config) }) }),
    );
    return [folded, ...verified].flatMap(({ diagnostics }) => diagnostics);
  });
}

/** What SOPS may answer. */
function ofSops(): Diagnostic[] {
  const at = { text: "Secret/org/shop values.yaml" };
  return Object.values(sopsFaults).map((fault): Diagnostic => ({ severity: "error", at, ...fault }));
}

function ofLints(): Diagnostic[] {
  const folder = here("explain/lints/");
  const files = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
  return files.flatMap((name) => {
    const input = readFileSync(new URL(name, folder));
    // A lint that is off by default.
    const config = Buffer.from(
      "{apiVersion: valuefold.dev/v1alpha1, kind: ValueFold, spec: {verify: {lints: {idle-value: warning}}}}",
    );
    return verify({ input, config, files: [{ name, start: 0 }], strict: true, unfolded: true }).diagnostics;
  });
}

async function ofRenders(): Promise<Diagnostic[]> {
  const folder = here("render/renders/");
  const all = readdirSync(folder).map(async (name) => {
    const options = new URL(`${name}/options.txt`, folder);
    const words = existsSync(options) ? readFileSync(options, "utf8").trim().split(/\s+/) : [];
    const args = ["render", "-c", "render.yaml", "--format", "json", ...words];
    const { messages } = await runCommand(
      args,
      worldOf("", { directory: new URL(`${name}/`, folder).pathname }),
    );
    return (JSON.parse(messages) as { diagnostics: Diagnostic[] }).diagnostics;
  });
  return (await Promise.all(all)).flat();
}

let all: readonly Diagnostic[] = [];
beforeAll(async () => {
  all = [...ofCases(), ...ofSops(), ...ofLints(), ...(await ofRenders())];
}, 120_000);

test.each(widths)("one message of each code, in %i columns", async (columns) => {
  const firsts = new Map<string, Diagnostic>(all.toReversed().map((each) => [each.code, each]));
  const sorted = [...firsts.values()].toSorted((a, b) => (a.code < b.code ? -1 : 1));
  // The others need a program, or an earlier run: sops-program, sealing, refold, verify and sessions have them.
  const missing = Object.keys(faultCodes).filter((code) => !firsts.has(code));
  expect(missing).toMatchInlineSnapshot(`
    [
      "seal-missing",
      "seal-failed",
      "rule-kept",
      "layer-held",
      "protected-path",
      "equals-default",
      "unread-key",
      "patch-without-target",
      "render-stale",
      "values-missing",
      "no-value",
      "not-built",
      "not-proven",
      "usage",
    ]
  `);
  const texts = sorted.map((each) => renderDiagnostics([each], { columns, all: true }));
  await expect(texts.join("\n")).toMatchFileSnapshot(here(`messages/${columns}.txt`).pathname);
});

describe("every message", () => {
  test.each(widths)("fits into %i columns, but for names and commands", (columns) => {
    const long = all.flatMap((each) => {
      const lines = renderDiagnostics([each], { columns, all: true }).split("\n");
      return lines.filter((line) => line.length > columns && !isOneName(line));
    });
    expect(long).toEqual([]);
  });

  test("has the same words in any width, and in colours", () => {
    for (const each of all) {
      const wide = renderDiagnostics([each], { all: true });
      const narrow = renderDiagnostics([each], { columns: 40, all: true });
      expect(narrow.replaceAll(/\s+/g, " ")).toBe(wide.replaceAll(/\s+/g, " "));
      const coloured = renderDiagnostics([each], { all: true, colour: true });
      expect(stripVTControlCharacters(coloured)).toBe(wide);
    }
  });

  test("says what to do", () => {
    // These report what was done, or that it was left as it is on purpose.
    const without = new Set(all.filter(({ hint = "" }) => hint === "").map(({ code }) => code));
    expect([...without].toSorted()).toMatchInlineSnapshot(`
      [
        "fold-summary",
        "layer-kept",
      ]
    `);
  });
});

/** A line that cannot be broken: after its label it is one name, one command, or a pair of brackets. */
function isOneName(line: string): boolean {
  const text = line.replace(/^ {2}\S+ +|^\w+\[[\w-]+\]: /, "").trim();
  return /^(?:\S*`[^`]*`\S*|\S+|\([^()]*\)\S*)$/.test(text);
}

describe("many", () => {
  const at = (line: number): NonNullable<Diagnostic["at"]> => ({
    text: "a.yaml",
    isFile: true,
    line,
    column: 1,
  });
  const one = { code: "duplicate-key", severity: "warning", message: "the key is there twice" } as const;

  test("that differ in their place only are one", () => {
    const same = [1, 2, 3, 4, 5].map((line): Diagnostic => ({ ...one, at: at(line) }));
    expect(renderDiagnostics(same)).toBe(
      "warning[duplicate-key]: the key is there twice\n  at    a.yaml:1:1\n  at    a.yaml:2:1\n  at    a.yaml:3:1\n  at    2 more places\n",
    );
    expect(renderDiagnostics(same, { all: true }).match(/ at /g)).toHaveLength(5);
  });

  test("of one code are counted, and errors come first", () => {
    const keys = Array.from({ length: 14 }, (_, index): Diagnostic => ({ ...one, message: `key ${index}` }));
    const text = renderDiagnostics([...keys, { code: "tie", severity: "error", message: "a tie" }]);
    expect(text).toMatch(/^error\[tie\]: a tie\n/);
    expect(text).toContain("key 9\n");
    expect(text).not.toContain("key 10\n");
    expect(text).toMatch(/warning\[duplicate-key\]: 4 more\n {2}hint {2}`-v` prints them all\n$/);
    expect(renderDiagnostics(keys, { all: true })).toContain("key 13\n");
  });

  test("characters: of a very long text its start and its end are printed", () => {
    const name = "é".repeat(20_000);
    const file = { text: `start-${name}-end.yaml`, isFile: true } as const;
    const long: Diagnostic = { ...one, message: `start ${name} end`, reason: name, hint: name, at: file };
    const text = renderDiagnostics([long], { all: true });
    expect(text.length).toBeLessThan(10_000);
    expect(text).toMatch(/: start\s+é{990,}…é{990,}\s+end\n/);
    expect(text).toMatch(/at {4}start-é{990,}…é{980,}-end\.yaml\n/);
    const whole: Diagnostic = { ...one, message: "é".repeat(2000) };
    expect(renderDiagnostics([whole])).not.toContain("…");
  });

  test("a terminal that does not know its width gets whole lines, and a very narrow one words", () => {
    const long: Diagnostic = { ...one, message: "word ".repeat(30).trim() };
    const widest = (columns: number): number =>
      Math.max(
        ...renderDiagnostics([long], { columns })
          .split("\n")
          .map((line) => line.length),
      );
    expect([widest(0), widest(10), widest(1000)]).toEqual([widest(100), widest(40), widest(100)]);
  });

  test("infos are printed only if all are asked for", () => {
    const info: Diagnostic = { code: "fold-summary", severity: "info", message: "folded" };
    expect([renderDiagnostics([info]), renderDiagnostics([info], { all: true })]).toEqual([
      "",
      "info[fold-summary]: folded\n",
    ]);
  });
});

test.each([
  [{}, true, true],
  [{}, false, false],
  [{ NO_COLOR: "1" }, true, false],
  [{ NO_COLOR: "" }, true, true],
  [{ FORCE_COLOR: "1" }, false, true],
  [{ FORCE_COLOR: "0" }, true, false],
  [{ FORCE_COLOR: "1", NO_COLOR: "1" }, false, true],
  [{ CLICOLOR_FORCE: "1" }, false, true],
  [{ CLICOLOR_FORCE: "1", NO_COLOR: "1" }, true, false],
  [{ CLICOLOR: "0" }, true, false],
  [{ TERM: "dumb" }, true, false],
] as const)("colours with %j, on a terminal: %s", (env, isTerminal, expected) => {
  expect(isColoured(env, isTerminal)).toBe(expected);
});
