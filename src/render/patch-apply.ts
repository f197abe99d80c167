// The operations of a patch, done: as evanphx/json-patch does them, by which konfigure and kustomize patch. Where that
// library panics, this is an error; where it is more lenient than RFC 6902, it warns.
import type { Diagnostic } from "../diagnostic.ts";
import { leafOf, maxDepth } from "../core/index.ts";
import type { LinePlace } from "./origins.ts";
import { type Operation, type Patch, pointerText } from "./patch-operations.ts";
import {
  canonical,
  copied,
  measure,
  type List,
  type Mapping,
  nothing,
  plain,
  sizeOf,
  type Value,
} from "./patch-value.ts";

export interface Applied {
  /** Undefined where an operation failed. */
  readonly value: Value | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Operations may make a document of many copies of itself: above these numbers of values a patch is a mistake or an attack. */
const mostCopied = 100_000;
const mostLooked = 10_000_000;

/** How many places of a list are moved in the time of one look. */
const placesPerLook = 32;

export function applyPatch(start: Value | undefined, { file, operations }: Patch): Applied {
  const patching = new Patching(start ?? nothing(), file);
  const diagnostics: Diagnostic[] = [];
  for (const operation of operations) {
    const outcome = patching.apply(operation) ?? patching.excess ?? valueless(operation);
    if (outcome === undefined) continue;
    const { line, column, op } = operation;
    const isLenient = "lenient" in outcome;
    diagnostics.push({
      code: isLenient ? "patch-lenient" : outcome === noMapping ? "not-a-mapping" : "patch-failed",
      severity: isLenient ? "warning" : "error",
      message: `\`${op}\` of \`${pointerText(operation.path)}\`: ${isLenient ? outcome.lenient : outcome.failed}`,
      at: { text: file, line, column },
      hint:
        outcome.cure ??
        (isLenient ? "write `add`, or correct the path" : "correct the path, or the values below"),
    });
    if (!isLenient) return { value: undefined, diagnostics };
  }
  return { value: patching.root, diagnostics };
}

type Problem = Fault | { readonly lenient: string; readonly cure?: string } | undefined;

interface Fault {
  readonly failed: string;
  readonly cure?: string;
}

class Patching {
  root: Value;
  private readonly file: string;
  private copiedValues = 0;
  private looked = 0;

  constructor(root: Value, file: string) {
    this.root = root;
    this.file = file;
  }

  get excess(): Problem {
    if (this.looked <= mostLooked) return undefined;
    const failed = `the operations so far look at more than ${mostLooked} values in all`;
    return { failed, cure: "move and test less at a time: name what is meant by its whole path" };
  }

  apply({ op, path, from, value: node, line }: Operation): Problem {
    const place: LinePlace = { file: this.file, from: line };
    const value = node === undefined ? nothing(place) : plain(leafOf(node), () => place);
    switch (op) {
      case "add":
        return this.add(path, value, place);
      case "remove":
        return this.remove(path, place);
      case "replace":
        return this.replace(path, value, place);
      case "test":
        return this.test(path, value);
      case "move": {
        const found = this.get(from);
        if (found === undefined) return missing;
        found.patched = place;
        return this.remove(from, place) ?? this.add(path, found, place);
      }
      case "copy":
        return this.copy(from, path, place);
    }
  }

  private copy(from: readonly string[], path: readonly string[], place: LinePlace): Problem {
    const holder = this.holderOf(from);
    if (holder === undefined)
      return { failed: `\`from\` leads through what is not there: \`${pointerText(from)}\`` };
    if (holder.type === "mapping" && !holder.members.has(from.at(-1) ?? ""))
      return this.add(path, nothing(place), place) ?? { lenient: "its `from` is not there, so it is null" };
    const found = this.get(from);
    if (found === undefined) return missing;
    this.copiedValues += sizeOf(found);
    if (this.copiedValues > mostCopied)
      return { failed: `the copies hold more than ${mostCopied} values`, cure: "copy less" };
    return this.add(path, copied(found, place), place);
  }

  private add(path: readonly string[], value: Value, place: LinePlace): Problem {
    const holder = this.holderOf(path);
    const key = path.at(-1);
    if (holder === undefined || key === undefined) return missing;
    if (this.isTooDeep(path, value)) return tooDeep;
    this.enter(path, place, value.depth);
    if (holder.type === "mapping") holder.members.set(key, value);
    else {
      const index = key === "-" ? holder.items.length : indexIn(key, holder.items.length + 1);
      if (index === undefined) return noIndex;
      holder.items.splice(index, 0, value);
    }
    return undefined;
  }

  private replace(path: readonly string[], value: Value, place: LinePlace): Problem {
    const key = path.at(-1);
    if (this.isTooDeep(path, value)) return tooDeep;
    if (key === undefined) {
      if (value.type !== "mapping") return noMapping;
      this.root = value;
      return undefined;
    }
    const holder = this.holderOf(path);
    if (holder === undefined) return missing;
    this.enter(path, place, value.depth);
    const isThere = childOf(holder, key) !== undefined;
    if (holder.type === "mapping") holder.members.set(key, value);
    else if (isThere) holder.items[indexIn(key, holder.items.length) ?? 0] = value;
    else return noIndex;
    return isThere ? undefined : { lenient: "it is not there, so it is added" };
  }

  private remove(path: readonly string[], place: LinePlace): Problem {
    const holder = this.holderOf(path);
    const key = path.at(-1);
    if (holder === undefined || key === undefined) return missing;
    if (childOf(holder, key) === undefined) return holder.type === "mapping" ? missing : noIndex;
    this.enter(path, place);
    if (holder.type === "mapping") holder.members.delete(key);
    else holder.items.splice(indexIn(key, holder.items.length) ?? 0, 1);
    return undefined;
  }

  private test(path: readonly string[], value: Value): Problem {
    const { root } = this;
    const isEmpty = root.type === "scalar";
    const holder = this.holderOf(path);
    // A member that is not there equals null.
    const isAbsent =
      holder?.type === "mapping" ? !holder.members.has(path.at(-1) ?? "") : isEmpty && path.length === 1;
    const found = path.length === 0 ? root : isAbsent ? nothing() : this.get(path);
    if (found === undefined) return missing;
    this.looked += sizeOf(found);
    const text = path.length === 0 && isEmpty ? "{}" : canonical(found);
    return text === canonical(value) ? undefined : { failed: "the test fails" };
  }

  private get(path: readonly string[]): Value | undefined {
    const holder = this.holderOf(path);
    const key = path.at(-1);
    return holder === undefined || key === undefined ? undefined : childOf(holder, key);
  }

  /** The mapping or list that holds what a path names. */
  private holderOf(path: readonly string[]): Mapping | List | undefined {
    let value: Value | undefined = path.length === 0 ? undefined : this.root;
    for (const step of path.slice(0, -1))
      value = value === undefined || value.type === "scalar" ? undefined : childOf(value, step);
    return value?.type === "scalar" ? undefined : value;
  }

  /** Before a change at a path. A list is one value: all of it has the line of the operation. */
  private enter(path: readonly string[], place: LinePlace, depth = 0): void {
    let value: Value | undefined = this.root;
    for (const [level, step] of path.entries()) {
      if (value === undefined || value.type === "scalar") return;
      value.depth = Math.max(value.depth, path.length - level + depth);
      if (value.type === "list") {
        this.looked += value.items.length / placesPerLook;
        value.patched = place;
      } else open(value);
      value = childOf(value, step);
    }
  }

  /** Reading bounds the levels of a file; only together with its place a value may pass them. */
  private isTooDeep(path: readonly string[], value: Value): boolean {
    if (path.length + value.depth <= maxDepth) return false;
    this.looked += sizeOf(value);
    measure(value);
    return path.length + value.depth > maxDepth;
  }
}

/** What was moved as a whole gets a place for each of its members: one of them changes. */
function open(value: Mapping): void {
  const { patched } = value;
  if (patched === undefined) return;
  for (const member of value.members.values()) member.patched = patched;
  value.place = patched;
  value.patched = undefined;
}

function childOf(holder: Mapping | List, key: string): Value | undefined {
  if (holder.type === "mapping") return holder.members.get(key);
  const index = indexIn(key, holder.items.length);
  return index === undefined ? undefined : holder.items[index];
}

/** From the end where it is negative, as the library counts. */
function indexIn(key: string, length: number): number | undefined {
  if (!/^[-+]?\d+$/.test(key)) return undefined;
  const index = Number(key);
  const at = index < 0 ? index + length : index;
  return at < 0 || at >= length ? undefined : at;
}

function valueless({ lacksValue }: Operation): Problem {
  if (!lacksValue) return undefined;
  return { lenient: "it has no `value`, which counts as null", cure: "write `value: null` if null is meant" };
}

const tooDeep = { failed: `the values would be nested deeper than ${maxDepth} levels` };
const missing = { failed: "the path leads to what is not there" };
const noMapping = { failed: "values are a mapping at the top" };
const noIndex = { failed: "the list has no such index" };
