// The committed engine is what its sources compile to, and the sources are as Go wants them.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { goEnvironment, home } from "../../engine/go.ts";
import { wasmEngine } from "../../scripts/engine.ts";

/** In another folder, with nothing compiled before. */
function compiledElsewhere(): Buffer {
  const work = mkdtempSync(join(tmpdir(), "valuefold-engine-"));
  const isSource = (path: string): boolean =>
    !/\/(?:third_party|out)(?:\/|$)/.test(path.slice(home.length - 1));
  cpSync(home, join(work, "engine"), { recursive: true, filter: isSource });
  writeFileSync(join(work, "package.json"), '{"type": "module"}');
  const script = `import("${work}/engine/compile.ts").then(({ compileWasm }) => process.stdout.write(compileWasm()))`;
  const tsx = new URL("../../node_modules/tsx/dist/cli.mjs", import.meta.url).pathname;
  const env = { ...process.env, GOCACHE: join(work, "cache") };
  const compiled = execFileSync(process.execPath, [tsx, "-e", script], { env, maxBuffer: 2 ** 27 });
  rmSync(work, { recursive: true });
  return compiled;
}

test("compiled in another folder, with nothing compiled before, it is the committed one", () => {
  const committed = brotliDecompressSync(readFileSync(wasmEngine));
  expect(compiledElsewhere().equals(committed)).toBe(true);
}, 1_800_000);

test("its Go tests pass, and its sources are as gofmt writes them", () => {
  const go = (...args: readonly string[]): string =>
    execFileSync("go", args, { cwd: home, env: goEnvironment(), encoding: "utf8" });
  expect(go("vet", "./...")).toBe("");
  expect(go("test", ".")).toMatch(/^ok /);
  const own = execFileSync("git", ["ls-files", "*.go"], { cwd: home, encoding: "utf8" }).trim().split("\n");
  expect(execFileSync("gofmt", ["-l", ...own], { cwd: home, encoding: "utf8" })).toBe("");
});
