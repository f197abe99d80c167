// What orchestrators note on items: a clone has notes of its own, never its template's.
import { Mark } from "../wire/annotation-names.ts";
import { addEntry, addScalarsTo, removeEntries, replaceScalar, setScalars } from "../wire/edit.ts";
import type { Edit } from "../wire/envelope.ts";
import { childOf, isNode, type Item } from "../wire/item.ts";
import { doubleQuote, quoteReadably } from "../yaml/quote.ts";
import { keyText, scalarText } from "../yaml/scalar.ts";
import { childrenOf, isFlow, isMapping, isScalar, type Node, valueOf } from "../yaml/tape.ts";
import type { Made, Making } from "./clone.ts";
import { isNote } from "./content.ts";
import { changed, type Draft } from "./draft.ts";

/** Notes of orchestrators that a clone has of its own, by name. */
export type Notes = ReadonlyMap<string, string>;

/** Puts a clone's own notes in the place of its template's. */
export function noted({ draft, root, offset }: Made, notes: Notes): Draft {
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

/** What a template has where its clones have their instance: so kustomize never takes it for one of them. */
export const templateSuffix = "-template";

/** The notes of a clone that nobody has seen yet. */
export function freshNotes(making: Making, path: string | undefined): Map<string, string> {
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
  notes.set(
    Mark.suffixes,
    [...marks, ...before(Mark.suffixes).filter((each) => each !== templateSuffix)].join(","),
  );
  return notes;
}
