// What other wings take of `emit/`.
export { assemble, type Plan } from "./assembly.ts";
export { replacing, sameEntries } from "./emit.ts";
export { nameReferencesOf } from "./name-references.ts";
export { eachScalar, type FieldPlace, kindsNamedAt } from "./reference-fields.ts";
export { neverAppliedLayer } from "./never-applied.ts";
export { Spans } from "./spans.ts";
export { count } from "./summary.ts";
export { findUses } from "./uses.ts";
