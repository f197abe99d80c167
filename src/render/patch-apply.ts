// The operations of a patch, done: as evanphx/json-patch does them, by which konfigure and kustomize patch. Where that
// library panics, this is an error; where it is more lenient than RFC 6902, it warns.
import type { Diagnostic } from "../diagnostic.ts";
import { leafOf } from "../merge/index.ts";
import { maxDepth } from "../yaml/index.ts";
import type { Report } from "../report/index.ts";
import type { LinePlace } from "./origins.ts";
import { type PatchOperation, pointerText } from "./patch-operations.ts";
import {
  copied,
  depthOf,
  jsonOf,
  type List,
  type Mapping,
  nothing,
  plain,
  sizeOf,
  type Value,
} from "./plain-values.ts";

/** Operations may make a document of many copies of itself: above these numbers of values a patch is a mistake or an attack. */
const mostCopied = 100_000;
const mostLooked = 10_000_000;

/** How many places of a list are moved in the time of one look. */
const placesPerLook = 32;

/** Undefined where an operation failed: the report says why. */
export function applyPatch(
  start: Value,
  operations: readonly PatchOperation[],
  file: string,
  report: Report,
): Value | undefined {
  const patching = new Patching(start, file);
  for (const operation of operations) {
    try {
      const problem = patching.apply(operation) ?? (operation.lacksValue ? valueless : undefined);
      if (problem !== undefined) report.report({ ...found(operation, file, problem), severity: "warning" });
    } catch (error) {
      if (!(error instanceof PatchFault)) throw error;
      report.report(found(operation, file, error.problem));
      return undefined;
    }
  }
  return patching.root;
}

interface Problem {
  readonly code: Diagnostic["code"];
  readonly what: string;
  readonly cure: string;
}

function found(
  { line, column, op, path }: PatchOperation,
  file: string,
  { code, what, cure }: Problem,
): Diagnostic {
  const message = `\`${op}\` of \`${pointerText(path)}\`: ${what}`;
  return { code, severity: "error", message, at: { text: file, line, column }, hint: cure };
}

/** Ends a patch: its operation cannot be done. */
class PatchFault extends Error {
  readonly problem: Problem;

  constructor(
    what: string,
    cure = "correct the path, or the values below",
    code: Problem["code"] = "patch-failed",
  ) {
    super(what);
    this.problem = { code, what, cure };
  }
}

function missing(): PatchFault {
  return new PatchFault("nothing exists at the path");
}

function lenient(what: string, cure = "write `add`, or correct the path"): Problem {
  return { code: "patch-lenient", what, cure };
}

const valueless = lenient("it has no `value`, which counts as null", "write `value: null` if null is meant");

type Path = readonly string[];

class Patching {
  root: Value;
  private readonly file: string;
  /** Of the operation. */
  private place: LinePlace;
  private copiedValues = 0;
  private looked = 0;

  constructor(root: Value, file: string) {
    this.root = root;
    this.file = file;
    this.place = { file };
  }

  /** What is lenient about an operation. */
  apply({ op, path, from, value: node, line }: PatchOperation): Problem | undefined {
    const place: LinePlace = { file: this.file, from: line };
    this.place = place;
    const value = node === undefined ? nothing(place) : plain(leafOf(node), () => place);
    switch (op) {
      case "add":
        this.checkDepth(path, value);
        return this.add(path, value);
      case "remove":
        return this.remove(path);
      case "replace":
        return this.replace(path, value);
      case "test":
        return this.test(path, value);
      case "move":
        return this.move(from, path);
      case "copy":
        return this.copy(from, path);
    }
  }

  private add(path: Path, value: Value): undefined {
    const [holder, key] = this.entered(path);
    if (holder.type === "mapping") holder.members.set(key, value);
    else if (key === "-") holder.items.push(value);
    else holder.items.splice(indexIn(key, holder.items.length + 1), 0, value);
  }

  private remove(path: Path): undefined {
    const [holder, key] = this.entered(path);
    if (holder.type === "list") holder.items.splice(indexIn(key, holder.items.length), 1);
    else if (!holder.members.delete(key)) throw missing();
  }

  private replace(path: Path, value: Value): Problem | undefined {
    this.checkDepth(path, value);
    if (path.length === 0) {
      if (value.type !== "mapping")
        throw new PatchFault("values are a mapping at the top", undefined, "not-a-mapping");
      this.root = value;
      return undefined;
    }
    const [holder, key] = this.entered(path);
    const isThere = holder.type === "list" || holder.members.has(key);
    if (holder.type === "mapping") holder.members.set(key, value);
    else holder.items[indexIn(key, holder.items.length)] = value;
    return isThere ? undefined : lenient("it does not exist, so it is added");
  }

  private move(from: Path, path: Path): undefined {
    const value = this.get(from);
    if (path.length > from.length) this.checkDepth(path, value);
    this.remove(from);
    this.add(path, Object.assign(value, { place: this.place, isWhole: true }));
  }

  private copy(from: Path, path: Path): Problem | undefined {
    const holder = this.findHolder(from);
    if (holder === undefined) throw new PatchFault(`nothing exists at \`from\`: \`${pointerText(from)}\``);
    if (holder.type === "mapping" && !holder.members.has(from.at(-1) ?? "")) {
      this.add(path, nothing(this.place));
      return lenient("its `from` does not exist, so it is null");
    }
    const value = this.get(from);
    this.copiedValues += sizeOf(value);
    if (this.copiedValues > mostCopied)
      throw new PatchFault(`the copies hold more than ${mostCopied} values`, "copy less");
    this.checkDepth(path, value);
    return this.add(path, { ...copied(value), place: this.place, isWhole: true });
  }

  private test(path: Path, value: Value): undefined {
    const { root } = this;
    const isEmpty = root.type === "scalar";
    const holder = this.findHolder(path);
    // A member that is not there equals null.
    const isAbsent =
      holder?.type === "mapping" ? !holder.members.has(path.at(-1) ?? "") : isEmpty && path.length === 1;
    const present = path.length === 0 ? root : isAbsent ? nothing() : this.get(path);
    this.look(sizeOf(present));
    const text = path.length === 0 && isEmpty ? "{}" : jsonOf(present);
    if (text !== jsonOf(value)) throw new PatchFault("the test fails");
  }

  private get(path: Path): Value {
    const holder = this.findHolder(path);
    const value = holder === undefined ? undefined : childOf(holder, path.at(-1) ?? "");
    if (value === undefined) throw missing();
    return value;
  }

  /** The mapping or list that holds what a path names. */
  private findHolder(path: Path): Mapping | List | undefined {
    let value: Value | undefined = path.length === 0 ? undefined : this.root;
    for (const step of path.slice(0, -1))
      value = value === undefined || value.type === "scalar" ? undefined : childOf(value, step);
    return value?.type === "scalar" ? undefined : value;
  }

  /** The same before a change, with the last step. A list is one value: all of it has the line of the operation. */
  private entered(path: Path): readonly [Mapping | List, key: string] {
    const holder = this.findHolder(path);
    const key = path.at(-1);
    if (holder === undefined || key === undefined) throw missing();
    let value: Value | undefined = this.root;
    for (const step of path) {
      if (value === undefined || value.type === "scalar") break;
      if (value.type === "list") {
        this.look(value.items.length / placesPerLook);
        Object.assign(value, { place: this.place, isWhole: true });
      } else open(value);
      value = childOf(value, step);
    }
    return [holder, key];
  }

  /** Reading bounds the levels of a file; only together with its place a value may pass them. */
  private checkDepth(path: Path, value: Value): void {
    this.look(sizeOf(value));
    if (path.length + depthOf(value) > maxDepth)
      throw new PatchFault(`the values would be nested deeper than ${maxDepth} levels`);
  }

  private look(values: number): void {
    this.looked += values;
    if (this.looked <= mostLooked) return;
    throw new PatchFault(
      `the operations so far look at more than ${mostLooked} values in all`,
      "move and test less at a time: name what is meant by its whole path",
    );
  }
}

/** What has one place as a whole gets a place for each of its members: one of them changes. */
function open(value: Mapping): void {
  if (value.isWhole !== true) return;
  for (const member of value.members.values()) Object.assign(member, { place: value.place, isWhole: true });
  value.isWhole = false;
}

function childOf(holder: Mapping | List, key: string): Value | undefined {
  if (holder.type === "mapping") return holder.members.get(key);
  const index = placeIn(key, holder.items.length);
  return index === undefined ? undefined : holder.items[index];
}

/** From the end where it is negative, as the library counts. */
function placeIn(key: string, length: number): number | undefined {
  if (!/^[-+]?\d+$/.test(key)) return undefined;
  const index = Number(key);
  const at = index < 0 ? index + length : index;
  return at < 0 || at >= length ? undefined : at;
}

function indexIn(key: string, length: number): number {
  const index = placeIn(key, length);
  if (index === undefined) throw new PatchFault("the list has no such index");
  return index;
}
