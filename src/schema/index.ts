// The door of schemas: what values break, and what a schema says of a path.
export { checkSchemas, notesFor } from "./check.ts";
export type { Rule } from "./sources.ts";
export type { Notes } from "./describe-path.ts";
