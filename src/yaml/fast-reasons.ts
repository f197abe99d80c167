// What the fast reader does not take, by name: tests count how often each is met.

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
  "text-behind",
] as const;
export type Reason = (typeof reasons)[number];
