// Names of folded items. A name that anything else has, or means, is never taken.
import { type Diagnostic, formatItem } from "./diagnostic.ts";
import type { Fold, LayerKind, Run } from "./model.ts";
import { describe, type Item, refOf } from "./wire/item.ts";

/** The annotation that marks a folded item and records what it was folded from. */
export const foldedMark = "valuefold.dev/folded-from";

export interface Named {
  readonly kind: LayerKind;
  readonly name: string;
  readonly namespace: string | undefined;
}

export class Names {
  private readonly owners = new Map<string, string>();

  /** @param referenced what targets reference without its being in the list: the cluster may have it */
  constructor(items: readonly Item[], referenced: readonly Named[]) {
    for (const { kind, name, namespace } of referenced) this.owners.set(keyOf(kind, namespace, name), "a reference");
    for (const item of items) {
      if (!item.annotations.has(foldedMark)) this.owners.set(keyOf(item.kind, item.namespace, item.name), `\`${describe(item)}\``);
    }
  }

  /** Names the runs of one target and kind, from the top down: `-folded`, `-folded-2`, … */
  assign(runs: readonly Run[], pattern: string): { folds: Fold[]; faults: Diagnostic[] } {
    const faults: Diagnostic[] = [];
    const folds = runs.map((run, index) => {
      const place = runs.length - index;
      const { target, kind } = run.stack;
      const base = pattern.replaceAll("{name}", () => target.name).replaceAll("{kind}", () => target.kind.toLowerCase());
      const name = place === 1 ? base : `${base}-${place}`;
      const namespace = run.layers[0]?.item.namespace;
      const key = keyOf(kind, namespace, name);
      const owner = this.owners.get(key);
      if (owner !== undefined) faults.push(taken(run, name, owner));
      this.owners.set(key, `the fold of \`${describe(target)}\``);
      return { ...run, name, namespace };
    });
    return { folds, faults };
  }
}

function keyOf(kind: string, namespace: string | undefined, name: string): string {
  return `${kind}/${namespace ?? ""}/${name}`;
}

function taken({ stack }: Run, name: string, owner: string): Diagnostic {
  const { target, kind } = stack;
  return {
    code: "name-taken", severity: "error", item: refOf(target), at: { text: describe(target) },
    message: `the folded item would be \`${formatItem({ kind, name })}\`, a name that ${owner} has`,
    hint: "choose another with the setting `output.name`, e.g. \"{name}-{kind}-folded\"",
  }; // prettier-ignore
}
