// One clone of a whole item: the template's own text with edits. It has orchestrators' notes of its own, never its
// template's.
import {
  addEntry,
  addScalarsTo,
  childOf,
  childrenOf,
  doubleQuote,
  type Edit,
  type Embedding,
  isFlow,
  isMapping,
  isNull,
  isNode,
  isScalar,
  type Item,
  keyText,
  Mark,
  type Node,
  quoteReadably,
  removeEntries,
  replaceScalar,
  replaceText,
  scalarText,
  setScalars,
  textAt,
  valueOf,
  withoutComments,
} from "../core/index.ts";
import { isNote } from "./record.ts";
import { changed, type Draft, draftOf, readDraft } from "./draft.ts";
import { isFailure, fail, type Failure } from "./faults.ts";
import { type ResourceEntry, type Scope, entryPlace } from "./model.ts";
import { editsOf, fieldValues, meet } from "./setting.ts";
import type { Naming, Siblings } from "./siblings.ts";

/** A clone in the making. */
export interface MadeClone {
  readonly draft: Draft;
  readonly root: Node;
  readonly offset: number;
}

export interface CloneInputs {
  readonly entry: ResourceEntry;
  readonly scope: Scope;
  readonly template: Item;
  readonly embedding: Embedding;
  readonly name: string;
  readonly bareName: string;
  /** Where the template names others of its group, and what those are called for this scope. */
  readonly namings: readonly Naming[];
  readonly siblings: Siblings;
  /** True for a clone that kpt has already: it restores comments by itself. */
  readonly bare: boolean;
}

/** The clone with its fields set and its references followed; its annotations are still the template's. */
export function makeClone(making: CloneInputs): MadeClone | Failure {
  const { entry, scope, template, embedding, name } = making;
  const root = template.read();
  const metadata = isNode(root) ? childOf(root, "metadata") : undefined;
  const named = metadata === undefined ? undefined : childOf(metadata, "name");
  const wanted = fieldValues(entry, scope, template);
  if (isFailure(wanted)) return wanted;
  if (!isNode(root) || named === undefined || !holdsNotes(metadata)) return unfit(making);
  const first = editsOf(root, wanted, entry);
  if (isFailure(first)) return first;
  const own = [...first.edits, replaceText(named, name)];
  const edits = [...own, ...siblingEdits(making).filter((edit) => !own.some((other) => meet(edit, other)))];
  let draft = draftOf(template, embedding, making.bare ? withoutComments(template, edits) : edits);
  let read = readDraft(draft);
  for (let { left } = first; left.length > 0 && read !== undefined;) {
    const next = editsOf(read.root, left, entry);
    if (isFailure(next)) return next;
    draft = changed(draft, read, next.edits);
    read = readDraft(draft);
    left = next.left;
  }
  return read === undefined ? unfit(making) : { draft, ...read };
}

/** True if annotations can be written: there are none, they are empty, or they are a mapping. */
function holdsNotes(metadata: Node | undefined): boolean {
  const annotations = metadata === undefined ? undefined : childOf(metadata, "annotations");
  if (annotations === undefined || isMapping(annotations)) return true;
  return isScalar(annotations) && isNull(annotations);
}

function unfit({ entry, template }: CloneInputs): Failure {
  const where = entryPlace(entry);
  return fail(
    "repeat-target",
    where,
    `\`${template.kind}/${template.name}\` cannot be read as a template`,
    "write it, and its annotations, as plain mappings",
    [template],
  );
}

function siblingEdits({ namings, siblings }: CloneInputs): Edit[] {
  return namings.flatMap(({ node, textAmong }) => {
    const text = textAmong(siblings);
    return text === undefined || text === scalarText(node) ? [] : [replaceText(node, text)];
  });
}

/** Namespace of a clone, which may have been set. */
export function namespaceOf(root: Node): string | undefined {
  const metadata = childOf(root, "metadata");
  return metadata === undefined ? undefined : textAt(metadata, "namespace") || undefined;
}

/** Notes of orchestrators that a clone has of its own, by name. */
export type Notes = ReadonlyMap<string, string>;

/** Puts a clone's own notes in the place of its template's. */
export function noted({ draft, root, offset }: MadeClone, notes: Notes): Draft {
  const metadata = childOf(root, "metadata");
  return metadata === undefined ? draft : changed(draft, { root, offset }, noteEdits(metadata, notes));
}

function noteEdits(metadata: Node, notes: Notes): Edit[] {
  const annotations = childOf(metadata, "annotations");
  const fresh = [...notes].map(
    ([key, value]) => [key, { line: quoteReadably(value), lines: [], quoted: doubleQuote(value) }] as const,
  );
  if (annotations === undefined)
    return [
      addEntry(
        metadata,
        "annotations",
        fresh.map(([key, { line, quoted }]) => [key, isFlow(metadata) ? quoted : line] as const),
      ),
    ];
  if (!isMapping(annotations))
    return [
      replaceScalar(
        annotations,
        `{${fresh.map(([key, { quoted }]) => `${doubleQuote(key)}: ${quoted}`).join(", ")}}`,
      ),
    ];
  const present = childrenOf(annotations);
  const gone = present.filter((child) => isNote(keyText(child)));
  if (gone.length === present.length) return [setScalars(annotations, fresh)];
  return [...removeEntries(gone, metadata), addScalarsTo(annotations, fresh)];
}

/** What an item has of these notes. */
export function notesOf(item: Item, counts: (annotation: string) => boolean): Map<string, string> {
  const root = item.read();
  const metadata = isNode(root) ? childOf(root, "metadata") : undefined;
  const annotations = metadata === undefined ? undefined : childOf(metadata, "annotations");
  if (annotations === undefined || !isMapping(annotations)) return new Map();
  const entries = childrenOf(annotations).map((child) => [keyText(child), valueOf(child)] as const);
  return new Map(
    entries.flatMap(([key, value]) =>
      isNote(key) && counts(key) && isScalar(value) ? [[key, scalarText(value)]] : [],
    ),
  );
}

/** Notes of a template that its clones share: how kpt lays lists out, and what kustomize remembers. */
const shared: readonly string[] = [
  "internal.config.kubernetes.io/seqindent",
  Mark.needsHashSuffix,
  Mark.prefixes,
  Mark.origin,
];

/** The notes of a new clone. */
export function freshNotes(making: CloneInputs, path: string | undefined): Map<string, string> {
  const { scope, template, name, bareName } = making;
  const notes = notesOf(template, (key) => shared.includes(key));
  if (path !== undefined) notes.set(Mark.path, path);
  if (!template.annotations.has(Mark.kustomizeId)) return notes;
  const before = (mark: string): string[] => template.annotations.get(mark)?.split(",") ?? [];
  const names = [...before(Mark.previousNames), template.name];
  const namespace = template.namespace ?? "default";
  const more = bareName === name ? [] : [bareName];
  notes.set(Mark.previousNames, [...names, ...more].join(","));
  notes.set(
    Mark.previousKinds,
    [...before(Mark.previousKinds), ...[template.name, ...more].map(() => template.kind)].join(","),
  );
  notes.set(
    Mark.previousNamespaces,
    [...before(Mark.previousNamespaces), ...[template.name, ...more].map(() => namespace)].join(","),
  );
  // Items of one group share the end of these: by it kustomize finds who belongs together.
  const marks = [scope.item?.name, scope.instance.name].flatMap((each) =>
    each === undefined ? [] : [`-${each.replaceAll(/[^A-Za-z0-9.-]/g, "_")}`],
  );
  notes.set(Mark.suffixes, [...marks, ...before(Mark.suffixes)].join(","));
  return notes;
}
