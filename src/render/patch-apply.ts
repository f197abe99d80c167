// The operations of a patch, done: as evanphx/json-patch does them, by which konfigure and kustomize patch. Where that
// library panics, this is an error; where it is more lenient than RFC 6902, it warns.
import type { Diagnostic } from "../diagnostic.ts";
import { leafOf, maxDepth } from "../core/index.ts";
import { type Operation, type Patch, pointerText } from "./patch-operations.ts";
import {
  canonical,
  childOf,
  copied,
  Extents,
  indexIn,
  nothing,
  opened,
  type OpenList,
  type OpenMapping,
  put,
  type Value,
} from "./patch-value.ts";

export interface Applied {
  /** Undefined where an operation failed. */
  readonly value: Value | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** The operation that set a value last. */
  readonly lines: ReadonlyMap<Value, number>;
}

/** Operations may make a document of many copies of itself: above this many values a patch is a mistake or an attack. */
const mostCopied = 100_000;

export function applyPatch(start: Value | undefined, patch: Patch): Applied {
  const patching = new Patching(start ?? nothing);
  const diagnostics: Diagnostic[] = [];
  for (const operation of patch.operations) {
    const outcome = patching.apply(operation) ?? patching.excess ?? valueless(operation);
    if (outcome === undefined) continue;
    const { line, column, op } = operation;
    const isLenient = "lenient" in outcome;
    diagnostics.push({
      code: isLenient ? "patch-lenient" : outcome === noMapping ? "not-a-mapping" : "patch-failed",
      severity: isLenient ? "warning" : "error",
      message: `\`${op}\` of \`${pointerText(operation.path)}\`: ${isLenient ? outcome.lenient : outcome.failed}`,
      at: { text: patch.file, line, column },
      hint:
        outcome.cure ??
        (isLenient ? "write `add`, or correct the path" : "correct the path, or the values below"),
    });
    if (!isLenient) return { value: undefined, diagnostics, lines: patching.lines };
  }
  return { value: patching.root, diagnostics, lines: patching.lines };
}

type PatchProblem = PatchFault | PatchWarning | undefined;
type FoundValue = { readonly value: Value } | PatchFault;

interface PatchWarning {
  readonly lenient: string;
  readonly cure?: string;
}

interface PatchFault {
  readonly failed: string;
  readonly cure?: string;
}

class Patching {
  root: Value;
  readonly lines = new Map<Value, number>();
  private readonly extents = new Extents();
  private copiedValues = 0;

  constructor(root: Value) {
    this.root = root;
  }

  get excess(): PatchProblem {
    return this.extents.excess;
  }

  apply({ op, path, from, value: node, line }: Operation): PatchProblem {
    const value: Value = node === undefined ? nothing : { type: "tree", tree: leafOf(node) };
    switch (op) {
      case "add":
        return this.add(path, value, line);
      case "remove":
        return this.remove(path, line);
      case "replace":
        return this.replace(path, value, line);
      case "test":
        return this.test(path, value);
      case "move": {
        const found = this.get(from);
        if ("failed" in found) return found;
        return this.remove(from, line) ?? this.add(path, found.value, line);
      }
      case "copy":
        return this.copy(from, path, line);
    }
  }

  private copy(from: readonly string[], path: readonly string[], line: number): PatchProblem {
    const holder = this.holderOf(from);
    const key = from.at(-1) ?? "";
    if (holder === undefined)
      return { failed: `\`from\` leads through what is not there: \`${pointerText(from)}\`` };
    if (holder.type === "mapping" && !holder.members.has(key))
      return this.add(path, { ...nothing }, line) ?? { lenient: "its `from` is not there, so it is null" };
    const found = this.get(from);
    if ("failed" in found) return found;
    this.copiedValues += this.extents.of(found.value).size;
    if (this.copiedValues > mostCopied)
      return { failed: `the copies hold more than ${mostCopied} values`, cure: "copy less" };
    return this.add(path, copied(found.value), line);
  }

  private add(path: readonly string[], value: Value, line: number): PatchProblem {
    const holder = this.holderOf(path);
    const key = path.at(-1);
    if (holder === undefined || key === undefined) return missing;
    if (this.isTooDeep(path, value)) return tooDeep;
    // Each place has a value of its own: lines are kept by value.
    const own = value.type === "tree" || value.type === "null" ? { ...value } : value;
    this.lines.set(own, line);
    if (holder.type === "mapping") {
      holder.members.set(key, own);
      return undefined;
    }
    const index = key === "-" ? holder.items.length : indexIn(key, holder.items.length + 1);
    if (index === undefined) return noIndex;
    this.lines.set(holder, line);
    this.extents.shift(holder.items.length - index);
    holder.items.splice(index, 0, own);
    return undefined;
  }

  private replace(path: readonly string[], value: Value, line: number): PatchProblem {
    const key = path.at(-1);
    if (this.isTooDeep(path, value)) return tooDeep;
    const own = value.type === "null" || value.type === "tree" ? { ...value } : value;
    this.lines.set(own, line);
    if (key === undefined) {
      if (opened(value)?.type !== "mapping") return noMapping;
      this.root = own;
      return undefined;
    }
    const holder = this.holderOf(path);
    if (holder === undefined) return missing;
    if (holder.type === "mapping") {
      const isThere = holder.members.has(key);
      holder.members.set(key, own);
      return isThere ? undefined : { lenient: "it is not there, so it is added" };
    }
    const index = indexIn(key, holder.items.length);
    if (index === undefined) return noIndex;
    this.lines.set(holder, line);
    holder.items[index] = own;
    return undefined;
  }

  private remove(path: readonly string[], line: number): PatchProblem {
    const holder = this.holderOf(path);
    const key = path.at(-1);
    if (holder === undefined || key === undefined) return missing;
    if (holder.type === "mapping") return holder.members.delete(key) ? undefined : missing;
    const index = indexIn(key, holder.items.length);
    if (index === undefined) return noIndex;
    this.lines.set(holder, line);
    this.extents.shift(holder.items.length - index);
    holder.items.splice(index, 1);
    return undefined;
  }

  private test(path: readonly string[], value: Value): PatchProblem {
    const isEmpty = this.root.type === "null";
    if (path.length === 0) {
      this.extents.read(this.root);
      const whole = isEmpty ? "{}" : canonical(this.root);
      return whole === canonical(value) ? undefined : { failed: "the test fails" };
    }
    const holder = this.holderOf(path);
    // A member that is not there equals null.
    const isAbsent =
      holder?.type === "mapping" ? !holder.members.has(path.at(-1) ?? "") : isEmpty && path.length === 1;
    const found: FoundValue = isAbsent ? { value: nothing } : this.get(path);
    if ("failed" in found) return found;
    this.extents.read(found.value);
    return canonical(found.value) === canonical(value) ? undefined : { failed: "the test fails" };
  }

  private get(path: readonly string[]): FoundValue {
    const holder = this.holderOf(path);
    const key = path.at(-1);
    const value = holder === undefined || key === undefined ? undefined : childOf(holder, key);
    return value === undefined ? missing : { value };
  }

  /** The mapping or list that holds what a path names, opened on the way. */
  private holderOf(path: readonly string[]): OpenMapping | OpenList | undefined {
    if (path.length === 0) return undefined;
    let holder = opened(this.root);
    if (holder === undefined) return undefined;
    this.keepLine(this.root, holder);
    this.root = holder;
    for (const step of path.slice(0, -1)) {
      const value = childOf(holder, step);
      const inner = value === undefined ? undefined : opened(value);
      if (value === undefined || inner === undefined) return undefined;
      this.keepLine(value, inner);
      put(holder, step, inner);
      holder = inner;
    }
    return holder;
  }

  /** Reading bounds the levels of a file; only together with its place a value may pass them. */
  private isTooDeep(path: readonly string[], value: Value): boolean {
    return path.length + this.extents.of(value).depth > maxDepth;
  }

  private keepLine(value: Value, as: Value): void {
    const line = this.lines.get(value);
    if (line !== undefined) this.lines.set(as, line);
  }
}

function valueless({ lacksValue }: Operation): PatchWarning | undefined {
  if (!lacksValue) return undefined;
  return { lenient: "it has no `value`, which counts as null", cure: "write `value: null` if null is meant" };
}

const tooDeep = { failed: `the values would be nested deeper than ${maxDepth} levels` };
const missing = { failed: "the path leads to what is not there" };
const noMapping = { failed: "values are a mapping at the top" };
const noIndex = { failed: "the list has no such index" };
