// What becomes of one clone: made, left as it is, or made again. A clone that a user edited is never written over.
import {
  annotate,
  childOf,
  childrenOf,
  describe,
  type Edit,
  type Embedding,
  hasName,
  isFromKpt,
  isNode,
  isScalar,
  isSequence,
  type Item,
  Mark,
  type Named,
  type Node,
  referenceFieldsOf,
  scalarText,
  valueOf,
} from "../core/index.ts";
import {
  freshNotes,
  type MadeClone,
  makeClone,
  type CloneInputs,
  namespaceOf,
  noted,
  notesOf,
} from "./clone.ts";
import { type Clone, contentNow, keyOf } from "./clones.ts";
import { type ContentDigests, contentOf, elementContent, writeRecord } from "./record.ts";
import { contentEnd, type Draft } from "./draft.ts";
import { isFailure, type Failure, fail } from "./faults.ts";
import type { Naming, Siblings } from "./siblings.ts";
import { entryPlace } from "./model.ts";
import { makeLayer } from "./own-layer.ts";
import { origin, type PlannedClone, type RepeatRun } from "./planned-clones.ts";

export interface Decision {
  readonly key: string;
  readonly wanted: PlannedClone;
  readonly named: Pick<Named, "apiVersion" | "kind" | "name" | "namespace">;
  readonly present: Clone | undefined;
  /** Its text, where it is made or made again. */
  readonly draft: Draft | undefined;
  /** Changes of one that is left as it is. */
  readonly keptEdits: readonly Edit[];
  readonly contentEnd: number;
}

/** What one template's clones are decided with. */
interface Reconciling {
  /** Clones in the list, by their key. */
  readonly byKey: ReadonlyMap<string, Clone>;
  readonly namings: readonly Naming[];
  readonly siblings: Siblings;
  readonly embedding: Embedding;
  readonly run: RepeatRun;
}

/** A clone, or its own layer: as it should be, and as it is. */
interface CloneState {
  readonly wanted: PlannedClone;
  readonly making: CloneInputs;
  readonly made: MadeClone;
  readonly named: Decision["named"];
  readonly key: string;
  readonly present: Clone | undefined;
  readonly part?: "values";
  /** True for the layer of a clone that is made again: the layer must be made again, too. */
  readonly isForced?: boolean;
}

/** The clone, and before it its own layer. */
export function decide(wanted: PlannedClone, reconciling: Reconciling): readonly Decision[] | Failure {
  const { entry, scope, template, name, bareName } = wanted;
  const present = reconciling.byKey.get(wanted.key);
  const bare = present !== undefined && isFromKpt(present.item);
  const making: CloneInputs = { ...reconciling, entry, scope, template, name, bareName, bare };
  const made = makeClone(making);
  if (isFailure(made)) return made;
  const named = {
    apiVersion: template.apiVersion,
    kind: template.kind,
    name,
    namespace: namespaceOf(made.root),
  };
  const clone = decideOne({ wanted, making, made, named, key: wanted.key, present }, reconciling.run);
  if (isFailure(clone) || entry.values === undefined) return isFailure(clone) ? clone : [clone];
  const layer = makeLayer(making, named.namespace);
  if (layer === undefined || isFailure(layer)) return layer ?? [clone];
  const key = keyOf({ ...origin(wanted), part: "values" });
  const isForced = clone.draft !== undefined;
  const one = {
    wanted,
    making,
    ...layer,
    key,
    present: reconciling.byKey.get(key),
    part: "values" as const,
    isForced,
  };
  const ownLayer = decideOne(one, reconciling.run);
  return isFailure(ownLayer) ? ownLayer : [ownLayer, clone];
}

function decideOne(one: CloneState, run: RepeatRun): Decision | Failure {
  const { present, made, named, key, wanted } = one;
  const content = contentOf(made.root, named.kind);
  const common = { key, wanted, named, present, contentEnd: 0, keptEdits: [] };
  if (present === undefined) return { ...common, draft: draftWithRecord(one, content, newNotes(one), run) };
  const { item } = present;
  const embedding = run.envelope.embeddings.get(item);
  const here = { ...common, contentEnd: embedding === undefined ? item.end : contentEnd(item, embedding) };
  switch (actionFor(present, content, one.isForced === true)) {
    case "refuse":
      return edited(one);
    case "keep":
      return { ...here, named: item, draft: undefined };
    case "updateRecord":
      return {
        ...here,
        draft: undefined,
        keptEdits: annotate(item, { [Mark.repeatedFrom]: recordOf(one, content) }),
      };
    case "remake": {
      if (one.part === undefined && holdsForeign(present, made.root, run.envelope.items)) return edited(one);
      const notes = notesOf(item, (note) => note !== Mark.localConfig && note !== Mark.repeatedLists);
      return { ...here, draft: draftWithRecord(one, content, notes, run) };
    }
  }
}

/**
 * What to do with a clone that is in the list.
 * @param content what the clone would be if it were made now
 */
function actionFor(
  { record, item }: Clone,
  content: ContentDigests,
  isForced: boolean,
): "refuse" | "keep" | "updateRecord" | "remake" {
  const now = contentNow(item);
  const isEdited = now?.own !== record.own;
  const isSameInput = content.whole === record.made;
  if (isEdited && isSameInput) return "keep";
  if (isEdited && now?.own !== content.own) return "refuse";
  if (isForced) return "remake";
  if (isSameInput) return "keep";
  return now?.whole === content.whole ? "updateRecord" : "remake";
}

/** The text with its record and notes. */
function draftWithRecord(
  one: CloneState,
  content: ContentDigests,
  notes: Map<string, string>,
  { outputIsNextInput }: RepeatRun,
): Draft {
  notes.delete(Mark.repeatedFrom);
  const record =
    outputIsNextInput || one.present !== undefined ? recordOf(one, content) : writeRecord(originOf(one));
  return noted(one.made, new Map([...notes, [Mark.repeatedFrom, record]]));
}

function originOf({ wanted, part }: CloneState): ReturnType<typeof origin> {
  return { ...origin(wanted), ...(part === undefined ? {} : { part }) };
}

function recordOf(one: CloneState, { whole, own }: ContentDigests): string {
  const { part, made, named } = one;
  const slots = part === undefined ? slotsOf(made.root, named.kind).map(elementContent) : [];
  return writeRecord({ ...originOf(one), made: whole, own, ...(slots.length === 0 ? {} : { slots }) });
}

/** The notes of a new clone. kpt writes a new item to its path: next to its template. */
function newNotes({ making, named, part }: CloneState): Map<string, string> {
  const template = making.template.annotations.get(Mark.path);
  const folder = template?.slice(0, template.lastIndexOf("/") + 1) ?? "";
  const path =
    template === undefined || !isFromKpt(making.template)
      ? undefined
      : `${folder}${named.kind.toLowerCase()}_${named.name}.yaml`;
  if (part === undefined) return freshNotes(making, path);
  return path === undefined ? new Map() : new Map([[Mark.path, path]]);
}

/** Each reference in the fields that the fold rewrites. */
function slotsOf(root: Node, kind: string): readonly Node[] {
  const spec = childOf(root, "spec");
  if (spec === undefined) return [];
  return referenceFieldsOf(kind).flatMap((key) => {
    const slot = childOf(spec, key);
    if (slot === undefined) return [];
    return isSequence(slot) ? childrenOf(slot) : [slot];
  });
}

/** True where a clone that is made again would lose a reference that neither its template nor the fold wrote. */
function holdsForeign({ item, record }: Clone, made: Node, items: readonly Item[]): boolean {
  const root = item.read();
  if (!isNode(root)) return false;
  const ours = new Set([...(record.slots ?? []), ...slotsOf(made, item.kind).map(elementContent)]);
  const folds = items.filter(({ annotations }) => annotations.has(Mark.foldedFrom));
  return slotsOf(root, item.kind).some(
    (slot) =>
      !ours.has(elementContent(slot)) &&
      !textsIn(slot).some((text) => folds.some((each) => hasName(each, text))),
  );
}

function textsIn(node: Node): readonly string[] {
  const value = valueOf(node);
  return isScalar(value) ? [scalarText(value)] : childrenOf(value).flatMap(textsIn);
}

/** A fault for a clone without an instance that a user edited. */
export function editedAndGone({ item, record }: Clone, repeat: Item): Failure | undefined {
  if (contentNow(item)?.own === record.own) return undefined;
  return fail(
    "repeat-edited",
    { repeat, field: "spec" },
    `\`${describe(item)}\` was edited since it was made for instance \`${record.instance}\`, which is gone`,
    "delete it; or take the annotation `valuefold.dev/repeated-from` off, and it is yours",
    [item],
  );
}

function edited({ present, wanted: { entry, scope }, key }: CloneState): Failure {
  const name = present === undefined ? key : describe(present.item);
  return fail(
    "repeat-edited",
    entryPlace(entry),
    `\`${name}\` was edited, and its template or its instance \`${scope.instance.name}\` changed since`,
    "make the change in the template, in the instance or with `set`, and delete the clone: it is made again; or take the annotation `valuefold.dev/repeated-from` off the clone and its instance out, and it is yours",
    present === undefined ? [] : [present.item],
  );
}
