// Patches whose target matches nothing: kustomize leaves them out without a word. Its own code says which.
import { type Diagnostic, meantOr, nearest } from "../../diagnostic.ts";
import { grouped } from "../../grouped.ts";
import type { Place } from "../../explanation.ts";
import { positionOf } from "../../explain/index.ts";
import { lineAndColumn, type Node } from "../../yaml/index.ts";
import { readFile } from "../disk.ts";
import { isManifest } from "../names.ts";
import { filesNamedIn } from "./copy.ts";
import { generatorKinds } from "./documents.ts";
import { type PatchedBuild, targetFields } from "./patched-build.ts";
import { functionsIn, type KustomizationTree, namesCharts } from "./tree.ts";
import { itemsIn } from "../items.ts";
import { asFields, asList, type Fields } from "../plain.ts";

/** A patch with a target. */
interface TargetedPatch {
  readonly target: Fields;
  readonly at: Place;
}

/** The builds that a command reads. A patch that several of them have is idle if it reaches nothing in any of them. */
export class PatchTargets {
  private readonly builds: PatchedBuild[] = [];

  add(build: PatchedBuild): void {
    this.builds.push(build);
  }

  lints(): readonly Diagnostic[] {
    const all = this.builds.flatMap(reachesIn);
    const byPlace = grouped(all, ({ patch }) => JSON.stringify([patch.at, patch.target]));
    return [...byPlace.values()].flatMap((uses) => {
      const [first] = uses;
      return first === undefined || uses.some(({ reaches }) => reaches) ? [] : lintOf(first);
    });
  }
}

interface ReachingPatch {
  readonly patch: TargetedPatch;
  /** True also where it is not known. */
  readonly reaches: boolean;
  /** What the target could have matched. */
  readonly objects: readonly PatchableObject[];
}

interface PatchableObject {
  readonly kind: string;
  readonly name: string;
}

function reachesIn({ tree, shown, missed }: PatchedBuild): readonly ReachingPatch[] {
  const known = missed !== undefined && missed.length > 0 && isPlain(tree) ? missed : [];
  const idle = new Set(known.map(({ directory, fields }) => JSON.stringify([directory, fields])));
  const objects = idle.size === 0 ? [] : sourcesOf(tree);
  return patchesIn(tree, shown).map(({ directory, patch }) => ({
    patch,
    reaches: !idle.has(JSON.stringify([directory, targetFields.map((key) => textOf(patch.target, key))])),
    objects,
  }));
}

/** The patches with a target, and the directories of their kustomizations. */
function patchesIn(
  { top, all, overlay }: KustomizationTree,
  shown: (path: string) => string,
): readonly { readonly directory: string; readonly patch: TargetedPatch }[] {
  const own = all.flatMap(({ directory, fileName, root }) =>
    ["patches", "patchesJson6902"]
      .flatMap((field) => root?.list(field) ?? [])
      .map((node) => ({
        directory,
        fields: asFields(node.plain(null)),
        at: placeOf(node, shown(`${directory}/${fileName}`)),
      })),
  );
  const added = (overlay?.patches ?? []).map(({ fields, targetAt }) => ({
    directory: top?.directory ?? "",
    fields,
    at: targetAt,
  }));
  return [...own, ...added].flatMap(({ directory, fields, at }) => {
    const target = asFields(fields["target"]);
    return at === undefined || Object.keys(target).length === 0 ? [] : [{ directory, patch: { target, at } }];
  });
}

/** False where something that is not built here may make objects, or take away those that a target matches. */
function isPlain(tree: KustomizationTree): boolean {
  const { top, all, faults } = tree;
  if (top === undefined || faults.length > 0 || top.fields["kind"] === "Component") return false;
  const atTop = [...top.functions.values()].flat();
  const isLate = functionsIn(tree).every(
    (each) =>
      each.field === "validators" || (each.isFold && each.field === "transformers" && atTop.includes(each)),
  );
  return isLate && !all.some(namesCharts);
}

/** Objects under the names that they have before prefixes and suffixes. */
function sourcesOf({ all }: KustomizationTree): readonly PatchableObject[] {
  const files = new Set(all.flatMap(filesNamedIn).filter(isManifest));
  const generated = all.flatMap(({ fields }) =>
    Object.entries(generatorKinds).flatMap(([field, kind]) =>
      asList(fields[field]).map((each) => ({ kind, name: textOf(asFields(each), "name") })),
    ),
  );
  return [...generated, ...[...files].flatMap((file) => itemsIn(readFile(file)))];
}

/** Where the name of its target is written, or what else the target says. */
function placeOf(patch: Node, file: string): Place | undefined {
  const target = patch.get("target");
  const node = target && target.value.isMapping ? (target.get("name") ?? target) : undefined;
  return node && { of: "file", file, ...lineAndColumn(node.doc.bytes, node.offset) };
}

function lintOf({ patch: { target, at }, objects }: ReachingPatch): Diagnostic {
  return {
    code: "patch-without-target",
    severity: "warning",
    message: `nothing matches the target of this patch: \`${targetText(target)}\``,
    reason: "kustomize ignores such a patch silently",
    hint: hintFor(target, objects),
    at: positionOf(at),
  };
}

/** `apps/v1 Deployment/prod/shop, labelSelector: app=shop`: as much of it as the target says. */
function targetText(target: Fields): string {
  const [group, version, kind, namespace, name] = ["group", "version", "kind", "namespace", "name"].map(
    (key) => textOf(target, key),
  );
  const of = [group, version].filter((each) => each !== "").join("/");
  const object = [kind === "" ? "*" : kind, namespace, name].filter((each) => each !== "").join("/");
  const selectors = ["labelSelector", "annotationSelector"].flatMap((key) =>
    textOf(target, key) === "" ? [] : `${key}: ${textOf(target, key)}`,
  );
  return [of === "" ? object : `${of} ${object}`, ...selectors].join(", ");
}

function hintFor(target: Fields, objects: readonly PatchableObject[]): string {
  const [kind, name] = [textOf(target, "kind"), textOf(target, "name")];
  const ofKind = objects.filter((each) => kind === "" || each.kind === kind);
  const kinds = new Set(objects.map((each) => each.kind));
  const names = new Set(ofKind.map((each) => each.name));
  if (ofKind.length === 0) return meantOr(nearest(kind, kinds), otherwise);
  if (names.has(name))
    return "one of this kind and name exists: correct the rest of the target, or a patch deletes it before";
  return meantOr(name === "" ? undefined : nearest(name, names), otherwise);
}

const otherwise = "correct the target, or remove the patch";

function textOf(target: Fields, key: string): string {
  const value = target[key];
  return typeof value === "string" ? value : "";
}
