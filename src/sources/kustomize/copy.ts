// A kustomization and what it refers to → the files that kustomize builds, in memory, under their real paths. Some of its
// functions may be left out, to see what they would hide; values may be marks, to see where they are from.
import { basename, join, relative, resolve } from "node:path";
import { isFault, lineIndex, Node, readDocument } from "../../yaml/index.ts";
import type { Place } from "../../explanation.ts";
import { existsSync, isFile, readFile, realPathOf } from "../disk.ts";
import { chartFields } from "./charts.ts";
import {
  asFields,
  filesOf,
  generatorKinds,
  markedGenerator,
  type MarkedText,
  markedText,
  partOf,
} from "./documents.ts";
import type { Marks, SourceDocument, SourceText } from "./marks.ts";
import type { Overlay } from "./overlay.ts";
import { functionFields, type KustomizeFunction } from "./functions.ts";
import {
  directoryFields,
  entriesAt,
  entryKey,
  fileNames,
  isRemote,
  type Kustomization,
  type KustomizationTree,
  urlsOf,
} from "./tree.ts";

export interface CopyOptions {
  readonly isLeftOut: (each: KustomizeFunction) => boolean;
  /** True if what would be fetched is left out. */
  readonly isLocal: boolean;
  /** Absent for a copy that holds what the files hold. */
  readonly marks?: Marks | undefined;
  /** How a file is named in places. */
  readonly shown: (path: string) => string;
  /** What Flux adds to the topmost kustomization. */
  readonly overlay: Overlay | undefined;
}

export interface KustomizationCopy {
  readonly directory: string;
  readonly files: ReadonlyMap<string, Uint8Array | string>;
  /** True if a text that may hold a Secret was copied as it is. */
  readonly mayHoldSecrets: boolean;
}

/** Undefined if an entry has both functions to leave out and others. */
export function copyOf({ top, all }: KustomizationTree, options: CopyOptions): KustomizationCopy | undefined {
  const { isLeftOut } = options;
  const isMixed = ({ functions }: Kustomization): boolean =>
    [...functions.values()].some((each) => each.some(isLeftOut) && !each.every(isLeftOut));
  if (top === undefined || all.some(isMixed)) return undefined;
  const copy = new Copy(options, top);
  copy.add(top);
  for (const each of all) copy.add(each);
  options.marks?.setOrder(orderOf(top, copy.steps));
  return { directory: top.directory, files: copy.files, mayHoldSecrets: copy.mayHoldSecrets };
}

/** The real paths of files that a kustomization names. */
export function filesNamedIn({ directory, fields }: Kustomization): readonly string[] {
  return textsIn(fields)
    .flatMap((text) => pathsIn(text, directory))
    .filter(isFile)
    .map((path) => realPathOf(path));
}

type CopySteps = ReadonlyMap<Kustomization, readonly (Kustomization | SourceDocument)[]>;

const mostSteps = 100_000;

/** The numbers of documents as a build applies them: what two kustomizations use is there twice. */
function orderOf(top: Kustomization, steps: CopySteps): readonly number[] {
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

type CopyFields = Record<string, unknown>;

class Copy {
  mayHoldSecrets = false;
  readonly files = new Map<string, Uint8Array | string>();
  private readonly options: CopyOptions;
  private readonly top: Kustomization;
  private readonly seen = new Set<Kustomization>();
  private readonly made = new Map<string, MarkedText | undefined>();
  /** What each kustomization applies, in order. */
  readonly steps = new Map<Kustomization, readonly (Kustomization | SourceDocument)[]>();

  constructor(options: CopyOptions, top: Kustomization) {
    this.options = options;
    this.top = top;
  }

  /** What each applies is kept in kustomize's order: resources, own generators, components, own patches. */
  add(kustomization: Kustomization): void {
    if (this.seen.has(kustomization)) return;
    this.seen.add(kustomization);
    const { directory, fileName, fields, root } = kustomization;
    const { marks } = this.options;
    const own: CopyFields = { ...fields };
    const steps: (Kustomization | SourceDocument)[] = [];
    this.steps.set(kustomization, steps);
    const addEntries = (field: string): void => {
      for (const entry of entriesAt(kustomization, field)) steps.push(...this.addEntry(kustomization, entry));
    };
    for (const field of ["resources", "bases"]) addEntries(field);
    this.leaveOut(kustomization, own);
    if (marks !== undefined && root !== undefined)
      steps.push(...this.addGenerators(kustomization, root, own, marks));
    addEntries("components");
    if (marks !== undefined && root !== undefined)
      steps.push(...this.addPatches(kustomization, root, own, marks));
    if (kustomization === this.top) steps.push(...this.addOverlay(own));
    this.addFunctions(kustomization);
    for (const text of textsIn(fields)) if (!kustomization.others.has(text)) this.addNamed(directory, text);
    // They would be fetched, and Helm would run: they are read where they are.
    for (const field of chartFields) delete own[field];
    // Kustomize refuses one without fields.
    if (Object.keys(own).length === 0) own["generatorOptions"] = { disableNameSuffixHash: true };
    for (const each of fileNames.map((name) => join(directory, name)))
      if (isFile(each)) this.files.set(each, "");
    this.files.set(join(directory, fileName), JSON.stringify(own));
  }

  private addEntry(from: Kustomization, entry: string): readonly (Kustomization | SourceDocument)[] {
    const other = from.others.get(entry);
    if (other === undefined)
      return this.addObjects(resolve(from.directory, entry), "resource")?.documents ?? [];
    this.add(other);
    return [other];
  }

  /** What functions hold is not marked, and neither is what they read. */
  private addFunctions({ directory, functions, fields }: Kustomization): void {
    const all = [...functions.values()].flat();
    const isTold = functionFields.some((field) => field in fields);
    if (isTold && !all.every(({ isFold }) => isFold)) this.mayHoldSecrets = true;
    for (const { text } of all) for (const each of textsIn(plainIn(text))) this.addNamed(directory, each);
  }

  /** What would be fetched is left out. */
  private generatorsIn(root: Node, field: string): readonly Node[] {
    return root.list(field).filter((each) => !this.options.isLocal || urlsOf(each).length === 0);
  }

  private leaveOut(kustomization: Kustomization, own: CopyFields): void {
    const { isLeftOut, isLocal } = this.options;
    const { root } = kustomization;
    for (const field of Object.keys(generatorKinds))
      if (root !== undefined && Array.isArray(own[field]))
        own[field] = this.generatorsIn(root, field).map((each) => each.plain(null));
    const isKept = (field: string, entry: string): boolean =>
      !(isLocal && isRemote(entry) && !existsSync(resolve(kustomization.directory, entry))) &&
      !(kustomization.functions.get(entryKey(field, entry)) ?? []).some(isLeftOut);
    // What is no list of texts is refused by kustomize.
    const isTexts = (value: unknown): boolean =>
      Array.isArray(value) && value.every((each) => typeof each === "string");
    for (const field of directoryFields)
      if (isTexts(own[field]))
        own[field] = entriesAt(kustomization, field)
          .filter((entry) => isKept(field, entry))
          .map((entry) => this.entryInCopy(kustomization, entry));
  }

  /** Real paths: what a link leads to has no other path here. */
  private entryInCopy({ directory, others }: Kustomization, entry: string): string {
    const other = others.get(entry);
    if (other !== undefined) return relative(directory, other.directory);
    const path = resolve(directory, entry);
    if (entry.includes("\n") || (isRemote(entry) && !existsSync(path))) return entry;
    return relative(directory, path) || ".";
  }

  private addGenerators(
    { directory, fileName }: Kustomization,
    root: Node,
    own: CopyFields,
    marks: Marks,
  ): readonly SourceDocument[] {
    const { placeAt } = this.sourceOf(join(directory, fileName), root.doc.bytes);
    const documents: SourceDocument[] = [];
    for (const [field, kind] of Object.entries(generatorKinds))
      if (field in own)
        own[field] = this.generatorsIn(root, field).map((each) => {
          const { fields, document } = markedGenerator(each, kind, placeAt, marks);
          documents.push(document);
          this.mayHoldSecrets ||= kind === "Secret" && ("envs" in fields || "env" in fields);
          for (const file of filesOf(each)) this.addContent(resolve(directory, file), document, marks);
          return fields;
        });
    return documents;
  }

  private addPatches(
    { directory, fileName }: Kustomization,
    root: Node,
    own: CopyFields,
    marks: Marks,
  ): readonly SourceDocument[] {
    const { placeAt } = this.sourceOf(join(directory, fileName), root.doc.bytes);
    const inline = (node: Node): SourceText => partOf(node, placeAt);
    const all: MarkedPatches = { documents: [], seen: [], marks };
    const merges = root.list("patchesStrategicMerge");
    if (merges.length > 0)
      own["patchesStrategicMerge"] = merges.map((each) => this.merge(directory, each, inline, all));
    const patch = (plain: CopyFields, each: Node): CopyFields => {
      const text = each.get("patch");
      const path = each.textAt("path");
      if (text !== undefined && text.isScalar) return this.patched(plain, inline(text), all);
      if (path !== undefined) see(plain, this.addObjects(resolve(directory, path), "patch"), all);
      return plain;
    };
    const patches = (field: string): readonly unknown[] =>
      root.list(field).flatMap((each, index) => {
        const made = patch(asFields(asList(own[field])[index]), each);
        return field === "patches" ? [...all.seen.splice(0), made] : [made];
      });
    for (const field of ["patches", "patchesJson6902"]) if (field in own) own[field] = patches(field);
    if (all.seen.length > 0) own["patches"] = [...asList(own["patches"]), ...all.seen];
    return all.documents;
  }

  /** The patches of Flux come after all others. */
  private addOverlay(own: CopyFields): readonly SourceDocument[] {
    const { overlay, marks } = this.options;
    if (overlay === undefined || overlay.patches.length === 0) return [];
    const all: MarkedPatches = { documents: [], seen: [], marks };
    const patches = overlay.patches.flatMap(({ fields, source }) => {
      const made = marks === undefined ? fields : this.patched(fields, source, all);
      return [...all.seen.splice(0), made];
    });
    own["patches"] = [...asList(own["patches"]), ...patches];
    return all.documents;
  }

  /** An inline patch with marks. */
  private patched(plain: CopyFields, source: SourceText | undefined, all: MarkedPatches): CopyFields {
    const marked = source && all.marks && markedText(source, "patch", all.marks);
    if (marked === undefined) this.mayHoldSecrets = true;
    see(plain, marked, all);
    return marked === undefined ? plain : { ...plain, patch: marked.text };
  }

  private merge(
    directory: string,
    entry: Node,
    inline: (node: Node) => SourceText,
    all: MarkedPatches,
  ): unknown {
    const text = entry.text;
    const file = this.addObjects(resolve(directory, text), "patch");
    see({}, file, all);
    if (file !== undefined || isFile(resolve(directory, text))) return text;
    return this.patched({ patch: text }, inline(entry), all)["patch"];
  }

  /** A file of resources or patches; undefined if it is not marked. */
  private addObjects(path: string, role: "resource" | "patch"): MarkedText | undefined {
    const { marks } = this.options;
    if (marks === undefined || this.made.has(path) || !isFile(path)) return this.made.get(path);
    const bytes = readFile(path);
    const marked = markedText(this.sourceOf(path, bytes), role, marks);
    this.made.set(path, marked);
    if (marked === undefined) this.mayHoldSecrets = true;
    this.files.set(path, marked?.text ?? bytes);
    return marked;
  }

  /** A file that becomes the text of a data key. */
  private addContent(path: string, document: SourceDocument, marks: Marks): void {
    if (this.made.has(path) || !isFile(path)) return;
    this.made.set(path, undefined);
    const at: Place = { of: "file", file: this.options.shown(path), line: 1, column: 1 };
    this.files.set(path, marks.mark({ document, at, value: readFile(path) }));
  }

  /** What a text in a kustomization may name: a file that is there. */
  private addNamed(directory: string, text: string): void {
    for (const path of pathsIn(text, directory)) {
      if (this.files.has(path) || !isFile(path)) continue;
      const bytes = readFile(path);
      this.mayHoldSecrets ||= isLikeSecret(path, bytes);
      this.files.set(path, bytes);
    }
  }

  private sourceOf(path: string, bytes: Uint8Array): SourceText {
    const file = this.options.shown(path);
    const placed = lineIndex(bytes);
    return { bytes, placeAt: (offset) => ({ of: "file", file, ...placed(offset) }) };
  }
}

interface MarkedPatches {
  readonly documents: SourceDocument[];
  /** Patches that show what operations reach: each comes before the operations. */
  readonly seen: unknown[];
  readonly marks: Marks | undefined;
}

/** Operations find no annotation to add to: another patch shows which objects they reach. */
function see(
  plain: CopyFields,
  marked: MarkedText | undefined,
  { documents, seen, marks }: MarkedPatches,
): void {
  for (const document of marked?.documents ?? []) {
    documents.push(document);
    if (document.role === "operations" && "target" in plain && marks !== undefined)
      seen.push(reached(plain["target"], document, marks));
  }
}

function reached(target: unknown, document: SourceDocument, marks: Marks): unknown {
  const metadata = { name: "any", annotations: marks.annotationOf(document) };
  return { target, patch: JSON.stringify({ apiVersion: "v1", kind: "Any", metadata }) };
}

/** What a document holds; nothing for one that cannot be read. */
export function plainIn(text: Uint8Array): unknown {
  const doc = readDocument(text);
  return isFault(doc) ? [] : new Node(doc).plain(null);
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A text in a kustomization may be a path, or `key=path`. */
function pathsIn(text: string, directory: string): readonly string[] {
  if (text.includes("\n")) return [];
  return [text, text.slice(text.indexOf("=") + 1)].map((name) => resolve(directory, name));
}

/** All texts in a value. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function isLikeSecret(path: string, bytes: Uint8Array): boolean {
  return /secret|sops|ENC\[|\.env$/i.test(basename(path) + Buffer.from(bytes).toString("latin1"));
}
