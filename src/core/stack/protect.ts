// Paths that only some layers may set (setting `protect`): which other layers of a stack set them. Looks at every
// layer, folded or not; costs nothing where nothing is protected.
import type { Context } from "../context.ts";
import { type Diagnostic, formatItem, type ItemRef, type Position } from "../../diagnostic.ts";
import {
  isText,
  positionOf,
  positionOfLayer,
  readValues,
  type Barrier,
  type Layer,
  type Stack,
} from "../../layers/index.ts";
import { compare, parsePath, pathText, type Step, leafOf, isUnchanged } from "../../merge/index.ts";
import { type FoldRecord, readRecord } from "../refold/record.ts";
import { Mark, refOf, placeOf } from "../../krm/index.ts";
import type { Node } from "../../yaml/index.ts";
import { type UnknownProtection, whyUnknown, notKeys, partlyAllowed } from "./unknown-protection.ts";
import { type LayerOwner, isAllowed, permissionText, type Protection, protectionsFor } from "./protection.ts";
import { entryAt, mappingsAbove, type Setting, settingsAt } from "./settings-at.ts";
import { readStack, type ReadEntry } from "./stack-entries.ts";

/**
 * Faults of layers that break a rule, and of layers that may break it and cannot be read.
 * @param inline values that the target holds itself, over all layers
 */
export function protectedFaults(stack: Stack, inline: Node | undefined, context: Context): Diagnostic[] {
  if (context.settings.protect === undefined) return [];
  const protections = protectionsFor(stack.target, context.settings);
  if (protections.length === 0) return [];
  const own = inline === undefined ? [] : [{ isInline: true, root: inline }];
  const stackEntries = [...readStack(stack, context.layers), ...own];
  return protections.flatMap((protection) =>
    new ProtectionCheck(protection, stack, context).faultsOf(stackEntries),
  );
}

class ProtectionCheck {
  private readonly protection: Protection;
  private readonly stack: Stack;
  private readonly context: Context;
  private readonly parents = new Set<string>();

  constructor(protection: Protection, stack: Stack, context: Context) {
    this.protection = protection;
    this.stack = stack;
    this.context = context;
  }

  faultsOf(stackEntries: readonly ReadEntry[]): Diagnostic[] {
    return stackEntries.flatMap((stackEntry, index) => {
      const root = stackEntry.root ?? rootOfText(stackEntry);
      const settings = root === undefined ? [] : settingsAt(root, this.protection.steps);
      const below = stackEntries.slice(0, index);
      const opening = root === undefined ? [] : this.opening(root, below);
      const found = this.faults(stackEntry, [...settings, ...opening], below);
      for (const { path, isAbove } of settings) if (!isAbove) this.rememberParents(path);
      return found;
    });
  }

  /** Mappings that take the place of a null or a text above the path. */
  private opening(root: Node, below: readonly ReadEntry[]): readonly Setting[] {
    if (below.length === 0 || !root.value.isMapping) return [];
    return mappingsAbove(root, this.protection.steps).filter(({ path }) => {
      const lower = valueBelow(path, below);
      return lower !== undefined && !lower.node.value.isMapping;
    });
  }

  /** Remembers every mapping above a protected value. */
  private rememberParents(path: readonly string[]): void {
    for (let length = path.length - 1; length > 0; length--) {
      const key = keyOf(path.slice(0, length));
      if (this.parents.has(key)) return;
      this.parents.add(key);
    }
  }

  private faults(
    stackEntry: ReadEntry,
    settings: readonly Setting[],
    below: readonly ReadEntry[],
  ): Diagnostic[] {
    const owner = this.ownerOf(stackEntry);
    if (owner === undefined) return [];
    const permission = this.permissionOf(stackEntry, owner);
    if (permission === "all") return [];
    if (stackEntry.barrier?.why === "target-path") return this.byTargetPath(stackEntry.barrier, owner);
    const unknown = whyUnknown(stackEntry);
    if (unknown !== undefined) return [this.unknownFault(owner, unknown)];
    const [first, ...more] = this.broken(stackEntry, settings, below);
    if (first === undefined) return [];
    return [
      permission === "some"
        ? this.unknownFault(owner, partlyAllowed)
        : this.fault(stackEntry, owner, first, more.length, below),
    ];
  }

  private ownerOf({ layer, barrier, isInline }: ReadEntry): LayerOwner | undefined {
    const { target } = this.stack;
    if (layer !== undefined)
      return { ...refOf(layer.item), namespace: layer.item.namespace, priority: layer.priority };
    if (isInline === true)
      return { kind: target.kind, name: target.name, namespace: target.namespace, priority: Infinity };
    const reference = barrier?.reference;
    if (barrier === undefined || reference === undefined) return undefined;
    const { kind, name, namespace = target.namespace } = reference;
    return { kind, name, namespace, priority: barrier.priority };
  }

  /** For a layer folded earlier, the source of a value is unknown: only whether all, some or none of its layers may set it. */
  private permissionOf({ layer }: ReadEntry, owner: LayerOwner): "all" | "some" | "none" {
    const record = layer === undefined ? undefined : this.recordOf(layer);
    const owners = record?.layers.map((each): LayerOwner => ({
      ...each,
      namespace: each.namespace ?? owner.namespace,
    }));
    const allowed = (owners ?? [owner]).map((each) => isAllowed(each, this.protection.rule));
    if (allowed.every(Boolean)) return "all";
    return allowed.some(Boolean) ? "some" : "none";
  }

  /** Only a record with the digest of its text is valid: any user can write an annotation. */
  private recordOf({ item }: Layer): FoldRecord | undefined {
    if (!item.annotations.has(Mark.foldedFrom)) return undefined;
    const { holdings } = this.context;
    const record = readRecord(item);
    const [key] = holdings.keysOf(item);
    const text = key === undefined ? undefined : holdings.textOf(item, key);
    const fits = isText(text) && text.digest() === record?.digest && record.layers.length > 0;
    return fits ? record : undefined;
  }

  /** Flux sets one value there, over all layers below. */
  private byTargetPath({ reference }: Barrier, owner: LayerOwner): Diagnostic[] {
    const { rule, steps } = this.protection;
    const path = reference?.node === undefined ? "" : (reference.node.textAt("targetPath") ?? "");
    const set = parsePath(path);
    const keys = "wrongAt" in set ? undefined : set.map((step) => ("key" in step ? step.key : undefined));
    if (keys === undefined || keys.includes(undefined)) return [this.unknownFault(owner, notKeys)];
    if (compare(keys as string[], steps) === undefined) return [];
    const { target } = this.stack;
    return [
      {
        code: "protected-path",
        severity: "error",
        message: `\`${rule.path}\` is protected, and \`targetPath: ${path}\` sets it`,
        reason: `only ${permissionText(rule)} may set it`,
        item: ownerRef(owner),
        at: placeOf(target),
        hint: "remove the entry, or have it allowed in the setting `protect`",
      },
    ];
  }

  private broken({ layer }: ReadEntry, settings: readonly Setting[], below: readonly ReadEntry[]): Setting[] {
    const isExact = this.protection.steps.every((step) => "key" in step);
    return settings.filter(({ path, node, isAbove }) => {
      // With `*` any value may be above: only existing ones can be lost.
      if (isAbove && !node.value.isMapping && !isExact && !this.parents.has(keyOf(path))) return false;
      const lower = valueBelow(path, below);
      if (lower === undefined) return true;
      // A message never reveals whether a secret equals another value.
      if (this.isSecret(layer) || this.isSecret(lower.stackEntry.layer)) return true;
      if (isEmptyMapping(node) && lower.node.value.isMapping) return false;
      return !isUnchanged(leafOf(node), leafOf(lower.node));
    });
  }

  private isSecret(layer: Layer | undefined): boolean {
    return layer !== undefined && this.context.layers.isSecret(layer);
  }

  private fault(
    { layer }: ReadEntry,
    owner: LayerOwner,
    { path, node, isAbove }: Setting,
    more: number,
    below: readonly ReadEntry[],
  ): Diagnostic {
    const { rule } = this.protection;
    const { layers } = this.context;
    const { target } = this.stack;
    const isSecret = this.isSecret(layer);
    const own = pathText(path);
    const part = isAbove ? `\`${own}\` replaces it` : `\`${own}\` is part of it`;
    const isWhole = isExactly(path, this.protection.steps);
    const set = isSecret || isWhole ? "" : `, and ${part}`;
    const others = more === 0 || isSecret ? "" : `; ${more} more in this layer`;
    const at = (of: Layer | undefined, entry: Node): Position =>
      of === undefined
        ? { ...placeOf(target), text: `${formatItem(target)} spec.values`, offset: entry.entryStart }
        : positionOf(of, target, layers, entry.entryStart);
    const lower = valueBelow(path, below);
    return {
      code: "protected-path",
      severity: "error",
      message: `\`${rule.path}\` is protected${set}: only ${permissionText(rule)} may set it${others}`,
      item: ownerRef(owner),
      at: at(layer, node),
      ...(lower === undefined ? {} : { also: [this.placeOfLower(lower, at)] }),
      hint: "remove it from this layer, or have it allowed in the setting `protect`",
    };
  }

  /** No position inside a Secret: it would reveal that the key exists. */
  private placeOfLower(
    { stackEntry: { layer }, node }: LowerValue,
    at: (of: Layer | undefined, entry: Node) => Position,
  ): Position {
    const { layers } = this.context;
    return layer !== undefined && this.isSecret(layer)
      ? positionOfLayer(layer, this.stack.target, layers)
      : at(layer, node);
  }

  private unknownFault(owner: LayerOwner, { severity, why, hint }: UnknownProtection): Diagnostic {
    return {
      code: "protected-path",
      severity,
      message: `\`${this.protection.rule.path}\` of ${formatItem(this.stack.target)} is protected`,
      reason: `it is unknown here whether \`${formatItem(owner)}\` sets it: ${why}`,
      item: ownerRef(owner),
      hint,
    };
  }
}

function ownerRef({ kind, name, namespace }: LayerOwner): ItemRef {
  return { kind, name, ...(namespace === undefined ? {} : { namespace }) };
}

/** A file that is replaced whole may hold values for its consumer. */
function rootOfText({ whole }: ReadEntry): Node | undefined {
  return whole === undefined ? undefined : readValues(Buffer.from(whole, "utf8")).root;
}

function keyOf(path: readonly string[]): string {
  return JSON.stringify(path);
}

/** True for exactly the path of a rule without wildcards, whatever the spelling of its keys. */
function isExactly(path: readonly string[], steps: readonly Step[]): boolean {
  return path.length === steps.length && steps.every((step) => "key" in step);
}

/** An empty mapping over a mapping changes nothing. */
function isEmptyMapping(node: Node): boolean {
  const value = node.value;
  return value.isMapping && value.members().length === 0;
}

interface LowerValue {
  readonly stackEntry: ReadEntry;
  readonly node: Node;
}

/** The value at a path below a layer; undefined if no layer sets one, or it is unknown. */
function valueBelow(path: readonly string[], below: readonly ReadEntry[]): LowerValue | undefined {
  for (const stackEntry of below.toReversed()) {
    if (stackEntry.root === undefined) {
      if (stackEntry.layer === undefined || whyUnknown(stackEntry) !== undefined) return undefined;
      continue;
    }
    const found = entryAt(stackEntry.root, path);
    if (found === "other") return undefined;
    if (found !== undefined) return { stackEntry, node: found };
  }
  return undefined;
}
