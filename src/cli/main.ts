// The process edge: argv, descriptors and exit status. The only file that touches `process`.
// stdout belongs to the output alone; nothing is written before all of it is ready, and no exit is forced.
import { refusalAtTerminal, runCommand, type World } from "./commands.ts";
import type { Ending } from "./asking.ts";
import { prepareEngine } from "./engine.ts";
import { endingOf, isOfOutput } from "./failure.ts";
import { refusalOf, withFaultOnStdout } from "./fault-scalar.ts";
import {
  decodeResourceList,
  type Edge,
  folding,
  type Need,
  type Outcome,
  type Request,
  sopsWith,
  supplied,
  type Supply,
} from "../core/index.ts";
import { renderKindOf } from "../render/index.ts";
import { type RenderEdge, renderFunction, type RenderInvocation, runRender } from "./render.ts";
import { isDevice, readAll, writeAll } from "./stdio.ts";
import { finalValues, type ValuesRequest, verifyingList } from "../explain/index.ts";
import { wings } from "../wings.ts";

const stdin = 0;
const stdout = 1;
const stderr = 2;

async function main(): Promise<number> {
  const args = process.argv.slice(2);
  if (args.length > 0) return finish(await runCommand(args, world()));
  const refusal = refusalOf(faultsVariable()) ?? (isDevice(stdin) ? refusalAtTerminal(stdin) : undefined);
  return finish(refusal ?? told(await runFunction(readAll(stdin))));
}

/** What the function config asks for: a render, or what it always does. */
async function runFunction(input: Uint8Array): Promise<Outcome> {
  await prepare(input);
  const decoded = decodeResourceList(input);
  const asksForRender = "items" in decoded && renderKindOf(decoded.functionConfig) !== undefined;
  const rendered = asksForRender ? await renderFunction(input, renderEdge()) : undefined;
  if (rendered !== undefined) return rendered;
  return supplied(folding({ input, form: "resource-list", decoded, verify: verifyingList }, wings), supply);
}

function render(invocation: RenderInvocation): Promise<Outcome> {
  return runRender(invocation, renderEdge());
}

function renderEdge(): RenderEdge {
  return { directory: process.cwd(), sops: supply, stdin: () => readAll(stdin) };
}

function world(): World {
  return {
    stdin: () => readAll(stdin),
    fold,
    render,
    values,
    supplied: (steps) => supplied(steps, supply),
    prepare,
    tidily,
    env: process.env,
    executable,
    // Only who asks for it finds out that the folder is gone.
    get directory() {
      return process.cwd();
    },
  };
}

/** An executable has its script inside, under a path that no file has. */
function executable(): string | undefined {
  const [, script = ""] = process.argv;
  return script.startsWith("/$bunfs/") ? process.execPath : undefined;
}

function prepare(input: Uint8Array): Promise<void> {
  return prepareEngine(input, process.versions);
}

async function fold(request: Request): Promise<Outcome> {
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

/** A signal stops what runs, and ends the process once what was made for that is gone. What follows a signal ends at once. */
function tidily<T>(work: (stop: AbortSignal | undefined) => Promise<T>): Promise<T> {
  return stoppable(async ({ stop }) => {
    try {
      return await work(stop);
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

/** Only the function listens to it: commands are typed by somebody who sees stderr. */
function faultsVariable(): string | undefined {
  return process.argv.length > 2 ? undefined : process.env["VALUEFOLD_FAULTS"];
}

function told(ending: Ending): Ending {
  return faultsVariable() === "stdout" ? withFaultOnStdout(ending) : ending;
}

async function run(): Promise<number> {
  try {
    return await main();
  } catch (error) {
    const ending = endingOf(error);
    return finish(isOfOutput(error) ? ending : told(ending));
  }
}

/** By this the file that Node starts knows that all of this one was read. */
export const started = true;

void run().then((exitCode) => {
  process.exitCode = exitCode;
});
