// What the engine is run from: the file of its wasm build, the script of its thread, and the native build if there is one. All
// replace this file in bundles and in tests (scripts/engine.ts).

export function wasmFile(): string {
  throw new Error("the engine's file is put next to the bundle when valuefold is bundled");
}

export function workerScript(): string {
  throw new Error("the script of the engine's thread is made when valuefold is bundled");
}

/** The native build for this machine, if it is here. */
export function nativeFile(): string | undefined {
  throw new Error("where the native engine is is decided when valuefold is bundled");
}
