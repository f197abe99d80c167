// Seals folded Secrets again: the request to sops, its answer, and whether an earlier seal has the same inputs.
// SOPS never gives the same ciphertext twice, so only reuse makes folding again change nothing.
import type { Diagnostic } from "../../diagnostic.ts";
import {
  guard,
  type GuardedText,
  requestToSeal,
  isText,
  type Holdings,
  type Run,
  type Target,
} from "../../layers/index.ts";
import { isRecordedTarget } from "../select/names.ts";
import { readRecord } from "../refold/record.ts";
import { sopsFaults } from "../stack/sops-faults.ts";
import { readOpened } from "./documents.ts";
import type { SopsOutcome } from "./need.ts";
import { isNode, type Item, atItem } from "../../krm/index.ts";
import type { Node } from "../../yaml/index.ts";

/** The manifest to seal, as JSON: only the value and its key. */
export function manifestOf({ text, unencoded }: Run, key: string): Uint8Array {
  return requestToSeal(text, unencoded ? "stringData" : "data", key);
}

/** The run with its text sealed; undefined if the answer is not in the form of sops. Never throws. */
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

/** The item that an earlier run sealed for the same target, unless it was edited. */
export function earlierSeal(
  run: Run,
  key: string,
  earlier: readonly Item[],
  holdings: Holdings,
): Item | undefined {
  return earlier.find((item) => {
    const record = readRecord(item);
    const text = holdings.textOf(item, key);
    return (
      item.kind === run.kind &&
      record?.inputs === run.inputs &&
      isOf(item, run.stack.target) &&
      holdings.isManifestSealed(item) &&
      holdings.isEncoded(item, key) === !run.unencoded &&
      isText(text) &&
      text.digest() === record?.digest
    );
  });
}

/** The run with the seal of an earlier item. */
export function resealed(run: Run, key: string, item: Item, holdings: Holdings): Run | undefined {
  const sops = sopsOf(item);
  const text = holdings.textOf(item, key);
  return sops === undefined || !isText(text) ? undefined : { ...run, text, sops: sops.plain(null) as object };
}

/** True if an opened manifest has exactly this text. */
export function holdsText(text: GuardedText, key: string, opened: Uint8Array): boolean {
  const keys = readOpened(opened);
  const found = keys?.get(key);
  return keys?.size === 1 && found !== undefined && guard(found.text, true).equals(text);
}

/** Two targets of equal values must not share a seal: it would reveal that the values are equal. */
function isOf(item: Item, target: Target): boolean {
  const record = readRecord(item);
  return record !== undefined && isRecordedTarget(target, record);
}

function sopsOf(item: Item): Node | undefined {
  const root = item.read();
  return isNode(root) ? root.get("sops") : undefined;
}

export function sealFault(outcome: SopsOutcome, { stack: { target } }: Run): Diagnostic {
  const fault = "fault" in outcome ? outcome.fault : "malformed";
  const { code, message, hint } = sopsFaults[fault];
  const known = ["missing", "timeout", "no-folder", "not-asked"].includes(fault);
  return {
    code: known ? code : "seal-failed",
    severity: "error",
    ...atItem(target),
    message: `cannot encrypt the folded Secret${known ? `: ${message}` : ""}`,
    hint: known ? hint : "check the recipients in `sops.seal`",
  };
}
