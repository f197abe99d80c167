// Names of folded items. A name that anything else has, or means, is never taken.
import { createHash } from "node:crypto";
import { type Diagnostic, formatItem } from "./diagnostic.ts";
import type { Fold, LayerKind, Run } from "./model.ts";
import { foldedMark, readRecord } from "./record.ts";
import type { Settings } from "./settings.ts";
import { describe, type Item, refOf } from "./wire/item.ts";

const hashLength = 10;

export interface Named {
  readonly kind: LayerKind;
  readonly name: string;
  readonly namespace: string | undefined;
}

export class Names {
  /** Who has a name, as messages put it. */
  private readonly owners = new Map<string, string>();
  /** Names of folded items that stay, by target: they keep their numbers, whatever their namespace. */
  private readonly staying = new Set<string>();

  /**
   * @param referenced what targets reference without its being in the list: the cluster may have it
   * @param restored folded items taken apart again, whose names are free
   */
  constructor(items: readonly Item[], referenced: readonly Named[], restored: ReadonlySet<Item>) {
    for (const { kind, name, namespace } of referenced) {
      this.owners.set(keyOf(kind, namespace, name), "a reference in the list");
    }
    for (const item of items.filter((each) => !restored.has(each))) {
      this.owners.set(keyOf(item.kind, item.namespace, item.name), `\`${describe(item)}\``);
      if (item.annotations.has(foldedMark))
        this.staying.add(keyOf(item.kind, readRecord(item)?.target, item.name));
    }
  }

  /** Names the runs of one stack, from the top down: `-folded`, `-folded-2`, … */
  assign(runs: readonly Run[], output: Settings["output"]): { folds: Fold[]; faults: Diagnostic[] } {
    const faults: Diagnostic[] = [];
    let place = 0;
    const folds = runs.toReversed().map((run): Fold => {
      const { kind, target } = run.stack;
      const owner = describe(target);
      let name = nameOf(run, ++place, output);
      while (this.staying.has(keyOf(kind, owner, name))) name = nameOf(run, ++place, output);
      const namespace = run.layers[0]?.item.namespace;
      const taken = this.owners.get(keyOf(kind, namespace, name));
      if (taken !== undefined) faults.push(nameTaken(run, name, taken));
      this.owners.set(keyOf(kind, namespace, name), `the fold of \`${owner}\``);
      return { ...run, name, namespace };
    });
    return { folds: folds.toReversed(), faults };
  }
}

function nameOf(
  { stack, layers, text }: Run,
  place: number,
  { name, hashSuffix }: Settings["output"],
): string {
  const base = name
    .replaceAll("{name}", () => stack.target.name)
    .replaceAll("{kind}", () => stack.target.kind.toLowerCase());
  const hashed =
    hashSuffix === "true" || (hashSuffix === "auto" && layers.some(({ item }) => wantsHash(item)));
  const numbered = place === 1 ? base : `${base}-${place}`;
  return hashed
    ? `${numbered}-${createHash("sha256").update(text).digest("hex").slice(0, hashLength)}`
    : numbered;
}

/** kustomize's own mark; a folded item never carries it, as kustomize would rename it and follow no reference. */
function wantsHash({ annotations }: Item): boolean {
  return annotations.get("internal.config.kubernetes.io/needsHashSuffix") === "enabled";
}

function keyOf(kind: string, namespace: string | undefined, name: string): string {
  return `${kind}/${namespace ?? ""}/${name}`;
}

function nameTaken({ stack }: Run, name: string, owner: string): Diagnostic {
  const { target, kind } = stack;
  return {
    code: "name-taken",
    severity: "error",
    item: refOf(target),
    at: { text: describe(target) },
    message: `the folded item would be \`${formatItem({ kind, name })}\`, a name that ${owner} has`,
    hint: 'choose another with the setting `output.name`, e.g. "{name}-{kind}-folded"',
  };
}
