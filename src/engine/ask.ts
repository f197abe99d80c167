// Questions to the engine. It is started at the first one and kept; one that it does not outlive is cut, and the others are
// asked again. It never keeps the program alive: only a question that waits for its answer does.
import { existsSync } from "node:fs";
import { engineSources, nativeFiles } from "./built.ts";
import { answerIn, type EngineAnswer, type EngineRequest, framed } from "./frame.ts";
import { nativeAt } from "./native.ts";
import { startThread } from "./thread.ts";
import type { EngineEnding, Start, Transport } from "./transport.ts";

/** Why there is no answer: its time was over, memory or stack did not suffice, or the engine ended. */
export interface EngineCut {
  readonly cut: "too-long" | EngineEnding;
}

/** No engine runs here. It is shown as a mistake that has a cure. */
class EngineNotStarted extends Error {
  readonly hint: string;
  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

interface WaitingRequest {
  readonly frame: Uint8Array;
  readonly deadlineMs: number;
  readonly resolve: (answer: EngineAnswer | EngineCut) => void;
  readonly reject: (error: Error) => void;
}

const usualDeadlineMs = 60_000;
const startMs = 60_000;

/** In the order of their answers: the first is being answered. */
const questions: WaitingRequest[] = [];

let choice: string | undefined;
/** The native build that is here, and why the wasm build runs in its place. */
let fallback: string | undefined;
let running: { readonly transport: Transport; isReady: boolean } | undefined;
let clock: NodeJS.Timeout | undefined;

/** `wasm`, `native`, or the path of a native build; undefined for the native one if it is here and starts. */
export function useEngine(wanted: string | undefined): void {
  if (wanted === choice) return;
  running?.transport.stop();
  running = undefined;
  choice = wanted;
  fallback = undefined;
}

/** Why the native build that is here is not used; undefined where it is, or none is here. */
export function whyNotNative(): string | undefined {
  return fallback;
}

/** Rejects only if the engine cannot be started. */
export function ask(request: EngineRequest, deadlineMs = usualDeadlineMs): Promise<EngineAnswer | EngineCut> {
  return new Promise((resolve, reject) => {
    const question = { frame: framed(request), deadlineMs, resolve, reject };
    questions.push(question);
    if (running === undefined) return start();
    running.transport.send(question.frame);
    if (questions.length === 1) setClock();
  });
}

/** The native build that is wanted. */
function nativeFile(): string | undefined {
  if (choice === "wasm" || fallback !== undefined) return undefined;
  if (choice !== undefined && choice !== "native") return choice;
  return nativeFiles().find((each) => existsSync(each));
}

/** Undefined where the one that is wanted is not here. */
function startOf(): Start | undefined {
  const file = nativeFile();
  if (file !== undefined) return nativeAt(file);
  return choice === "native" ? undefined : startThread;
}

/** With all questions, and one before them whose answer shows that it runs, and of what it is made. */
function start(): void {
  const transport = startedTransport();
  if (transport === undefined) return tryAnother();
  running = { transport, isReady: false };
  transport.send(framed({ op: "about" }));
  for (const { frame } of questions) transport.send(frame);
  setClock();
}

function startedTransport(): Transport | undefined {
  try {
    return startOf()?.({ answered, ended: cut });
  } catch {
    return undefined;
  }
}

function answered(frame: Uint8Array): void {
  if (running?.isReady === false) {
    // Of another version, it would not know all questions, or answer them in another form.
    if (answerIn(frame)["sources"] !== engineSources()) {
      stop();
      return tryAnother(true);
    }
    running.isReady = true;
  } else questions.shift()?.resolve(answerIn(frame));
  setClock();
}

/** For the first question, once the engine has started. A clock keeps the program alive. */
function setClock(): void {
  clearTimeout(clock);
  const [first] = questions;
  if (first === undefined) return;
  clock = setTimeout(() => cut("too-long"), running?.isReady === true ? first.deadlineMs : startMs);
}

/** The engine is of no more use. */
function cut(why: EngineCut["cut"]): void {
  const wasReady = running?.isReady === true;
  stop();
  if (!wasReady) return tryAnother();
  questions.shift()?.resolve({ cut: why });
  if (questions.length > 0) start();
}

function stop(): void {
  clearTimeout(clock);
  running?.transport.stop();
  running = undefined;
}

function tryAnother(isOther = false): void {
  const file = nativeFile();
  const named = file === undefined ? "the engine" : `the engine \`${file}\``;
  const message = `${named} ${isOther ? "is of another version than the program" : "could not be started"}`;
  if (choice === undefined && file !== undefined) {
    fallback = message;
    return start();
  }
  for (const { reject } of questions.splice(0)) reject(new EngineNotStarted(message, cureOf(isOther)));
}

function cureOf(isOther: boolean): string {
  if (choice !== undefined && choice !== "wasm")
    return `unset \`VALUEFOLD_ENGINE\`, or set it to a build ${isOther ? "of this version" : "that runs here"}`;
  return isOther
    ? "install valuefold again: its files are of two versions"
    : "its wasm build needs about 500 MB of memory: give it that much";
}
