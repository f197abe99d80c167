// Where values of Applications are from, and what they are. Argo CD's own code finds the files, Helm's merges them; each value
// is the file and the line where it stands.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { parse } from "yaml";
import { runCommand } from "../../src/cli/commands.ts";
import type { ExplainedTarget, ExplainedValue, Explanation } from "../../src/explanation.ts";
import { counted } from "../fuzz/tally.ts";
import { type StampedApplication, stampedApplication } from "../support/stamped-application.ts";
import { seededRandom, writeTree } from "../support/stamped-tree.ts";
import { worldOf } from "../support/world.ts";
import { Oracle } from "./oracle.ts";

const runs = Number(process.env["VALUEFOLD_RUNS"] ?? 150);
const seed = Number(process.env["VALUEFOLD_SEED"] ?? 20261125);

interface Answer {
  readonly values?: readonly unknown[];
  readonly error?: string;
}

const oracle = new Oracle<object, Answer>("argo-oracle");
afterAll(() => oracle.close());

interface Tally {
  right: number;
  over: number;
  refused: number;
}

async function ran(
  folder: string,
  ...words: readonly string[]
): Promise<{ text: string; status: number; messages: string }> {
  const { output, exitCode, messages } = await runCommand(words, worldOf("", { directory: folder }));
  return { text: Buffer.concat(output).toString("utf8"), status: exitCode, messages };
}

/** `values` has the nulls that take a default away; Helm has neither. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(members.map(([key, each]) => [key, withoutNulls(each)]));
}

/** The stamps in a value on one line of YAML. */
function stampsIn(text: string): readonly string[] {
  return text.match(/(?:charts|values|apps)\/[^#\s",{}]*#\d+/g) ?? [];
}

type Judged = Pick<ExplainedValue, "text" | "at">;

function judgeValue(
  value: Judged,
  isParameter: (at: Judged["at"]) => boolean,
  tally: Tally,
  kind: "right" | "over",
): void {
  const { text = "", at } = value;
  const stamps = stampsIn(text);
  if (stamps.length === 0) return;
  const places = stamps.map((stamp) => stamp.split("#"));
  const own = places.find(([file]) => file === at?.file);
  // A parameter may change an element of a list that another file sets.
  if (text.startsWith("[") && isParameter(at)) return;
  expect(own, `${text} at ${at?.file}:${at?.line}`).toBeDefined();
  // A list is at its key, or at the parameter that changed it.
  const isList = text.startsWith("[");
  const lines = places.filter(([file]) => file === at?.file).map(([, line]) => Number(line));
  if (isList)
    expect(Math.min(...lines.map((line) => Math.abs(line - (at?.line ?? 0)))), text).toBeLessThanOrEqual(12);
  else expect(lines, text).toContain(at?.line);
  tally[kind]++;
}

function judgeTarget(
  { stacks }: ExplainedTarget,
  isParameter: (at: Judged["at"]) => boolean,
  tally: Tally,
): void {
  for (const value of stacks.flatMap((stack) => stack.values)) {
    judgeValue(value, isParameter, tally, "right");
    for (const below of value.over)
      if (below.text?.startsWith("{") !== true) judgeValue(below, isParameter, tally, "over");
  }
}

async function judge({ files }: StampedApplication, tally: Tally): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-argo-"));
  try {
    writeTree({ files }, folder);
    mkdirSync(join(folder, ".git"));
    const app: unknown = parse(files.get("apps/app.yaml") ?? "", { version: "1.1" });
    const answer = await oracle.ask({ repo: folder, app });
    const values = await ran(folder, "values", "shop-app", "apps");
    if (answer.error !== undefined) {
      tally.refused++;
      expect(values.status, `${answer.error}\n${values.messages}`).toBe(1);
      return;
    }
    expect(values.status, values.messages).toBe(0);
    const own: unknown = parse(values.text, { version: "1.1" });
    expect(withoutNulls(own ?? {})).toEqual(withoutNulls(answer.values?.[0] ?? {}));
    const { text } = await ran(folder, "explain", "--json", "Application/argocd/shop-app", "apps");
    const [target] = (JSON.parse(text) as Explanation).targets;
    const lineAt = (at: Judged["at"]): string =>
      files.get(at?.file ?? "")?.split("\n")[(at?.line ?? 0) - 1] ?? "";
    judgeTarget(target as ExplainedTarget, (at) => lineAt(at).includes(" value: "), tally);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test(`values of ${runs} random Applications are those of Argo CD, and say where they stand`, async () => {
  const tally: Tally = { right: 0, over: 0, refused: 0 };
  for (let index = 0; index < runs; index++) {
    const made = stampedApplication(seededRandom(seed + index));
    try {
      await judge(made, tally);
    } catch (error) {
      const files = [...made.files].map(([name, text]) => `# ${name}\n${text}`).join("");
      throw new Error(`seed ${seed + index}\n${files}`, { cause: error });
    }
  }
  console.log(JSON.stringify(tally));
  counted(runs);
  expect(tally.refused).toBeLessThan(runs * 0.6);
  expect(tally.right).toBeGreaterThan(runs);
});
