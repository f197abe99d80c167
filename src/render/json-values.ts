// Merged values → the JSON text that a template reads, with numbers as konfigure reads them: its template engine turns
// all of them into 64-bit floats.
import type { Diagnostic } from "../diagnostic.ts";
import {
  childrenOf,
  entryNodes,
  headOfTree,
  isMapping,
  isSequence,
  membersOf,
  type Node,
  resolveScalar,
  scalarText,
  textOfKey,
  type Tree,
  valueOf,
} from "../core/index.ts";
import { errorAt, warningAt } from "./faults.ts";

export interface JsonValues {
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** @param named the values, as messages call them: they show the keys of a number, and never the number */
export function jsonOf(tree: Tree | undefined, named: string): JsonValues {
  const writer = new JsonWriter(named);
  return { text: tree === undefined ? "{}" : writer.tree(tree, []), diagnostics: writer.diagnostics };
}

/** A number as JSON spells it; undefined for infinity and what is no number. */
export function jsonNumber(node: Node): string | undefined {
  const { type, text } = resolveScalar(node);
  if (type === "int" || type === "big") return text;
  const number = Number(scalarText(node).replaceAll("_", ""));
  if (!Number.isFinite(number)) return undefined;
  if (Object.is(number, -0)) return "-0";
  return Number.isInteger(number) && Math.abs(number) < 1e21 ? String(number) : JSON.stringify(number);
}

class JsonWriter {
  readonly diagnostics: Diagnostic[] = [];
  private readonly named: string;

  constructor(named: string) {
    this.named = named;
  }

  tree(tree: Tree, path: readonly string[]): string {
    const members = membersOf(tree);
    if (members === undefined) return this.node(headOfTree(tree), path);
    const entries = members.values().map((member): readonly [string, () => string] => {
      const key = textOfKey(headOfTree(member));
      return [key, () => this.tree(member, [...path, key])];
    });
    return object(entries);
  }

  private node(entry: Node, path: readonly string[]): string {
    const node = valueOf(entry);
    if (isMapping(node))
      return object(
        entryNodes(node).map((each) => {
          const key = textOfKey(each);
          return [key, () => this.node(each, [...path, key])];
        }),
      );
    if (isSequence(node))
      return `[${childrenOf(node)
        .map((item, index) => this.node(item, [...path, String(index)]))
        .join(",")}]`;
    return this.scalar(node, path);
  }

  private scalar(node: Node, path: readonly string[]): string {
    const { type, text } = resolveScalar(node);
    if (type === "null") return "null";
    if (type === "bool") return text;
    if (type === "string" || type === "merge") return JSON.stringify(scalarText(node));
    const number = jsonNumber(node);
    if (number === undefined) this.diagnostics.push(noNumber(this.named, path));
    else if (!isExact(number)) this.diagnostics.push(tooLarge(this.named, path));
    return number ?? "null";
  }
}

function object(entries: readonly (readonly [string, () => string])[]): string {
  return `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${value()}`).join(",")}}`;
}

/** Whole numbers of a float are exact up to 2^53. */
function isExact(number: string): boolean {
  return !/^-?\d+$/.test(number) || Number.isSafeInteger(Number(number));
}

function pathText(path: readonly string[]): string {
  return path.join(".");
}

function tooLarge(named: string, path: readonly string[]): Diagnostic {
  return warningAt(
    "large-number",
    named,
    `templates read numbers as floats, which do not hold \`${pathText(path)}\` exactly`,
    "quote it, if a template uses it",
  );
}

function noNumber(named: string, path: readonly string[]): Diagnostic {
  return errorAt(
    "layer-unreadable",
    named,
    `JSON has no number for \`${pathText(path)}\`, so no template can read it`,
    "quote it",
  );
}
