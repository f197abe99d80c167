// The values that templates read: files merged by strategy, as JSON. Apps of one installation share them, so each merge is
// made once.
import type { Diagnostic } from "../diagnostic.ts";
import type { Tree } from "../core/index.ts";
import type { Reader } from "./document.ts";
import { jsonOf } from "./json-values.ts";
import type { Files, LoadedFile } from "./load.ts";
import { valuesFor, type ValuesOf } from "./merge-strategy.ts";
import type { LayerOf, PartKind, Schema } from "./schema.ts";
import { stacked } from "./stacking.ts";

export interface Merged {
  readonly json: string;
  readonly diagnostics: readonly Diagnostic[];
  /** What was merged, less what holds nothing. */
  readonly files: readonly { readonly kind: PartKind; readonly file: LoadedFile }[];
}

export class MergedValues {
  private readonly known = new Map<string, Merged>();
  private readonly numbers = new Map<Uint8Array, number>();
  private readonly reader: Reader;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  of(files: Files, schema: Schema, layer: LayerOf, kind: PartKind): Merged {
    const used = filesFor(files, valuesFor(schema, layer, kind));
    const key = used.map(({ file }) => this.numberOf(file.bytes)).join(",");
    let merged = this.known.get(key);
    if (merged === undefined) this.known.set(key, (merged = this.merge(used)));
    return merged;
  }

  private merge(used: Merged["files"]): Merged {
    const diagnostics: Diagnostic[] = [];
    let tree: Tree | undefined;
    for (const { file } of used) {
      const next = stacked(tree, { path: file.path, bytes: file.bytes, isRendered: false }, this.reader);
      for (const each of next.diagnostics) diagnostics.push(each);
      ({ tree } = next);
    }
    const last = used.at(-1)?.file.path ?? "";
    const { text, diagnostics: more } = jsonOf(tree, used.length > 1 ? `values up to ${last}` : last);
    const held = used.filter(({ file }) => file.bytes.length > 0);
    return { json: text, diagnostics: [...diagnostics, ...more], files: held };
  }

  private numberOf(bytes: Uint8Array): number {
    let number = this.numbers.get(bytes);
    if (number === undefined) this.numbers.set(bytes, (number = this.numbers.size));
    return number;
  }
}

/** Those of the files wanted that are there. */
export function filesFor(files: Files, wanted: readonly ValuesOf[]): Merged["files"] {
  return wanted.flatMap(({ layer, kind }) => {
    const file = fileOf(files, layer, "values", kind);
    return file === undefined ? [] : [{ kind, file }];
  });
}

export function fileOf(
  files: Files,
  layer: string,
  part: "values" | "templates" | "patches",
  kind: PartKind,
): LoadedFile | undefined {
  for (const [slot, file] of files)
    if (slot.layer.id === layer && slot.part === part && slot.kind === kind) return file;
  return undefined;
}
