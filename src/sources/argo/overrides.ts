// `.argocd-source.yaml` and `.argocd-source-NAME.yaml` in a source's directory: Argo CD merges them into the source, as JSON
// merge patches. Image Updater writes them.
import { join } from "node:path";
import type { Diagnostic } from "../../diagnostic.ts";
import { existsSync, isFile } from "../disk.ts";
import { listIn, membersIn, type Placed, type PlacedMembers } from "../placed.ts";
import { readPlaced } from "../files.ts";

/** These fields stay what the Application says. */
const kept = ["chart", "path", "repoURL", "targetRevision"];

export interface ArgoOverrides {
  readonly fields: Placed;
  readonly faults: readonly Diagnostic[];
}

/** @param shown how a file is named in places */
export function withOverrides(
  fields: Placed,
  directory: string,
  name: string,
  shown: (path: string) => string,
): ArgoOverrides {
  const files = [".argocd-source.yaml", `.argocd-source-${name}.yaml`].map((file) => join(directory, file));
  const faults: Diagnostic[] = [];
  let found = fields;
  for (const file of files) {
    if (!existsSync(file) || !isFile(file)) continue;
    const patch = readPlaced(file, shown(file));
    if ("value" in patch) found = merged(found, patch);
    else faults.push(patch);
  }
  return { fields: found === fields ? fields : withKept(found, fields), faults };
}

function withKept(found: Placed, original: Placed): Placed {
  const members = new Map(membersIn(found));
  for (const key of kept) {
    const own = membersIn(original).get(key);
    if (own === undefined) members.delete(key);
    else members.set(key, own);
  }
  return { ...found, value: members };
}

/** As Argo CD reads it back: RFC 7386 in values; elsewhere nothing is taken away, and an element keeps fields of the one before it. */
function merged(base: Placed | undefined, patch: Placed, isInValues = false): Placed {
  if (!isInValues && Array.isArray(patch.value)) {
    const lower = listIn(base);
    const elements = listIn(patch).map((each, index) => merged(lower[index], each));
    return { ...patch, value: elements };
  }
  if (!(patch.value instanceof Map)) return patch;
  const members = new Map(membersIn(base));
  for (const [key, value] of patch.value as PlacedMembers) {
    if (value.value !== null)
      members.set(key, merged(members.get(key), value, isInValues || key === "valuesObject"));
    else if (isInValues) members.delete(key);
  }
  const { at } = base?.value instanceof Map ? base : patch;
  return { at, value: members };
}
