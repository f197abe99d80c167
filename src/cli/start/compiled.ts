// The program's files as V8 compiled them in an earlier run: most of a start is parsing functions that run once. Compiled
// code fits one text, one version of Node and one kind of machine. V8 would run code of another text of the same length, or
// damaged code, so each file of code begins with a digest of text and code.
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Script } from "node:vm";
import { damaged } from "../bare-faults.ts";

const program = "program.cjs";

const digestBytes = 64;

/** The folder of compiled code, next to the program: a file for each of its files, with the same name. */
export function codeFolder(
  folder: string,
  { version, platform, arch }: Pick<NodeJS.Process, "version" | "platform" | "arch">,
): string {
  return join(folder, "code", `${version}-${platform}-${arch}`);
}

/** The compiled code of a script that has run, with its digest. */
export function codeOf(script: Script, text: Buffer): Buffer {
  const code = script.createCachedData();
  return Buffer.concat([digestOf(text, code), code]);
}

/** The code, if it was written for this text. */
function codeFor(text: Buffer, written: Buffer | undefined): Buffer | undefined {
  if (written === undefined) return undefined;
  const code = written.subarray(digestBytes);
  return digestOf(text, code).equals(written.subarray(0, digestBytes)) ? code : undefined;
}

function digestOf(text: Buffer, code: Buffer): Buffer {
  return Buffer.concat([text, code].map((each) => hash("sha256", each, "buffer")));
}

/** Where the files of the program are, and what loads any other module. */
export interface Files {
  readonly folder: string;
  readonly load: NodeJS.Require;
  /** The compiled code of a file with its digest, if there is any. */
  readonly written: (file: string) => Buffer | undefined;
  /** Called with each file that is compiled. */
  readonly onScript?: (file: string, script: Script, text: Buffer) => void;
}

type Wrapped = (exports: object, load: object, module: object, file: string, folder: string) => void;

/** Runs the program and returns its exports. Without code that fits, V8 compiles the text. */
export function runProgram({ folder, load, written, onScript }: Files): object {
  const made = new Map<string, { exports: object }>();
  const run = (file: string): object => {
    const known = made.get(file);
    if (known !== undefined) return known.exports;
    const filename = join(folder, file);
    const text = textIn(filename);
    // Node reports the missing file, as it does without compiled code.
    if (text === undefined) return load(`./${file}`) as object;
    const cachedData = codeFor(text, written(file));
    // The build escapes what is not ASCII, so a byte is a character.
    const wrapped = `(function (exports, require, module, __filename, __dirname) {${text.toString("latin1")}\n})`;
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

/** Undefined where there is no file; throws if it cannot be read. */
function textIn(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "EISDIR"))
      return undefined;
    throw error;
  }
}

/** The `require` of a file. Files of the program, named by relative paths, run from compiled code too. */
function loadingFrom(
  folder: string,
  file: string,
  load: NodeJS.Require,
  run: (file: string) => object,
): object {
  const from = dirname(file);
  const loading = (id: string): unknown =>
    id.startsWith("./") ? run(join(from, id)) : (load(id) as unknown);
  return Object.assign(loading, { resolve: (id: string) => join(folder, from, id) });
}
