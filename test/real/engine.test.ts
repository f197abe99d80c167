// The engine against the program kustomize: the same bytes, or the same words where it refuses. All kustomizations of this
// repository and random trees, by the wasm build and, where `npm run engine` made it, by the native one.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { nativeEngine } from "../../scripts/engine.ts";
import { ask, useEngine } from "../../src/engine/ask.ts";
import type { EngineRequest } from "../../src/engine/index.ts";
import { counted } from "../fuzz/tally.ts";
import { seededRandom, stampedTree, writeTree } from "../support/stamped-tree.ts";
import { tools } from "./stamps.ts";

const root = new URL("../../", import.meta.url).pathname;
const trees = Number(process.env["VALUEFOLD_TREES"] ?? process.env["VALUEFOLD_RUNS"] ?? 60);
const seed = Number(process.env["VALUEFOLD_SEED"] ?? 20_261_127);

interface Outcome {
  readonly text: string;
  readonly error: string;
}

function byProgram(folder: string): Outcome {
  // As in Flux, and in the engine: files are those of the request.
  const args = ["build", "--load-restrictor", "LoadRestrictionsNone", folder];
  const run = spawnSync("kustomize", args, { encoding: "utf8", env: { PATH: tools } });
  const [, error = ""] = /^Error: ([^]*)\n$/m.exec(run.stderr) ?? [];
  return run.status === 0 ? { text: run.stdout, error: "" } : { text: "", error };
}

type Files = NonNullable<EngineRequest["files"]>;

async function byEngine(files: Files, dir: string): Promise<Outcome> {
  const answer = await ask({ op: "build", dir, files });
  if (answer.cut !== undefined) throw new Error(`${dir}: ${answer.cut}`);
  return {
    text: Buffer.from(answer.files.get("") ?? []).toString("utf8"),
    error: answer.error?.trimEnd() ?? "",
  };
}

function filesAt(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).flatMap((name) => filesAt(join(path, name)));
}

const tracked = spawnSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" }).stdout.split("\0");
const there = tracked.map((name) => join(root, name)).filter((path) => existsSync(path) && path !== root);
/** What is below a link is there under its path, too. */
const own = new Map(there.flatMap(filesAt).map((path) => [path, readFileSync(path)]));
const kustomizations = [...own.keys()].filter((path) =>
  /\/(?:kustomization\.ya?ml|Kustomization)$/.test(path),
);

describe.each([["wasm"], ["native"]])("%s", (build) => {
  const testHere = test.runIf(build === "wasm" || existsSync(nativeEngine));

  testHere("builds every kustomization of this repository as the program does", async () => {
    useEngine(build === "wasm" ? "wasm" : nativeEngine);
    for (const dir of kustomizations.map(dirname)) {
      const outcome = await byEngine(own, dir);
      expect({ dir, ...outcome }).toEqual({ dir, ...byProgram(dir) });
    }
  });

  testHere(`builds ${trees} random trees as the program does`, async () => {
    useEngine(build === "wasm" ? "wasm" : nativeEngine);
    for (let index = 0; index < trees; index++) {
      const { files, top } = stampedTree(seededRandom(seed + index));
      const folder = mkdtempSync(join(tmpdir(), "valuefold-engine-"));
      writeTree({ files }, folder);
      const absolute = new Map([...files].map(([name, text]) => [join(folder, name), text]));
      const outcome = await byEngine(absolute, join(folder, top));
      expect({ seed: seed + index, ...outcome }).toEqual({
        seed: seed + index,
        ...byProgram(join(folder, top)),
      });
      rmSync(folder, { recursive: true });
    }
    counted(trees);
  });
});
