// Which sealed documents are worth opening: those of Secrets that a target would fold. A single layer is not folded, so
// its key need not be there.
import { Mark, type Item } from "../../krm/index.ts";
import type { Holdings, Restoration } from "../../layers/index.ts";
import type { NameIndex } from "../select/names.ts";
import { undoneFolds } from "../refold/restore.ts";
import type { TargetReferences } from "../refold/folded-target.ts";
import { type SealedDocument, sealedDocumentsOf } from "./documents.ts";
import type { Settings } from "../../settings/index.ts";

/** The layers that a target would fold, before its stacks are known. */
export interface Prospect {
  readonly own: TargetReferences;
  /** Items that are layers of it by annotation or label. */
  readonly annotated: readonly Item[];
  readonly restorations: readonly Restoration[];
}

/** Sealed Secrets that some target may fold. */
export function sealedIn({ own, annotated, restorations }: Prospect, names: NameIndex): Item[] {
  const { target } = own;
  const recorded = restorations.flatMap(({ layers }) => layers);
  const named = [...own.references, ...recorded].flatMap((each) => names.find(each, target));
  const items = new Set<Item>([...named, ...annotated].filter(isSecret));
  const earlier = restorations.map(({ item }) => item).filter(isSecret);
  const isLocal = [...items].some(({ annotations }) => annotations.get(Mark.localConfig) === "true");
  const alone = items.size < 2 && !isLocal && annotated.length === 0 && earlier.length === 0;
  // Restored items are only compared by their inputs.
  const undone = new Set<Item>(undoneFolds(restorations).map(({ item }) => item));
  return alone ? [] : [...items].filter((item) => !undone.has(item));
}

function isSecret({ kind }: Item): boolean {
  return kind === "Secret";
}

export function documentsOf(
  items: Iterable<Item>,
  { mac }: NonNullable<Settings["sops"]>,
  holdings: Holdings,
): SealedDocument[] {
  return [...new Set(items)].flatMap((item) => sealedDocumentsOf(item, mac, holdings));
}
