// One clone of a whole item: the template's own text with edits.
import { withoutComments } from "../wire/comments.ts";
import { replaceText } from "../wire/edit.ts";
import type { Edit, Embedding } from "../wire/envelope.ts";
import { childOf, isNode, type Item, textAt } from "../wire/item.ts";
import { scalarText } from "../yaml/scalar.ts";
import type { Node } from "../yaml/tape.ts";
import { changed, type Draft, draftOf, readDraft } from "./draft.ts";
import { isTold, told, type Told } from "./faults.ts";
import { type ResourceEntry, type Scope, whereIs } from "./model.ts";
import type { Siblings } from "./groups.ts";
import { editsOf, wantedFields } from "./setting.ts";
import type { Naming } from "./siblings.ts";

/** A clone in the making. */
export interface Made {
  readonly draft: Draft;
  readonly root: Node;
  readonly offset: number;
}

export interface Making {
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
export function makeClone(making: Making): Made | Told {
  const { entry, scope, template, embedding, name } = making;
  const root = template.read();
  const metadata = isNode(root) ? childOf(root, "metadata") : undefined;
  const named = metadata === undefined ? undefined : childOf(metadata, "name");
  const wanted = wantedFields(entry, scope, template.kind);
  if (isTold(wanted)) return wanted;
  if (!isNode(root) || named === undefined) return unfit(making);
  const first = editsOf(root, wanted, entry);
  if (isTold(first)) return first;
  const own = [...first.edits, replaceText(named, name)];
  const edits = [...own, ...siblingEdits(making).filter((edit) => !own.some((other) => meet(edit, other)))];
  let draft = draftOf(template, embedding, making.bare ? withoutComments(template, edits) : edits);
  let read = readDraft(draft);
  for (let { left } = first; left.length > 0 && read !== undefined;) {
    const next = editsOf(read.root, left, entry);
    if (isTold(next)) return next;
    draft = changed(draft, read, next.edits);
    read = readDraft(draft);
    left = next.left;
  }
  return read === undefined ? unfit(making) : { draft, ...read };
}

function unfit({ entry, template }: Making): Told {
  const where = whereIs(entry);
  return told(
    "repeat-target",
    where,
    `\`${template.kind}/${template.name}\` cannot be read as a template`,
    "write it as a plain mapping",
    [template],
  );
}

function meet(a: Edit, b: Edit): boolean {
  return a.start < b.end && b.start < a.end;
}

function siblingEdits({ namings, siblings }: Making): Edit[] {
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
