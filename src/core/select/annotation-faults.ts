// What can be wrong between an annotated layer and the targets it names.
import { Mark, type Item, type Named, atItem, placeOf } from "../../krm/index.ts";
import { hashedFrom, type NameIndex } from "./names.ts";
import type { Wish } from "./annotations.ts";
import { type Diagnostic, nearest, type Suggestions } from "../../diagnostic.ts";
import { factsOf } from "../../kinds.ts";
import { objectText } from "../../object-id.ts";

export function ambiguous(item: Item, text: string, meant: readonly Item[]): Diagnostic {
  return {
    code: "ambiguous-reference",
    severity: "error",
    ...atItem(item),
    field: `metadata.annotations[${Mark.into}]`,
    message: `\`${text}\` exists ${meant.length} times`,
    hint: "give the targets different names, or put the layer next to the right one",
    also: meant.map(placeOf),
  };
}

/** Readers of the target may not be allowed to read a Secret of another namespace, nor any Secret. */
export function secretFaults(layer: Item, target: Item): Diagnostic[] {
  if (layer.kind !== "Secret") return [];
  const refused = (code: Diagnostic["code"], more: string, cure: Pick<Diagnostic, "reason" | "hint">) => ({
    code,
    severity: "error" as const,
    ...atItem(layer),
    message: `a Secret cannot be a layer of \`${objectText(target)}\`${more}`,
    ...cure,
    field: `metadata.annotations[${Mark.into}]`,
  });
  const isAcross = layer.namespace !== target.namespace;
  const isExposed = factsOf(target.kind)?.mayHoldSecrets === false;
  return [
    ...(isAcross ? [refused("secret-across-namespaces", " in another namespace", intoNamespace)] : []),
    ...(isExposed ? [refused("secret-into-configmap", "", intoSecret)] : []),
  ];
}

const intoNamespace = { hint: "put the Secret into the target's namespace" };
const intoSecret = {
  reason: "everyone who reads ConfigMaps could read its values",
  hint: "make the target a Secret, or the layer a ConfigMap",
};

/** @param targets the targets that the layer names, all left alone */
/** The hint for a layer with a target that no selector matches. */
export const notSelected = "no selector of the setting `targets` matches it";

export function reachesNone(item: Item, text: string, targets: readonly Item[]): Diagnostic {
  const bySelf = targets.some(({ annotations }) => annotations.get(Mark.fold) === "false");
  return {
    code: "target-left-alone",
    severity: "warning",
    ...atItem(item),
    message: `this layer has no effect: \`${text}\` is not folded`,
    hint: bySelf ? "to fold it, remove its annotation `valuefold.dev/fold`" : notSelected,
    field: `metadata.annotations[${Mark.into}]`,
  };
}

interface KnownTargets {
  readonly targets: readonly Item[];
  /** Items of a known kind in an unknown version. */
  readonly unknown: readonly Item[];
  readonly index: NameIndex;
  readonly suggestions: Suggestions;
}

export function orphan(item: Item, text: string, wish: Wish, known: KnownTargets): Diagnostic {
  const { unknown, index } = known;
  const namespace = wish.namespace ?? item.namespace;
  const another = unknown.find(
    (each) => each.kind === wish.kind.kind && each.name === wish.name && each.namespace === namespace,
  );
  if (another !== undefined) return ofUnknownVersion(item, wish, another);
  const severity = wish.name === "*" ? "warning" : "error";
  const found = index.named(wish.kind.kind, wish.name).find(({ name }) => name === wish.name);
  const where =
    found === undefined || namespace === undefined ? "in the list" : `in the namespace \`${namespace}\``;
  return {
    code: "orphan-layer",
    severity,
    ...atItem(item),
    field: `metadata.annotations[${Mark.into}]`,
    message: `no target \`${text}\` ${where}`,
    hint: orphanHint(item, wish, found, known),
  };
}

/** @param found an item with the name that was looked for */
function orphanHint(
  item: Item,
  { kind: { kind }, name }: Wish,
  found: Item | undefined,
  { targets, suggestions }: KnownTargets,
): string {
  const near = suggestions.nearest(name, () =>
    targets.filter((each) => each.kind === kind).map((each) => each.name),
  );
  const hashed = suggestions.isSpent ? undefined : hashedFrom(targets, kind, name);
  if (found?.annotations.has(Mark.foldedFrom))
    return "only valuefold writes a folded item: name the target it was folded for";
  if (found !== undefined) return elsewhere(found);
  if (hashed !== undefined)
    return `the list has \`${objectText(hashed)}\`, hashed already: run valuefold as a function in the build, or disable the suffix`;
  return near === undefined ? noTarget(item) : `did you mean \`${kind}/${near}\`?`;
}

/** The target is there, in a version that its front end does not know. */
function ofUnknownVersion(item: Item, { kind }: Wish, target: Item): Diagnostic {
  return {
    code: "orphan-layer",
    severity: "error",
    ...atItem(item),
    field: `metadata.annotations[${Mark.into}]`,
    message: `\`${objectText(target)}\` is of an unknown version`,
    reason: `valuefold does not know \`${target.apiVersion}\``,
    hint: `the versions are ${kind.apiVersions.map((each) => `\`${each}\``).join(", ")}`,
    also: [placeOf(target)],
  };
}

/** A layer that was folded and moved since still has its mark. No record names its target, so the mark stays. */
function noTarget({ annotations }: Item): string {
  const hint = "correct the annotation `valuefold.dev/into`, or add the target to this build";
  const isNeverApplied = annotations.get(Mark.localConfig) === "true";
  return isNeverApplied ? `${hint}; it is \`local-config\`, so it is never applied as it is` : hint;
}

/** The target is in another namespace. */
function elsewhere(found: Item): string {
  return found.namespace === undefined
    ? `the list has \`${objectText(found)}\` without a namespace: give both one, or neither`
    : `the list has \`${objectText(found)}\`: write that, or put the layer into its namespace`;
}

/** Components exist only if a selector asks for their kind and an override names them. */
export function noComponent(
  item: Item,
  text: string,
  { kind, name }: Wish,
  components: readonly Named[],
): Diagnostic {
  const near = nearest(
    name,
    components.map((each) => each.name),
  );
  const hint =
    components.length === 0
      ? `set \`targets: [{kind: ${kind.kind}}]\`: without it no override is folded`
      : near === undefined
        ? "no override names this component"
        : `did you mean \`${kind.kind}/${near}\`?`;
  return {
    code: "orphan-layer",
    severity: name === "*" ? "warning" : "error",
    ...atItem(item),
    field: `metadata.annotations[${Mark.into}]`,
    message: `no component \`${text}\` in the list`,
    hint,
  };
}
