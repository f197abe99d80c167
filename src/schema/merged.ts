// All known documents of a target, merged as its consumer merges them. Records which document each value comes from, and which
// cannot be read.
import type { Document } from "../yaml/index.ts";
import { mergeAll, mergeTrees, parsePath, type Step, type Tree } from "../merge/index.ts";
import type { JudgedDocument, JudgedTarget } from "../layers/index.ts";
import { objectText } from "../object-id.ts";

/** A document with values among those merged. */
interface MergedDocument {
  /** Position among all places of the target's stacks, lowest first. */
  readonly rank: number;
  readonly document: JudgedDocument;
}

/** A layer with values that only the cluster knows. */
export interface UnknownLayer {
  readonly rank: number;
  /** As messages name it; absent if the input does not name it. */
  readonly name?: string;
  /** The one path that it sets (`targetPath`); absent if it may set any. */
  readonly steps?: readonly Step[];
}

export interface MergedValues {
  /** Absent if no document has values. */
  readonly tree: Tree | undefined;
  readonly byDocument: ReadonlyMap<Document, MergedDocument>;
  readonly unknowns: readonly UnknownLayer[];
  /** Documents with values that are part of a manifest, not a text inside it: Flux prints them without quotes. */
  readonly unquoted: ReadonlySet<Document>;
}

export function mergedValues({ stacks }: Pick<JudgedTarget, "stacks">): MergedValues {
  const ranked = stacks
    .flatMap(({ documents }) => documents)
    .map((document, rank): MergedDocument => ({ rank, document }));
  const known = ranked.flatMap((each) =>
    each.document.root ? [[each.document.root.doc, each] as const] : [],
  );
  const unquoted = known.flatMap(([doc, { document }]) => (document.isUnquoted === true ? [doc] : []));
  return {
    tree: stacks.reduce<Tree | undefined>(
      (below, { documents, rules }) =>
        mergeTrees(
          below,
          mergeAll(
            documents.flatMap(({ root }) => root ?? []),
            rules,
          ),
        ),
      undefined,
    ),
    byDocument: new Map(known),
    unknowns: ranked.flatMap(unknownAt),
    unquoted: new Set(unquoted),
  };
}

function unknownAt({ rank, document }: MergedDocument): readonly UnknownLayer[] {
  const { unknown, owner, targetPath } = document;
  // An optional reference to a missing key adds no values.
  if (unknown === undefined || unknown === "late") return [];
  if (owner === undefined) return [{ rank }];
  const name = objectText(owner);
  const steps = targetPath === undefined ? undefined : parsePath(targetPath);
  return [steps === undefined || "wrongAt" in steps ? { rank, name } : { rank, name, steps }];
}
