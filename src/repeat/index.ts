// The door of Repeats: a list → the same list with clones.
export { repeatsLeft } from "./left.ts";
export { readCloneOrigin } from "./record.ts";
export { repeated } from "./run.ts";
