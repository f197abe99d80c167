// Names of folded items. A name that another item has, or that a reference means, is never used.
import {
  endsInContentHash,
  isLayerItem,
  type Fold,
  type Reference,
  type Restoration,
  type Run,
  type Target,
} from "../../layers/index.ts";
import { Mark, type Item, atItem } from "../../krm/index.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import { type ObjectId, objectKey, objectText } from "../../object-id.ts";
import { readRecord } from "../refold/record.ts";
import type { NameIndex } from "../select/names.ts";
import { defaultSettings, type Settings } from "../../settings/index.ts";

const hashLength = 10;
/** The bound of a DNS subdomain, and so of object names. */
const longestName = 253;

/** The names in use. */
export interface NamesInUse {
  readonly items: readonly Item[];
  /** The same items, by name. */
  readonly names: NameIndex;
  /** Folded items with a reported error: that they keep their names follows from it. */
  readonly refused: ReadonlySet<Item>;
  /** Objects that targets reference and that are not in the list: the cluster may have them. */
  readonly referenced: readonly ObjectId[];
  /** Folded items of an earlier run: names of restored ones are free, the others keep their number with any hash. */
  readonly earlier: ReadonlyMap<Target, readonly Restoration[]>;
}

export class Names {
  private readonly names: NameIndex;
  /** Items with names that are free. */
  private readonly free: ReadonlySet<Item>;
  /** The target of each assigned name. */
  private readonly folded = new Map<string, Target>();
  private readonly referenced = new Set<string>();
  /** Names of folded items that stay, by target: they keep their numbers, whatever their namespace. */
  private readonly staying = new Set<string>();

  constructor({ items, names, refused, referenced, earlier }: NamesInUse) {
    // A prefix may have renamed the target since: its record still has the former name.
    const staying = new Map<Item, Target>(
      [...earlier].flatMap(([target, own]) => own.map(({ item }) => [item, target] as const)),
    );
    const restored = [...earlier.values()].flat().filter(({ stays }) => !stays);
    this.names = names;
    this.free = new Set([...refused, ...restored.map(({ item }) => item)]);
    for (const each of referenced) this.referenced.add(objectKey(each));
    for (const item of items) {
      const isFolded = item.annotations.has(Mark.foldedFrom) && isLayerItem(item) && !this.free.has(item);
      const record = isFolded ? readRecord(item) : undefined;
      if (record === undefined) continue;
      const target = staying.get(item);
      const owner = target === undefined ? record.target : objectText(target);
      // The names in its record must not get another meaning.
      for (const { kind, name } of [item, ...record.layers])
        for (const known of staying.has(item) ? [name, withoutHash(name)] : [name])
          this.staying.add(objectKey({ kind, namespace: owner, name: known }));
    }
  }

  /** Names the runs of one stack, from the top down: `-folded`, `-folded-2`, … */
  assign(runs: readonly Run[], output: Settings["output"]): { folds: Fold[]; faults: Diagnostic[] } {
    const faults: Diagnostic[] = [];
    const places = { ConfigMap: 0, Secret: 0 };
    const folds = runs.toReversed().map((run): Fold => {
      const { kind, stack } = run;
      const owner = objectText(stack.target);
      const alone = stack.placedBefore !== undefined;
      // A fold without a target item has one name, which others rely on; it skips no number.
      const stays = (known: string): boolean =>
        !alone && this.staying.has(objectKey({ kind, namespace: owner, name: known }));
      let name = nameOf(run, ++places[kind], output);
      while (stays(name) || stays(numberedName(run, places[kind], output)))
        name = nameOf(run, ++places[kind], output);
      // A layer without a namespace goes to the namespace of its target.
      const layers = stack.atHome === true ? undefined : run.layers[0]?.item.namespace;
      const namespace = layers ?? stack.target.namespace;
      const taken = this.ownerOf({ kind, namespace, name }, alone);
      if (name.length > longestName) faults.push(nameTooLong(run, name));
      else if (taken !== undefined) faults.push(nameTaken(run, name, taken));
      this.folded.set(objectKey({ kind, namespace, name }), stack.target);
      // What is added comes first: behind what is spread, it gives each object a shape of its own, which makes all that reads it slow.
      return { name, namespace, ...run };
    });
    return { folds: folds.toReversed(), faults };
  }

  /** @param alone true for a name that consumers reference on their own */
  private ownerOf(object: ObjectId, alone: boolean): string | undefined {
    const { kind, namespace, name } = object;
    const key = objectKey(object);
    const target = this.folded.get(key);
    if (target !== undefined) return `the fold of \`${objectText(target)}\``;
    const item = this.names
      .within(kind, name, namespace)
      .findLast((each) => each.name === name && each.namespace === namespace && !this.free.has(each));
    if (item !== undefined) return `\`${objectText(item)}\``;
    return !alone && this.referenced.has(key) ? "a reference in the list" : undefined;
  }
}

function numberedName({ stack }: Run, place: number, { name }: Settings["output"]): string {
  const base = baseName(name, stack.target);
  return place === 1 ? base : `${base}-${place}`;
}

function nameOf(run: Run, place: number, output: Settings["output"]): string {
  const { layers, text, inputs } = run;
  const { hashSuffix } = output;
  const hashed =
    String(hashSuffix) === "true" || (hashSuffix === "auto" && layers.some(({ item }) => wantsHash(item)));
  const numbered = numberedName(run, place, output);
  if (!hashed) return numbered;
  const digest = inputs ?? text.digest();
  return `${numbered}-${digest.slice("sha256:".length, "sha256:".length + hashLength)}`;
}

function withoutHash(name: string): string {
  return name.replace(new RegExp(`-[0-9a-f]{${hashLength}}$`), "");
}

function baseName(pattern: string, { name, kind }: Target): string {
  return pattern.replaceAll("{name}", () => name).replaceAll("{kind}", () => kind.toLowerCase());
}

/** True for a possible name of a fold of the target: by the setting, or by the default. */
export function isFoldName(name: string, target: Target, output: Settings["output"]): boolean {
  return [output.name, defaultSettings.output.name].some((pattern) => {
    const base = baseName(pattern, target);
    return name.startsWith(base) && name.slice(base.length).replace(suffix, "") === "";
  });
}

/** A number, a hash, or both. */
const suffix = /(?:-[0-9]+)?(?:-[0-9a-f]{10})?$/;

/** True for a name that differs from a folded item's only in number or hash. */
export function isSiblingName(name: string, folded: string): boolean {
  return name !== folded && name.replace(suffix, "") === folded.replace(suffix, "");
}

/** kustomize's own mark, or in a plain pipe its own hash; a folded item never has the mark, because kustomize would rename it and follow no reference. */
function wantsHash(item: Item): boolean {
  return item.annotations.get(Mark.needsHashSuffix) === "enabled" || endsInContentHash(item);
}

/** A target that still references its fold, though the item with the record is gone: its values are unknown. */
export function foldLost(target: Target, { kind, name, slot, index }: Reference): Diagnostic {
  const field = index === undefined ? `spec.${slot}` : `spec.${slot}[${index}]`;
  return {
    code: "folded-dangling",
    severity: "error",
    ...atItem(target),
    field,
    message: `\`${field}\` names \`${objectText({ kind, name })}\`, a fold for this ${target.kind} that is gone`,
    reason: "its layers are gone, too",
    hint: "restore its file from version control, or the target's earlier references",
  };
}

function nameTooLong({ stack: { target }, kind }: Run, name: string): Diagnostic {
  return {
    code: "invalid-name",
    severity: "error",
    ...atItem(target),
    message: `the folded ${kind} would have a name of ${name.length} characters`,
    reason: `Kubernetes allows ${longestName}`,
    hint: 'choose a shorter pattern with the setting `output.name`, e.g. "{name}-f", or a shorter name for the target',
  };
}

function nameTaken({ stack, kind }: Run, name: string, owner: string): Diagnostic {
  const { target } = stack;
  return {
    code: "name-taken",
    severity: "error",
    ...atItem(target),
    message: `the folded item would be \`${objectText({ kind, name })}\``,
    reason: `${owner} has this name`,
    hint: 'choose another with the setting `output.name`, e.g. "{name}-{kind}-folded"',
  };
}
