// What a run of generated HelmReleases exercised: kinds beside each other, what may stand in a list, folds.
import type { ClusterObject } from "./app-list.ts";
import type { HelmCase } from "./generate-helm.ts";

const names = [
  "target",
  "target folded",
  "values found",
  "refused by Flux",
  "ConfigMap over Secret",
  "Secret over ConfigMap",
  "fold below another kind",
  "several folds of one kind",
  "optional and missing",
  "missing",
  "optional without its key",
  "without its key",
  "named key",
  "target path between layers",
  "literal",
  "sealed",
  "unparsable",
  "listed twice",
  "annotated below the list",
  "annotated at the list's priority",
  "annotated above the list",
  "annotated from another namespace",
  "inline values over a fold",
];

export class HelmCoverage {
  private readonly counts = new Map<string, number>(names.map((name) => [name, 0]));

  add(one: HelmCase, output: readonly ClusterObject[], refused: boolean): void {
    const folds = output.filter(
      ({ metadata: { annotations } }) => annotations?.["valuefold.dev/folded-from"] !== undefined,
    );
    this.count("target");
    this.count("target folded", folds.length > 0);
    this.count(refused ? "refused by Flux" : "values found");
    this.count("fold below another kind", new Set(folds.map(({ kind }) => kind)).size > 1);
    this.count(
      "several folds of one kind",
      folds.some(({ metadata }) => metadata.name === "shop-folded-2"),
    );
    this.count("inline values over a fold", folds.length > 0 && one.inline !== undefined);
    this.addList(one);
    for (const { annotated, namespace } of one.annotated) {
      const priority = annotated === "default" ? 75 : (annotated ?? 75);
      this.count("annotated below the list", priority < 50);
      this.count("annotated at the list's priority", priority === 50);
      this.count("annotated above the list", priority > 50);
      this.count("annotated from another namespace", namespace !== "org");
    }
  }

  /** Names with fewer cases than needed; `folded` if fewer than half of the targets did. */
  gaps(least: number): string[] {
    const few = names.filter((name) => this.of(name) < least);
    return [...few, ...(this.of("target folded") * 2 >= this.of("target") ? [] : ["folded"])];
  }

  summary(): string {
    return [...this.counts].map(([name, count]) => `${name}: ${count}`).join("\n");
  }

  private addList({ entries }: HelmCase): void {
    entries.forEach(({ object, valuesKey, optional, targetPath, literal }, index) => {
      const next = entries[index + 1]?.object.kind;
      const lacksKey = object.key === "other.yaml" && object.state === "present";
      this.count("ConfigMap over Secret", object.kind === "Secret" && next === "ConfigMap");
      this.count("Secret over ConfigMap", object.kind === "ConfigMap" && next === "Secret");
      this.count(optional ? "optional and missing" : "missing", object.state === "missing");
      this.count(optional ? "optional without its key" : "without its key", lacksKey);
      this.count("named key", valuesKey !== undefined);
      const between = index > 0 && next !== undefined;
      this.count("target path between layers", targetPath !== undefined && between);
      this.count("literal", targetPath !== undefined && literal);
      this.count("sealed", object.state === "sealed");
      this.count("unparsable", object.state === "broken");
      this.count("listed twice", entries.findIndex((other) => other.object.name === object.name) !== index);
    });
  }

  private of(name: string): number {
    return this.counts.get(name) ?? 0;
  }

  private count(name: string, holds = true): void {
    if (holds) this.counts.set(name, this.of(name) + 1);
  }
}
