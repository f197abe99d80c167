// What runs the engine: a thread with the wasm build, or a process of the native one.

/** Why a run ended: memory or stack did not suffice, or another reason. */
export type EngineEnding = "too-large" | "failed";

interface Listener {
  readonly answered: (frame: Uint8Array) => void;
  /** Called once. Requests that are not answered are lost. */
  readonly ended: (ending: EngineEnding) => void;
}

/** None keeps the program alive. */
export interface Transport {
  readonly send: (frame: Uint8Array) => void;
  /** Nothing is reported any more. */
  readonly stop: () => void;
}

export type Start = (listener: Listener) => Transport;
