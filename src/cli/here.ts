// What commands read where no word says so, and with what.
import { existsSync, fstatSync, statSync } from "node:fs";
import { devNull } from "node:os";
import { isatty } from "node:tty";
import type { Workspace } from "../sources/index.ts";
import type { Io } from "./io.ts";

export function workspaceOf(
  { env, tidily, render, stdin, directory }: Io,
  how: { readonly enableExec?: boolean | undefined; readonly asBuilt?: true } = {},
): Workspace {
  const { enableExec = false, ...rest } = how;
  return { env, tidily, render, stdin, from: directory, enableExec, ...rest };
}

export function terminalOf({ terminal }: Io): NonNullable<Io["terminal"]> {
  return terminal ?? { stdin: isatty(0) || isNull(0), stdout: isatty(1) };
}

/** The words; without any stdin, or the working directory where nothing comes from there: a user at a terminal types no stream. */
export function wordsOrHere(words: readonly string[], io: Io): readonly string[] {
  return words.length > 0 ? words : [terminalOf(io).stdin ? "." : "-"];
}

/** True for `/dev/null`: nothing will come. */
function isNull(descriptor: number): boolean {
  return existsSync(devNull) && fstatSync(descriptor).rdev === statSync(devNull).rdev;
}
