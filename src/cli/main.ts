// The process edge: argv, descriptors and exit status. The only file that touches `process`.
// stdout belongs to the output alone; nothing is written before all of it is ready, and no exit is forced.
import { isatty } from "node:tty";
import { helpText, type Invocation, parseCommandLine } from "./command-line.ts";
import { folding, type Request, supplied } from "../fold.ts";
import { Exit, type Outcome } from "../report/outcome.ts";
import { codeOf, readAll, readFile, writeAll } from "./stdio.ts";
import type { Need, Supply } from "../sops/need.ts";
import { verify } from "../verify.ts";
import { version } from "../version.ts";

const stdin = 0;
const stdout = 1;
const stderr = 2;

async function main(): Promise<number> {
  const invocation = parseCommandLine(process.argv.slice(2));
  switch (invocation.command) {
    case "help":
      return print(helpText);
    case "version":
      return print(`${version}\n`);
    case "misused":
      return complain(`error[usage]: ${invocation.message}\n  hint  see valuefold --help\n`, Exit.faults);
    case "function":
      // Somebody typed the bare name: a function without input would wait for ever.
      if (isatty(stdin)) return complain(helpText, Exit.faults);
      return finish(await foldAll({ input: readAll(stdin), form: "resource-list" }));
    case "fold":
      return finish(await foldStream(invocation));
    case "verify":
      return finish(verifyStream(invocation));
  }
}

function foldStream({ files, config }: Extract<Invocation, { command: "fold" }>): Promise<Outcome> {
  const input = readInputs(files);
  return foldAll({ input, form: "stream", ...(config === undefined ? {} : { config: readFile(config) }) });
}

function verifyStream({ files, strict, config }: Extract<Invocation, { command: "verify" }>): Outcome {
  const input = readInputs(files);
  return verify({ input, strict, ...(config === undefined ? {} : { config: readFile(config) }) });
}

function foldAll(request: Request): Promise<Outcome> {
  return supplied(folding(request), supply);
}

/** Loaded only where something is sealed: most runs need no other program. */
async function supply(need: Need): Promise<Supply> {
  const { sopsWith } = await import("../sops/program.ts");
  const sops = sopsWith(process.env, need.keys);
  return "open" in need ? sops.open(need.open) : sops.seal(need.seal, need.recipients);
}

function readInputs(files: readonly string[]): Uint8Array {
  const inputs = (files.length === 0 ? ["-"] : files).map((file) =>
    file === "-" ? readAll(stdin) : readFile(file),
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

/** The text goes out first: an orchestrator that stops reading stdout still shows why. */
function finish({ exitCode, output, messages }: Outcome): number {
  if (messages !== "") writeAll(stderr, [Buffer.from(messages, "utf8")]);
  writeAll(stdout, output);
  return exitCode;
}

function print(text: string): number {
  writeAll(stdout, [Buffer.from(text, "utf8")]);
  return Exit.ok;
}

function complain(text: string, exitCode: number): number {
  writeAll(stderr, [Buffer.from(text, "utf8")]);
  return exitCode;
}

async function run(): Promise<number> {
  try {
    return await main();
  } catch (error) {
    // A reader that has gone needs no message; a file that cannot be read is the user's to mend.
    if (codeOf(error) === "EPIPE") return Exit.faults;
    if (codeOf(error) === "EISDIR")
      return complain(
        "error[usage]: expected files, got a folder\n  hint  name the files in it\n",
        Exit.faults,
      );
    if (error instanceof Error && "path" in error)
      return complain(
        `error[usage]: cannot read \`${String(error.path)}\` (${codeOf(error)})\n`,
        Exit.faults,
      );
    return complain(bugReport(error), Exit.bug);
  }
}

/** Only our own frames: a message of a library may quote its input. */
function bugReport(error: unknown): string {
  const frames =
    error instanceof Error ? (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line)) : [];
  const name = error instanceof Error ? error.name : "unknown";
  return `error[bug]: valuefold ${version} failed (${name}); please report these lines\n${frames.map((line) => `${line}\n`).join("")}`;
}

void run().then((exitCode) => {
  process.exitCode = exitCode;
});
