// What the engine is run from: the file of its wasm build, the script of its thread, the places of a native build, and the
// digest of the sources that all are made of. Bundles and tests replace this file (scripts/engine.ts).

export function wasmFile(): string {
  throw new Error("the engine's file is put next to the bundle when valuefold is bundled");
}

export function workerScript(): string {
  throw new Error("the script of the engine's thread is made when valuefold is bundled");
}

/** Where a native build for this machine may be. */
export function nativeFiles(): readonly string[] {
  throw new Error("where the native engine is is decided when valuefold is bundled");
}

export function engineSources(): string {
  throw new Error("of what the engine is made is known when valuefold is bundled");
}
