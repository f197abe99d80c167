// The spec of a target, for every front end: its place, and faults of it and of the references in it.
import type { Diagnostic } from "../../diagnostic.ts";
import { exemptionOf, needsFold, type Barrier, type Layer, type Reference } from "../../layers/index.ts";
import { isNode, type Item, refOf, atItem, placeOf } from "../../krm/index.ts";
import type { Node } from "../../yaml/index.ts";

export function specOf(target: Item): Node | undefined {
  const root = target.read();
  const spec = isNode(root) ? root.get("spec") : undefined;
  return spec !== undefined && spec.isMapping ? spec : undefined;
}

/** The barrier that a layer is if the cluster may have another text of it; undefined for one that only a fold brings there. */
export function exemptionFrom(layer: Layer): Barrier | undefined {
  const { item, priority, reference } = layer;
  const mark = reference === undefined || needsFold(layer) ? undefined : exemptionOf(item);
  return mark === undefined || reference === undefined
    ? undefined
    : { why: "exempt", priority, reference, mark, item };
}

export function noSpec(target: Item): Diagnostic {
  return {
    code: "invalid-reference",
    severity: "error",
    ...atItem(target),
    field: "spec",
    message: `\`spec\`: expected a mapping`,
    reason: `layers are to be folded into this ${target.kind}`,
    hint: `complete the ${target.kind}`,
  };
}

export function ambiguous(reference: Reference, target: Item, items: readonly Item[]): Diagnostic {
  const { kind, name, slot, index } = reference;
  return {
    code: "ambiguous-reference",
    severity: "error",
    ...atItem(target),
    field: index === undefined ? `spec.${slot}` : `spec.${slot}[${index}]`,
    message: `${items.length} items are named \`${kind}/${name}\``,
    also: items.map(placeOf),
    hint: "give the items different names, or put the right one next to the target",
  };
}

/** A target with unreadable text: without this fault it would silently pass unfolded. */
export function unreadable(target: Item): Diagnostic[] {
  const outcome = target.read();
  if (isNode(outcome)) return [];
  const { message, offset = target.start } = outcome;
  return [
    {
      code: "item-unreadable",
      severity: "error",
      item: refOf(target),
      at: { ...placeOf(target), offset },
      message: `the ${target.kind} cannot be read: ${message}`,
      hint: "correct the YAML at this place",
    },
  ];
}

/** An item that must change although it contains YAML aliases: a change in one place could show in another. */
export function aliasFault(target: Item): Diagnostic {
  return {
    code: "item-unreadable",
    severity: "error",
    ...atItem(target),
    message: "cannot change an item written with YAML aliases",
    hint: "write the values in place of the aliases",
  };
}

/** A list, or an empty value, after a key of the usual form. */
export function isPlainList(list: Node): boolean {
  const isExplicit = list.doc.bytes[list.entryStart] === 0x3f;
  return !isExplicit && (list.isSequence || (list.isScalar && list.isNull));
}

export function noList(target: Item, slot: string): Diagnostic {
  return {
    code: "invalid-reference",
    severity: "error",
    ...atItem(target),
    field: `spec.${slot}`,
    message: `\`spec.${slot}\`: expected a list under a plain key`,
    reason: "layers are to be folded into it",
    hint: "write it as a list; a variable cannot take an entry",
  };
}

/**
 * Lists of references with a misspelt name, which no consumer reads.
 * @param known the right name
 */
export function lookalikes(target: Item, spec: Node, names: readonly string[], known: string): Diagnostic[] {
  return names.flatMap((name): Diagnostic[] => {
    const list = spec.get(name);
    if (list === undefined || !list.isSequence) return [];
    return [
      {
        code: "unknown-field",
        severity: "warning",
        ...atItem(target),
        field: `spec.${name}`,
        message: `\`spec.${name}\` is not a field of this ${target.kind}`,
        reason: "what it lists is not read",
        hint: `spell it \`${known}\``,
      },
    ];
  });
}
