// How the layers of one stack merge by rules (setting `merge`): reports what does not fit, and carries out what only
// folding can. Without rules it does nothing.
import type { Context } from "../context.ts";
import { type JudgedStack, type Values, type Layer, positionOf, type Stack } from "../../layers/index.ts";
import { refOf } from "../../krm/index.ts";
import type { Diagnostic } from "../../diagnostic.ts";
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
import { type AboutNode, misfits, remarkFaults } from "./rule-faults.ts";

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
    const faults = misfits(root, rules, {
      about: (node) => this.about(layer, node),
      addsTwice: stack.into !== undefined && layer.item !== stack.target,
    });
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
    const about = (node: Node): AboutNode | undefined => {
      const layer = byDocument.get(node.doc);
      return layer && this.about(layer, node);
    };
    for (const remark of remarks) {
      // In a target that is edited in place, an earlier fold has already carried out the directive.
      if (remark.met === undefined && stack.into !== undefined) continue;
      context.report.all(remarkFaults(remark, about));
    }
  }

  private about(layer: Layer, node: Node): AboutNode {
    const offset = Math.max(node.entryStart, 0);
    const at = positionOf(layer, this.stack.target, this.context.layers, offset);
    return { item: refOf(layer.item), at };
  }
}

export function noFindings(): MergeFindings & { readonly remarks: Remark[] } {
  return { overridesAtom: false, remarks: [] };
}

/** The same of documents that all merge into one: what does not fit, and what finds nothing below it. */
export function ruleFaults({ documents, rules }: JudgedStack): Diagnostic[] {
  if (rules === undefined) return [];
  const roots = documents.flatMap(({ root }) => root ?? []);
  const byDocument = new Map(documents.map((each) => [each.root?.doc, each]));
  const about = (node: Node): AboutNode | undefined => {
    const document = byDocument.get(node.doc);
    return document && { ...(document.item && { item: document.item }), at: document.positionAt(node) };
  };
  const faults: Diagnostic[] = [];
  let [tree, isBroken]: [Tree | undefined, boolean] = [undefined, false];
  const remarked = ({ remarks }: ReturnType<typeof noFindings>): readonly Diagnostic[] =>
    isBroken ? [] : remarks.flatMap((remark) => remarkFaults(remark, about));
  for (const root of roots) {
    const wrong = misfits(root, rules, { about: (node) => about(node) as AboutNode, addsTwice: false });
    isBroken ||= wrong.length > 0;
    const findings = noFindings();
    tree = tree === undefined ? leafOf(root) : merge(tree, root, findings, rules);
    faults.push(...wrong, ...remarked(findings));
  }
  const last = noFindings();
  if (tree !== undefined && roots.some((root) => holdsDirectives(root, rules)))
    settled(tree, rules, last.remarks);
  return [...faults, ...remarked(last)];
}
