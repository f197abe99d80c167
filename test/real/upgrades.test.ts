// What the engine says that a new version of a chart does to values is what `helm template` of both versions shows.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { ask } from "../../src/engine/index.ts";
import { otherValue, randomUpgrade, type RandomUpgrade } from "../support/random-upgrade.ts";
import { seededRandom, writeTree } from "../support/stamped-tree.ts";

const runs = Number(process.env["VALUEFOLD_RUNS"] ?? 20);
const seed = Number(process.env["VALUEFOLD_SEED"] ?? 20_261_128);
const helm = new URL(".tools/helm", import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), "valuefold-upgrades-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Path = readonly string[];
type Tree = Record<string, unknown>;

interface Answer {
  readonly reason?: string;
  readonly breaks: readonly { readonly path: Path }[];
  readonly dead: readonly { readonly path: Path }[];
  readonly deadBefore: readonly { readonly path: Path }[];
  readonly changed: readonly { readonly path: Path }[];
  readonly defaults: readonly { readonly path: Path; readonly from: unknown }[];
  readonly same: readonly Path[];
  readonly untried: readonly Path[];
}

const tally = { breaks: 0, dead: 0, deadBefore: 0, changed: 0, defaults: 0, same: 0, untried: 0 };

for (let run = 0; run < runs; run++)
  test(`pair ${run} of seed ${seed}`, async () => {
    const made = randomUpgrade(seededRandom(seed + run));
    const at = join(folder, `${run}`);
    writeTree(made, at);
    await judge(made, at);
  });

test("all kinds of answers were judged", () => {
  for (const [kind, count] of Object.entries(tally))
    if (kind !== "untried") expect(count, kind).toBeGreaterThan(0);
});

async function judge({ files, user, keys }: RandomUpgrade, at: string): Promise<void> {
  const found = await answerOf(files, user);
  const { breaks, dead, deadBefore, changed, defaults, same, untried } = found;
  for (const kind of Object.keys(tally) as (keyof typeof tally)[]) tally[kind] += found[kind].length;
  const renders = (side: string, values: Tree): string | undefined => rendered(at, side, values);
  // What breaks: all at once the chart renders without, and with any of them it does not.
  const left = breaks.reduce((values, { path }) => without(values, path), user);
  const whole = renders("new", left);
  expect(whole, found.reason).toBeDefined();
  for (const { path } of breaks)
    expect(renders("new", set(left, path, valueAt(user, path))), `breaks ${path.join(".")}`).toBeUndefined();
  // Dead: not a byte changes, and all that is planted is found.
  for (const { path } of [...dead, ...deadBefore])
    expect(renders("new", without(left, path)), `dead ${path.join(".")}`).toBe(whole);
  const reported = [...breaks, ...dead].map(({ path }) => path.join("."));
  for (const { path, change, isSet } of keys)
    if (isSet && ["renamed", "removed", "unread", "to-subchart"].includes(change))
      expect(reported, change).toContain(path.join("."));
  // Without a default in the old chart: null takes it out of the new one.
  for (const { path, from = null } of defaults)
    expect(renders("new", set(left, path, from)), `default ${path.join(".")}`).not.toBe(whole);
  const listed = defaults.map(({ path }) => `${path.join(".")}.`);
  for (const { path } of keys.filter(({ change, isSet }) => change === "added" && !isSet))
    expect(
      listed.some((each) => `${path.join(".")}.`.startsWith(each)),
      `added ${path.join(".")}`,
    ).toBe(true);
  const old = renders("old", user);
  const effect = (side: string, values: Tree, plain: string | undefined, path: Path): string =>
    linesChanged(plain ?? "", renders(side, set(values, path, otherValue(valueAt(values, path)))) ?? "fails");
  // What a condition lets in is no text of its own.
  const isLetIn = (path: Path): boolean =>
    keys.some((key) => key.use === "condition" && key.path.join() === path.join());
  for (const [paths, isSame] of [[same, true] as const, [changed.map(({ path }) => path), false] as const])
    for (const path of paths.filter((each) => !isLetIn(each)))
      expect(
        effect("old", user, old, path) === effect("new", left, whole, path),
        `${isSame ? "same" : "changed"} ${path.join(".")}`,
      ).toBe(isSame);
  expect(untried).toEqual([]);
}

async function answerOf(files: RandomUpgrade["files"], user: object): Promise<Answer> {
  const charts = [...files].map(([path, text]): [string, Uint8Array] => [
    path.replace(/^old/, "chart").replace(/^new/, "chart2"),
    Buffer.from(text),
  ]);
  const values = Buffer.from(JSON.stringify(user));
  const head = { op: "manifests", helm: 4, release: "shop", namespace: "apps", ask: "upgrade", secrets: [] };
  const answer = await ask({ ...head, files: new Map([...charts, ["values", values]]) });
  if (answer.cut !== undefined) throw new Error(answer.cut);
  expect(answer.error).toBeUndefined();
  return answer["upgrade"] as Answer;
}

function rendered(at: string, side: string, values: Tree): string | undefined {
  writeFileSync(join(at, "v.yaml"), JSON.stringify(values));
  const args = ["template", "shop", side, "-n", "apps", "-f", "v.yaml"];
  const { status, stdout } = spawnSync(helm, args, { cwd: at, encoding: "utf8" });
  return status === 0 ? stdout : undefined;
}

/** The lines that only one of two texts has. */
function linesChanged(one: string, other: string): string {
  const [own, others] = [one, other].map((text) => text.split("\n"));
  const lost = own?.filter((line) => !others?.includes(line)) ?? [];
  const gained = others?.filter((line) => !own?.includes(line)) ?? [];
  return [...lost.map((line) => `-${line}`), ...gained.map((line) => `+${line}`)].toSorted().join("\n");
}

function valueAt(tree: object, path: Path): unknown {
  return path.reduce<unknown>((at, key) => (at as Tree)[key], tree);
}

function set(tree: Tree, [key = "", ...rest]: Path, value: unknown): Tree {
  return { ...tree, [key]: rest.length === 0 ? value : set((tree[key] ?? {}) as Tree, rest, value) };
}

/** A mapping that has nothing left goes, too. */
function without(tree: Tree, [key = "", ...rest]: Path): Tree {
  const inner = rest.length === 0 ? {} : without((tree[key] ?? {}) as Tree, rest);
  const { [key]: _, ...others } = tree;
  return Object.keys(inner).length === 0 ? others : { ...others, [key]: inner };
}
