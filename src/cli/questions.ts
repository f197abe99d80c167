// What only those need who ask about values: loaded only then.
export { runDiff } from "./diff.ts";
export { runExplain } from "./explain.ts";
