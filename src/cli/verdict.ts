// The last line of `verify`: what was looked at, and what was found.
//
//     checked 31 targets in 3 builds; 2 warnings
import { count } from "../core/index.ts";
import { type Diagnostic, formatPosition } from "../diagnostic.ts";
import type { Outcome, VerifiedInput } from "../report/index.ts";

export function verdictOn(outcomes: readonly Outcome[]): string {
  return `checked ${checkedIn(outcomes)}; ${foundIn(outcomes)}\n`;
}

/** What is reported where a run checks nothing and finds no error: it must not pass for a success. */
export function nothingChecked(outcomes: readonly Outcome[]): readonly Diagnostic[] {
  const isChecked = checkedOf(outcomes).some(({ targets, what }) => targets > 0 || what !== undefined);
  const isBroken = outcomes.some(({ diagnostics }) =>
    diagnostics.some(({ severity }) => severity === "error"),
  );
  if (isChecked || isBroken) return [];
  return [
    {
      code: "no-target",
      severity: "warning",
      message: "nothing was checked: no target with values was found",
      hint: "name the directories or files that have the releases, or their build",
    },
  ];
}

function checkedOf(outcomes: readonly Outcome[]): readonly VerifiedInput[] {
  return outcomes.flatMap(({ account }) => account?.().checked ?? []);
}

/** Of one folded stream, or of one stack of files, what it is; else the targets of all builds. */
function checkedIn(outcomes: readonly Outcome[]): string {
  const all = checkedOf(outcomes);
  const [only] = all;
  if (all.length === 1 && only?.what !== undefined) return only.what;
  const targets = all.reduce((sum, each) => sum + each.targets, 0);
  return `${count(targets, "target")} in ${count(all.length, "build")}`;
}

function foundIn(outcomes: readonly Outcome[]): string {
  // A file that several builds read is counted once, as it is printed once.
  const found = outcomes.flatMap(({ diagnostics }) => diagnostics.map(printedAs));
  const [errors, warnings] = (["error", "warning"] as const).map(
    (severity) => new Set(found.filter((each) => each.startsWith(severity))).size,
  );
  const counts = [counted(errors, "error"), counted(warnings, "warning")].flat();
  return counts.length === 0 ? "nothing found" : counts.join(", ");
}

function printedAs({ severity, code, message, at }: Diagnostic): string {
  return [severity, code, message, at === undefined ? "" : formatPosition(at)].join("\n");
}

function counted(found: number | undefined, what: string): readonly string[] {
  return found === undefined || found === 0 ? [] : [count(found, what)];
}
