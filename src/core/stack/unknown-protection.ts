// Why it is unknown whether a layer sets a protected path: it is late-bound, sealed, broken, or folded from several.
import type { JudgedDocument, UnknownValues } from "../../layers/index.ts";

/** Why it is unknown whether a layer sets a path. */
export interface UnknownProtection {
  readonly severity: "error" | "warning" | "info";
  readonly why: string;
  readonly hint: string;
}

export const partlyAllowed: UnknownProtection = {
  severity: "warning",
  why: "it was folded earlier from layers of which only some may set it",
  hint: "verify the list as it was before that fold, with `valuefold verify --unfolded -c`",
};

export const notKeys: UnknownProtection = {
  severity: "warning",
  why: "its `targetPath` is not a path of keys",
  hint: "make sure that it does not set the path",
};

const late: UnknownProtection = {
  severity: "info",
  why: "only the cluster binds it",
  hint: "make sure that it does not set the path",
};

const unread: UnknownProtection = {
  severity: "error",
  why: "it cannot be read",
  hint: "correct it: `valuefold explain` shows what is wrong with it",
};

const sealed: UnknownProtection = {
  severity: "warning",
  why: "it is encrypted",
  hint: "set `sops` to decrypt it, or make sure that it does not set the path",
};

const sealedFile: UnknownProtection = { ...sealed, hint: "make sure that it does not set the path" };

const byState: { readonly [why in UnknownValues]?: UnknownProtection } = {
  late,
  "late-bound": late,
  "no-key": late,
  sealed,
  "sealed-file": sealedFile,
  unreadable: unread,
  ambiguous: unread,
};

/** The reason why a document cannot be read here; undefined if it can. */
export function whyUnknown({ unknown }: JudgedDocument): UnknownProtection | undefined {
  return unknown && byState[unknown];
}
