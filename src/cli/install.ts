// `valuefold install DIR`: the program, and what it loads, copied into a folder that another container mounts. An image
// of nothing but the program has no `cp`.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Exit } from "../report/outcome.ts";
import { version } from "../version.ts";
import type { Ending } from "./asking.ts";
import { codeOf } from "./stdio.ts";

/** What the program loads from beside it: its parts if Node runs it, else the libraries that its form brings along. */
const companions = {
  parts: /\.cjs$/,
  lib: /^(?:ld-linux-.+|lib(?:c|m|dl|pthread|gcc_s|stdc\+\+)\.so\.\d+)$/,
} as const;

/** Where the form with a loader of its own looks for that. */
const home = "/opt/valuefold";

/** Copies the file `program`, as `valuefold`, and its companions. What is there already is replaced, a file at a time. */
export function install(program: string, directory: string, into: string): Ending {
  const to = resolve(directory, into);
  try {
    mkdirSync(to, { recursive: true });
    if (realpathSync(to) === dirname(program))
      return refused(`\`${into}\` is where the program lies already`);
    const copied = Object.entries(companions).flatMap(([folder, wanted]) =>
      copyMatching(join(dirname(program), folder), join(to, folder), wanted),
    );
    // The program comes last: whoever finds it finds all that it loads.
    replace(program, join(to, "valuefold"), 0o755);
    const loader = copied.some((name) => name.startsWith("ld-linux-"));
    return {
      exitCode: Exit.ok,
      output: [],
      messages: `installed valuefold ${version} into ${to}\n${loader ? where : ""}`,
    };
  } catch (error) {
    return refused(`cannot write \`${to}\` (${codeOf(error) ?? "unknown"})`);
  }
}

const where = `  note  this form runs from ${home} only: mount the folder there\n`;

function copyMatching(from: string, to: string, wanted: RegExp): string[] {
  if (!existsSync(from)) return [];
  const names = readdirSync(from).filter((name) => wanted.test(name));
  if (names.length > 0) mkdirSync(to, { recursive: true });
  for (const name of names) replace(join(from, name), join(to, name), 0o755);
  return names;
}

/** By another name first: a program that runs is never written to. */
function replace(from: string, to: string, mode: number): void {
  const beside = `${to}.part`;
  copyFileSync(from, beside);
  chmodSync(beside, mode);
  renameSync(beside, to);
}

function refused(message: string): Ending {
  return { exitCode: Exit.faults, output: [], messages: `error[usage]: ${message}\n` };
}
