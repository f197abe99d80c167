// What a run of generated cases exercised: rows of the merge table, barriers, splits, tie rules, folds.
import type { AppCase } from "./generate-app.ts";
import { readItems } from "./app-list.ts";
import { mergeTexts } from "./layers.ts";
import { naiveOrder, type Placed } from "./naive-order.ts";
import { headOfTree, leafOf, membersOf, type Tree } from "../../src/merge/tree.ts";

const kinds = ["mapping", "empty-mapping", "null", "scalar", "sequence"] as const;
const rows = kinds
  .flatMap((base) => kinds.map((override) => `${override} over ${base}`))
  .concat("empty document over values");
const barriers = ["late-bound", "sealed", "broken", "unseen", "reserved"].map((why) => `barrier ${why}`);
const others = [
  "split",
  "other namespace",
  "tie in the list",
  "tie of annotations",
  "list before annotation",
  "annotation before slot",
];

interface Folded {
  readonly metadata: { readonly annotations?: { readonly [key: string]: string } };
}

export class Coverage {
  private readonly counts = new Map<string, number>(
    [...rows, ...barriers, ...others, "target", "target folded"].map((name) => [name, 0]),
  );

  add(one: AppCase, output: string): void {
    const folds = readItems(output).flatMap((item: Folded) => {
      const record = item.metadata.annotations?.["valuefold.dev/folded-from"];
      return record === undefined
        ? []
        : [(JSON.parse(record) as { layers: { name: string }[] }).layers.map(({ name }) => name)];
    });
    this.count("target");
    if (folds.length > 0) this.count("target folded");
    for (const kind of ["ConfigMap", "Secret"] as const) this.addStack(naiveOrder(one, kind), folds);
  }

  /** Names with fewer cases than needed; `folded` if fewer than half of the targets did. */
  gaps(least: number): string[] {
    const wanted = [...rows, ...barriers, ...others].filter((name) => (this.counts.get(name) ?? 0) < least);
    const folded = (this.counts.get("target folded") ?? 0) * 2 >= (this.counts.get("target") ?? 0);
    return [...wanted, ...(folded ? [] : ["folded"])];
  }

  summary(): string {
    return [...this.counts].map(([name, count]) => `${name}: ${count}`).join("\n");
  }

  private addStack(order: readonly Placed[], folds: readonly (readonly string[])[]): void {
    order.forEach((placed, index) => {
      const [below, above] = [order.slice(0, index), order.slice(index + 1)];
      const between = [below, above].every((side) => side.some(({ why }) => why === "layer"));
      if (placed.why !== "layer" && between) this.count(`barrier ${placed.why}`);
      const next = order[index + 1];
      if (placed.why === "layer" && next?.why === "layer") this.addPair(placed, next, folds);
    });
    for (const names of folds)
      this.addRows(names.flatMap((name) => order.find(({ label }) => label === name)?.object?.text ?? []));
  }

  private addPair(lower: Placed, upper: Placed, folds: readonly (readonly string[])[]): void {
    if (lower.object?.namespace !== upper.object?.namespace) return this.count("other namespace");
    if (lower.object?.unsubstituted !== upper.object?.unsubstituted) return;
    if (!folds.some((names) => names.includes(lower.label) && names.includes(upper.label)))
      this.count("split");
    if (lower.priority !== upper.priority) return;
    if (lower.from === "list" && upper.from === "list") this.count("tie in the list");
    if (lower.from === "annotation" && upper.from === "annotation") this.count("tie of annotations");
    if (lower.from === "list" && upper.from === "annotation") this.count("list before annotation");
    if (lower.from === "annotation" && upper.from === "slot") this.count("annotation before slot");
  }

  private addRows(texts: readonly string[]): void {
    const { layers } = mergeTexts(texts, (base, override) => {
      if (override.row > 0) this.count(`${kindOf(leafOf(override))} over ${kindOf(base)}`);
    });
    layers.forEach(({ root }, index) => {
      if (root === undefined && layers.slice(0, index).some((layer) => layer.root !== undefined))
        this.count("empty document over values");
    });
  }

  private count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }
}

export function coverageOf(): Coverage {
  return new Coverage();
}

function kindOf(tree: Tree): (typeof kinds)[number] {
  const members = membersOf(tree);
  if (members !== undefined) return members.size === 0 ? "empty-mapping" : "mapping";
  const value = headOfTree(tree).value;
  if (value.isSequence) return "sequence";
  return !value.isMapping && value.children().length === 0 && value.isNull ? "null" : "scalar";
}
