// Values texts → merged tree and text, by the code under test.
import { meet, type OnMeet } from "../../src/merge/meet.ts";
import { merge } from "../../src/merge/merge.ts";
import { type MergeRule, Rules } from "../../src/merge/rules.ts";
import { settled } from "../../src/merge/settle.ts";
import { leafOf, type Tree } from "../../src/merge/tree.ts";
import { readValues, type Values } from "../../src/layers/values.ts";
import { writeValues } from "../../src/merge/write.ts";

export interface Merged {
  readonly layers: readonly Values[];
  readonly tree: Tree | undefined;
  readonly text: string;
}

/** Merges texts from the left; throws on a text that does not read. */
export function mergeTexts(
  texts: readonly string[],
  onMeet?: OnMeet,
  merging: readonly MergeRule[] = [],
): Merged {
  const rules = Rules.of(merging);
  const layers = texts.map((text) => readValues(Buffer.from(text, "utf8")));
  const faults = layers.flatMap(({ faults: found }) => found);
  if (faults.length > 0) throw new Error(JSON.stringify(faults));
  const roots = layers.flatMap(({ root }) => root ?? []);
  let tree: Tree | undefined;
  for (const root of roots) {
    if (tree !== undefined && onMeet !== undefined) meet(tree, root, onMeet, rules);
    tree = tree === undefined ? leafOf(root) : merge(tree, root, { overridesAtom: false }, rules);
  }
  if (tree !== undefined && rules !== undefined) tree = settled(tree, rules);
  return { layers, tree, text: Buffer.from(writeValues(tree)).toString("utf8") };
}
