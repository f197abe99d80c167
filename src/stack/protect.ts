// Paths that only some layers may set (setting `protect`): which layers of a stack set them all the same. Looks at every
// layer, folded or not; costs nothing where nothing is protected.
import type { Context } from "../context.ts";
import { type Diagnostic, formatItem, type Position } from "../diagnostic.ts";
import { positionOf } from "../layer/origin.ts";
import { pathText, type Step } from "../merge/path.ts";
import { leafOf } from "../merge/tree.ts";
import { isUnchanged } from "../merge/unchanged.ts";
import type { Layer, Stack } from "../model.ts";
import { readRecord } from "../refold/record.ts";
import { Mark } from "../wire/annotation-names.ts";
import { refOf } from "../wire/item.ts";
import { placeOf } from "../wire/place.ts";
import { Field, field, isMapping, type Node, valueOf } from "../yaml/tape.ts";
import { entryNodes } from "../yaml/view.ts";
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
  return protections.flatMap((protection) =>
    standings.flatMap((standing, index) =>
      new Check(protection, stack, context).faults(standing, standings.slice(0, index)),
    ),
  );
}

class Check {
  private readonly protection: Protection;
  private readonly stack: Stack;
  private readonly context: Context;

  constructor(protection: Protection, stack: Stack, context: Context) {
    this.protection = protection;
    this.stack = stack;
    this.context = context;
  }

  faults(standing: Standing, below: readonly Standing[]): Diagnostic[] {
    const bearer = this.bearerOf(standing);
    if (bearer === undefined) return [];
    const permission = this.permissionOf(standing, bearer);
    if (permission === "all") return [];
    if (standing.root === undefined) return isUnread(standing) ? [this.unseen(bearer)] : [];
    const [first, ...more] = this.broken(standing, below);
    if (first === undefined) return [];
    return [
      permission === "some" ? this.untold(bearer) : this.fault(standing, bearer, first, more.length, below),
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
    const record = layer?.item.annotations.has(Mark.foldedFrom) === true ? readRecord(layer.item) : undefined;
    const bearers = record?.layers.map((each): Bearer => ({
      ...each,
      namespace: each.namespace ?? bearer.namespace,
    }));
    const allowed = (bearers ?? [bearer]).map((each) => isAllowed(each, this.protection.rule));
    if (allowed.every(Boolean)) return "all";
    return allowed.some(Boolean) ? "some" : "none";
  }

  private broken({ layer, root }: Standing, below: readonly Standing[]): Setting[] {
    const { steps } = this.protection;
    const isExact = steps.every((step) => "key" in step);
    return settingsAt(root as Node, steps).filter(({ path, node, isAbove }) => {
      // With `*` anything may lie above: only what is there can be lost.
      if (isAbove && !isExact && !below.some(({ root: lower }) => holdsUnder(lower, path, steps)))
        return false;
      const lower = heldBelow(path, below);
      if (lower === undefined) return true;
      // Whether a secret is what something else is, nobody learns.
      if (isNothing(node) && isMapping(valueOf(lower.node))) return false;
      const isOpen = !this.isSecret(layer) && !this.isSecret(lower.standing.layer);
      return !(isOpen && isUnchanged(leafOf(node), leafOf(lower.node)));
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
    const set = isSecret || own === rule.path ? "" : `, and ${part}`;
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
      ...(lower === undefined ? {} : { also: [at(lower.standing.layer, lower.node)] }),
      hint: "take it out of this layer, or let whoever writes the setting `protect` allow it",
    };
  }

  private unseen(bearer: Bearer): Diagnostic {
    return this.undecided(
      bearer,
      "info",
      "only the cluster can read it",
      "see to it that it does not set the path",
    );
  }

  private untold(bearer: Bearer): Diagnostic {
    return this.undecided(
      bearer,
      "warning",
      "it was folded earlier from layers of which only some may set it",
      "verify the list as it was before that fold, with `valuefold verify --unfolded -c`",
    );
  }

  private undecided(bearer: Bearer, severity: "info" | "warning", why: string, hint: string): Diagnostic {
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

/** An empty mapping over another changes nothing. */
function isNothing(node: Node): boolean {
  const value = valueOf(node);
  return isMapping(value) && entryNodes(value).length === 0;
}

/** What is there, or will be, and cannot be looked into here. */
function isUnread({ state, barrier }: Standing): boolean {
  return state === "sealed" || state === "late" || barrier?.why === "late-bound" || barrier?.why === "sealed";
}

interface Held {
  readonly standing: Standing;
  readonly node: Node;
}

/** What holds at a path below a layer; undefined if nothing does, or nobody knows. */
function heldBelow(path: readonly string[], below: readonly Standing[]): Held | undefined {
  for (const standing of below.toReversed()) {
    if (standing.root === undefined) {
      if (standing.layer === undefined || isUnread(standing) || standing.state === "unreadable")
        return undefined;
      continue;
    }
    const found = heldAt(standing.root, path);
    if (found === "other") return undefined;
    if (found !== undefined) return { standing, node: found };
  }
  return undefined;
}

/** True if a document holds something at the steps, below a path. */
function holdsUnder(root: Node | undefined, path: readonly string[], steps: readonly Step[]): boolean {
  const found = root === undefined ? undefined : heldAt(root, path);
  if (found === undefined || found === "other") return false;
  return settingsAt(valueOf(found), steps, path).some(({ isAbove }) => !isAbove);
}
