// The `kustomize` fields of an Argo CD source: what Argo CD adds to the kustomization before it builds it.
import { nothingAdded, type OverlaidPatch, type Overlay } from "../kustomize/overlay.ts";
import { fieldIn, holdsSecret, listIn, opened, type Placed, plainIn, textIn } from "../placed.ts";
import { asFields } from "../plain.ts";

/** Undefined where nothing is added. */
export function overlayOf(kustomize: Placed | undefined, shown: string): Overlay | undefined {
  if (kustomize === undefined) return undefined;
  const fields = Object.fromEntries(
    ["namePrefix", "nameSuffix", "namespace"].flatMap((name) => {
      const text = textIn(fieldIn(kustomize, name));
      return text === undefined || text === "" ? [] : [[name, text]];
    }),
  );
  const components = listIn(fieldIn(kustomize, "components")).flatMap((each) => textIn(each) ?? []);
  const patches = listIn(fieldIn(kustomize, "patches")).map(patchOf);
  if (Object.keys(fields).length + components.length + patches.length === 0) return undefined;
  // Images are in no values.
  return { ...nothingAdded, fields, components, patches, command: `kustomize build ${shown}` };
}

function patchOf(patch: Placed): OverlaidPatch {
  const fields = asFields(plainIn(patch));
  const target = fieldIn(patch, "target");
  const targetAt = target && !holdsSecret(target) ? (fieldIn(target, "name") ?? target).at : undefined;
  const text = fieldIn(patch, "patch");
  return { fields, source: text && opened(text).source, targetAt };
}
