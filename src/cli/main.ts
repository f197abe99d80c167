// The process edge: argv, descriptors and exit status. The only file that touches `process`.
// stdout belongs to the output alone; nothing is written before all of it is ready, and no exit is forced.
import { refusalAtTerminal, runCommand, waitingLine } from "./commands.ts";
import { prepareEngine } from "./engine.ts";
import { endingOf, faultsRefusal, isOfOutput, withFaultOnStdout } from "./failure.ts";
import { type Ending, type Io, uncompared } from "./io.ts";
import {
  readAll,
  type RenderEdge,
  renderFunction,
  type RenderInvocation,
  runRender,
} from "../sources/index.ts";
import { decodeResourceList } from "../krm/index.ts";
import {
  type Edge,
  folding,
  type Need,
  type FoldInput,
  sopsWith,
  supplied,
  type Supply,
} from "../core/index.ts";
import { type Outcome, renderDiagnostics } from "../report/index.ts";
import { progressBy } from "./progress.ts";
import { useEngine } from "../engine/index.ts";
import { renderKindOf } from "../render/index.ts";
import { isDevice, writeAll } from "./stdio.ts";
import { finalValues, type ValuesRequest, verifyingList } from "../explain/index.ts";
import { wings } from "../wings.ts";
import { serveRequests } from "./worker.ts";

const stdin = 0;
const stdout = 1;
const stderr = 2;

async function main(): Promise<number> {
  const args = process.argv.slice(2);
  const { VALUEFOLD_ENGINE: engine } = process.env;
  if (engine !== undefined && engine !== "") useEngine(engine);
  if (args[0] === "worker") return serve();
  if (args.length > 0) return finish(await runCommand(args, io()));
  const refusal = faultsRefusal(faultsVariable()) ?? (isDevice(stdin) ? refusalAtTerminal(stdin) : undefined);
  if (refusal !== undefined) return finish(refusal);
  const outcome = await runFunction(readAll(stdin));
  return finish(withFault({ ...outcome, messages: renderDiagnostics(outcome.diagnostics) }));
}

/** Whatever a request asks for, no other program is found. */
async function serve(): Promise<number> {
  process.env["PATH"] = "/nonexistent";
  const answer = (line: string): void => writeAll(stdout, [Buffer.from(line, "utf8")]);
  await serveRequests({ requests: process.stdin, run: runRequest, answer });
  return 0;
}

async function runRequest(args: readonly string[], directory: string, input: Uint8Array): Promise<Ending> {
  const given = { directory, stdin: (): Uint8Array => input };
  const render = (invocation: RenderInvocation): Promise<Outcome> =>
    runRender(invocation, { ...renderEdge(), ...given });
  try {
    process.chdir(directory);
    return await runCommand(args, { ...io(), ...given, render });
  } catch (error) {
    return ofComparison(endingOf(error), args);
  }
}

/** A render, if the function config is one; else a fold. */
async function runFunction(input: Uint8Array): Promise<Outcome> {
  await prepare(input);
  const decoded = decodeResourceList(input);
  const isRender = "items" in decoded && renderKindOf(decoded.functionConfig) !== undefined;
  const rendered = isRender ? await renderFunction(input, renderEdge()) : undefined;
  if (rendered !== undefined) return rendered;
  return supplied(folding({ input, form: "resource-list", decoded, verify: verifyingList }, wings), supply);
}

function renderEdge(): RenderEdge {
  return { directory: process.cwd(), sops: supply, stdin: () => readAll(stdin) };
}

function io(): Io {
  return {
    stdin: () => {
      const waiting = isDevice(stdin) ? waitingLine(stdin) : undefined;
      if (waiting !== undefined) writeAll(stderr, [Buffer.from(waiting, "utf8")]);
      return readAll(stdin);
    },
    fold,
    render: (invocation) => runRender(invocation, renderEdge()),
    values,
    supplied: (steps) => supplied(steps, supply),
    prepare,
    tidily,
    env: process.env,
    executable,
    ...(isDevice(stdout) ? { outputColumns: process.stdout.columns || 80 } : {}),
    ...(isDevice(stderr) ? { errorColumns: process.stderr.columns } : {}),
    // A dumb terminal cannot replace a line.
    ...(isDevice(stderr) && process.env["TERM"] !== "dumb" ? { progress: progress() } : {}),
    // Lazy: it throws if the folder was removed, and not all commands need it.
    get directory() {
      return process.cwd();
    },
  };
}

function progress(): (line: string) => void {
  return progressBy({
    write: (text) => writeAll(stderr, [Buffer.from(text, "utf8")]),
    columns: process.stderr.columns ?? 80,
    now: () => performance.now(),
    later: (work, ms) => {
      const timer = setTimeout(work, ms).unref();
      return { cancel: () => clearTimeout(timer) };
    },
  });
}

/** The script of an executable is inside it, and has a path that no file has. */
function executable(): string | undefined {
  const [, script = ""] = process.argv;
  return script.startsWith("/$bunfs/") ? process.execPath : undefined;
}

function prepare(input: Uint8Array): Promise<void> {
  return prepareEngine(input, process.versions);
}

async function fold(request: FoldInput): Promise<Outcome> {
  await prepare(request.input);
  return supplied(folding({ ...request, verify: verifyingList }, wings), supply);
}

async function values(request: ValuesRequest): Promise<Outcome> {
  await prepare(request.input);
  return supplied(finalValues(request), supply);
}

async function supply(need: Need): Promise<Supply> {
  return stoppable((edge) => {
    const sops = sopsWith(process.env, need.keys, undefined, edge);
    return "open" in need ? sops.open(need.open) : sops.seal(need.seal, need.recipients);
  });
}

/** A signal ends the process only after the work has removed its keyring or temporary files. */
async function stoppable<T>(work: (edge: Edge) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  // Builds run side by side, and each listens.
  process.setMaxListeners(0);
  const onSignal = (signal: NodeJS.Signals): void => stop.abort(signal);
  for (const signal of signals) process.on(signal, onSignal);
  try {
    return await work({ stop: stop.signal, endGroup });
  } finally {
    for (const signal of signals) process.off(signal, onSignal);
    if (stop.signal.aborted) process.kill(process.pid, stop.signal.reason as NodeJS.Signals);
  }
}

/** The same for work that runs other programs: a signal aborts `stop`. Without such work a signal ends the process at once. */
function tidily<T>(work: (stop: AbortSignal | undefined) => Promise<T>): Promise<T> {
  return stoppable(async ({ stop }) => {
    try {
      return await work(stop);
    } finally {
      // A signal that arrived during the work is delivered only now.
      await new Promise((resolve) => setImmediate(resolve));
    }
  });
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

function endGroup(group: number): void {
  try {
    process.kill(-group, "SIGKILL");
  } catch {
    // It has already ended.
  }
}

/** The text goes out first: an orchestrator that stops reading stdout still shows why. */
function finish({ exitCode, output, messages, closing = "" }: Ending): number {
  writeAll(stderr, [Buffer.from(messages.slice(0, messages.length - closing.length), "utf8")]);
  writeAll(stdout, output);
  writeAll(stderr, [Buffer.from(closing, "utf8")]);
  return exitCode;
}

/** Only the function reads it: a user who types a command sees stderr. */
function faultsVariable(): string | undefined {
  return process.argv.length > 2 ? undefined : process.env["VALUEFOLD_FAULTS"];
}

function withFault(ending: Ending): Ending {
  return faultsVariable() === "stdout" ? withFaultOnStdout(ending) : ending;
}

/** With `--exit-code`, status 1 says that values differ, and a run that ends early compared none. */
function ofComparison(ending: Ending, args: readonly string[]): Ending {
  return args.includes("--exit-code") ? { ...ending, exitCode: uncompared } : ending;
}

async function run(): Promise<number> {
  try {
    return await main();
  } catch (error) {
    const ending = ofComparison(endingOf(error), process.argv);
    return finish(isOfOutput(error) ? ending : withFault(ending));
  }
}

/** The file that Node starts checks this to know that all of this file was read. */
export const started = true;

void run().then((exitCode) => {
  process.exitCode = exitCode;
});
