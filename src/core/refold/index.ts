// What other wings take of `refold/`.
export { readRecord } from "./record.ts";
