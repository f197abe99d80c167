// The process edge: argv, descriptors and exit status. The only file that touches `process`.
// stdout belongs to the output alone; nothing is written before all of it is ready, and no exit is forced.
import { realpathSync } from "node:fs";
import { refusalAtTerminal, runCommand, type World } from "./commands.ts";
import type { Ending } from "./asking.ts";
import { folding, type Request, supplied } from "../fold.ts";
import { Exit, type Outcome } from "../report/outcome.ts";
import { codeOf, isDevice, readAll, writeAll } from "./stdio.ts";
import type { Need, Supply } from "../sops/need.ts";
import { finalValues, type ValuesRequest } from "../values.ts";
import type { Edge } from "../sops/program.ts";
import { verifyingList } from "../verify.ts";
import { version } from "../version.ts";

const stdin = 0;
const stdout = 1;
const stderr = 2;

async function main(): Promise<number> {
  const args = process.argv.slice(2);
  if (args.length > 0) return finish(await runCommand(args, world()));
  const refusal = isDevice(stdin) ? refusalAtTerminal(stdin) : undefined;
  return finish(refusal ?? (await fold({ input: readAll(stdin), form: "resource-list" })));
}

function world(): World {
  return {
    stdin: () => readAll(stdin),
    fold,
    values,
    supplied: (steps) => supplied(steps, supply),
    tidily,
    env: process.env,
    program,
    directory: process.cwd(),
  };
}

/** An executable has its script inside, under a path that no file has. */
function program(): string {
  const [, script = ""] = process.argv;
  return script.startsWith("/$bunfs/") ? process.execPath : realpathSync(script);
}

function fold(request: Request): Promise<Outcome> {
  return supplied(folding({ ...request, verify: verifyingList }), supply);
}

function values(request: ValuesRequest): Promise<Outcome> {
  return supplied(finalValues(request), supply);
}

/** Loaded only where something is sealed: most runs need no other program. */
async function supply(need: Need): Promise<Supply> {
  const { sopsWith } = await import("../sops/program.ts");
  return stoppable((edge) => {
    const sops = sopsWith(process.env, need.keys, undefined, edge);
    return "open" in need ? sops.open(need.open) : sops.seal(need.seal, need.recipients);
  });
}

/** A signal ends the process only once the keyring is gone that was made for it. */
async function stoppable<T>(work: (edge: Edge) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const onSignal = (signal: NodeJS.Signals): void => stop.abort(signal);
  for (const signal of signals) process.on(signal, onSignal);
  try {
    return await work({ stop: stop.signal, endGroup });
  } finally {
    for (const signal of signals) process.off(signal, onSignal);
    if (stop.signal.aborted) process.kill(process.pid, stop.signal.reason as NodeJS.Signals);
  }
}

/** A signal that comes while another program runs ends the process only once what was made for that is gone. */
function tidily<T>(work: () => Promise<T>): Promise<T> {
  return stoppable(async () => {
    try {
      return await work();
    } finally {
      // What came meanwhile is told only now.
      await new Promise((resolve) => setImmediate(resolve));
    }
  });
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

function endGroup(group: number): void {
  try {
    process.kill(-group, "SIGKILL");
  } catch {
    // It has ended already.
  }
}

/** The text goes out first: an orchestrator that stops reading stdout still shows why. */
function finish({ exitCode, output, messages }: Ending): number {
  if (messages !== "") writeAll(stderr, [Buffer.from(messages, "utf8")]);
  writeAll(stdout, output);
  return exitCode;
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
    if (error instanceof Error && "hint" in error)
      return complain(`error[usage]: ${error.message}\n  hint  ${String(error.hint)}\n`, Exit.faults);
    if (codeOf(error) === "EISDIR")
      return complain(
        "error[usage]: expected files, got a folder\n  hint  name the files in it, or pipe a build: kustomize build FOLDER | valuefold fold\n",
        Exit.faults,
      );
    if (error instanceof Error && "syscall" in error && error.syscall === "write")
      return complain(`error[usage]: cannot write the output (${codeOf(error)})\n`, Exit.faults);
    if (codeOf(error) === "MODULE_NOT_FOUND") return complain(incomplete, Exit.faults);
    if (error instanceof Error && "path" in error)
      return complain(
        `error[usage]: cannot read \`${String(error.path)}\` (${codeOf(error)})\n`,
        Exit.faults,
      );
    return complain(bugReport(error), Exit.bug);
  }
}

/** Someone copied the one file that starts the program. */
const incomplete =
  "error[usage]: the files that valuefold loads, `parts/*.cjs`, are not beside it\n" +
  "  hint  link to the program or install the package; a copy of the one file is not enough\n";

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
