// Why nobody knows whether a layer sets a path: it is not there yet, sealed, broken, or folded from several.
import type { Standing } from "./standings.ts";

/** Why nobody knows whether a layer sets a path. */
export interface Doubt {
  readonly severity: "error" | "warning" | "info";
  readonly why: string;
  readonly hint: string;
}

export const untold: Doubt = {
  severity: "warning",
  why: "it was folded earlier from layers of which only some may set it",
  hint: "verify the list as it was before that fold, with `valuefold verify --unfolded -c`",
};

export const noPath: Doubt = {
  severity: "warning",
  why: "its `targetPath` is no path of keys",
  hint: "see to it that it does not set the path",
};

const late: Doubt = {
  severity: "info",
  why: "only the cluster binds it",
  hint: "see to it that it does not set the path",
};

const unread: Doubt = {
  severity: "error",
  why: "it cannot be read",
  hint: "correct it: `valuefold explain` tells what is wrong with it",
};

const sealed: Doubt = {
  severity: "warning",
  why: "it is sealed",
  hint: "set `sops` to open it, or see to it that it does not set the path",
};

/** By the state of a layer, or by what stands in its place. */
const doubts: { readonly [why: string]: Doubt } = {
  late,
  "late-bound": late,
  "no-key": late,
  sealed,
  unreadable: unread,
  ambiguous: unread,
};

/** What is there, or will be, and cannot be looked into here. */
export function doubtAbout({ state, barrier }: Standing): Doubt | undefined {
  return doubts[state ?? barrier?.why ?? ""];
}
