// How the layers of one stack merge by rules (setting `merge`): reports what does not fit, and carries out what only
// folding can. Without rules it does nothing.
import type { Context } from "../context.ts";
import type { Values, Layer, Stack } from "../../layers/index.ts";
import {
  type MergeFindings,
  merge,
  type Remark,
  holdsDirectives,
  type Rules,
  settled,
  leafOf,
  type Tree,
} from "../../merge/index.ts";
import type { Document, Node } from "../../yaml/index.ts";
import { misfits, remarkFaults } from "./rule-faults.ts";

export class ByRules {
  readonly rules: Rules | undefined;
  /** True once a layer of the stack has something that only folding carries out. */
  private isDirected = false;
  /** True once a layer does not fit: further remarks would only follow from that. */
  private isBroken = false;
  private readonly stack: Stack;
  private readonly context: Context;
  private readonly byDocument: ReadonlyMap<Document, Layer>;

  constructor(stack: Stack, context: Context, byDocument: ReadonlyMap<Document, Layer>) {
    this.rules = stack.rules?.at;
    this.stack = stack;
    this.context = context;
    this.byDocument = byDocument;
  }

  /** True for a layer with something in it that only folding carries out. */
  directs(layer: Layer): boolean {
    const { rules } = this;
    const { layers } = this.context;
    if (rules === undefined || !layers.isReadable(layer)) return false;
    const { root } = layers.valuesOf(layer);
    return root !== undefined && holdsDirectives(root, rules);
  }

  reportMisfits(layer: Layer, { root }: Values): void {
    const { rules, stack, context } = this;
    if (rules === undefined || root === undefined) return;
    const faults = misfits(root, rules, { stack, layer, reader: context.layers });
    this.isBroken ||= faults.length > 0;
    this.isDirected ||= holdsDirectives(root, rules);
    context.report.all(faults);
  }

  /** Merges a document over the values so far. */
  merge(tree: Tree | undefined, root: Node | undefined): Tree | undefined {
    const findings = noFindings();
    const merged = this.mergeTo(findings, tree, root);
    this.reportRemarks(findings.remarks);
    return merged;
  }

  /** The same, with its findings left to the caller; it reports nothing. */
  mergeTo(findings: MergeFindings, tree: Tree | undefined, root: Node | undefined): Tree | undefined {
    if (root === undefined) return tree;
    return tree === undefined ? leafOf(root) : merge(tree, root, findings, this.rules);
  }

  /** The values to write: without directives, and without nulls that are dropped. */
  settle(tree: Tree | undefined): Tree | undefined {
    const { rules } = this;
    if (tree === undefined || rules === undefined || !this.isDirected) return tree;
    const remarks: Remark[] = [];
    const values = settled(tree, rules, remarks);
    this.reportRemarks(remarks);
    return values;
  }

  reportRemarks(remarks: readonly Remark[]): void {
    const { stack, byDocument, context } = this;
    if (this.isBroken) return;
    for (const remark of remarks) context.report.all(remarkFaults(remark, stack, byDocument, context.layers));
  }
}

export function noFindings(): MergeFindings & { readonly remarks: Remark[] } {
  return { overridesAtom: false, remarks: [] };
}
