// The sealed form of an opened layer in the input: its ciphertext, and for whom it is sealed. Both are public; the
// opened values are never here.
import { decodeBase64, type LayerItem } from "../../layers/index.ts";
import { isNode } from "../../krm/index.ts";
import { isFault, readDocument, Node } from "../../yaml/index.ts";
import type { KnownRecipients, Recipients } from "./need.ts";

export interface SealedForm {
  readonly text: string;
  readonly recipients: KnownRecipients;
}

/** The sealed form of a key of a sealed Secret, or of one with a SOPS file as its value. */
export function sealedFormOf(item: LayerItem, key: string): SealedForm | undefined {
  const root = item.read();
  if (!isNode(root)) return undefined;
  const value = ["stringData", "data"]
    .map((part) => valueAt(root, part, key))
    .find((each) => each !== undefined);
  if (value === undefined) return undefined;
  const text = value.text.replaceAll(/\s/g, "");
  const manifest = root.get("sops");
  return {
    text,
    recipients: recipientsIn(manifest === undefined ? sopsInFile(text) : manifest.plain(null)),
  };
}

function valueAt(root: Node, part: string, key: string): Node | undefined {
  const data = root.get(part);
  const value = data?.get(key);
  return value !== undefined && value.isScalar ? value : undefined;
}

/** The entry `sops` of a file in YAML or JSON; SOPS writes tabs into JSON, which YAML does not take. */
function sopsInFile(base64: string): unknown {
  const bytes = decodeBase64(base64);
  if (bytes === undefined) return undefined;
  return fieldOf(fromJson(bytes) ?? fromYaml(bytes), "sops");
}

function fromJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return undefined;
  }
}

function fromYaml(bytes: Uint8Array): unknown {
  const doc = readDocument(bytes);
  return isFault(doc) ? undefined : new Node(doc).plain(null);
}

/** For whom a SOPS file in YAML or JSON is sealed. */
export function recipientsOfFile(bytes: Uint8Array): KnownRecipients {
  return recipientsIn(fieldOf(fromJson(bytes) ?? fromYaml(bytes), "sops"));
}

function recipientsIn(sops: unknown): KnownRecipients {
  return {
    age: listOf(sops, "age", "recipient"),
    pgp: listOf(sops, "pgp", "fp").map(fingerprint),
  };
}

function listOf(sops: unknown, list: string, name: string): string[] {
  const found = fieldOf(sops, list);
  return (Array.isArray(found) ? found : [])
    .map((each) => fieldOf(each, name))
    .filter((each) => typeof each === "string");
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}

function fingerprint(text: string): string {
  return text.replaceAll(/\s/g, "").toUpperCase();
}

/** Recipients one by one, in one order and one spelling: SOPS takes several separated by commas. */
export function tidy({ age = [], pgp = [] }: Recipients): KnownRecipients {
  const split = (all: readonly string[]): string[] =>
    all
      .flatMap((each) => each.split(","))
      .map((each) => each.trim())
      .filter((each) => each !== "");
  const distinct = (all: readonly string[]): string[] => [...new Set(all)].toSorted();
  return { age: distinct(split(age)), pgp: distinct(split(pgp).map(fingerprint)) };
}
