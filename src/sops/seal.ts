// Folded Secrets on their way back under seal: what sops is asked, what it answered, and when what was sealed
// earlier still says the same. SOPS is never twice the same, so only reuse makes folding again change nothing.
import type { Diagnostic } from "../diagnostic.ts";
import { isManifestSealed } from "../layer/data-keys.ts";
import { textOfKey } from "../layer/layers.ts";
import type { Run } from "../model.ts";
import { hasName } from "../select/names.ts";
import { readRecord } from "../refold/record.ts";
import type { OpenedKey } from "./documents.ts";
import type { Recipients, SopsFault, SopsOutcome } from "./program.ts";
import { childOf, describe, isNode, type Item, refOf } from "../wire/item.ts";
import { toPlain } from "../yaml/plain.ts";
import { scalarText } from "../yaml/scalar.ts";
import { childrenOf, isSequence, type Node } from "../yaml/tape.ts";

/** A folded item of an earlier run, with what it held before it was sealed. */
export interface Earlier {
  readonly item: Item;
  readonly keys: ReadonlyMap<string, OpenedKey>;
}

/** The manifest to be sealed, as JSON: no more than the value, under its key. */
export function manifestOf({ text, unencoded }: Run, key: string): Uint8Array {
  const value = Buffer.from(text).toString(unencoded ? "utf8" : "base64");
  return Buffer.from(JSON.stringify({ [unencoded ? "stringData" : "data"]: { [key]: value } }), "utf8");
}

/** The run with its text sealed; undefined if the answer is not what sops answers. Never throws. */
export function sealedRun(run: Run, key: string, json: Uint8Array): Run | undefined {
  try {
    const answer = JSON.parse(Buffer.from(json).toString("utf8")) as Record<string, Record<string, unknown>>;
    const value = answer[run.unencoded ? "stringData" : "data"]?.[key];
    const { sops } = answer;
    if (typeof value !== "string" || !value.startsWith("ENC[") || sops === undefined) return undefined;
    return { ...run, text: Buffer.from(value, "utf8"), sops };
  } catch {
    return undefined;
  }
}

/** The run under the seal it had, if what was sealed earlier says the same to the same recipients. */
export function resealed(
  run: Run,
  key: string,
  earlier: readonly Earlier[],
  recipients: Recipients,
): Run | undefined {
  const found = earlier.find(
    ({ item, keys }) =>
      isManifestSealed(item) &&
      item.kind === run.kind &&
      isOf(item, run.stack.target) &&
      keys.get(key)?.encoded === !run.unencoded &&
      Buffer.from(run.text).equals(keys.get(key)?.text ?? new Uint8Array()) &&
      sameRecipients(item, recipients),
  );
  const sops = found === undefined ? undefined : sopsOf(found.item);
  const text = found === undefined ? undefined : textOfKey(found.item, key);
  if (sops === undefined || text === undefined) return undefined;
  return { ...run, text, sops: toPlain(sops, null) as object };
}

/** Two targets of equal values must not come to share a seal: that would tell that they are equal. */
function isOf(item: Item, target: Item): boolean {
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
      : [...childrenOf(list)].flatMap((each) => {
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

const messages: {
  readonly [fault in SopsFault]: readonly [code: Diagnostic["code"], message: string, hint: string];
} = {
  missing: [
    "sops-missing",
    "the program `sops` is not there",
    "install it (3.9 or later), or leave the setting `sops` out",
  ],
  "no-folder": [
    "sops-no-key",
    "the folder of keys cannot be read",
    "correct the setting `sops.keys`; in a container it must be mounted, and readable for `nobody`",
  ],
  "no-key": [
    "sops-no-key",
    "no key opens it",
    "provide the key by SOPS' own environment (`SOPS_AGE_KEY_FILE`, `GNUPGHOME`, …) or the folder `sops.keys`",
  ],
  tampered: [
    "sops-tampered",
    "a value or the MAC was changed, moved or removed after it was sealed",
    "restore it, or seal it anew; under `mac: strict` what kustomize reorders counts as changed",
  ],
  malformed: [
    "sops-malformed",
    "`sops` cannot read it in the format that its marker and key tell",
    "seal it anew",
  ],
  timeout: [
    "sops-timeout",
    "`sops` did not end within a minute",
    "does it ask for a passphrase, or for a server?",
  ],
  failed: ["sops-failed", "`sops` failed", "try `sops decrypt` by hand"],
};

export function sopsFault(fault: SopsFault, item: Item, key: string | undefined): Diagnostic {
  const [code, message, hint] = messages[fault];
  const text = key === undefined ? describe(item) : `${describe(item)} ${key}`;
  return {
    code,
    severity: "error",
    item: refOf(item),
    at: { text },
    message: `cannot open a sealed layer: ${message}`,
    hint,
  };
}

/** Of what was folded earlier, and cannot be opened to see whether it still says the same. */
export function sealLost(fault: SopsFault, item: Item): Diagnostic {
  const { code, hint = "" } = sopsFault(fault, item, undefined);
  const message =
    "the seal of this folded Secret cannot be kept, as it cannot be opened: it is sealed anew at every run";
  return { code, severity: "warning", item: refOf(item), at: { text: describe(item) }, message, hint };
}

export function sealFault(outcome: SopsOutcome, { stack: { target } }: Run): Diagnostic {
  const fault = "fault" in outcome ? outcome.fault : "malformed";
  const [code, message, hint] = messages[fault];
  const known = fault === "missing" || fault === "timeout" || fault === "no-folder";
  return {
    code: known ? code : "seal-failed",
    severity: "error",
    item: refOf(target),
    at: { text: describe(target) },
    message: `cannot seal the folded Secret${known ? `: ${message}` : ""}`,
    hint: known ? hint : "check the recipients in `sops.seal`",
  };
}
