// A copy of kustomizations → the same with marks in place of values. Resources keep their paths: several kustomizations may have
// one. A patch, and a file that becomes a text, is a document of its own wherever it is used: each use has a path of its own.
import { basename, join, resolve } from "node:path";
import { type Node, normalizeText } from "../../yaml/index.ts";
import type { Place } from "../../explanation.ts";
import { isFile, readFile } from "../disk.ts";
import {
  copiedFiles,
  type CopiedFiles,
  type CopyOptions,
  generatorsIn,
  type KustomizationCopy,
} from "./copy.ts";
import { generatorKinds, markedGenerator, markedText, type MarkedText, partOf } from "./documents.ts";
import { functionFields } from "./functions.ts";
import type { Marks, SourceDocument, SourceText } from "./marks.ts";
import type { Overlay } from "./overlay.ts";
import { entriesAt, type Kustomization } from "./tree.ts";
import { asFields, asList, type Fields } from "../plain.ts";
import { placesOfFile } from "../placed.ts";

export interface MarkedCopy {
  readonly files: CopiedFiles;
  /** True if a text that may hold a Secret was copied as it is. */
  readonly mayHoldSecrets: boolean;
}

interface MarkingOptions extends CopyOptions {
  readonly marks: Marks;
  /** What is added to the topmost kustomization. */
  readonly overlay: Overlay | undefined;
  /** How a file is named in places. */
  readonly shown: (path: string) => string;
  /** Files that have marks already. */
  readonly given?: ReadonlyMap<string, string>;
}

export function markedCopy(copy: KustomizationCopy, options: MarkingOptions): MarkedCopy {
  const marking = new Marking(copy, options);
  const { top, fields } = copy;
  for (const each of [top, ...fields.keys()]) marking.add(each);
  options.marks.setOrder(orderOf(top, marking.steps));
  const files = copiedFiles({ top, fields: marking.fields }, marking.made);
  const asTheyAre = [...files].filter(([path]) => !marking.made.has(path));
  return { files, mayHoldSecrets: marking.hasUnmarked || asTheyAre.some(isLikeSecret) };
}

/** What the engine and kustomize report of a copy, without what marking adds to paths and texts. */
export function withoutMarks(words: string): string {
  return words.replaceAll(/\.vfm\d+(?!\w)/g, "").replaceAll(/vfm\d+m/g, "…");
}

/** What a kustomization applies, in order. */
type AppliedSteps = readonly (Kustomization | SourceDocument)[];

const mostSteps = 100_000;

/** The numbers of documents as a build applies them: what two kustomizations use is there twice. */
function orderOf(top: Kustomization, steps: ReadonlyMap<Kustomization, AppliedSteps>): readonly number[] {
  const order: number[] = [];
  const open = new Set<Kustomization>();
  const visit = (kustomization: Kustomization): void => {
    // kustomize refuses a circle.
    if (open.has(kustomization)) return;
    open.add(kustomization);
    for (const step of steps.get(kustomization) ?? []) {
      if (order.length > mostSteps) break;
      if ("role" in step) order.push(step.number);
      else visit(step);
    }
    open.delete(kustomization);
  };
  visit(top);
  return order;
}

class Marking {
  /** True if a document is not marked, or what functions hold. */
  hasUnmarked = false;
  /** Files that differ from those of the disk. */
  readonly made: Map<string, string>;
  readonly fields = new Map<Kustomization, Fields>();
  readonly steps = new Map<Kustomization, AppliedSteps>();
  private readonly copy: KustomizationCopy;
  private readonly options: MarkingOptions;
  private readonly resources = new Map<string, MarkedText | undefined>();
  private uses = 0;

  constructor(copy: KustomizationCopy, options: MarkingOptions) {
    this.copy = copy;
    this.options = options;
    this.made = new Map(options.given);
  }

  /** In kustomize's order: resources, own generators, components, own patches, those of Flux. */
  add(kustomization: Kustomization): void {
    if (this.steps.has(kustomization)) return;
    const steps: (Kustomization | SourceDocument)[] = [];
    this.steps.set(kustomization, steps);
    const { directory, fileName, functions, fields, root } = kustomization;
    const own: Record<string, unknown> = { ...this.copy.fields.get(kustomization) };
    this.fields.set(kustomization, own);
    const source = root && this.sourceOf(join(directory, fileName), root.doc.bytes);
    for (const field of ["resources", "bases"]) steps.push(...this.entriesAt(kustomization, field));
    if (source !== undefined) steps.push(...this.generators(kustomization, own, source));
    steps.push(...this.entriesAt(kustomization, "components"));
    steps.push(...this.patches(kustomization, own, source));
    const all = [...functions.values()].flat();
    this.hasUnmarked ||=
      functionFields.some((field) => field in fields) && !all.every(({ isFold }) => isFold);
  }

  private entriesAt(from: Kustomization, field: string): AppliedSteps {
    return entriesAt(from, field).flatMap((entry): AppliedSteps => {
      const other = from.others.get(entry);
      if (other === undefined) return this.resource(resolve(from.directory, entry))?.documents ?? [];
      this.add(other);
      return [other];
    });
  }

  /** Undefined if it is not marked. */
  private resource(path: string): MarkedText | undefined {
    if (this.resources.has(path) || !isFile(path)) return this.resources.get(path);
    const marked = this.markedFile(path, "resource");
    this.resources.set(path, marked);
    if (marked !== undefined) this.made.set(path, marked.text);
    return marked;
  }

  private generators(
    { directory, root }: Kustomization,
    own: Record<string, unknown>,
    { placeAt }: SourceText,
  ): AppliedSteps {
    const { marks } = this.options;
    const documents: SourceDocument[] = [];
    for (const [field, kind] of Object.entries(generatorKinds))
      if (field in own && root !== undefined)
        own[field] = generatorsIn(root, field, this.options).map((each) => {
          const { fields, document } = markedGenerator(each, kind, placeAt, marks);
          documents.push(document);
          this.hasUnmarked ||= kind === "Secret" && ("envs" in fields || "env" in fields);
          const { files } = fields;
          const content = (entry: unknown): unknown => this.contentOf(entry, directory, document);
          return Array.isArray(files) ? { ...fields, files: files.map(content) } : fields;
        });
    return documents;
  }

  /** A file that becomes the text of a data key: `values=prod.yaml`, or a path of which the last part is the key. */
  private contentOf(entry: unknown, directory: string, document: SourceDocument): unknown {
    const text = typeof entry === "string" ? entry : "";
    const name = text.slice(text.indexOf("=") + 1);
    const path = resolve(directory, name);
    if (name === "" || !isFile(path)) return entry;
    const at: Place = { of: "file", file: this.options.shown(path), line: 1, column: 1 };
    const mark = this.options.marks.mark({ document, at, value: readFile(path) });
    const own = this.use(name, directory, mark);
    return text.includes("=") ? `${text.slice(0, text.indexOf("="))}=${own}` : `${basename(name)}=${own}`;
  }

  /** In kustomize's order. What Flux adds comes last. */
  private patches(
    { directory, root }: Kustomization,
    own: Record<string, unknown>,
    source: SourceText | undefined,
  ): AppliedSteps {
    const inline = (node: Node): SourceText | undefined => source && partOf(node, source.placeAt);
    const listed = (field: string): readonly MarkedPatch[] =>
      (root?.list(field) ?? []).map((each, index) => {
        const fields = asFields(asList(own[field])[index]);
        const text = each.get("patch");
        if (text !== undefined && text.isScalar) return this.inlined(fields, inline(text));
        return this.patchFile(fields, "path", directory) ?? { fields, documents: [] };
      });
    const merges = (root?.list("patchesStrategicMerge") ?? []).map((each): MarkedPatch => {
      const fields = { patch: each.text };
      return this.patchFile(fields, "patch", directory) ?? this.inlined(fields, inline(each));
    });
    const [patches, operations] = [listed("patches"), listed("patchesJson6902")];
    const { overlay } = this.options;
    const added = own === this.fields.get(this.copy.top) ? (overlay?.patches ?? []) : [];
    const last = added.map((each) => this.inlined(each.fields, each.source));
    const seen = (each: MarkedPatch): readonly unknown[] => this.seenBy(each);
    const both = (each: MarkedPatch): readonly unknown[] => [...seen(each), each.fields];
    const all = [...patches.flatMap(both), ...operations.flatMap(seen), ...last.flatMap(both)];
    if (merges.length > 0) own["patchesStrategicMerge"] = merges.map(({ fields }) => fields["patch"]);
    if (operations.length > 0) own["patchesJson6902"] = operations.map(({ fields }) => fields);
    if (all.length > 0) own["patches"] = all;
    return [...merges, ...patches, ...operations, ...last].flatMap(({ documents }) => documents);
  }

  private inlined(fields: Fields, source: SourceText | undefined): MarkedPatch {
    const marked = source && markedText(source, "patch", this.options.marks);
    if (marked === undefined) this.hasUnmarked = true;
    return {
      fields: marked ? { ...fields, patch: marked.text } : fields,
      documents: marked?.documents ?? [],
    };
  }

  /** Undefined where the field names no file. */
  private patchFile(fields: Fields, field: string, directory: string): MarkedPatch | undefined {
    const name = fields[field];
    if (typeof name !== "string" || name.includes("\n") || !isFile(resolve(directory, name)))
      return undefined;
    const marked = this.markedFile(resolve(directory, name), "patch");
    if (marked === undefined) return { fields, documents: [] };
    return {
      fields: { ...fields, [field]: this.use(name, directory, marked.text) },
      documents: marked.documents,
    };
  }

  /** Operations find no annotation to add to: another patch before them shows which objects they reach. */
  private seenBy({ fields, documents }: MarkedPatch): readonly unknown[] {
    const all = "target" in fields ? documents.filter(({ role }) => role === "operations") : [];
    return all.map((document) => {
      const metadata = { name: "any", annotations: this.options.marks.annotationOf(document) };
      const patch = JSON.stringify({ apiVersion: "v1", kind: "Any", metadata });
      return { target: fields["target"], patch };
    });
  }

  private markedFile(path: string, role: "resource" | "patch"): MarkedText | undefined {
    const marked = markedText(this.sourceOf(path, normalizeText(readFile(path))), role, this.options.marks);
    if (marked === undefined) this.hasUnmarked = true;
    return marked;
  }

  /** @param name of a file @returns that of one of its own */
  private use(name: string, directory: string, content: string): string {
    const own = `${name}.vfm${this.uses++}`;
    this.made.set(resolve(directory, own), content);
    return own;
  }

  private sourceOf(path: string, bytes: Uint8Array): SourceText {
    return { bytes, placeAt: placesOfFile(this.options.shown(path), bytes) };
  }
}

/** A patch in a kustomization, and the documents that it holds. */
interface MarkedPatch {
  readonly fields: Fields;
  readonly documents: readonly SourceDocument[];
}

/** Of what is read: kustomizations are texts. */
function isLikeSecret([path, content]: readonly [string, Uint8Array | string]): boolean {
  if (typeof content === "string") return false;
  return /secret|sops|ENC\[|\.env$/i.test(basename(path) + Buffer.from(content).toString("latin1"));
}
