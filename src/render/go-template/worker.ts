// The thread that the engine runs in, so that it can be ended: nothing else stops a template that loops. It reports when the
// engine is ready, each answer as it comes, and how the engine ended.
import { parentPort, workerData } from "node:worker_threads";
import { brotliDecompressSync } from "node:zlib";
import type { FromWorker, ToWorker } from "./messages.ts";
import { Exit, type Memory, wasiOf } from "./wasi.ts";

/** The parts of the global object that are used here: the compiler's library does not declare them. */
declare const WebAssembly: {
  readonly Module: {
    new (bytes: Uint8Array): object;
    imports(module: object): readonly { readonly name: string }[];
  };
  readonly Instance: new (
    module: object,
    imports: object,
  ) => { readonly exports: { readonly memory: Memory; readonly ["_start"]: () => void } };
};

function send(message: FromWorker): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, no window
  parentPort?.postMessage(message);
}

/** What the engine reads: an opening, then templates. Each is made as it is asked for. */
function* partsOf({ opening, templates }: ToWorker): Generator<Uint8Array, undefined> {
  yield framed(JSON.stringify(opening));
  send({ kind: "ready" });
  for (const { text, values } of templates) yield framed(text, values);
  return undefined;
}

/** A line with the length of each text, and the texts. */
function framed(...texts: readonly string[]): Uint8Array {
  const parts = texts.map((text) => Buffer.from(text, "utf8"));
  return Buffer.concat([Buffer.from(`${parts.map(({ length }) => length).join(" ")}\n`), ...parts]);
}

function run(given: ToWorker): void {
  const module = new WebAssembly.Module(brotliDecompressSync(given.engine));
  const names = WebAssembly.Module.imports(module).map(({ name }) => name);
  const parts = partsOf(given);
  const streams = {
    read: () => parts.next().value,
    write: (line: Uint8Array) => send({ kind: "answer", line: Buffer.from(line).toString("utf8") }),
  };
  const imports = { wasi_snapshot_preview1: wasiOf(names, streams, () => exports.memory) };
  const { exports } = new WebAssembly.Instance(module, imports);
  exports["_start"]();
}

/** Go ends with 2 where memory or stack does not suffice, the thread itself with a RangeError. */
function isExhausted(error: unknown): boolean {
  return error instanceof RangeError || (error instanceof Exit && error.status > 1);
}

try {
  run(workerData as ToWorker);
} catch (error) {
  send({ kind: "ended", exhausted: isExhausted(error) });
}
