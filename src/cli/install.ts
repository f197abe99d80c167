// `valuefold install DIR`: copies the executable, and the libraries in its package, into a folder that another container
// mounts. An image with nothing but the program has no `cp`.
import { randomUUID } from "node:crypto";
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Exit } from "../report/index.ts";
import { version } from "../version.ts";
import type { CommandResult } from "./io.ts";
import { codeOf, UsageError } from "../sources/index.ts";

/** Libraries that a package may have, in `lib` next to the executable. */
const library = /^(?:ld-linux-.+|lib(?:c|m|dl|pthread|gcc_s|stdc\+\+)\.so\.\d+)$/;

/** The engine's native build, in `lib` too. */
const engine = "valuefold-engine";

/** Where an executable with its own loader looks for it. */
const home = "/opt/valuefold";

/** The whole system loads from `lib` in these folders. */
const systemFolders: readonly string[] = ["/", "/usr", "/usr/local"];

/** @param program the executable that runs; undefined for a script that Node runs */
export function install(
  program: string | undefined,
  directory: string,
  [into, ...others]: readonly string[],
): CommandResult {
  if (into === undefined || others.length > 0) throw new UsageError("expected one folder to install into");
  if (program === undefined)
    throw new UsageError(
      "only an executable copies itself, and this is a script that Node runs",
      "`npm install` installs the script; see docs/install.md for executables",
    );
  const to = resolve(directory, into);
  const from = dirname(program);
  const libraries = librariesIn(join(from, "lib"));
  if (libraries.length > 0 && systemFolders.includes(to))
    throw new UsageError(
      `the libraries of this executable would mix with those of the system, in \`${join(to, "lib")}\``,
      `name a separate folder, such as ${home}`,
    );
  try {
    mkdirSync(to, { recursive: true });
    if (realpathSync(to) === from)
      throw new UsageError(`\`${into}\` is the folder of the program itself`, "name another folder");
    if (libraries.length > 0) makeFolder(join(to, "lib"));
    for (const name of libraries) replace(join(from, "lib", name), join(to, "lib", name));
    // In a new folder the program appears only after all that it loads.
    replace(program, join(to, "valuefold"));
    installEngine(from, to);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(
      `cannot install into \`${to}\` (${codeOf(error) ?? "unknown"})`,
      "name a writable folder with 120 MB of free space",
    );
  }
  const hasLoader = libraries.some((name) => name.startsWith("ld-linux-"));
  const note = hasLoader ? `  note  this executable runs from ${home} only: mount the folder there\n` : "";
  const text = `installed valuefold ${version} into ${to}\n${note}`;
  return { exitCode: Exit.ok, output: [], diagnostics: [], account: () => ({ text }) };
}

/** Without it the program has the wasm build inside. */
function installEngine(from: string, to: string): void {
  const file = join("lib", engine);
  if (!existsSync(join(from, file))) return;
  makeFolder(join(to, "lib"));
  replace(join(from, file), join(to, file));
}

function librariesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => library.test(name)) : [];
}

/** Another user runs what is in it, so the umask of this one must not apply. */
function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
}

/** Writes a new file and renames it: a running program is not overwritten, nor is the file that a link leads to. */
function replace(from: string, to: string): void {
  const copy = `${to}.${randomUUID()}.part`;
  try {
    copyFileSync(from, copy, constants.COPYFILE_EXCL);
    chmodSync(copy, 0o755);
    renameSync(copy, to);
  } finally {
    rmSync(copy, { force: true });
  }
}
