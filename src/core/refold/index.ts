// What other wings take of `refold/`.
export { type FoldRecord, readRecord } from "./record.ts";
