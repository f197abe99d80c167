// Why the fast reader refuses a document, by name: tests count how often each reason occurs.

/** Why the fast reader leaves a document to the library. Not all of these are errors. */
export const reasons = [
  "alias",
  "anchor",
  "byte-order-mark",
  "carriage-return",
  "column",
  "compact",
  "control-character",
  "depth",
  "directive",
  "document-marker",
  "empty-document",
  "empty-key",
  "escape",
  "explicit-key",
  "flow",
  "flow-lines",
  "flow-pair",
  "header",
  "indicator",
  "key-length",
  "leading-blank",
  "lines",
  "quote",
  "region",
  "tab",
  "tag",
  "text-after",
] as const;
export type RefusalReason = (typeof reasons)[number];
