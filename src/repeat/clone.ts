// One clone of a whole item: the template's own text with edits. It has orchestrators' notes of its own, never its
// template's.
import {
  type TextEdit,
  type Embedding,
  isFromKpt,
  isNode,
  Mark,
  type Named,
  replaceText,
  setAnnotations,
} from "../krm/index.ts";
import type { Node } from "../yaml/index.ts";
import type { CloneOrigin } from "./clone-origin.ts";
import type { Draft } from "./draft.ts";
import { refusal, type Refused } from "./faults.ts";
import { declaredEdits } from "./kots-text.ts";
import { entryPlace } from "./model.ts";
import type { PlannedClone } from "./plan.ts";
import { fieldValues, withFields } from "./setting.ts";
import type { CloneNames, Siblings } from "./siblings.ts";

export type CloneId = Omit<Named, "annotations">;

/** A clone, or its own layer, as it is written. */
export interface MadeClone {
  readonly draft: Draft;
  readonly named: CloneId;
}

export interface CloneInputs extends PlannedClone {
  readonly embedding: Embedding;
  /** The template. */
  readonly draft: Draft;
  /** Where the template names others of its group, and what those are called for this scope. */
  readonly namings: readonly CloneNames[];
  readonly siblings: Siblings;
}

/** The clone with its fields set, its references followed, and notes of its own. */
export function makeClone(making: CloneInputs): MadeClone {
  const { entry, scope, template, draft, name } = making;
  const unfit = (): Refused => unfitFor(making);
  const wanted = fieldValues(entry, scope, template);
  if (draft.root === undefined || !isFit(draft.root)) throw unfit();
  const made = withFields(draft, wanted, ownEdits(draft.root, making), unfit);
  const metadata = metadataIn(made.root);
  if (metadata === undefined) throw unfit();
  const namespace = metadata.textAt("namespace") || undefined;
  const named = { apiVersion: template.apiVersion, kind: template.kind, name, namespace };
  const notes = [...freshNotes(making), ...ownNotes(making, named)];
  return { draft: made.changed(setAnnotations(metadata, notes, isNote)), named };
}

/** Its name, what it is for its siblings, and what KOTS' templates ask for. */
function ownEdits(root: Node, { entry, scope, name, namings, siblings }: CloneInputs): readonly TextEdit[] {
  const metadata = metadataIn(root);
  const named = metadata?.get("name");
  const renamed = named === undefined ? [] : [replaceText(named, name)];
  const references = namings.flatMap((naming) => followed(naming, siblings));
  const others = [...declaredEdits(root, entry, scope), ...references];
  return [...renamed, ...others.filter(({ start }) => start !== renamed[0]?.start)];
}

function metadataIn(root: Node | undefined): Node | undefined {
  return root?.get("metadata");
}

/** True if its name and its annotations can be written: of these there are none, they are empty, or they are a mapping. */
function isFit(root: Node): boolean {
  const metadata = metadataIn(root);
  if (metadata === undefined || metadata.get("name") === undefined) return false;
  const annotations = metadata.get("annotations");
  if (annotations === undefined || annotations.isMapping) return true;
  return annotations.isScalar && annotations.isNull;
}

function unfitFor({ entry, template }: CloneInputs): Refused {
  return refusal(
    entryPlace(entry),
    `\`${template.kind}/${template.name}\` cannot be read as a template`,
    "write it, and its annotations, as plain mappings",
    [template],
  );
}

function followed({ node, textAmong }: CloneNames, siblings: Siblings): TextEdit[] {
  const text = textAmong(siblings);
  return text === undefined || text === node.text ? [] : [replaceText(node, text)];
}

type Note = readonly [annotation: string, value: string];

/** Annotations by which other tools find an item again, or in which the fold records something. */
const recorded: readonly string[] = [
  Mark.repeatedFrom,
  Mark.foldedKeys,
  Mark.kept,
  Mark.localConfig,
  Mark.legacyPath,
  Mark.origin,
  Mark.kustomizeId,
  "config.kubernetes.io/index",
  "config.k8s.io/id",
  "alpha.config.kubernetes.io/transformations",
];

function isNote(annotation: string): boolean {
  return recorded.includes(annotation) || annotation.startsWith("internal.config.kubernetes.io/");
}

/** Notes of a template that its clones share: how kpt lays lists out, and what kustomize remembers. */
const shared: readonly string[] = [
  "internal.config.kubernetes.io/seqindent",
  Mark.needsHashSuffix,
  Mark.prefixes,
  Mark.origin,
];

function sharedNotes({ template }: CloneInputs): readonly Note[] {
  const root = template.read();
  const metadata = isNode(root) ? root.get("metadata") : undefined;
  const annotations = metadata?.get("annotations");
  const all = annotations === undefined || !annotations.isMapping ? [] : annotations.children();
  const found = all.filter((child) => shared.includes(child.keyText) && child.value.isScalar);
  return [...new Map(found.map((child) => [child.keyText, child.value.text]))];
}

/** What kustomize remembers of names, so that it finds the clone by those of its template. */
function freshNotes(making: CloneInputs): readonly Note[] {
  const { scope, template, name, bareName } = making;
  const notes = sharedNotes(making);
  if (!template.annotations.has(Mark.kustomizeId)) return notes;
  const before = (mark: string): string[] => template.annotations.get(mark)?.split(",") ?? [];
  const names = [template.name, ...(bareName === name ? [] : [bareName])];
  const more = (mark: string, value: (name: string) => string): Note => [
    mark,
    [...before(mark), ...names.map(value)].join(","),
  ];
  // Items of one group share the end of these: by it kustomize finds who belongs together.
  const marks = [scope.item?.name, scope.instance.name].flatMap((each) =>
    each === undefined ? [] : [`-${each.replaceAll(/[^A-Za-z0-9.-]/g, "_")}`],
  );
  return [
    ...notes,
    more(Mark.previousNames, (each) => each),
    more(Mark.previousKinds, () => template.kind),
    more(Mark.previousNamespaces, () => template.namespace ?? "default"),
    [Mark.suffixes, [...marks, ...before(Mark.suffixes)].join(",")],
  ];
}

/** Where the item is from; and in kpt its file, which is next to its template's. */
export function ownNotes(
  { entry, scope: { instance, item }, template }: PlannedClone,
  { kind, name }: Pick<CloneId, "kind" | "name">,
  part: Pick<CloneOrigin, "part"> = {},
): readonly Note[] {
  const origin: CloneOrigin = {
    repeat: entry.repeat.name,
    template: `${entry.kind}/${entry.name}`,
    instance: instance.name,
    ...(item === undefined ? {} : { item: item.name }),
    ...part,
  };
  const path = isFromKpt(template) ? template.annotations.get(Mark.path) : undefined;
  const file = `${path?.slice(0, path.lastIndexOf("/") + 1) ?? ""}${kind.toLowerCase()}_${name}.yaml`;
  return [
    ...(path === undefined ? [] : [[Mark.path, file] as const]),
    [Mark.repeatedFrom, JSON.stringify(origin)],
  ];
}
