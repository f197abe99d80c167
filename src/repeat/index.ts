// The door of Repeats: a list → the same list with clones.
export { readCloneOrigin } from "./clone-origin.ts";
export { repeatsLeft } from "./in-place.ts";
export { repeated } from "./run.ts";
