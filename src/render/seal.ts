// Rendered Secrets on their way back under seal: what was opened for them never leaves in plain text, unless a setting
// allows it.
import type { Diagnostic } from "../diagnostic.ts";
import { grouped } from "../grouped.ts";
import { guard, isLayerItem, requestToSeal } from "../layers/index.ts";
import { holdsText, type KnownRecipients, sealedFormOf, sopsFaults, tidy } from "../core/index.ts";
import type { Report } from "../report/index.ts";
import type { Composed } from "./compose.ts";
import { type EarlierSeals, inputsOf, type SealedSecret } from "./kept-seal.ts";
import type { Loaded } from "./load.ts";
import { askToOpen, askToSeal, type RenderSteps } from "./need.ts";
import { errorAt } from "./faults.ts";

/** The Secret of an instance. */
export interface SecretOf {
  readonly loaded: Loaded;
  readonly secret: Composed;
}

/** One that has no earlier seal, with the digest of its inputs. */
interface Unsealed extends SecretOf {
  readonly recipients: KnownRecipients;
  readonly inputs: string | undefined;
}

export interface Sealing {
  readonly earlier: EarlierSeals;
  /** A digest of what templates may include. */
  readonly includes: string;
  readonly report: Report;
}

/**
 * Seals what was opened. A Secret that is not in the answer stays plain, or the report says why it failed.
 * @param secrets of one render
 */
export function* seal(
  secrets: readonly SecretOf[],
  { earlier, includes, report }: Sealing,
): RenderSteps<ReadonlyMap<Loaded, SealedSecret>> {
  const sealed = new Map<Loaded, SealedSecret>();
  const unsealed: Unsealed[] = [];
  for (const each of secrets) {
    const { loaded } = each;
    // An empty Secret needs no seal.
    const recipients = each.secret.text.length === 0 ? undefined : recipientsOf(loaded);
    if (recipients === undefined) continue;
    const hasNone = recipients.age.length + recipients.pgp.length === 0;
    if (hasNone) report.report(noRecipient(loaded));
    const inputs = inputsOf(loaded, recipients, includes);
    const kept = hasNone ? undefined : yield* keptSeal(each, inputs, recipients, earlier);
    if (kept !== undefined) sealed.set(loaded, kept);
    else if (!hasNone) unsealed.push({ ...each, recipients, inputs });
  }
  for (const all of grouped(unsealed, ({ recipients }) => JSON.stringify(recipients)).values())
    yield* sealAll(all, sealed, report);
  return sealed;
}

/** All for the same recipients, at once. */
function* sealAll(
  all: readonly Unsealed[],
  sealed: Map<Loaded, SealedSecret>,
  report: Report,
): RenderSteps<void> {
  const [first] = all;
  if (first === undefined) return;
  const supply = yield* askToSeal(
    all.map(manifestOf),
    first.recipients,
    first.loaded.instance.render.sops?.keys,
  );
  for (const [index, { loaded, inputs }] of all.entries()) {
    const outcome = supply[index] ?? { fault: "failed" };
    const found = "text" in outcome ? readSealed(outcome.text, keyOf(loaded)) : undefined;
    if (found === undefined)
      report.report(notSealed("fault" in outcome ? outcome.fault : "malformed", loaded));
    else sealed.set(loaded, { ...found, inputs });
  }
}

/** The earlier seal of the same inputs; without a digest of them, of the same text once the seal is opened. */
function* keptSeal(
  { loaded, secret }: SecretOf,
  inputs: string | undefined,
  recipients: KnownRecipients,
  earlier: EarlierSeals,
): RenderSteps<SealedSecret | undefined> {
  const found = earlier.of(loaded.instance, inputs);
  if (found === undefined || inputs !== undefined) return found;
  const key = keyOf(loaded);
  const known = isLayerItem(found.item) ? sealedFormOf(found.item, key)?.recipients : undefined;
  if (known === undefined || JSON.stringify(tidy(known)) !== JSON.stringify(recipients)) return undefined;
  const [outcome] = yield* askToOpen(earlier.documentsOf(found.item), loaded.instance.render.sops?.keys);
  if (outcome === undefined || !("text" in outcome)) return undefined;
  return holdsText(secret.text, key, outcome.text) ? found : undefined;
}

/** The recipients of an instance's Secret; undefined if nothing was opened, or plain text is allowed. */
function recipientsOf({ instance, files }: Loaded): KnownRecipients | undefined {
  const { sops } = instance.render;
  const opened = files.flatMap(({ sealedFor }) => (sealedFor === undefined ? [] : [sealedFor]));
  const [first, ...rest] = opened;
  if (first === undefined || sops === undefined || sops.allowPlaintext) return undefined;
  if (sops.seal !== undefined) return tidy(sops.seal);
  const shared = (list: "age" | "pgp"): string[] =>
    first[list].filter((recipient) => rest.every((each) => each[list].includes(recipient)));
  return tidy({ age: shared("age"), pgp: shared("pgp") });
}

function keyOf({ instance }: Loaded): string {
  return instance.render.destination.keys.secret;
}

function manifestOf({ loaded, secret }: SecretOf): Uint8Array {
  return requestToSeal(secret.text, "data", keyOf(loaded));
}

/** Never throws: a message would quote it. */
function readSealed(json: Uint8Array, key: string): Omit<SealedSecret, "inputs"> | undefined {
  try {
    const { data, sops } = JSON.parse(Buffer.from(json).toString("utf8")) as {
      readonly data?: Readonly<Record<string, unknown>>;
      readonly sops?: object;
    };
    const text = data?.[key];
    const isSealed = typeof text === "string" && (text.startsWith("ENC[") || text === "");
    return isSealed && sops !== undefined
      ? { text: guard(Buffer.from(text, "utf8"), true), sops }
      : undefined;
  } catch {
    return undefined;
  }
}

function noRecipient({ instance }: Loaded): Diagnostic {
  return errorAt(
    "seal-missing",
    `instance ${instance.name}`,
    "the decrypted files share no recipient (age or PGP) that the Secret could be encrypted for",
    "name recipients in `spec.sops.seal`, or allow plain text with `spec.sops.allowPlaintext: true`",
  );
}

function notSealed(fault: keyof typeof sopsFaults, { instance }: Loaded): Diagnostic {
  const { code, message, hint } = sopsFaults[fault];
  const isKnown = ["missing", "timeout", "no-folder", "not-asked"].includes(fault);
  return errorAt(
    isKnown ? code : "seal-failed",
    `instance ${instance.name}`,
    `cannot encrypt the rendered Secret${isKnown ? `: ${message}` : ""}`,
    isKnown ? hint : "check the recipients in `spec.sops.seal`",
  );
}
