// dist → one executable: the bundler joins the program and its parts, compiles them to bytecode, and puts them behind
// the runtime.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { bundler } from "./registries.ts";
import { signed } from "./signature.ts";
import type { Target } from "./targets.ts";

const root = new URL("../", import.meta.url).pathname;

/** Makes `file` of a script and what it loads. The same sources and runtime give the same bytes. */
export function compile(target: Target, runtime: string, file: string, script = "dist/program.cjs"): void {
  const options = [
    "--compile",
    "--bytecode",
    "--minify",
    // Without these two a file in the working directory of a pipeline would be executed.
    "--no-compile-autoload-dotenv",
    "--no-compile-autoload-bunfig",
    // Most runs end before a compiler pays: with the usual thresholds a fold of one App needs 1.7 × the CPU time, and a long
    // one none the less.
    "--compile-jit-policy=32",
    // Files that the program reads beside its script are put behind the runtime, too (scripts/engine.ts).
    '--define=VALUEFOLD_ENGINE="./engine.wasm.br"',
    `--target=${target.runtime}`,
    `--compile-executable-path=${runtime}`,
    `--outfile=${file}`,
  ];
  execFileSync(bundler(), ["build", ...options, script], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (target.os === "darwin") writeFileSync(file, signed(readFileSync(file)));
}
