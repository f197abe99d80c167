// The door of schemas: what values break, and what a schema says of a path.
export { checkSchemas } from "./check.ts";
export type { Rule } from "./sources.ts";
export { type Notes, notesFor } from "./told.ts";
