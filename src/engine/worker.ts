// The thread that the engine runs in, so that it can be ended. It answers frames with frames, and reports how the engine ended.
import { setFlagsFromString } from "node:v8";
import { parentPort, workerData } from "node:worker_threads";
import { brotliDecompressSync } from "node:zlib";
import { frameLength } from "./frame.ts";
import type { EngineEnding } from "./transport.ts";
import { type Memory, wasiOf } from "./wasi.ts";

export type FromWorker = { readonly answer: Uint8Array } | { readonly ended: EngineEnding };

interface Engine {
  readonly memory: Memory;
  readonly ["_initialize"]: () => void;
  /** Where a frame of this size is written. */
  readonly alloc: (size: number) => number;
  /** Where the frame of the answer is. */
  readonly call: () => number;
}

/** The parts of the global object that are used here: the compiler's library does not declare them. */
declare const WebAssembly: {
  readonly Module: {
    new (bytes: Uint8Array): object;
    imports(module: object): readonly { readonly name: string }[];
  };
  readonly RuntimeError: new () => Error;
  readonly Instance: new (module: object, imports: object) => { readonly exports: Engine };
};

function send(message: FromWorker): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, no window
  parentPort?.postMessage(message);
}

/**
 * V8 checks all functions before it compiles the few that are called, and compiles what runs a little a second time, better: of Go's
 * large functions that takes longer than most questions do. What runs much longer is still compiled so.
 */
function compileOnce(): void {
  try {
    setFlagsFromString("--wasm-lazy-validation");
    setFlagsFromString("--wasm-tiering-budget=300000000");
  } catch {
    // Not all runtimes are V8.
  }
}

function started(packed: Uint8Array): Engine {
  compileOnce();
  const module = new WebAssembly.Module(brotliDecompressSync(packed));
  const names = WebAssembly.Module.imports(module).map(({ name }) => name);
  const imports = { wasi_snapshot_preview1: wasiOf(names, () => engine.memory) };
  const { exports: engine } = new WebAssembly.Instance(module, imports);
  engine["_initialize"]();
  return engine;
}

function answerOf(engine: Engine, frame: Uint8Array): Uint8Array {
  const given = engine.alloc(frame.length);
  new Uint8Array(engine.memory.buffer).set(frame, given);
  // Calling may give the memory another buffer.
  const start = engine.call();
  const answer = new Uint8Array(engine.memory.buffer, start);
  return answer.slice(0, frameLength(answer));
}

/** Where memory or stack does not suffice, Go traps in a library, and the thread itself has a RangeError. */
function endingOf(error: unknown): EngineEnding {
  return error instanceof RangeError || error instanceof WebAssembly.RuntimeError ? "too-large" : "failed";
}

/** After a failure its state is unknown: nothing more is answered. */
function guarded(work: () => void): void {
  try {
    work();
  } catch (error) {
    parentPort?.removeAllListeners("message");
    send({ ended: endingOf(error) });
  }
}

guarded(() => {
  const engine = started(workerData as Uint8Array);
  parentPort?.on("message", (frame: Uint8Array) => guarded(() => send({ answer: answerOf(engine, frame) })));
});
