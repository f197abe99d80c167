// One thread with one engine in it, from its start to its end: all templates answered, or one that it did not outlive.
import { Worker } from "node:worker_threads";
import type { FromWorker, ToWorker } from "./messages.ts";
import { workerScript } from "./built.ts";

/** Why a thread ended before all templates were answered; `no-start` is no template's fault. */
export type CutReason = "no-start" | "too-long" | "too-large" | "failed";

export interface ThreadLimits {
  /** From the start of a thread to its first template. */
  readonly startMs: number;
  /** For each template. */
  readonly templateMs: number;
}

/** Templates that call each other nest as deep as Go lets them, which needs more stack than a thread usually has. */
const resourceLimits = { stackSizeMb: 16 };

/**
 * @param onAnswer gets one line for each template, in order
 * @returns undefined once all are answered
 */
export function runThread(
  given: ToWorker,
  limits: ThreadLimits,
  onAnswer: (line: string) => void,
): Promise<CutReason | undefined> {
  return new Promise((resolve) => {
    const worker = start(given);
    const clock = new Deadline(() => end("too-long"));
    let left = given.templates.length;
    let isReady = false;
    const end = (cut: CutReason | undefined): void => {
      clock.stop();
      silence(worker);
      resolve(cut === undefined || isReady ? cut : "no-start");
    };
    clock.set(limits.startMs);
    worker.on("message", (message: FromWorker) => {
      if (message.kind === "ended") return end(message.exhausted ? "too-large" : "failed");
      isReady = true;
      clock.set(limits.templateMs);
      if (message.kind === "answer") {
        onAnswer(message.line);
        left--;
      }
      if (left === 0) end(undefined);
    });
    worker.on("error", ({ code }: NodeJS.ErrnoException) =>
      end(code === "ERR_WORKER_OUT_OF_MEMORY" ? "too-large" : "failed"),
    );
    worker.on("exit", () => end("failed"));
  });
}

/** What Go or Node would print is not for our streams, and our environment and arguments are not for them. */
function start(given: ToWorker): Worker {
  const nothing = { env: {}, argv: [], execArgv: [], stdout: true, stderr: true };
  return new Worker(workerScript(), { ...nothing, eval: true, workerData: given, resourceLimits });
}

/** Its last messages are ignored. */
function silence(worker: Worker): void {
  worker.removeAllListeners();
  worker.on("error", () => undefined);
  void worker.terminate();
}

class Deadline {
  private timer: NodeJS.Timeout | undefined;
  private readonly late: () => void;

  constructor(late: () => void) {
    this.late = late;
  }

  set(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(this.late, ms);
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}
