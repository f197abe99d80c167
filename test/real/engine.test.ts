// The engine against the program kustomize: the same bytes, or the same words where it refuses. All kustomizations of this
// repository and random trees, by the wasm build and, where `npm run engine` made it, by the native one.
import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdtempSync, readFileSync, readlinkSync, rmSync } from "node:fs";
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
  const run = spawnSync("kustomize", ["build", folder], { encoding: "utf8", env: { PATH: tools } });
  const [, error = ""] = /^Error: ([^]*)\n$/m.exec(run.stderr) ?? [];
  return run.status === 0 ? { text: run.stdout, error: "" } : { text: "", error };
}

type Files = NonNullable<EngineRequest["files"]>;

async function byEngine(files: Files, dir: string, links = {}): Promise<Outcome> {
  const answer = await ask({ op: "build", dir, restricted: true, files, links });
  if (answer.cut !== undefined) throw new Error(`${dir}: ${answer.cut}`);
  return {
    text: Buffer.from(answer.files.get("") ?? []).toString("utf8"),
    error: answer.error?.trimEnd() ?? "",
  };
}

const tracked = spawnSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" }).stdout.split("\0");
const there = tracked.map((name) => join(root, name)).filter((path) => existsSync(path) && path !== root);
const isLink = (path: string): boolean => lstatSync(path).isSymbolicLink();
const own = new Map(there.filter((path) => !isLink(path)).map((path) => [path, readFileSync(path)]));
const links = Object.fromEntries(there.filter(isLink).map((path) => [path, readlinkSync(path)]));
const kustomizations = [...own.keys()].filter((path) =>
  /\/(?:kustomization\.ya?ml|Kustomization)$/.test(path),
);

describe.each([["wasm"], ["native"]])("%s", (build) => {
  const testHere = test.runIf(build === "wasm" || existsSync(nativeEngine));

  testHere("builds every kustomization of this repository as the program does", async () => {
    useEngine(build === "wasm" ? "wasm" : nativeEngine);
    for (const dir of kustomizations.map(dirname)) {
      const outcome = await byEngine(own, dir, links);
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
