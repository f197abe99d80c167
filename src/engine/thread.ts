// The wasm build in a thread of its own: nothing else stops what loops.
import { readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { wasmFile, workerScript } from "./built.ts";
import type { Start } from "./transport.ts";
import type { FromWorker } from "./worker.ts";

/** Templates that call each other nest as deep as Go lets them, which needs more stack than a thread usually has. */
const resourceLimits = { stackSizeMb: 16 };

/** What Go or Node prints is not for our streams, and our environment and arguments are not for them. */
const nothing = { env: {}, argv: [], execArgv: [], stdout: true, stderr: true };

export const startThread: Start = ({ answered, ended }) => {
  const worker = new Worker(workerScript(), {
    ...nothing,
    eval: true,
    workerData: readFileSync(wasmFile()),
    resourceLimits,
  });
  const stop = (): void => {
    worker.removeAllListeners();
    worker.on("error", () => undefined);
    void worker.terminate();
  };
  worker.on("message", (message: FromWorker) =>
    "answer" in message ? answered(message.answer) : ended(message.ended),
  );
  worker.on("error", ({ code }: NodeJS.ErrnoException) =>
    ended(code === "ERR_WORKER_OUT_OF_MEMORY" ? "too-large" : "failed"),
  );
  worker.on("exit", () => ended("failed"));
  worker.unref();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, no window
  return { send: (frame) => worker.postMessage(frame), stop };
};
