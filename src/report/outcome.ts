// The outcome of a run: exit status, output and diagnostics, for success and every kind of refusal.
import { notUtf8, lineAndColumn } from "../yaml/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import type { Account } from "./account.ts";
import type { Report } from "./report.ts";
import { encode, type TextEdit, type Envelope, type WireFault } from "../krm/index.ts";
import { located, type SourceFile } from "./sources.ts";

export const Exit = { ok: 0, faults: 1, bug: 2, invalidConfig: 3 } as const;

type ExitCode = (typeof Exit)[keyof typeof Exit];

export interface Outcome {
  readonly exitCode: Exclude<ExitCode, typeof Exit.bug>;
  /** Parts of stdout, in order. */
  readonly output: readonly Uint8Array[];
  readonly diagnostics: readonly Diagnostic[];
  /** What happened: made only if it is printed. */
  readonly account?: () => Account;
}

export function succeed(
  envelope: Envelope,
  edits: readonly TextEdit[],
  diagnostics: readonly Diagnostic[],
): Outcome {
  const output = encode(envelope, edits, diagnostics);
  return { exitCode: Exit.ok, output, diagnostics };
}

/** The outcome of a run that writes no list. */
export function reported({ failed }: Report, diagnostics: readonly Diagnostic[]): Outcome {
  return { exitCode: failed ? Exit.faults : Exit.ok, output: [], diagnostics };
}

/** A readable list goes back unchanged but for its results; a stream leaves stdout empty. */
export function refuse(
  envelope: Envelope,
  diagnostics: readonly Diagnostic[],
  exitCode: Outcome["exitCode"],
): Outcome {
  const output = envelope.form === "stream" ? [] : encode(envelope, [], diagnostics);
  return { exitCode, output, diagnostics };
}

export function unreadable(
  input: Uint8Array,
  { kind, fault }: WireFault,
  files?: readonly SourceFile[],
): Outcome {
  const offset = fault.offset ?? 0;
  const foreign = foreignText(partAt(input, offset, files));
  const hint =
    foreign?.hint ??
    fault.hint ??
    (kind === "not-a-resource-list"
      ? files === undefined
        ? "pipe a ResourceList in; a plain YAML stream goes to `valuefold fold` or `verify`"
        : "the command before it in the pipe wrote nothing: has it failed?"
      : fault.message === notUtf8
        ? "save the file in UTF-8: Go refuses it, and to decode it would lose the character"
        : "correct the YAML at this place");
  const name = files?.findLast((file) => file.start <= offset)?.name;
  if (kind === "not-a-resource-list" && name !== undefined) return emptyFile(name);
  const at =
    files === undefined ? { text: "input", ...lineAndColumn(input, offset) } : { text: "input", offset };
  const message = foreign?.message ?? fault.message;
  const found: Diagnostic = { code: kind, severity: "error", message, at, hint };
  const diagnostics = files === undefined ? [found] : located([found], input, files);
  return { exitCode: Exit.faults, output: [], diagnostics };
}

function emptyFile(name: string): Outcome {
  const fault: Diagnostic = {
    code: "not-a-resource-list",
    severity: "error",
    message: `\`${name}\` holds no document`,
    at: { text: name, isFile: true },
    hint: "name a file with manifests or values",
  };
  return { exitCode: Exit.faults, output: [], diagnostics: [fault] };
}

/** What is read of a file that is there, around an offset; all of the input where no files are known. */
function partAt(input: Uint8Array, offset: number, files: readonly SourceFile[] = []): Uint8Array {
  const start = files.findLast((file) => file.start <= offset)?.start ?? 0;
  return input.subarray(start, files.find((file) => file.start > offset)?.start);
}

/** Bytes that no editor wrote as YAML: what they are, and what to do about it. */
function foreignText(bytes: Uint8Array): { readonly message: string; readonly hint: string } | undefined {
  const [first, second] = bytes;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (first === 0x1f && second === 0x8b)
    return {
      message: "expected UTF-8 text, got gzip",
      hint: "unpack it first: gunzip -c FILE | valuefold …",
    };
  if (isUtf16)
    return { message: "expected UTF-8 text, got UTF-16", hint: "convert it: iconv -f UTF-16 -t UTF-8 FILE" };
  // A text in another encoding has one wrong byte or a few: the fault has their place.
  if (!bytes.includes(0)) return undefined;
  return { message: "expected UTF-8 text, got other bytes", hint: "name a YAML or JSON file in UTF-8" };
}
