// How documents merge by rules (setting `merge`): reports what does not fit, and carries out what only folding can. Without
// rules it does nothing.
import type { Context } from "../context.ts";
import { type JudgedStack, type Layer, positionOf, type Stack } from "../../layers/index.ts";
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

interface RuledStack {
  readonly rules: Rules | undefined;
  /** Undefined for a node of another document. */
  readonly about: (node: Node) => AboutNode | undefined;
  readonly report: (faults: readonly Diagnostic[]) => void;
  /** True for a target that is edited in place: an earlier fold has already carried out its directives. */
  readonly isInPlace?: boolean;
}

export class ByRules {
  /** @param byDocument the layers whose documents merge */
  static of(stack: Stack, context: Context, byDocument: ReadonlyMap<Document, Layer>): ByRules {
    const about = (node: Node): AboutNode | undefined => {
      const layer = byDocument.get(node.doc);
      if (layer === undefined) return undefined;
      const at = positionOf(layer, stack.target, context.layers, Math.max(node.entryStart, 0));
      return { item: refOf(layer.item), at };
    };
    const report = (faults: readonly Diagnostic[]): void => context.report.all(faults);
    return new ByRules({ rules: stack.rules?.at, about, report, isInPlace: stack.into !== undefined });
  }

  readonly rules: Rules | undefined;
  /** True once a document has something that only folding carries out. */
  private isDirected = false;
  /** True once a document does not fit: further remarks would only follow from that. */
  private isBroken = false;
  private readonly stack: RuledStack;

  constructor(stack: RuledStack) {
    this.rules = stack.rules;
    this.stack = stack;
  }

  /** @param addsTwice true where the target holds the result of the last fold: the next one would add elements again */
  reportMisfits(root: Node | undefined, addsTwice = false): void {
    const { rules } = this;
    if (rules === undefined || root === undefined) return;
    const { about, report } = this.stack;
    const faults = misfits(root, rules, { about: (node) => about(node) as AboutNode, addsTwice });
    this.isBroken ||= faults.length > 0;
    this.isDirected ||= holdsDirectives(root, rules);
    report(faults);
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
    const { about, report, isInPlace = false } = this.stack;
    if (this.isBroken) return;
    for (const remark of remarks)
      if (remark.met !== undefined || !isInPlace) report(remarkFaults(remark, about));
  }
}

export function noFindings(): MergeFindings & { readonly remarks: Remark[] } {
  return { overridesAtom: false, remarks: [] };
}

/** What does not fit in documents that all merge into one, and what finds nothing below it. */
export function ruleFaults({ documents, rules }: JudgedStack): Diagnostic[] {
  const byDocument = new Map(documents.map((each) => [each.root?.doc, each]));
  const about = (node: Node): AboutNode | undefined => {
    const document = byDocument.get(node.doc);
    return document && { ...(document.item && { item: document.item }), at: document.positionAt(node) };
  };
  const faults: Diagnostic[] = [];
  const ruled = new ByRules({ rules, about, report: (found) => void faults.push(...found) });
  if (rules === undefined) return faults;
  let tree: Tree | undefined;
  for (const { root } of documents) {
    ruled.reportMisfits(root);
    tree = ruled.merge(tree, root);
  }
  ruled.settle(tree);
  return faults;
}
