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
  isFromKpt,
  isMapping,
  isNode,
  isNull,
  isScalar,
  type Item,
  keyText,
  Mark,
  type Named,
  type Node,
  quoteReadably,
  removeEntries,
  replaceScalar,
  replaceText,
  scalarText,
  setScalars,
  textAt,
  valueOf,
} from "../core/index.ts";
import type { CloneOrigin } from "./clone-origin.ts";
import { changed, type Draft, draftOf, readDraft } from "./draft.ts";
import { fail, type Failure, isFailure } from "./faults.ts";
import { declaredEdits } from "./kots-text.ts";
import { entryPlace } from "./model.ts";
import type { PlannedClone } from "./planned-clones.ts";
import { editsOf, fieldValues, meet } from "./setting.ts";
import type { Naming, Siblings } from "./siblings.ts";

/** A clone, or its own layer, as it is written. */
export interface MadeClone {
  readonly draft: Draft;
  readonly named: Pick<Named, "apiVersion" | "kind" | "name" | "namespace">;
}

export interface CloneInputs extends PlannedClone {
  readonly embedding: Embedding;
  /** Where the template names others of its group, and what those are called for this scope. */
  readonly namings: readonly Naming[];
  readonly siblings: Siblings;
}

/** An item in the making: its text, and its root in that. */
export interface UnnotedDraft {
  readonly draft: Draft;
  readonly root: Node;
  readonly offset: number;
}

/** The clone with its fields set, its references followed, and notes of its own. */
export function makeClone(making: CloneInputs): MadeClone | Failure {
  const { template, name } = making;
  const made = withFields(making);
  if (isFailure(made)) return made;
  const metadata = childOf(made.root, "metadata");
  const namespace = metadata === undefined ? undefined : textAt(metadata, "namespace") || undefined;
  const named = { apiVersion: template.apiVersion, kind: template.kind, name, namespace };
  return { draft: noted(made, [...freshNotes(making), ...ownNotes(making, named)]), named };
}

function withFields(making: CloneInputs): UnnotedDraft | Failure {
  const { entry, scope, template, embedding, name } = making;
  const root = template.read();
  const metadata = isNode(root) ? childOf(root, "metadata") : undefined;
  const named = metadata === undefined ? undefined : childOf(metadata, "name");
  const wanted = fieldValues(entry, scope, template);
  if (isFailure(wanted)) return wanted;
  if (!isNode(root) || named === undefined || !holdsNotes(metadata)) return unfit(making);
  const first = editsOf(root, wanted, entry);
  const declared = declaredEdits(root, entry, scope);
  if (isFailure(first)) return first;
  if (isFailure(declared)) return declared;
  const own = [...first.edits, replaceText(named, name)];
  const others = [...declared, ...siblingEdits(making)];
  const edits = [...own, ...others.filter((edit) => !own.some((other) => meet(edit, other)))];
  let draft = draftOf(template, embedding, edits);
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
  return fail(
    entryPlace(entry),
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

type Note = readonly [annotation: string, value: string];

/** Puts a clone's own notes in the place of its template's. */
export function noted({ draft, root, offset }: UnnotedDraft, notes: readonly Note[]): Draft {
  const metadata = childOf(root, "metadata");
  return metadata === undefined ? draft : changed(draft, { root, offset }, noteEdits(metadata, notes));
}

function noteEdits(metadata: Node, notes: readonly Note[]): Edit[] {
  const annotations = childOf(metadata, "annotations");
  const fresh = notes.map(
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

function sharedNotes(template: Item): Note[] {
  const root = template.read();
  const metadata = isNode(root) ? childOf(root, "metadata") : undefined;
  const annotations = metadata === undefined ? undefined : childOf(metadata, "annotations");
  if (annotations === undefined || !isMapping(annotations)) return [];
  const all = childrenOf(annotations).flatMap((child) => {
    const value = valueOf(child);
    const isShared = shared.includes(keyText(child)) && isScalar(value);
    return isShared ? [[keyText(child), scalarText(value)] as const] : [];
  });
  return [...new Map(all)];
}

/** What kustomize remembers of names, so that it finds the clone by those of its template. */
function freshNotes({ scope, template, name, bareName }: CloneInputs): Note[] {
  const notes = sharedNotes(template);
  if (!template.annotations.has(Mark.kustomizeId)) return notes;
  const before = (mark: string): string[] => template.annotations.get(mark)?.split(",") ?? [];
  const names = [template.name, ...(bareName === name ? [] : [bareName])];
  const more = (mark: string, values: readonly string[]): Note => [
    mark,
    [...before(mark), ...values].join(","),
  ];
  // Items of one group share the end of these: by it kustomize finds who belongs together.
  const marks = [scope.item?.name, scope.instance.name].flatMap((each) =>
    each === undefined ? [] : [`-${each.replaceAll(/[^A-Za-z0-9.-]/g, "_")}`],
  );
  return [
    ...notes,
    more(Mark.previousNames, names),
    more(
      Mark.previousKinds,
      names.map(() => template.kind),
    ),
    more(
      Mark.previousNamespaces,
      names.map(() => template.namespace ?? "default"),
    ),
    [Mark.suffixes, [...marks, ...before(Mark.suffixes)].join(",")],
  ];
}

/** Where the item is from; and in kpt its file, which is next to its template's. */
export function ownNotes(
  { entry, scope: { instance, item }, template }: CloneInputs,
  { kind, name }: MadeClone["named"],
  part: Pick<CloneOrigin, "part"> = {},
): Note[] {
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
