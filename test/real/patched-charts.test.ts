// Objects that a chart makes and kustomizations change are what `helm` and `kustomize` make of them, and each text that names its
// line is from there.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterAll, expect, test } from "vitest";
import { parseAllDocuments, parse } from "yaml";
import { runCommand } from "../../src/cli/commands.ts";
import type { Difference } from "../../src/difference.ts";
import type { Explanation, ManifestField } from "../../src/explanation.ts";
import { counted } from "../fuzz/tally.ts";
import { stampedPatches, stampedRelease } from "../support/stamped-patches.ts";
import { seededRandom, writeTree } from "../support/stamped-tree.ts";
import { worldOf } from "../support/world.ts";

const runs = Number(process.env["VALUEFOLD_RUNS"] ?? 20);
const seed = Number(process.env["VALUEFOLD_SEED"] ?? 20_261_128);
const tools = new URL(".tools/", import.meta.url).pathname;

const folder = mkdtempSync(join(tmpdir(), "valuefold-patched-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tally = { objects: 0, fields: 0, stamps: 0, steps: 0, removed: 0, refused: 0, unknown: 0, changes: 0 };

function ran(program: string, args: readonly string[], cwd: string): string | undefined {
  const { status, stdout } = spawnSync(join(tools, program), args, {
    cwd,
    encoding: "utf8",
    env: { ...process.env, PATH: `${tools}:${process.env["PATH"]}` },
  });
  return status === 0 ? stdout : undefined;
}

/** Each renderer of Flux is a kustomization over what the one before it makes. */
function byFlux(at: string): string | undefined {
  const [, release = ""] = parseAllDocuments(stampedText(at)).map((each) => each.toJS() as unknown);
  const { spec } = release as {
    spec: { commonMetadata?: object; postRenderers: readonly { kustomize: object }[] };
  };
  const metadata = Object.entries(spec.commonMetadata ?? {}).map(([field, pairs]: [string, unknown]) => ({
    apiVersion: "builtin",
    kind: field === "labels" ? "LabelTransformer" : "AnnotationsTransformer",
    metadata: { name: field },
    [field]: pairs,
    fieldSpecs: [{ path: `metadata/${field}`, create: true }],
  }));
  const stages = [
    ...(spec.postRenderers ?? []).map(({ kustomize }) => kustomize),
    { transformers: metadata.map((each) => `${JSON.stringify(each, undefined, 1)}\n`) },
  ];
  let text = ran("helm", ["template", "web", "charts/web", "-n", "apps"], at);
  for (const [index, stage] of stages.entries()) {
    if (text === undefined) return undefined;
    const own = join(at, `stage-${index}`);
    mkdirSync(own);
    writeFileSync(join(own, "in.yaml"), text);
    writeFileSync(join(own, "kustomization.yaml"), JSON.stringify({ resources: ["in.yaml"], ...stage }));
    text = ran("kustomize", ["build", "."], own);
  }
  return text;
}

const built = ["build", "--load-restrictor", "LoadRestrictionsNone"];
const releases = new Map<string, string>();
const stampedText = (at: string): string => releases.get(at) ?? "";

async function explained(at: string, words: readonly string[]): Promise<Explanation | undefined> {
  const world = worldOf("", { directory: at, terminal: { stdin: true, stdout: false } });
  const { output } = await runCommand(["explain", ...words, "--json"], world);
  const text = Buffer.concat(output).toString("utf8");
  return text === "" ? undefined : (JSON.parse(text) as Explanation);
}

interface TrueObject {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

function leavesOf(value: unknown, path: readonly string[]): readonly (readonly [string, unknown])[] {
  const members = Array.isArray(value)
    ? value.map((each, index) => [`[${index}]`, each] as const)
    : typeof value === "object" && value !== null
      ? Object.entries(value)
      : [];
  if (members.length === 0) return [[path.join("\n"), value]];
  return members.flatMap(([key, each]) => leavesOf(each, [...path, key]));
}

/** True for the operation, or its patch, that brings a text of the template to another place. */
function isCopy(at: string, place: string | undefined): boolean {
  const [file = "", line = ""] = place?.split("#") ?? [];
  return /op: (?:copy|move)|- pa(?:tch|th):/.test(
    readFileSync(join(at, file), "utf8").split("\n")[Number(line) - 1] ?? "",
  );
}

function judge(fields: readonly ManifestField[], object: TrueObject, folderOf: string): void {
  const own = fields.filter(({ removed }) => removed !== true);
  const found = own.map(({ path, text = "" }) => [path.join("\n"), parse(text) as unknown] as const);
  expect(new Map(found)).toEqual(new Map(leavesOf(object, [])));
  for (const each of fields) judgePlace(each, folderOf);
}

const stamp = /[\w./-]+#\d+/;

function judgePlace({ path, text = "", at, by, over, removed }: ManifestField, folderOf: string): void {
  tally.fields++;
  if (by === "kustomization") tally.steps++;
  if (removed === true) tally.removed++;
  const place = at?.line === undefined ? undefined : `${at.file}#${at.line}`;
  expect(place, path.join(".")).toBeDefined();
  const own = stamp.exec(text)?.[0];
  // A value of the user has the line of the template that reads it.
  if (own !== undefined && !own.startsWith("charts/web/values.yaml")) {
    const isCopied = by === "patch" && own.includes("templates/") && isCopy(folderOf, place);
    if (!isCopied) expect(place, `${path.join(".")}: ${text}`).toBe(own);
    tally.stamps++;
  }
  if (over !== undefined) judgeBelow(over);
}

function judgeBelow({ text = "", at }: NonNullable<ManifestField["over"]>): void {
  const below = stamp.exec(text)?.[0];
  if (below?.includes("templates/") === true) expect(`${at?.file}#${at?.line}`).toBe(below);
}

async function judgeAll(at: string, text: string | undefined, words: readonly string[]): Promise<void> {
  if (text === undefined) return void tally.refused++;
  for (const each of parseAllDocuments(text)) {
    const object = each.toJS() as TrueObject;
    const name = `${object.kind}/${object.metadata.name}`;
    const { manifests: [manifest] = [] } = (await explained(at, [name, ...words])) ?? {};
    if (manifest === undefined) {
      tally.unknown++;
      throw new Error(`${name} has no answer`);
    }
    tally.objects++;
    judge(manifest.fields, object, at);
  }
}

/** Of two texts of objects: what is in one alone, and what has other fields, elements of lists in any order. */
function changedIn(old: string, now: string): readonly string[] {
  const [before, after] = [old, now].map((text) => new Map(objectsIn(text)));
  const keys = new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])]);
  return [...keys].flatMap((key) => {
    const [was, is] = [before?.get(key), after?.get(key)];
    if (was === undefined || is === undefined) return [`${was === undefined ? "added" : "removed"} ${key}`];
    return isDeepStrictEqual(was, is) ? [] : [`changed ${key}`];
  });
}

function objectsIn(text: string): readonly (readonly [string, TrueObject])[] {
  return parseAllDocuments(text).map((each) => {
    const object = each.toJS() as TrueObject;
    return [`${object.kind}/${object.metadata.name}`, object];
  });
}

/** What `diff` says becomes of a release as the patches come: the objects, and what is at each of their paths. */
async function judgeDiff(at: string, text: string | undefined): Promise<void> {
  const plain = ran("helm", ["template", "web", "charts/web", "-n", "apps"], at);
  if (text === undefined || plain === undefined) return;
  mkdirSync(join(at, "plain"));
  writeFileSync(join(at, "plain/release.yaml"), stampedRelease(""));
  // It has no values: its chart is rendered all the same.
  const words = ["diff", "plain/release.yaml", "release.yaml", ...flux, "--manifests", "--json"];
  const world = worldOf("", { directory: at, terminal: { stdin: true, stdout: false } });
  const { output, messages } = await runCommand(words, world);
  const { manifests = [] } = JSON.parse(Buffer.concat(output).toString("utf8")) as Difference;
  expect(messages).not.toContain("without the patches");
  const found = manifests.map(({ what, kind, name }) => `${what} ${kind}/${name}`);
  expect(found.toSorted()).toEqual(changedIn(plain, text).toSorted());
  const [before, after] = [plain, text].map((each) => new Map(objectsIn(each)));
  for (const { kind, name, fields } of manifests)
    for (const { path, from, to } of fields) {
      const [own, shown] = to === undefined ? [before, from] : [after, to];
      const leaves = new Map(leavesOf(own?.get(`${kind}/${name}`), []));
      expect(parse(shown ?? ""), `${kind}/${name} ${path.join(".")}`).toEqual(leaves.get(path.join("\n")));
      tally.changes++;
    }
}

const flux = ["--repo", "https://git.example/team/deploy.git=."];

test("random patches over charts make what kustomize makes, and each text is from its line", async () => {
  const next = seededRandom(seed);
  const random = (below: number): number => Math.floor(next() * below);
  for (let run = 0; run < runs; run++) {
    const made = stampedPatches(random);
    const release = stampedRelease(made.renderers);
    const at = join(folder, String(run));
    writeTree({ files: new Map([...made.files, ["release.yaml", release]]) }, at);
    mkdirSync(join(at, ".git"));
    releases.set(at, release);
    const failed = (error: unknown): never => {
      throw new Error(`seed ${seed}, run ${run}, ${at}`, { cause: error });
    };
    const text = ran("kustomize", [...built, "--enable-helm", "over"], at);
    await judgeAll(at, text, ["over"]).catch(failed);
    const ofFlux = byFlux(at);
    await judgeAll(at, ofFlux, ["release.yaml", ...flux]).catch(failed);
    await judgeDiff(at, ofFlux).catch(failed);
  }
  counted(runs);
  expect(tally.stamps).toBeGreaterThan(runs * 10);
  expect(tally.changes).toBeGreaterThan(runs * 5);
  expect(tally.refused).toBeLessThan(runs);
});
