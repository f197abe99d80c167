// What the words on the command line ask for, done. Loaded only if there are any: a function has none.
import { isatty } from "node:tty";
import type { Request } from "../fold.ts";
import { Exit, type Outcome } from "../report/outcome.ts";
import type { SourceFile } from "../report/sources.ts";
import { verify } from "../verify.ts";
import { version } from "../version.ts";
import { helpText, type Invocation, parseCommandLine } from "./command-line.ts";
import { readFile } from "./stdio.ts";

/** What a run leaves behind: an exit status, the parts of stdout, text for stderr. */
export type Ending = Pick<Outcome, "exitCode" | "output" | "messages">;

export interface World {
  /** All of stdin. */
  readonly stdin: () => Uint8Array;
  readonly fold: (request: Request) => Promise<Outcome>;
}

/** Runs what was typed. Throws what reading files throws. */
export async function runCommand(args: readonly string[], world: World): Promise<Ending> {
  const invocation = parseCommandLine(args);
  switch (invocation.command) {
    case "help":
      return said(helpText);
    case "version":
      return said(`${version}\n`);
    case "misused":
      return complained(`error[usage]: ${invocation.message}\n  hint  see valuefold --help\n`);
    case "fold":
      return world.fold({
        ...readInputs(invocation.files, world),
        form: "stream",
        ...configOf(invocation),
        ...previousOf(invocation),
      });
    case "verify": {
      const { strict } = invocation;
      return verify({ ...readInputs(invocation.files, world), strict, ...configOf(invocation) });
    }
  }
}

/** The answer to a bare call at a terminal, where a function would wait for ever; undefined elsewhere. */
export function refusalAtTerminal(descriptor: number): Ending | undefined {
  return isatty(descriptor) ? complained(helpText) : undefined;
}

function said(text: string): Ending {
  return { exitCode: Exit.ok, output: [Buffer.from(text, "utf8")], messages: "" };
}

function complained(text: string): Ending {
  return { exitCode: Exit.faults, output: [], messages: text };
}

function configOf({ config }: Extract<Invocation, { files: readonly string[] }>): { config?: Uint8Array } {
  return config === undefined ? {} : { config: readFile(config) };
}

function previousOf({ previous }: Extract<Invocation, { command: "fold" }>): { previous?: Uint8Array } {
  return previous === undefined ? {} : { previous: readFile(previous) };
}

/** Several files are one stream; each keeps its name for messages. */
function readInputs(
  names: readonly string[],
  { stdin }: World,
): Pick<Request, "input"> & { files: SourceFile[] } {
  const parts = (names.length === 0 ? ["-"] : names).map((name) =>
    name === "-" ? { bytes: stdin() } : { name, bytes: readFile(name) },
  );
  const joined: Uint8Array[] = [];
  const files: SourceFile[] = [];
  let start = 0;
  for (const [index, { bytes, ...named }] of parts.entries()) {
    files.push({ ...named, start });
    // Files are separate streams: a document never runs on from one to the next.
    const end = index === parts.length - 1 ? [] : [Buffer.from(bytes.at(-1) === 0x0a ? "---\n" : "\n---\n")];
    for (const part of [bytes, ...end]) {
      joined.push(part);
      start += part.length;
    }
  }
  const [only, second] = joined;
  return { input: only !== undefined && second === undefined ? only : Buffer.concat(joined), files };
}
