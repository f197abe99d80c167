// All that the engine can reach: something to read, lines to write, its end. No file, no environment, no network. The clock
// only counts calls; random numbers are constant. Functions of WASI by name, as `wasip1` has them.

/** What the engine is run by. */
export interface Streams {
  /** What comes next; undefined at the end. */
  readonly read: () => Uint8Array | undefined;
  readonly write: (line: Uint8Array) => void;
}

/** The engine's memory: it has another buffer after it has grown. */
export interface Memory {
  readonly buffer: ArrayBuffer;
}

/** The engine is done, or could not go on. */
export class Exit extends Error {
  readonly status: number;
  constructor(status: number) {
    super("the engine ended");
    this.status = status;
  }
}

type WasiCall = (...args: readonly number[]) => number;

const badDescriptor = 8;
const [stdin, stdout, stderr] = [0, 1, 2];
const characterDevice = 2;
const nanosecondsPerCall = 1000n;

/**
 * @param names of the functions that the engine imports: what is not here fails, as for a file that is not open
 * @param memory known once there is an engine
 */
export function wasiOf(
  names: readonly string[],
  streams: Streams,
  memory: () => Memory,
): Record<string, WasiCall> {
  const own = functionsOf(streams, memory);
  return Object.fromEntries(names.map((name) => [name, own[name] ?? (() => badDescriptor)]));
}

function functionsOf(streams: Streams, memory: () => Memory): Record<string, WasiCall | undefined> {
  const view = (): DataView => new DataView(memory().buffer);
  const bytes = (start: number, length: number): Uint8Array => new Uint8Array(memory().buffer, start, length);
  let time = 0n;
  const none: WasiCall = (count = 0, size = 0) => {
    view().setUint32(count, 0, true);
    view().setUint32(size, 0, true);
    return 0;
  };
  return {
    args_sizes_get: none,
    args_get: () => 0,
    environ_sizes_get: none,
    environ_get: () => 0,
    clock_time_get: (_clock, _precision, at = 0) => {
      time += nanosecondsPerCall;
      view().setBigUint64(at, time, true);
      return 0;
    },
    random_get: (start = 0, length = 0) => {
      bytes(start, length).fill(1);
      return 0;
    },
    sched_yield: () => 0,
    fd_fdstat_get: (descriptor = 0, at = 0) => {
      if (descriptor > stderr) return badDescriptor;
      bytes(at, 24).fill(0).set([characterDevice]);
      return 0;
    },
    fd_read: reading(streams, view, bytes),
    fd_write: writing(streams, view, bytes),
    proc_exit: (status = 0) => {
      throw new Exit(status);
    },
  };
}

type Bytes = (start: number, length: number) => Uint8Array;

/** The parts of memory that a call names. */
function partsOf(view: DataView, list: number, count: number): { start: number; length: number }[] {
  return Array.from({ length: count }, (_, index) => {
    const at = list + 8 * index;
    return { start: view.getUint32(at, true), length: view.getUint32(at + 4, true) };
  });
}

/** Never more than one piece at a time, so that the caller knows which one the engine reads. */
function reading({ read }: Streams, view: () => DataView, bytes: Bytes): WasiCall {
  let rest = new Uint8Array();
  return (descriptor = stdin, list = 0, count = 0, told = 0) => {
    if (descriptor !== stdin) return badDescriptor;
    if (rest.length === 0) rest = new Uint8Array(read() ?? []);
    let total = 0;
    for (const { start, length } of partsOf(view(), list, count)) {
      const part = rest.subarray(0, length);
      bytes(start, part.length).set(part);
      rest = rest.subarray(part.length);
      total += part.length;
    }
    view().setUint32(told, total, true);
    return 0;
  };
}

/** Go's stderr may quote values: it is dropped. */
function writing({ write }: Streams, view: () => DataView, bytes: Bytes): WasiCall {
  let begun: Uint8Array[] = [];
  return (descriptor = stdout, list = 0, count = 0, told = 0) => {
    if (descriptor !== stdout && descriptor !== stderr) return badDescriptor;
    let total = 0;
    for (const { start, length } of partsOf(view(), list, count)) {
      if (descriptor === stdout) begun.push(bytes(start, length).slice());
      total += length;
    }
    if (descriptor === stdout && begun.at(-1)?.at(-1) === 0x0a) {
      write(joined(begun));
      begun = [];
    }
    view().setUint32(told, total, true);
    return 0;
  };
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [first = new Uint8Array()] = parts;
  return parts.length === 1 ? first : Buffer.concat(parts);
}
