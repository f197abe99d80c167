// Folded Secrets on their way back under seal: what sops is asked, what it answered, and when what was sealed
// earlier still says the same. SOPS is never twice the same, so only reuse makes folding again change nothing.
import type { Diagnostic } from "../diagnostic.ts";
import { guard, reveal } from "../layer/guarded.ts";
import { isText } from "../layer/held.ts";
import type { Holdings, OpenedKey } from "../layer/holdings.ts";
import type { Run, Target } from "../model.ts";
import { hasName } from "../select/names.ts";
import { readRecord } from "../refold/record.ts";
import type { SopsFault } from "../layer/sealed.ts";
import { sopsFaults } from "../stack/sops-faults.ts";
import type { Recipients, SopsOutcome } from "./need.ts";
import { childOf, describe, isNode, type Item, refOf } from "../wire/item.ts";
import { toPlain } from "../yaml/plain.ts";
import { scalarText } from "../yaml/scalar.ts";
import { childrenOf, isSequence, type Node } from "../yaml/tape.ts";

/** A folded item of an earlier run, with what it held before it was sealed. */
export interface SealedBefore {
  readonly item: Item;
  readonly keys: ReadonlyMap<string, OpenedKey>;
}

/** The manifest to be sealed, as JSON: no more than the value, under its key. */
export function manifestOf({ kind, text, unencoded }: Run, key: string): Uint8Array {
  const value = Buffer.from(reveal(text, { kind })).toString(unencoded ? "utf8" : "base64");
  return Buffer.from(JSON.stringify({ [unencoded ? "stringData" : "data"]: { [key]: value } }), "utf8");
}

/** The run with its text sealed; undefined if the answer is not what sops answers. Never throws. */
export function sealedRun(run: Run, key: string, json: Uint8Array): Run | undefined {
  try {
    const answer = JSON.parse(Buffer.from(json).toString("utf8")) as Record<string, Record<string, unknown>>;
    const value = answer[run.unencoded ? "stringData" : "data"]?.[key];
    const { sops } = answer;
    if (typeof value !== "string" || !value.startsWith("ENC[") || sops === undefined) return undefined;
    return { ...run, text: guard(Buffer.from(value, "utf8"), true), sops };
  } catch {
    return undefined;
  }
}

/** The run under the seal it had, if what was sealed earlier says the same to the same recipients. */
export function resealed(
  run: Run,
  key: string,
  before: readonly SealedBefore[],
  recipients: Recipients,
  holdings: Holdings,
): Run | undefined {
  const found = before.find(
    ({ item, keys }) =>
      holdings.isManifestSealed(item) &&
      item.kind === run.kind &&
      isOf(item, run.stack.target) &&
      keys.get(key)?.encoded === !run.unencoded &&
      run.text.equals(guard(keys.get(key)?.text ?? new Uint8Array(), true)) &&
      sameRecipients(item, recipients),
  );
  const sops = found === undefined ? undefined : sopsOf(found.item);
  const text = found === undefined ? undefined : holdings.textOf(found.item, key);
  if (sops === undefined || !isText(text)) return undefined;
  return { ...run, text, sops: toPlain(sops, null) as object };
}

/** Two targets of equal values must not come to share a seal: that would tell that they are equal. */
function isOf(item: Item, target: Target): boolean {
  const parts = readRecord(item)?.target.split("/") ?? [];
  return parts[0] === target.kind && hasName(target, parts.at(-1) ?? "");
}

function sopsOf(item: Item): Node | undefined {
  const root = item.read();
  return isNode(root) ? childOf(root, "sops") : undefined;
}

function sameRecipients(item: Item, { age = [], pgp = [] }: Recipients): boolean {
  const sops = sopsOf(item);
  const listed = (kind: string, name: string): string[] => {
    const list = sops === undefined ? undefined : childOf(sops, kind);
    return list === undefined || !isSequence(list)
      ? []
      : childrenOf(list).flatMap((each) => {
          const node = childOf(each, name);
          return node === undefined ? [] : [scalarText(node)];
        });
  };
  const told = [...split(age), ...split(pgp).map(fingerprint)].toSorted();
  const known = [...listed("age", "recipient"), ...listed("pgp", "fp").map(fingerprint)].toSorted();
  return JSON.stringify(told) === JSON.stringify(known);
}

/** SOPS takes several recipients by commas. */
function split(recipients: readonly string[]): string[] {
  return recipients
    .flatMap((each) => each.split(","))
    .map((each) => each.trim())
    .filter((each) => each !== "");
}

function fingerprint(text: string): string {
  return text.replaceAll(/\s/g, "").toUpperCase();
}

/** Of what was folded earlier, and cannot be opened to see whether it still says the same. */
export function sealLost(fault: SopsFault, item: Item): Diagnostic {
  const { code, hint } = sopsFaults[fault];
  const message =
    "the seal of this folded Secret cannot be kept, as it cannot be opened: it is sealed anew at every run";
  return { code, severity: "warning", item: refOf(item), at: { text: describe(item) }, message, hint };
}

export function sealFault(outcome: SopsOutcome, { stack: { target } }: Run): Diagnostic {
  const fault = "fault" in outcome ? outcome.fault : "malformed";
  const { code, message, hint } = sopsFaults[fault];
  const known = ["missing", "timeout", "no-folder", "not-asked"].includes(fault);
  return {
    code: known ? code : "seal-failed",
    severity: "error",
    item: refOf(target),
    at: { text: describe(target) },
    message: `cannot seal the folded Secret${known ? `: ${message}` : ""}`,
    hint: known ? hint : "check the recipients in `sops.seal`",
  };
}
