// Patches whose target matches nothing: kustomize leaves them out without a word. No rule of its selectors is written here: in
// a copy of the build each such patch is preceded by one that shows what the target reaches.
import { resolve } from "node:path";
import { type Diagnostic, meantOr, nearest } from "../../diagnostic.ts";
import { grouped } from "../../grouped.ts";
import type { Place } from "../../explanation.ts";
import { positionOf } from "../../explain/index.ts";
import { decodeStream, isNode } from "../../krm/index.ts";
import { lineAndColumn, type Node } from "../../yaml/index.ts";
import { isFile, readFile } from "../disk.ts";
import { isManifest } from "../names.ts";
import { itemsIn } from "../placed-object.ts";
import { namesCharts } from "./charts.ts";
import { filesNamedIn } from "./copy.ts";
import { asFields, generatorKinds } from "./documents.ts";
import type { ProbedBuild } from "./probed-build.ts";
import { functionsIn, type Kustomization, type KustomizationTree } from "./tree.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A patch with a target. */
interface TargetedPatch {
  readonly target: Fields;
  readonly at: Place;
}

/** The builds that a command reads. A patch that several of them have is idle if it reaches nothing in any of them. */
export class PatchTargets {
  private readonly builds: ProbedBuild[] = [];

  add(build: ProbedBuild): void {
    this.builds.push(build);
  }

  async lints(): Promise<readonly Diagnostic[]> {
    const all: ReachingPatch[] = [];
    for (const each of this.builds) all.push(...(await reachesIn(each)));
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

async function reachesIn(build: ProbedBuild): Promise<readonly ReachingPatch[]> {
  const probes = new Probes(build);
  const { patches } = probes;
  const isAsked = patches.length > 0 && (build.mayMiss || probes.hasShared) && isPlain(build.tree);
  const output = isAsked ? await build.build((...each) => probes.addTo(...each)) : undefined;
  const text = output === undefined || probes.isUnsure ? undefined : Buffer.from(output).toString("utf8");
  const objects = text === undefined ? [] : sourcesOf(build.tree);
  return patches.map((patch, number) => ({
    patch,
    reaches: text === undefined || text.includes(probeName(number)),
    objects,
  }));
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
  const isDropped = [...textsOf(tree)].some((text) => text.includes("config.kubernetes.io/local-config"));
  return isLate && !all.some(namesCharts) && !isDropped;
}

function* textsOf({ all }: KustomizationTree): Iterable<string> {
  for (const each of all) {
    yield JSON.stringify(each.fields);
    for (const file of filesNamedIn(each)) yield Buffer.from(readFile(file)).toString("latin1");
  }
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

/** The patches with a target of a build, numbered, and what shows which of them reach something. */
class Probes {
  readonly patches: TargetedPatch[] = [];
  /** True if several patches are one file: what one of them reaches says nothing of the others. */
  readonly hasShared: boolean;
  /** True if it cannot be known what a patch would have reached. */
  isUnsure = false;
  private readonly numbers = new Map<string, number>();

  constructor({ tree, overlay, shown }: Pick<ProbedBuild, "tree" | "overlay" | "shown">) {
    const files: string[] = [];
    for (const { directory, fileName, root } of tree.all)
      for (const field of patchFields)
        for (const [index, node] of (root?.list(field) ?? []).entries()) {
          const at = placeOf(node, shown(`${directory}/${fileName}`));
          this.enter(entryId(directory, field, index), asFields(node.plain(null)), at);
          files.push(...[node.textAt("path") ?? []].flat().map((path) => resolve(directory, path)));
        }
    for (const [index, { fields, targetAt }] of (overlay?.patches ?? []).entries())
      this.enter(entryId("", "patches", index), fields, targetAt);
    this.hasShared = new Set(files).size < files.length;
  }

  private enter(id: string, fields: Fields, at: Place | undefined): void {
    const target = asFields(fields["target"]);
    if (at === undefined || Object.keys(target).length === 0) return;
    this.numbers.set(id, this.patches.length);
    this.patches.push({ target, at });
  }

  /** A probe before each patch; a patch that only deletes is left out, as a probe would be lost with what it reaches. */
  addTo({ directory, fields }: Kustomization, own: Record<string, unknown>): void {
    for (const field of patchFields) {
      const ownCount = asList(fields[field]).length;
      const all = asList(own[field]).flatMap((entry, index) => {
        // What is added to those of the file is from the overlay.
        const isAdded = index >= ownCount;
        const id = isAdded ? entryId("", field, index - ownCount) : entryId(directory, field, index);
        return [...this.probeFor(id, entry, field), ...(this.isKept(entry, directory) ? [entry] : [])];
      });
      if (field in own) own[field] = all;
    }
    const merges = asList(own[mergesField]);
    if (merges.length > 0)
      own[mergesField] = merges.filter((each) => this.isKept(mergeAsPatch(each, directory), directory));
  }

  private probeFor(id: string, entry: unknown, field: (typeof patchFields)[number]): readonly unknown[] {
    const number = this.numbers.get(id);
    if (number === undefined) return [];
    const name = probeName(number);
    const metadata = { name: "any", annotations: { [`probe.valuefold.dev/${name}`]: "" } };
    // Patches of annotations may lose the one, and generators that replace an object the other.
    const merge = { apiVersion: "v1", kind: "Any", metadata, [name]: "" };
    const operations = [{ op: "add", path: `/${name}`, value: "" }];
    const patch = JSON.stringify(field === "patches" ? merge : operations);
    return [{ target: asFields(entry)["target"], patch }];
  }

  private isKept(entry: unknown, directory: string): boolean {
    const { path, patch } = asFields(entry);
    const file = typeof path === "string" ? resolve(directory, path) : undefined;
    const text =
      typeof patch === "string" ? Buffer.from(patch) : file !== undefined && isFile(file) && readFile(file);
    const envelope = text === false ? undefined : decodeStream(text);
    const items = envelope !== undefined && "items" in envelope ? envelope.items : [];
    const deleting = items.filter((item) => {
      const root = item.read();
      return isNode(root) && root.textAt("$patch") === "delete";
    });
    this.isUnsure ||= deleting.length > 0 && deleting.length < items.length;
    return deleting.length === 0 || deleting.length < items.length;
  }
}

const patchFields = ["patches", "patchesJson6902"] as const;
const mergesField = "patchesStrategicMerge";

function mergeAsPatch(entry: unknown, directory: string): Fields {
  const isPath = typeof entry === "string" && !entry.includes("\n") && isFile(resolve(directory, entry));
  return isPath ? { path: entry } : { patch: entry };
}

function entryId(directory: string, field: string, index: number): string {
  return `${directory} ${field} ${index}`;
}

function probeName(number: number): string {
  return `vfprobe${number}x`;
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
    reason: "kustomize leaves such a patch out without a word",
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
  if (names.has(name)) return "an object of this kind and name is there: correct the rest of the target";
  return meantOr(name === "" ? undefined : nearest(name, names), otherwise);
}

const otherwise = "correct the target, or remove the patch";

function textOf(target: Fields, key: string): string {
  const value = target[key];
  return typeof value === "string" ? value : "";
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
