// Whether what kustomize says of a failed build may quote a Secret. When in doubt, it may.
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { decodeStream } from "../core/index.ts";
import { kustomizationFile, type KustomizationTree } from "./kustomization-tree.ts";
import { readFile } from "./stdio.ts";

const mostFiles = 20_000;
const mostBytes = 1024 * 1024;

/** True if a Secret, a generator of one or a file of SOPS may be among what the build reads. */
export function mayQuoteSecrets({ all, hasRemote }: KustomizationTree): boolean {
  const left = { files: mostFiles };
  try {
    return hasRemote || all.some(({ directory }) => holdsSecrets(directory, left));
  } catch {
    return true;
  }
}

function holdsSecrets(directory: string, left: { files: number }): boolean {
  const own = kustomizationFile(directory);
  return readdirSync(directory, { withFileTypes: true })
    .filter(({ name }) => name !== ".git" && name !== "node_modules")
    .some((entry) => {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) return holdsSecrets(path, left);
      if (!entry.isFile() || /secret|sops/i.test(entry.name)) return true;
      if (left.files-- <= 0 || lstatSync(path).size > mostBytes) return true;
      return mayBeSecret(readFile(path), entry.name === own);
    });
}

function mayBeSecret(bytes: Uint8Array, isKustomization: boolean): boolean {
  const text = Buffer.from(bytes).toString("latin1");
  if (/ENC\[AES256_GCM|(?:^|[\s"'{])sops["']?:/m.test(text)) return true;
  const envelope = decodeStream(bytes);
  if (!("items" in envelope)) return /secret/i.test(text);
  // A patch or a generator of a Secret may be a text in another document.
  const mayHoldPatch = isKustomization || envelope.items.some(({ apiVersion }) => apiVersion === "builtin");
  if (mayHoldPatch && /secretGenerator|kind\W+Secret/.test(text)) return true;
  return envelope.items.some(({ kind }) => kind.includes("Secret"));
}
