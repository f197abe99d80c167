// All that the wasm build can reach: no file, no environment, no network. The clock only counts calls and waits, random numbers
// are constant, what is written is dropped: it may quote values. Functions of WASI by name, as `wasip1` has them.

/** The engine's memory: it has another buffer after it has grown. */
export interface Memory {
  readonly buffer: ArrayBuffer;
}

type WasiCall = (...args: readonly number[]) => number;

const badDescriptor = 8;
const stderr = 2;
const characterDevice = 2;
const nanosecondsPerCall = 1000n;
/** Of a subscription and of an event, in bytes. */
const [subscriptionSize, eventSize] = [48, 32];

/**
 * @param names of the functions that the engine imports: what is not here fails, as for a file that is not open
 * @param memory known once there is an engine
 */
export function wasiOf(names: readonly string[], memory: () => Memory): Record<string, WasiCall> {
  const own = functionsOf(memory);
  return Object.fromEntries(names.map((name) => [name, own[name] ?? (() => badDescriptor)]));
}

function functionsOf(memory: () => Memory): Record<string, WasiCall | undefined> {
  const view = (): DataView => new DataView(memory().buffer);
  const bytes = (start: number, length: number): Uint8Array => new Uint8Array(memory().buffer, start, length);
  const clock = { time: 0n };
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
      clock.time += nanosecondsPerCall;
      view().setBigUint64(at, clock.time, true);
      return 0;
    },
    poll_oneoff: waiting(view, bytes, clock),
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
    fd_write: dropping(view),
    proc_exit: () => {
      throw new Error("the engine ended");
    },
  };
}

/** Go waits once there is a timer, and ends if it cannot. Waiting takes no time here: the clock goes on by it. */
function waiting(
  view: () => DataView,
  bytes: (start: number, length: number) => Uint8Array,
  clock: { time: bigint },
): WasiCall {
  return (subscriptions = 0, events = 0, count = 0, found = 0) => {
    for (let index = 0; index < count; index++) {
      const [from, to] = [subscriptions + subscriptionSize * index, events + eventSize * index];
      clock.time = laterOf(clock.time + nanosecondsPerCall, view(), from);
      bytes(to, eventSize).fill(0).set(bytes(from, 8));
    }
    view().setUint32(found, count, true);
    return 0;
  };
}

/** What is written is reported as written. */
function dropping(view: () => DataView): WasiCall {
  return (_descriptor, list = 0, count = 0, written = 0) => {
    let size = 0;
    for (let index = 0; index < count; index++) size += view().getUint32(list + 8 * index + 4, true);
    view().setUint32(written, size, true);
    return 0;
  };
}

/** When a subscription to a clock is due: at a time, or after one. Others are due at once. */
function laterOf(time: bigint, view: DataView, subscription: number): bigint {
  const isClock = view.getUint8(subscription + 8) === 0;
  if (!isClock) return time;
  const due = view.getBigUint64(subscription + 24, true);
  const isAbsolute = (view.getUint16(subscription + 40, true) & 1) === 1;
  if (!isAbsolute) return time + due;
  return due > time ? due : time;
}
