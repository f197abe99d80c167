// What the words on the command line ask for, done. Loaded only if there are any: a function has none.
import { isatty } from "node:tty";
import type { Request } from "../fold.ts";
import { Exit, type Outcome } from "../report/outcome.ts";
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
        input: readInputs(invocation.files, world),
        form: "stream",
        ...configOf(invocation),
        ...previousOf(invocation),
      });
    case "verify": {
      const input = readInputs(invocation.files, world);
      return verify({ input, strict: invocation.strict, ...configOf(invocation) });
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

function readInputs(files: readonly string[], { stdin }: World): Uint8Array {
  const inputs = (files.length === 0 ? ["-"] : files).map((file) =>
    file === "-" ? stdin() : readFile(file),
  );
  const [only] = inputs;
  return inputs.length === 1 && only !== undefined ? only : joinStreams(inputs);
}

/** Files are separate streams: a document never runs on from one to the next. */
function joinStreams(inputs: readonly Uint8Array[]): Uint8Array {
  const separator = (before: Uint8Array): Uint8Array =>
    Buffer.from(before.at(-1) === 0x0a ? "---\n" : "\n---\n");
  return Buffer.concat(
    inputs.flatMap((input, index) => (index === inputs.length - 1 ? [input] : [input, separator(input)])),
  );
}
