// The commands that read checkouts: a file of their own in what is built.
export { runCompare } from "./compare.ts";
export { runDiff } from "./diff.ts";
export { doctor } from "./doctor.ts";
export { runExplain } from "./explain.ts";
export { init } from "./init.ts";
export { runUpgrade } from "./upgrade.ts";
export { runMerge, runValues } from "./values.ts";
export { runVerify } from "./verify.ts";
