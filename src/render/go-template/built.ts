// What the engine is run from: its file, and the script of its thread. Both replace this file in bundles and in tests
// (scripts/go-template.ts).

export function engineFile(): string {
  throw new Error("the engine's file is put next to the bundle when valuefold is bundled");
}

export function workerScript(): string {
  throw new Error("the script of the engine's thread is made when valuefold is bundled");
}
