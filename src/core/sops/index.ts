// What other wings take of `sops/`.
export { sealedDocumentsOf } from "./documents.ts";
export type { KnownRecipients, Need, Recipients, SealedText, Steps, Supply } from "./need.ts";
export { type Edge, sopsWith } from "./program.ts";
export { holdsText } from "./seal.ts";
export { recipientsOfFile, sealedFormOf, tidy } from "./sealed-form.ts";
