// The door of schemas: judging values, and what schemas say about a path.
export { checkSchemas, notesFor } from "./check.ts";
export type { SchemaRule } from "./sources.ts";
export type { Notes } from "./describe-path.ts";
