// The texts of one instance's layers, and their patches, lowest first → the text of its ConfigMap or Secret.
import { guard, type GuardedText } from "../layers/index.ts";
import { isFault, readDocument, Node } from "../yaml/index.ts";
import { leafOf, type Tree, writeValues } from "../merge/index.ts";
import type { Report } from "../report/index.ts";
import { writeRendered } from "../krm/index.ts";
import type { Reader, TextFile } from "./document.ts";
import { fileOf, type Loaded, type LoadedFile } from "./load.ts";
import { Origins } from "./origins.ts";
import { applyPatch } from "./patch-apply.ts";
import { readPatch } from "./patch-operations.ts";
import { linesOf, nothing, plain, type Value } from "./plain-values.ts";
import type { LayerPartKind } from "./schema.ts";
import { stacked } from "./merged-values.ts";

export interface Composed {
  readonly text: GuardedText;
  /** Where the object's text comes from, as its annotation records it. */
  readonly record: string;
}

/** What texts are composed with. */
export interface Composing {
  readonly reader: Reader;
  readonly report: Report;
  /** Of files that hold templates, what they are rendered to. */
  readonly texts: ReadonlyMap<LoadedFile, TextFile>;
}

/** Undefined if something failed; the report says what. */
export function compose(loaded: Loaded, kind: LayerPartKind, composing: Composing): Composed | undefined {
  const { reader, report, texts } = composing;
  const origins = new Origins();
  const used: string[] = [];
  let tree: Tree | undefined;
  for (const { id: layer } of loaded.instance.schema.layers) {
    const file = fileOf(loaded, { layer, part: "templates", kind });
    if (file !== undefined) {
      const source = texts.get(file) ?? { path: file.path, bytes: file.bytes, isRendered: false };
      const next = stacked(tree, source, reader, origins);
      report.all(next.diagnostics);
      if (next.diagnostics.some(({ severity }) => severity === "error")) return undefined;
      if (source.bytes.length > 0) used.push(source.path);
      ({ tree } = next);
    }
    const patch = fileOf(loaded, { layer, part: "patches", kind });
    const patched = patch === undefined ? { tree } : patchedBy(tree, patch, origins, report);
    if (patched === undefined) return undefined;
    if (patch !== undefined && patched.tree !== tree) used.push(patch.path);
    ({ tree } = patched);
  }
  const text = tree === undefined ? new Uint8Array() : writeValues(tree);
  const { segments, overridden } = origins.linesOf(tree, text);
  const record = writeRendered(used, segments, overridden);
  return { text: guard(text, kind === "secret"), record };
}

/** Undefined if it failed. */
function patchedBy(
  tree: Tree | undefined,
  { path, bytes }: LoadedFile,
  origins: Origins,
  report: Report,
): { readonly tree: Tree | undefined } | undefined {
  const operations = readPatch(path, bytes, report);
  if (operations === undefined) return undefined;
  if (operations.length === 0) return { tree };
  const start = tree === undefined ? nothing() : plain(tree, (head) => origins.placeAndBelow(head));
  const value = applyPatch(start, operations, path, report);
  return value === undefined ? undefined : { tree: treeOf(value, origins) };
}

function treeOf(value: Value, origins: Origins): Tree | undefined {
  if (value.type !== "mapping") return undefined;
  const lines = linesOf(value);
  const text = lines.length === 0 ? "{}\n" : lines.map((each) => `${each.text}\n`).join("");
  const doc = readDocument(Buffer.from(text, "utf8"));
  if (isFault(doc)) throw new Error("a patch was written that does not read");
  origins.notePlaces(
    doc,
    lines.map(({ place }) => place),
  );
  return leafOf(new Node(doc));
}
