// The door of Repeats: a list → the same list with clones.
export { repeatsLeft } from "./unrepeated.ts";
export { readCloneOrigin } from "./record.ts";
export { repeated } from "./run.ts";
