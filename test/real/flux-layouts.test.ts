// Where values of a Flux layout are from, and what they are. Each value of a random layout is the file and the line where it
// stands, so what Flux' own code builds says what the right answers are.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { runCommand } from "../../src/cli/commands.ts";
import { substitutionOf } from "../../src/sources/flux/substitution.ts";
import type { Explanation } from "../../src/explanation.ts";
import { counted } from "../fuzz/tally.ts";
import { seededRandom, type StampedTree, stampedFluxTree, writeTree } from "../support/stamped-tree.ts";
import { worldOf } from "../support/world.ts";
import { type Built, judge, type Tally, tools } from "./stamps.ts";

const layouts = Number(process.env["VALUEFOLD_TREES"] ?? process.env["VALUEFOLD_RUNS"] ?? 40);
const seed = Number(process.env["VALUEFOLD_SEED"] ?? 20261124);

/** All objects that Flux' code builds because of a Kustomization; undefined where it refuses. */
function builtBy(file: string, source: string): readonly Built[] | undefined {
  const { stdout } = spawnSync("flux-fork", ["-stock", file, source], {
    encoding: "utf8",
    env: { PATH: tools },
  });
  const { manifests } = JSON.parse(stdout) as { readonly manifests?: string };
  if (manifests === undefined) return undefined;
  const documents = parseAllDocuments(manifests).map((each) => [each.toJS() as Built, String(each)] as const);
  const all: Built[] = [];
  for (const [built, text] of documents) {
    all.push(built);
    if (built.kind !== "Kustomization") continue;
    const child = join(mkdtempSync(join(tmpdir(), "valuefold-child-")), "child.yaml");
    writeFileSync(child, text);
    const more = builtBy(child, source);
    if (more === undefined) return undefined;
    all.push(...more);
  }
  return all;
}

async function judgeLayout(tree: StampedTree, tally: Tally): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-layout-"));
  writeTree(tree, folder);
  mkdirSync(join(folder, ".git"));
  const file = tree.files.has("clusters/prod/apps.yaml") ? "apps.yaml" : "parent.yaml";
  const built = builtBy(join(folder, "clusters/prod", file), folder);
  if (built === undefined) tally.refused++;
  else {
    const world = worldOf("", { directory: folder, env: { PATH: tools } });
    const { output } = await runCommand(["explain", "--json", tree.top], world);
    const { targets } = JSON.parse(Buffer.concat(output).toString("utf8")) as Explanation;
    const releases = built.filter(({ kind }) => kind === "HelmRelease");
    expect(targets.map(({ name }) => name).toSorted()).toEqual(
      releases.map(({ metadata }) => metadata.name).toSorted(),
    );
    for (const target of targets) {
      judge(target, releases.find(({ metadata }) => metadata.name === target.name) as Built, tree, tally);
      const values = target.stacks.flatMap((stack) => stack.values);
      const made = values.flatMap(({ variables = [], text = "" }) =>
        variables.flatMap(({ at, stays }) => (stays === undefined ? { at, text } : [])),
      );
      for (const { at, text } of made) expect(text, target.name).toContain(`pps.yaml#${at.line}`);
      const unnamed = values.filter(({ text = "", variables }) => isOfVariable(text, tree) && !variables);
      expect(unnamed, target.name).toEqual([]);
    }
  }
  rmSync(folder, { recursive: true });
}

/** True for a value that a variable of a Kustomization is in. */
function isOfVariable(text: string, { files }: StampedTree): boolean {
  return [...text.matchAll(/([^\s"#]*pps\.yaml)#(\d+)/g)].some(([, file = "", line]) =>
    /^ *(?:WHO|TEAM): /.test(files.get(file)?.split("\n")[Number(line) - 1] ?? ""),
  );
}

test(`values of Flux layouts say where they stand, in ${layouts} random ones`, async () => {
  const tally: Tally = { right: 0, weaker: 0, below: 0, removed: 0, refused: 0 };
  for (let index = 0; index < layouts; index++) {
    const tree = stampedFluxTree(seededRandom(seed + index));
    try {
      await judgeLayout(tree, tally);
    } catch (error) {
      const files = [...tree.files].map(([name, text]) => `# ${name}\n${text}`).join("");
      throw new Error(`seed ${seed + index}\n${files}`, { cause: error });
    }
  }
  console.log(JSON.stringify(tally));
  counted(layouts);
  expect(tally.right).toBeGreaterThan(layouts * 10);
  expect(tally.refused).toBeLessThan(layouts / 2);
}, 3_600_000);

/** Each alone, in a value of a ConfigMap: what Flux refuses has no value. */
const expressions = [
  "${A}",
  "${GONE}",
  "${A:-x}",
  "${GONE:-x}",
  "${GONE:=x}",
  "${GONE=x}",
  "${EMPTY:=x}",
  "${A:+x}",
  "${GONE:?x}",
  "${#A}",
  "${A^}",
  "${A^^}",
  "${B,}",
  "${B,,}",
  "${A:1}",
  "${A:1:2}",
  "${A:-3}",
  "${A: -3}",
  "${A:9}",
  "${A/l/L}",
  "${A//l/L}",
  "${A/l/}",
  "${A/#he/x}",
  "${A/%lo/x}",
  "${A/#lo/x}",
  "${A//\\//x}",
  "${A//l}",
  "${A#h*l}",
  "${A##h*l}",
  "${A%l*}",
  "${A%%l*}",
  "${A#?}",
  "${P#?}",
  "${P#??}",
  "${P##*/}",
  "${P#*/}",
  "${P%/*}",
  "${P%%/*}",
  "${P%?}",
  "${A##*l*o}",
  "${A#*l*}",
  "${A##*l*l*l*}",
  "${A%%*l*l}",
  "${A%*l*l*}",
  "${A##hello}",
  "${A##**l}",
  "${A%nothing}",
  "$$A",
  "$${A}",
  "$$${A}",
  "$A",
  "a$",
  "${GONE:=${A}}",
  "${GONE:=a ${A} b}",
  "${GONE:=}",
  "${A}${B}",
  "x ${A} y",
  "${}",
  "${ A }",
  "${A",
  "${A-x}",
  "${A!}",
  "${.A}",
  "${A:}",
  "${{ A }}",
];

test.for(expressions)("%s is what Flux makes of it", async (expression) => {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-expression-"));
  const variables = { A: "hello", B: "WORLD", EMPTY: "", P: "/usr/bin" };
  const spec = {
    path: "./app",
    sourceRef: { kind: "GitRepository", name: "x" },
    postBuild: { substitute: variables },
  };
  const metadata = { name: "apps", namespace: "flux-system" };
  const own = { apiVersion: "kustomize.toolkit.fluxcd.io/v1", kind: "Kustomization", metadata, spec };
  writeFileSync(join(folder, "apps.yaml"), JSON.stringify(own));
  mkdirSync(join(folder, "app"));
  const object = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "c" },
    data: { text: `"${expression}"` },
  };
  writeFileSync(join(folder, "app/c.yaml"), JSON.stringify(object));
  const [built] = (builtBy(join(folder, "apps.yaml"), folder) ?? []) as readonly {
    data?: { text?: string };
  }[];
  const find = (name: string) =>
    name in variables
      ? { name, at: { of: "file" as const }, value: variables[name as keyof typeof variables] }
      : ("unset" as const);
  const refused: string[] = [];
  const refuse = (_: string, reason: string): number => refused.push(reason);
  const substitution = substitutionOf(
    { find, missed: () => expect.unreachable(), unset: () => undefined },
    refuse,
  );
  const { bytes } = await substitution(Buffer.from(JSON.stringify(object)));
  const answered = JSON.parse(Buffer.from(bytes).toString("utf8")) as typeof object;
  const made = refused.length > 0 ? undefined : answered.data.text;
  expect(made).toBe(built?.data?.text);
  rmSync(folder, { recursive: true });
});
