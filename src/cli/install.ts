// `valuefold install DIR`: the executable, and the libraries that it brings along, copied into a folder that another
// container mounts. An image of nothing but the program has no `cp`.
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
import { Exit } from "../core/index.ts";
import { version } from "../version.ts";
import type { Ending } from "./asking.ts";
import { codeOf } from "./stdio.ts";

/** What a form may bring along, in `lib` beside it. */
const library = /^(?:ld-linux-.+|lib(?:c|m|dl|pthread|gcc_s|stdc\+\+)\.so\.\d+)$/;

/** Where the form with a loader of its own looks for that. */
const home = "/opt/valuefold";

/** Folders whose `lib` the whole system loads from. */
const systemFolders: readonly string[] = ["/", "/usr", "/usr/local"];

/** @param program the executable that runs; undefined if it is a script that Node was given */
export function install(program: string | undefined, directory: string, into: string): Ending {
  if (program === undefined)
    return refused(
      "only an executable copies itself, and this is a script that Node runs",
      "`npm install` brings the script; docs/install.md tells how to get an executable",
    );
  const to = resolve(directory, into);
  const from = dirname(program);
  const libraries = librariesIn(join(from, "lib"));
  if (libraries.length > 0 && systemFolders.includes(to))
    return refused(
      `the libraries of this form would lie among those of the system, in \`${join(to, "lib")}\``,
      `name a folder of its own, such as ${home}`,
    );
  try {
    mkdirSync(to, { recursive: true });
    if (realpathSync(to) === from)
      return refused(`\`${into}\` is where the program lies already`, "name another folder");
    if (libraries.length > 0) makeFolder(join(to, "lib"));
    for (const name of libraries) replace(join(from, "lib", name), join(to, "lib", name));
    // The program comes last: where nothing was before, whoever finds it finds all that it loads.
    replace(program, join(to, "valuefold"));
  } catch (error) {
    return refused(
      `cannot install into \`${to}\` (${codeOf(error) ?? "unknown"})`,
      "name a folder that may be written to, with 120 MB of room",
    );
  }
  const hasLoader = libraries.some((name) => name.startsWith("ld-linux-"));
  const note = hasLoader ? `  note  this form runs from ${home} only: mount the folder there\n` : "";
  return { exitCode: Exit.ok, output: [], messages: `installed valuefold ${version} into ${to}\n${note}` };
}

function librariesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => library.test(name)) : [];
}

/** Another user runs what lies in it, whatever this one keeps to itself. */
function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
}

/** By a name that nobody else has, first: neither a program that runs is written to, nor what a link leads to. */
function replace(from: string, to: string): void {
  const beside = `${to}.${randomUUID()}.part`;
  try {
    copyFileSync(from, beside, constants.COPYFILE_EXCL);
    chmodSync(beside, 0o755);
    renameSync(beside, to);
  } finally {
    rmSync(beside, { force: true });
  }
}

function refused(message: string, hint: string): Ending {
  return { exitCode: Exit.faults, output: [], messages: `error[usage]: ${message}\n  hint  ${hint}\n` };
}
