// For callers of the function that show no stderr. kustomize prints what it finds on stdout in place of a list, so
// the first fault goes there as one YAML scalar: a literal block, in which nothing needs quotes and lines stay lines.
import { Exit, type Outcome, renderDiagnostics } from "../core/index.ts";
import type { Ending } from "./asking.ts";
import { scalarOf } from "./scalar.ts";

/** The end of a run whose `VALUEFOLD_FAULTS` says what it cannot; undefined where it is in order. Empty is unset. */
export function refusalOf(asked: string | undefined): Ending | undefined {
  if (asked === undefined || asked === "" || asked === "stdout") return undefined;
  const messages =
    "error[usage]: `VALUEFOLD_FAULTS`: expected `stdout`\n  hint  unset it, and faults go to stderr alone\n";
  return { exitCode: Exit.faults, output: [], messages };
}

/** An ending that also tells on stdout why it failed; one that did not fail stays as it is. */
export function withFaultOnStdout(ending: Ending & Partial<Pick<Outcome, "diagnostics">>): Ending {
  if (ending.exitCode === Exit.ok) return ending;
  return { ...ending, output: [Buffer.from(scalarOf(faultOf(ending)), "utf8")] };
}

function faultOf({ messages, diagnostics = [] }: Parameters<typeof withFaultOnStdout>[0]): string {
  const [first, ...more] = diagnostics.filter(({ severity }) => severity === "error");
  if (first === undefined) return messages;
  const { length } = more;
  const rest = length === 0 ? "" : `and ${length} more error${length === 1 ? "" : "s"}; stderr has all\n`;
  return renderDiagnostics([first]) + rest;
}
