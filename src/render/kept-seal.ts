// A rendered Secret keeps the seal of an earlier render if its inputs are the same and it was not edited. SOPS never gives
// the same ciphertext twice, so otherwise each render would change each sealed Secret.
import { hash } from "node:crypto";
import { type GuardedText, Holdings, isText } from "../layers/index.ts";
import { isNode, type Item, Mark, readRendered } from "../krm/index.ts";
import { type KnownRecipients, sealedDocumentsOf, type SealedText } from "../core/index.ts";
import type { Includes } from "./includes.ts";
import type { RenderInstance } from "./instances.ts";
import type { Loaded } from "./load.ts";
import { nameOf } from "./naming.ts";

/** The text of a Secret under seal. */
export interface SealedSecret {
  readonly text: GuardedText;
  readonly sops: object;
  /** A digest of what went into it; absent where plain text did, which the digest would let guess. */
  readonly inputs: string | undefined;
}

/** Another number seals every Secret again: to be raised if equal layers are composed in another way. */
const form = 1;

function digestOf(bytes: Uint8Array | string): string {
  return `sha256:${hash("sha256", bytes, "hex")}`;
}

/** One text for equal includes. */
export function digestOfIncludes(included: Includes["texts"]): string {
  return digestOf(JSON.stringify([...included].map(([caller, texts]) => [caller, [...texts]])));
}

/**
 * A digest of all inputs of a Secret, with sealed files as ciphertext. Undefined if one is a plain file of secret values: a
 * reader of the digest could guess them.
 * @param includes a digest of them; only templates read any
 */
export function inputsOf(
  { instance, files }: Loaded,
  recipients: KnownRecipients,
  includes: string,
): string | undefined {
  const used = files.filter(({ kind, part }) => kind === "secret" || part === "values");
  const read = used.map(({ layer, part, kind, path, bytes, asSealed = bytes }) => {
    return [layer, part, kind, path, digestOf(asSealed)];
  });
  const isPlain = used.some(
    ({ kind, part, bytes, asSealed }) =>
      kind === "secret" && part === "values" && asSealed === undefined && bytes.length > 0,
  );
  if (isPlain) return undefined;
  const isTemplate = used.some(({ part, bytes }) => part === "templates" && holdsAction(bytes));
  const { schema, render } = instance;
  const key = render.destination.keys.secret;
  const inputs = { form, schema, key, whom: recipients, read, ...(isTemplate ? { includes } : {}) };
  return digestOf(JSON.stringify(inputs));
}

function holdsAction(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes("{{");
}

/** Sealed Secrets of an earlier render. */
export class EarlierSeals {
  private readonly holdings = new Holdings();
  private readonly items: readonly Item[];

  constructor(items: readonly Item[]) {
    this.items = items.filter(
      ({ kind, annotations }) => kind === "Secret" && annotations.has(Mark.renderedFrom),
    );
  }

  /** What an earlier render sealed of the same inputs, unless it was edited. */
  of(
    instance: RenderInstance,
    inputs: string | undefined,
  ): (SealedSecret & { readonly item: Item }) | undefined {
    const { holdings } = this;
    const item = this.items.find((each) => isOf(each, instance));
    const root = item?.read();
    if (item === undefined || root === undefined || !isNode(root)) return undefined;
    const seal = readRendered(item.annotations.get(Mark.renderedFrom) ?? "")?.seal;
    const key = instance.render.destination.keys.secret;
    const [text, sops] = [holdings.textOf(item, key), root.get("sops")];
    if (seal === undefined || seal.inputs !== inputs || sops === undefined || !isText(text)) return undefined;
    const isWhole = holdings.isManifestSealed(item) && holdings.isEncoded(item, key);
    if (!isWhole || text.digest() !== seal.digest) return undefined;
    return { item, text, sops: sops.plain(null) as object, inputs };
  }

  /** The whole item, to be opened. */
  documentsOf(item: Item): readonly SealedText[] {
    return sealedDocumentsOf(item, "auto", this.holdings);
  }
}

/** Two instances of equal values must not share a seal: that would show that they are equal. */
function isOf({ name, namespace }: Item, instance: RenderInstance): boolean {
  return name === nameOf(instance) && namespace === instance.render.destination.namespace;
}

/** What a sealed Secret records of its seal. */
export function sealRecord({ text, inputs }: SealedSecret): {
  readonly inputs: string | undefined;
  readonly digest: string;
} {
  return { inputs, digest: text.digest() };
}
