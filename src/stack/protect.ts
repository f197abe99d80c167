// Paths that only some layers may set (setting `protect`): which layers of a stack set them all the same. Looks at every
// layer, folded or not; costs nothing where nothing is protected.
import type { Context } from "../context.ts";
import { type Diagnostic, formatItem, type Position } from "../diagnostic.ts";
import { isText } from "../layer/held.ts";
import { positionOf, positionOfLayer } from "../layer/origin.ts";
import { readValues } from "../layer/values.ts";
import { compare, parsePath, pathText, type Step } from "../merge/path.ts";
import { leafOf } from "../merge/tree.ts";
import { isUnchanged } from "../merge/unchanged.ts";
import type { Barrier, Layer, Stack } from "../model.ts";
import { type FoldRecord, readRecord } from "../refold/record.ts";
import { Mark } from "../wire/annotation-names.ts";
import { refOf, textAt } from "../wire/item.ts";
import { placeOf } from "../wire/place.ts";
import { Field, field, isMapping, type Node, valueOf } from "../yaml/tape.ts";
import { entryNodes } from "../yaml/view.ts";
import { type Doubt, doubtAbout, noPath, untold } from "./doubts.ts";
import { type Bearer, isAllowed, permissionText, type Protection, protectionsFor } from "./protection.ts";
import { heldAt, type Setting, settingsAt } from "./settings-at.ts";
import { readStack, type Standing } from "./standings.ts";

/**
 * What breaks a rule, and what may and nobody can see it.
 * @param inline values that the target holds itself, over all layers
 */
export function protectedFaults(stack: Stack, inline: Node | undefined, context: Context): Diagnostic[] {
  if (context.settings.protect === undefined) return [];
  const protections = protectionsFor(stack.target, context.settings);
  if (protections.length === 0) return [];
  const own = inline === undefined ? [] : [{ isInline: true, root: inline }];
  const standings = [...readStack(stack, context.layers), ...own];
  return protections.flatMap((protection) => new Check(protection, stack, context).faultsOf(standings));
}

class Check {
  private readonly protection: Protection;
  private readonly stack: Stack;
  private readonly context: Context;
  private readonly ways = new Set<string>();

  constructor(protection: Protection, stack: Stack, context: Context) {
    this.protection = protection;
    this.stack = stack;
    this.context = context;
  }

  faultsOf(standings: readonly Standing[]): Diagnostic[] {
    return standings.flatMap((standing, index) => {
      const root = standing.root ?? rootOfText(standing);
      const settings = root === undefined ? [] : settingsAt(root, this.protection.steps);
      const found = this.faults(standing, settings, standings.slice(0, index));
      for (const { path, isAbove } of settings) if (!isAbove) this.rememberWay(path);
      return found;
    });
  }

  /** Every mapping on the way to something that the path finds. */
  private rememberWay(path: readonly string[]): void {
    for (let length = path.length - 1; length > 0; length--) {
      const way = wayOf(path.slice(0, length));
      if (this.ways.has(way)) return;
      this.ways.add(way);
    }
  }

  private faults(standing: Standing, settings: readonly Setting[], below: readonly Standing[]): Diagnostic[] {
    const bearer = this.bearerOf(standing);
    if (bearer === undefined) return [];
    const permission = this.permissionOf(standing, bearer);
    if (permission === "all") return [];
    if (standing.barrier?.why === "target-path") return this.byTargetPath(standing.barrier, bearer);
    const doubt = doubtAbout(standing);
    if (doubt !== undefined) return [this.undecided(bearer, doubt)];
    const [first, ...more] = this.broken(standing, settings, below);
    if (first === undefined) return [];
    return [
      permission === "some"
        ? this.undecided(bearer, untold)
        : this.fault(standing, bearer, first, more.length, below),
    ];
  }

  private bearerOf({ layer, barrier, isInline }: Standing): Bearer | undefined {
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

  /** Of what an earlier run folded nobody knows whose a value was: only whether all, some or none of it may set it. */
  private permissionOf({ layer }: Standing, bearer: Bearer): "all" | "some" | "none" {
    const record = layer === undefined ? undefined : this.recordOf(layer);
    const bearers = record?.layers.map((each): Bearer => ({
      ...each,
      namespace: each.namespace ?? bearer.namespace,
    }));
    const allowed = (bearers ?? [bearer]).map((each) => isAllowed(each, this.protection.rule));
    if (allowed.every(Boolean)) return "all";
    return allowed.some(Boolean) ? "some" : "none";
  }

  /** Only a record that fits tells anything: anybody can write an annotation. */
  private recordOf({ item }: Layer): FoldRecord | undefined {
    if (!item.annotations.has(Mark.foldedFrom)) return undefined;
    const { holdings } = this.context;
    const record = readRecord(item);
    const [key] = holdings.keysOf(item);
    const text = key === undefined ? undefined : holdings.textOf(item, key);
    const fits = isText(text) && text.digest() === record?.digest && record.layers.length > 0;
    return fits ? record : undefined;
  }

  /** Flux sets one value there, over all that lies below. */
  private byTargetPath({ reference }: Barrier, bearer: Bearer): Diagnostic[] {
    const { rule, steps } = this.protection;
    const path = reference?.node === undefined ? "" : (textAt(reference.node, "targetPath") ?? "");
    const set = parsePath(path);
    const keys = "wrongAt" in set ? undefined : set.map((step) => ("key" in step ? step.key : undefined));
    if (keys === undefined || keys.includes(undefined)) return [this.undecided(bearer, noPath)];
    if (compare(keys as string[], steps) === undefined) return [];
    const { kind, name, namespace } = bearer;
    const { target } = this.stack;
    return [
      {
        code: "protected-path",
        severity: "error",
        message: `\`${rule.path}\` is protected, and \`targetPath: ${path}\` sets it: only ${permissionText(rule)} may`,
        item: { kind, name, ...(namespace === undefined ? {} : { namespace }) },
        at: placeOf(target),
        hint: "take the entry out, or let whoever writes the setting `protect` allow it",
      },
    ];
  }

  private broken({ layer }: Standing, settings: readonly Setting[], below: readonly Standing[]): Setting[] {
    const isExact = this.protection.steps.every((step) => "key" in step);
    return settings.filter(({ path, node, isAbove }) => {
      // With `*` anything may lie above: only what is there can be lost.
      if (isAbove && !isExact && !this.ways.has(wayOf(path))) return false;
      const lower = heldBelow(path, below);
      if (lower === undefined) return true;
      // Whether a secret is what something else is, nobody learns.
      if (this.isSecret(layer) || this.isSecret(lower.standing.layer)) return true;
      if (isNothing(node) && isMapping(valueOf(lower.node))) return false;
      return !isUnchanged(leafOf(node), leafOf(lower.node));
    });
  }

  private isSecret(layer: Layer | undefined): boolean {
    return layer !== undefined && this.context.layers.isSecret(layer);
  }

  private fault(
    { layer }: Standing,
    { kind, name, namespace }: Bearer,
    { path, node, isAbove }: Setting,
    more: number,
    below: readonly Standing[],
  ): Diagnostic {
    const { rule } = this.protection;
    const { layers } = this.context;
    const { target } = this.stack;
    const isSecret = this.isSecret(layer);
    const own = pathText(path);
    const part = isAbove ? `\`${own}\` takes the place of it` : `\`${own}\` is part of it`;
    const isWhole = isExactly(path, this.protection.steps);
    const set = isSecret || isWhole ? "" : `, and ${part}`;
    const others = more === 0 || isSecret ? "" : `; ${more} more in this layer`;
    const at = (of: Layer | undefined, entry: Node): Position =>
      of === undefined
        ? { ...placeOf(target), text: `${formatItem(target)} spec.values`, offset: field(entry, Field.entry) }
        : positionOf(of, target, layers, field(entry, Field.entry));
    const lower = heldBelow(path, below);
    return {
      code: "protected-path",
      severity: "error",
      message: `\`${rule.path}\` is protected${set}: only ${permissionText(rule)} may set it${others}`,
      item: { kind, name, ...(namespace === undefined ? {} : { namespace }) },
      at: at(layer, node),
      ...(lower === undefined ? {} : { also: [this.placeOfLower(lower, at)] }),
      hint: "take it out of this layer, or let whoever writes the setting `protect` allow it",
    };
  }

  /** Of a secret nobody learns that it has a key which somebody else names. */
  private placeOfLower(
    { standing: { layer }, node }: Held,
    at: (of: Layer | undefined, entry: Node) => Position,
  ): Position {
    const { layers } = this.context;
    return layer !== undefined && this.isSecret(layer)
      ? positionOfLayer(layer, this.stack.target, layers)
      : at(layer, node);
  }

  private undecided(bearer: Bearer, { severity, why, hint }: Doubt): Diagnostic {
    const { kind, name, namespace } = bearer;
    return {
      code: "protected-path",
      severity,
      message: `\`${this.protection.rule.path}\` of ${formatItem(this.stack.target)} is protected, and nobody can tell here whether \`${formatItem({ kind, name, namespace })}\` sets it: ${why}`,
      item: { kind, name, ...(namespace === undefined ? {} : { namespace }) },
      hint,
    };
  }
}

/** A file that is replaced whole may be values to whoever reads it. */
function rootOfText({ whole }: Standing): Node | undefined {
  return whole === undefined ? undefined : readValues(Buffer.from(whole, "utf8")).root;
}

function wayOf(path: readonly string[]): string {
  return JSON.stringify(path);
}

/** True for the very path of a rule without wildcards, however that spells its keys. */
function isExactly(path: readonly string[], steps: readonly Step[]): boolean {
  return path.length === steps.length && steps.every((step) => "key" in step);
}

/** An empty mapping over another changes nothing. */
function isNothing(node: Node): boolean {
  const value = valueOf(node);
  return isMapping(value) && entryNodes(value).length === 0;
}

interface Held {
  readonly standing: Standing;
  readonly node: Node;
}

/** What holds at a path below a layer; undefined if nothing does, or nobody knows. */
function heldBelow(path: readonly string[], below: readonly Standing[]): Held | undefined {
  for (const standing of below.toReversed()) {
    if (standing.root === undefined) {
      if (standing.layer === undefined || doubtAbout(standing) !== undefined) return undefined;
      continue;
    }
    const found = heldAt(standing.root, path);
    if (found === "other") return undefined;
    if (found !== undefined) return { standing, node: found };
  }
  return undefined;
}
