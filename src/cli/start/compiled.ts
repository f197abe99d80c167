// The program's files as the engine compiled them in an earlier run: most of a start is reading functions that run
// once. Compiled code fits one text, one version of Node and one kind of machine. The engine itself would take code of
// another text of the same length, or code that was damaged, and do whatever it says; so a digest of both stands before it.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Script } from "node:vm";
import { damaged } from "../incomplete.ts";

const program = "program.cjs";

const digestBytes = 32;

/** Where compiled code lies, beside the program: a file for each of its files, by the same name. */
export function codeFolder(
  folder: string,
  { version, platform, arch }: Pick<NodeJS.Process, "version" | "platform" | "arch">,
): string {
  return join(folder, "code", `${version}-${platform}-${arch}`);
}

/** What is written of a script that has run. */
export function codeOf(script: Script, text: string): Buffer {
  const code = script.createCachedData();
  return Buffer.concat([digestOf(text, code), code]);
}

/** The code that was written for a text, or nothing. */
function codeFor(text: string, written: Buffer | undefined): Buffer | undefined {
  if (written === undefined) return undefined;
  const code = written.subarray(digestBytes);
  return digestOf(text, code).equals(written.subarray(0, digestBytes)) ? code : undefined;
}

function digestOf(text: string, code: Buffer): Buffer {
  return createHash("sha256").update(text, "latin1").update(code).digest();
}

/** The files of the program, and who loads anything else. */
export interface Files {
  readonly folder: string;
  readonly load: NodeJS.Require;
  /** What was written of a file, if anything was. */
  readonly written: (file: string) => Buffer | undefined;
  /** Hears of each file that is compiled. */
  readonly onScript?: (file: string, script: Script, text: string) => void;
}

type Wrapped = (exports: object, load: object, module: object, file: string, folder: string) => void;

/** Runs the program, and gives what it exports. Where there is no code that fits, the engine compiles as always. */
export function runProgram({ folder, load, written, onScript }: Files): object {
  const made = new Map<string, { exports: object }>();
  const run = (file: string): object => {
    const known = made.get(file);
    if (known !== undefined) return known.exports;
    const filename = join(folder, file);
    const text = textIn(filename);
    // Node tells that it is missing, as it does without compiled code.
    if (text === undefined) return load(`./${file}`) as object;
    const cachedData = codeFor(text, written(file));
    const wrapped = `(function (exports, require, module, __filename, __dirname) {${text}\n})`;
    const script = scriptOf(wrapped, filename, cachedData);
    onScript?.(file, script, text);
    const module = { exports: {} };
    made.set(file, module);
    const wrappedModule = script.runInThisContext() as Wrapped;
    wrappedModule(module.exports, loadingFrom(folder, file, load, run), module, filename, dirname(filename));
    return module.exports;
  };
  return run(program);
}

function scriptOf(text: string, filename: string, cachedData: Buffer | undefined): Script {
  try {
    return new Script(text, { filename, ...(cachedData === undefined ? {} : { cachedData }) });
  } catch (error) {
    throw error instanceof SyntaxError ? damaged(filename) : error;
  }
}

/** The build escapes what is not ASCII, so a byte is a character. Undefined where there is no file; throws if it cannot be read. */
function textIn(file: string): string | undefined {
  try {
    return readFileSync(file, "latin1");
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "EISDIR"))
      return undefined;
    throw error;
  }
}

/** What a file gets as `require`: its own kind are compiled as it is, and found from where it lies. */
function loadingFrom(
  folder: string,
  file: string,
  load: NodeJS.Require,
  run: (file: string) => object,
): object {
  const from = dirname(file);
  const loading = (asked: string): unknown =>
    asked.startsWith("./") ? run(join(from, asked)) : (load(asked) as unknown);
  return Object.assign(loading, { resolve: (asked: string) => join(folder, from, asked) });
}
