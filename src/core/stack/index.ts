// What other wings take of `stack/`.
export { diagnosticsOf } from "./layer-faults.ts";
export { isForTarget, permissionText, type Protection, protectionsFor } from "./protection.ts";
export { foldedAlone } from "./runs.ts";
export { sopsFaults } from "./sops-faults.ts";
export { type ReadEntry, readStack, readToFold } from "./stack-entries.ts";
