// Findings about layers, each with a severity of its own.
export const lintCodes = [
  "idle-layer",
  "idle-value",
  "equals-default",
  "hidden-override",
  "mapping-replaced",
  "list-replaced",
  "listed-twice",
  "unmatched-selector",
  "unresolved-reference",
  "folded-edited",
  "unused-values",
  "unknown-key",
  "unread-key",
  "patch-without-target",
  "too-large-to-apply",
  "tie",
] as const;
