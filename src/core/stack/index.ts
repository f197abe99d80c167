// What other wings take of `stack/`.
export { diagnosticsOf } from "./layer-faults.ts";
export { isForTarget, permissionText, type Protection, protectionsFor } from "./protection.ts";
export { readToFold } from "./reading.ts";
export { foldedAlone } from "./runs.ts";
export { sopsFaults } from "./sops-faults.ts";
export { type ReadEntry, readStack } from "./stack-entries.ts";
