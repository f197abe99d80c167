// The commands that ask where values come from: a file of their own in what is built.
export { runCompare } from "./compare.ts";
export { runDiff } from "./diff.ts";
export { runExplain } from "./explain.ts";
export { runUpgrade } from "./upgrade.ts";
export { runVerify } from "./verify.ts";
