// Whether a build may bring values of Secrets into other objects: by what its kustomizations say, without building them.
import { resolve } from "node:path";
import { isFile, readFile } from "../disk.ts";
import { entryKey, type Kustomization, type KustomizationTree } from "./tree.ts";
import { asFields, asList, plainOfText } from "../plain.ts";

/** True for replacements and vars with a Secret as their source, and for what may do anything. */
export function takesFromSecrets({ all }: KustomizationTree): boolean {
  return all.some(
    (each) =>
      isSpelledOddly(each) ||
      JSON.stringify(each.fields["patches"] ?? "").includes("allowKindChange") ||
      asList(each.fields["transformers"]).some((entry) => !isFold(entry, each)) ||
      asList(each.fields["replacements"]).some((entry) => isReplacementOfSecret(entry, each)) ||
      asList(each.fields["vars"]).some((entry) => mayBeSecret(asFields(entry)["objref"])),
  );
}

const readFields = ["resources", "components", "bases", "transformers", "replacements", "vars", "patches"];

/** kustomize takes `Replacements` for `replacements`. Such a field is not read here: it may do anything. */
function isSpelledOddly({ fields }: Kustomization): boolean {
  return Object.keys(fields).some((name) => {
    const lower = name.toLowerCase();
    return name !== lower && readFields.includes(lower);
  });
}

/** A fold by valuefold is left out of a build that is explained. */
function isFold(entry: unknown, { functions }: Kustomization): boolean {
  const own = typeof entry === "string" ? (functions.get(entryKey("transformers", entry)) ?? []) : [];
  return own.length > 0 && own.every((each) => each.isFold);
}

/** A file has a replacement, or a list of them. */
function isReplacementOfSecret(entry: unknown, { directory }: Kustomization): boolean {
  const path = asFields(entry)["path"];
  if (typeof path !== "string" || path === "") return mayBeSecret(asFields(entry)["source"]);
  const file = resolve(directory, path);
  const read = isFile(file) ? plainOfText(readFile(file)) : undefined;
  if (read === undefined) return true;
  return (Array.isArray(read) ? read : [read]).some((each) => mayBeSecret(asFields(each)["source"]));
}

/** An object may be selected without its kind. */
function mayBeSecret(selected: unknown): boolean {
  const kind = asFields(selected)["kind"] ?? "";
  return kind === "" || kind === "Secret";
}
