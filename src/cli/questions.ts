// The commands that ask where values come from: a file of their own in what is built.
export { runCompare } from "./compare.ts";
export { runDiff, runExplain } from "./explain.ts";
