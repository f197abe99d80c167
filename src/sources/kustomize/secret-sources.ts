// Whether a build may bring values of Secrets into other objects: by what its kustomizations say, without building them.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { isFault, Node, readDocument } from "../../yaml/index.ts";
import { readFile } from "../disk.ts";
import type { Kustomization, KustomizationTree } from "./tree.ts";

/** True for replacements and vars with a Secret as their source, and for transformers, which may do anything. */
export function takesFromSecrets({ all }: KustomizationTree): boolean {
  return all.some(
    (each) =>
      "transformers" in each.fields ||
      listIn(each.fields["replacements"]).some((entry) => isReplacementOfSecret(entry, each)) ||
      listIn(each.fields["vars"]).some((entry) => mayBeSecret(fieldOf(entry, "objref"))),
  );
}

/** A file has a replacement, or a list of them. */
function isReplacementOfSecret(entry: unknown, { directory }: Kustomization): boolean {
  const path = fieldOf(entry, "path");
  if (typeof path !== "string") return mayBeSecret(fieldOf(entry, "source"));
  const file = resolve(directory, path);
  const doc = existsSync(file) ? readDocument(readFile(file)) : undefined;
  if (doc === undefined || isFault(doc)) return true;
  const read = new Node(doc).plain(null);
  return (Array.isArray(read) ? read : [read]).some((each) => mayBeSecret(fieldOf(each, "source")));
}

/** An object may be selected without its kind. */
function mayBeSecret(selected: unknown): boolean {
  const kind = fieldOf(selected, "kind") ?? "";
  return kind === "" || kind === "Secret";
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
