// The program and its peers, as commands.
import { buildExecutable, tool } from "./tools.ts";

export interface Program {
  readonly name: string;
  readonly command: readonly string[];
}

/** Reads all of stdin and writes it back: what any function must do at the least. */
const copyLoop =
  "const fs=require('fs');const b=fs.readFileSync(0);for(let n=0;n<b.length;)n+=fs.writeSync(1,b,n)";

export function valuefold(...args: readonly string[]): Program {
  return { name: "valuefold", command: [process.execPath, "dist/valuefold.cjs", ...args] };
}

export const copy: Program = { name: "copy loop", command: [process.execPath, "-e", copyLoop] };

/** KRM functions that do the same; the first is our own program without Node. */
export const functions: readonly Program[] = [
  ...(buildExecutable() ? [{ name: "executable", command: [tool("executable")] }] : []),
  { name: "Go", command: [tool("go")] },
  { name: "kpt SDK, yaml", command: [process.execPath, tool("kpt-yaml.cjs")] },
  { name: "kpt SDK, js-yaml", command: [process.execPath, tool("kpt-js-yaml.cjs")] },
];

/** Values alone, from files. */
export function yq(files: readonly string[]): Program {
  return { name: "yq", command: [tool("yq"), "eval-all", ". as $layer ireduce ({}; . * $layer)", ...files] };
}

export const programNames: readonly string[] = [copy, ...functions, yq([])].map(({ name }) => name);
