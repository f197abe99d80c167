// What a run comes to: exit status, output and text, for success and every kind of refusal alike.
import type { Diagnostic } from "../diagnostic.ts";
import { type Report, renderDiagnostics } from "./report.ts";
import { encode } from "../wire/encode.ts";
import { located, type SourceFile } from "./sources.ts";
import type { Edit, Envelope, WireFault } from "../wire/envelope.ts";
import { lineAndColumn } from "../yaml/tape.ts";

export const Exit = { ok: 0, faults: 1, bug: 2, invalidConfig: 3 } as const;

type ExitCode = (typeof Exit)[keyof typeof Exit];

export interface Outcome {
  readonly exitCode: Exclude<ExitCode, typeof Exit.bug>;
  /** Parts of stdout, in order. */
  readonly output: readonly Uint8Array[];
  /** Text for stderr. */
  readonly messages: string;
  readonly diagnostics: readonly Diagnostic[];
  /** What happened, as text for a terminal: made only where somebody reads it. */
  readonly account?: () => string;
}

export function succeed(
  envelope: Envelope,
  edits: readonly Edit[],
  diagnostics: readonly Diagnostic[],
): Outcome {
  const output = encode(envelope, edits, diagnostics);
  return { exitCode: Exit.ok, output, messages: renderDiagnostics(diagnostics), diagnostics };
}

/** Of a run that writes no list. */
export function told({ failed }: Report, diagnostics: readonly Diagnostic[]): Outcome {
  const messages = renderDiagnostics(diagnostics);
  return { exitCode: failed ? Exit.faults : Exit.ok, output: [], messages, diagnostics };
}

/** A readable list goes back unchanged but for its results; a stream leaves stdout empty. */
export function refuse(
  envelope: Envelope,
  diagnostics: readonly Diagnostic[],
  exitCode: Outcome["exitCode"],
): Outcome {
  const output = envelope.form === "stream" ? [] : encode(envelope, [], diagnostics);
  return { exitCode, output, messages: renderDiagnostics(diagnostics), diagnostics };
}

export function unreadable(
  input: Uint8Array,
  { kind, fault }: WireFault,
  files?: readonly SourceFile[],
): Outcome {
  const hint =
    kind === "not-a-resource-list"
      ? files === undefined
        ? "pipe a ResourceList in; a plain YAML stream goes to `valuefold fold` or `verify`"
        : "the command before it in the pipe wrote nothing: has it failed?"
      : "correct the YAML at this place";
  const offset = fault.offset ?? 0;
  const at =
    files === undefined ? { text: "input", ...lineAndColumn(input, offset) } : { text: "input", offset };
  const found: Diagnostic = { code: kind, severity: "error", message: fault.message, at, hint };
  const diagnostics = files === undefined ? [found] : located([found], input, files);
  return { exitCode: Exit.faults, output: [], messages: renderDiagnostics(diagnostics), diagnostics };
}
