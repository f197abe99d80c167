// Questions to the engine. It is started at the first one and kept; one that it does not outlive is cut, and the others are
// asked again. It never keeps the program alive: only a question that waits for its answer does.
import { existsSync } from "node:fs";
import { nativeFiles } from "./built.ts";
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
  constructor(hint: string) {
    super("the engine could not be started");
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
/** True where a native build is here and does not start: the wasm build runs in its place. */
let hasFallenBack = false;
let running: { readonly transport: Transport; isReady: boolean } | undefined;
let clock: NodeJS.Timeout | undefined;

/** `wasm`, `native`, or the path of a native build; undefined for the native one if it is here and starts. */
export function useEngine(wanted: string | undefined): void {
  if (wanted === choice) return;
  running?.transport.stop();
  running = undefined;
  choice = wanted;
  hasFallenBack = false;
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

/** Undefined where the one that is wanted is not here. */
function startOf(): Start | undefined {
  if (choice !== undefined && choice !== "native" && choice !== "wasm") return nativeAt(choice);
  const file =
    choice === "wasm" || hasFallenBack ? undefined : nativeFiles().find((each) => existsSync(each));
  if (file !== undefined) return nativeAt(file);
  return choice === "native" ? undefined : startThread;
}

/** With all questions, and one before them whose answer shows that it runs. */
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
  if (running?.isReady === false) running.isReady = true;
  else questions.shift()?.resolve(answerIn(frame));
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
  clearTimeout(clock);
  const wasReady = running?.isReady === true;
  running?.transport.stop();
  running = undefined;
  if (!wasReady) return tryAnother();
  questions.shift()?.resolve({ cut: why });
  if (questions.length > 0) start();
}

function tryAnother(): void {
  if (choice === undefined && !hasFallenBack) {
    hasFallenBack = true;
    return start();
  }
  const hint =
    choice === undefined || choice === "wasm"
      ? "its wasm build needs about 500 MB of memory: give it that much"
      : "unset `VALUEFOLD_ENGINE`, or set it to a build that runs here";
  for (const { reject } of questions.splice(0)) reject(new EngineNotStarted(hint));
}
