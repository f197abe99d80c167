// One repository and what can be done to its files: put, take out, change fields, insert into a list, move.
import { parseDocument, Scalar } from "yaml";
import type { List } from "./places.ts";
import {
  type Entry,
  type File,
  fileOf,
  idOf,
  type KubeObject,
  objectOf,
  type Repository,
} from "./repository.ts";

type Path = readonly (string | number)[];

/** A field and its new value; none takes it out. */
export type Change = readonly [path: Path, value?: unknown];

/** Long quoted texts stay on one line: the library breaks them in a way that changes some. */
const written = { lineWidth: 0, flowCollectionPadding: false, doubleQuotedMinMultiLineLength: 1_000_000 };

export function withFile(side: Repository, file: File): Repository | undefined {
  const object = objectOf(file);
  const isTaken = side.files.some((each) => {
    const other = objectOf(each);
    return (
      each.path === file.path ||
      (other.kind === object.kind &&
        other.metadata.name === object.metadata.name &&
        other.metadata.namespace === object.metadata.namespace)
    );
  });
  return isTaken ? undefined : { ...side, files: [...side.files, file] };
}

export function without(side: Repository, id: string): Repository | undefined {
  const file = fileOf(side, id);
  return file === undefined ? undefined : { ...side, files: side.files.filter((each) => each !== file) };
}

export function changed(side: Repository, id: string, changes: readonly Change[]): Repository | undefined {
  const file = fileOf(side, id);
  if (file === undefined) return undefined;
  const text = edited(file.text, changes);
  const next = idOf(objectOf({ text }));
  if (next !== id && fileOf(side, next) !== undefined) return undefined;
  return { ...side, files: side.files.map((each) => (each === file ? { ...file, text } : each)) };
}

export function edited(text: string, changes: readonly Change[]): string {
  const document = parseDocument(text, { logLevel: "silent" });
  for (const [path, value] of changes) {
    if (value !== undefined) document.setIn(path, nodeOf(value));
    else if (document.hasIn(path)) document.deleteIn(path);
  }
  return document.toString(written);
}

/** Texts that a plain scalar or literal may say otherwise are quoted. */
function nodeOf(value: unknown): unknown {
  if (typeof value !== "string" || /^[\w./*-]*$/.test(value)) return value;
  const scalar = new Scalar(value);
  scalar.type = /^\S[^\t\r]*\n$/.test(value) ? "BLOCK_LITERAL" : "QUOTE_DOUBLE";
  return scalar;
}

export function movedAll(side: Repository, from: string, to: string): Repository | undefined {
  const ids = side.files.map((file) => idOf(objectOf(file)));
  const isTaken = ids.some(
    (id) => id.includes(`/${from}/`) && ids.includes(id.replace(`/${from}/`, `/${to}/`)),
  );
  if (isTaken) return undefined;
  const files = side.files.map((file) => {
    const changes = namespacesIn(objectOf(file), from).map((path): Change => [path, to]);
    return changes.length === 0 ? file : { ...file, text: edited(file.text, changes) };
  });
  return { ...side, files };
}

/** Where an object names a namespace: its own, and those of an App's references. */
function namespacesIn({ metadata, spec = {} }: KubeObject, namespace: string): Path[] {
  const slots = (["config", "userConfig"] as const).flatMap((slot) =>
    (["configMap", "secret"] as const).map((kind) => ["spec", slot, kind] as const),
  );
  const entries = (spec.extraConfigs ?? []).flatMap((entry, at) =>
    entry.namespace === namespace ? [["spec", "extraConfigs", at, "namespace"]] : [],
  );
  const inSlots = slots.flatMap(([, slot, kind]) =>
    spec[slot]?.[kind]?.namespace === namespace ? [["spec", slot, kind, "namespace"]] : [],
  );
  const own = metadata.namespace === namespace ? [["metadata", "namespace"]] : [];
  return [...own, ...inSlots, ...entries];
}

export function inserted(
  side: Repository,
  id: string,
  list: List,
  entry: Entry,
  at: number,
): Repository | undefined {
  const file = fileOf(side, id);
  if (file === undefined) return undefined;
  const document = parseDocument(file.text, { logLevel: "silent" });
  const node = document.getIn(["spec", list]) as { items: unknown[] } | undefined;
  if (node === undefined || node === null) document.setIn(["spec", list], [entry]);
  else node.items.splice(at, 0, document.createNode(entry));
  const text = document.toString(written);
  return { ...side, files: side.files.map((each) => (each === file ? { ...file, text } : each)) };
}
