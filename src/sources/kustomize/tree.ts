// A kustomization with all others that it refers to on this disk: the directories that a build reads, and the functions
// that it runs.
import { join, relative, resolve } from "node:path";
import { isFault, lineAndColumn, Node, readDocument } from "../../yaml/index.ts";
import { entriesIn, existsSync, isDirectory, isFile, readFile, realPathOf } from "../disk.ts";
import { type FunctionField, functionFields, functionsOf, type KustomizeFunction } from "./functions.ts";
import type { Overlay } from "./overlay.ts";

/** One directory with a kustomization. */
export interface Kustomization {
  /** A real path. */
  readonly directory: string;
  readonly fileName: string;
  readonly fields: { readonly [name: string]: unknown };
  /** What its file says; absent if that cannot be read, or if nothing but Flux says what is built. */
  readonly root: Node | undefined;
  /** Other kustomizations that it refers to, by the entries that name them. */
  readonly others: Map<string, Kustomization>;
  /** The functions that each entry names. */
  readonly functions: Map<string, readonly KustomizeFunction[]>;
}

export interface KustomizationTree {
  /** Undefined if its file cannot be read. */
  readonly top: Kustomization | undefined;
  readonly all: readonly Kustomization[];
  /** What it refers to and cannot be read here. */
  readonly faults: readonly TreeFault[];
}

/** An entry that names nothing on this disk, or a kustomization that is no YAML. */
export interface TreeFault {
  readonly why: "missing" | "remote" | "broken";
  readonly file: string;
  readonly line: number;
  /** The entry, or what is wrong. */
  readonly text: string;
  /** True if nothing can be built without it. */
  readonly isNeeded: boolean;
}

/** Lists of which an entry may be a directory. */
export const directoryFields = ["resources", "components", "bases", ...functionFields] as const;

/** kustomize refuses a directory with two of them. */
export const fileNames = ["kustomization.yaml", "kustomization.yml", "Kustomization"];

export function kustomizationFile(directory: string): string | undefined {
  return fileNames.find((name) => existsSync(join(directory, name)));
}

/** @param overlay what Flux adds to the topmost one, which needs no file then */
export function readTree(directory: string, overlay?: Overlay): KustomizationTree {
  const reader = new TreeReader();
  const top = overlay === undefined ? reader.read(directory) : reader.readOverlaid(directory, overlay);
  return { top, all: [...reader.all.values()], faults: reader.faults };
}

export function functionsIn({ all }: KustomizationTree): readonly KustomizeFunction[] {
  return all.flatMap(({ functions }) => [...functions.values()].flat());
}

/** The texts of a list in a kustomization. */
export function entriesAt({ fields }: Kustomization, field: string): readonly string[] {
  const list = fields[field];
  return Array.isArray(list) ? list.filter((entry): entry is string => typeof entry === "string") : [];
}

/** The key of an entry's functions. */
export function entryKey(field: string, entry: string): string {
  return `${field} ${entry}`;
}

class TreeReader {
  readonly all = new Map<string, Kustomization>();
  readonly faults: TreeFault[] = [];
  /** The functions of directories, by `entryKey`. */
  private readonly below = new Map<string, readonly KustomizeFunction[]>();

  read(directory: string): Kustomization | undefined {
    const path = realPathOf(directory);
    const known = this.all.get(path);
    const fileName = kustomizationFile(path);
    if (known !== undefined || fileName === undefined) return known;
    const root = this.rootOf(join(path, fileName));
    const fields = root === undefined ? undefined : fieldsOf(root);
    const read = newKustomization(path, fileName, fields ?? {}, root);
    this.all.set(path, read);
    if (root === undefined || fields === undefined || this.isOdd(root, join(path, fileName)))
      return undefined;
    for (const field of ["resources", "components", "bases"])
      for (const node of root.list(field)) this.follow(read, node);
    this.checkFiles(root, join(path, fileName), path);
    for (const field of functionFields)
      for (const entry of entriesAt(read, field))
        read.functions.set(entryKey(field, entry), this.functionsAt(read, entry, field));
    return read;
  }

  /** Kustomize takes `Resources` for `resources`. What is not read here would be built all the same: it is refused. */
  private isOdd(root: Node, file: string): boolean {
    const lists = ["configMapGenerator", "secretGenerator", "patches", "patchesJson6902", "replacements"];
    const odd = [root, root.get("openapi"), ...lists.flatMap((field) => root.list(field))]
      .flatMap((node) => (node?.value.isMapping === true ? node.value.children() : []))
      .find(({ keyText }) => !fieldNames.has(keyText) && fieldNames.has(spelled(keyText)));
    if (odd === undefined) return false;
    const { line } = lineAndColumn(root.doc.bytes, odd.offset);
    const text = `\`${odd.keyText}\` is written \`${spelled(odd.keyText)}\``;
    this.faults.push({ why: "broken", file, line, text, isNeeded: true });
    return true;
  }

  /** What is named in place of files. What a generator makes of a URL is left out. */
  private checkFiles(root: Node, fileName: string, directory: string): void {
    for (const node of fetchedGenerators(root).flatMap(urlsOf)) this.report("remote", fileName, node);
    for (const node of urlsIn(root)) this.report("remote", fileName, node, true);
    const isThere = (node: Node): boolean => kindOf(resolve(directory, node.text)) !== undefined;
    for (const node of functionFields.flatMap((field) => root.list(field)))
      if (!isThere(node) && isRemote(node.text)) this.report("remote", fileName, node, true);
    const patches = ["patches", "patchesJson6902"].flatMap((field) => root.list(field));
    for (const node of patches.flatMap((each) => each.get("path") ?? []))
      if (!isThere(node) && !isRemote(node.text)) this.report("missing", fileName, node);
  }

  /** As Flux does it: what it adds comes after what the file says, and without a file all manifests below are built. */
  readOverlaid(directory: string, { fields, components, images }: Overlay): Kustomization | undefined {
    const path = realPathOf(directory);
    const known = kustomizationFile(path) === undefined ? this.readAllBelow(path) : this.read(path);
    if (known === undefined) return undefined;
    const own = entriesAt(known, "components");
    const named = known.fields["images"];
    const ownImages: readonly ImageFields[] = Array.isArray(named) ? named : [];
    const all = {
      ...known.fields,
      ...(images.length === 0 ? {} : { images: withImages(ownImages, images) }),
      ...fields,
    };
    const read = {
      ...known,
      fields: components.length === 0 ? all : { ...all, components: [...own, ...components] },
    };
    this.all.set(path, read);
    for (const entry of components) this.enter(read, entry);
    return read;
  }

  private readAllBelow(path: string): Kustomization {
    const fields = { resources: manifestsBelow(path).map((each) => relative(path, each)) };
    const read = newKustomization(path, "kustomization.yaml", fields, undefined);
    for (const entry of fields.resources) this.enter(read, entry);
    return read;
  }

  private rootOf(path: string): Node | undefined {
    const bytes = readFile(path);
    const doc = readDocument(bytes);
    if (!isFault(doc)) return new Node(doc);
    const { line } = lineAndColumn(bytes, doc.offset ?? 0);
    this.faults.push({ why: "broken", file: path, line, text: doc.message, isNeeded: true });
    return undefined;
  }

  private report(why: TreeFault["why"], file: string, node: Node, isNeeded = false): void {
    const { line } = lineAndColumn(node.doc.bytes, node.offset);
    this.faults.push({ why, file, line, text: node.text, isNeeded });
  }

  /** The kustomization that an entry names, if it is one. */
  private follow(from: Kustomization, node: Node): Kustomization | undefined {
    const entry = node.text;
    if (kindOf(resolve(from.directory, entry)) === undefined)
      this.report(isRemote(entry) ? "remote" : "missing", join(from.directory, from.fileName), node);
    return this.enter(from, entry);
  }

  private enter(from: Kustomization, entry: string): Kustomization | undefined {
    const path = resolve(from.directory, entry);
    const kind = kindOf(path);
    const other = kind === "directory" ? this.read(path) : undefined;
    if (other !== undefined) from.others.set(entry, other);
    return other;
  }

  private functionsAt(
    from: Kustomization,
    entry: string,
    field: FunctionField,
  ): readonly KustomizeFunction[] {
    const path = resolve(from.directory, entry);
    const kind = kindOf(path);
    if (kind === "file") return functionsOf(readFile(path), field, path);
    if (kind === undefined && entry.includes("\n"))
      return functionsOf(Buffer.from(entry), field, join(from.directory, from.fileName));
    const other = this.enter(from, entry);
    return other === undefined ? [] : this.functionsBelow(other, field);
  }

  /** Each once, however many directories lead to it. */
  private functionsBelow(other: Kustomization, field: FunctionField): readonly KustomizeFunction[] {
    const key = entryKey(field, other.directory);
    const known = this.below.get(key);
    if (known !== undefined) return known;
    // Of a circle each directory is read once.
    this.below.set(key, []);
    const all = new Set(
      entriesAt(other, "resources").flatMap((each) => this.functionsAt(other, each, field)),
    );
    // Patches may make any function of one.
    const isPlain = Object.keys(other.fields).every((name) => plainFields.has(name));
    const found = isPlain ? [...all] : [...all].map((each) => ({ ...each, runsAs: "plugin" as const }));
    this.below.set(key, found);
    return found;
  }
}

function newKustomization(
  directory: string,
  fileName: string,
  fields: Kustomization["fields"],
  root: Node | undefined,
): Kustomization {
  return { directory, fileName, fields, root, others: new Map(), functions: new Map() };
}

type ImageFields = Readonly<Record<string, unknown>>;

/** A tag and a digest take the place of each other. */
function withImages(own: readonly ImageFields[], more: readonly ImageFields[]): readonly ImageFields[] {
  const names = more.map(({ name }) => name);
  const merged = more.map((image) => {
    const { newTag, digest, ...rest } = own.find(({ name }) => name === image["name"]) ?? {};
    const isPinned = "newTag" in image || "digest" in image;
    return { ...rest, ...(isPinned ? {} : { newTag, digest }), ...image };
  });
  return [...own.filter(({ name }) => !names.includes(name)), ...merged];
}

/** As Flux finds them: the manifests, and the directories with a kustomization. */
function manifestsBelow(directory: string): readonly string[] {
  return entriesIn(directory)
    .filter(({ name }) => !name.startsWith("."))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(directory, entry.name);
      if (entry.kind === "directory")
        return kustomizationFile(path) === undefined ? manifestsBelow(path) : [path];
      return /\.ya?ml$/.test(entry.name) ? [path] : [];
    });
}

/** Undefined if nothing is there. An entry may also be a whole document. */
function kindOf(path: string): "file" | "directory" | undefined {
  return isDirectory(path) ? "directory" : isFile(path) ? "file" : undefined;
}

/** True for what kustomize may fetch: a URL, or a path that starts with the name of a host. */
export function isRemote(entry: string): boolean {
  if (entry.includes("\n")) return false;
  const query = entry.includes("?") ? entry.slice(entry.indexOf("?")) : "";
  return (
    /[?&](?:ref|version)=/i.test(query) ||
    /:\/\/|^[\w.-]+@|^git::|^[a-z0-9-]+(?:\.[a-z0-9-]+)+[/:]/i.test(entry)
  );
}

const plainFields: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata", "resources"]);

/** The names under which kustomize reads files, by their small letters. */
const otherFields =
  "configMapGenerator secretGenerator patches patchesStrategicMerge patchesJson6902 replacements openapi crds configurations " +
  "helmCharts files envs env path";
const spellings = new Map(
  [...directoryFields, ...otherFields.split(" ")].map((name) => [name.toLowerCase(), name]),
);
const fieldNames: ReadonlySet<string> = new Set(spellings.values());

function spelled(name: string): string {
  return spellings.get(name.toLowerCase()) ?? name;
}

/** Generators that take a file from a URL. */
function fetchedGenerators(root: Node): readonly Node[] {
  const all = ["configMapGenerator", "secretGenerator"].flatMap((field) => root.list(field));
  return all.filter((each) => urlsOf(each).length > 0);
}

/** The URLs among the files of a generator. */
export function urlsOf(generator: Node): readonly Node[] {
  const files = ["files", "envs"].flatMap((key) => generator.list(key));
  return [...files, ...[generator.get("env")].flatMap((node) => node ?? [])].filter(isUrl);
}

function isUrl(node: Node): boolean {
  return isFetched(scalarTextOf(node));
}

/** True for a URL in place of a file. */
export function isFetched(text: string): boolean {
  return /^(?:[^=\n]*=)?https?:/i.test(text);
}

/** URLs in place of files. */
function urlsIn(root: Node): readonly Node[] {
  const inLists = (fields: readonly string[], keys: readonly string[]): Node[] =>
    fields.flatMap((field) => root.list(field).flatMap((each) => keys.flatMap((key) => each.get(key) ?? [])));
  const openapi = root.get("openapi");
  const all = [
    ...["patchesStrategicMerge", "configurations", "crds"].flatMap((field) => root.list(field)),
    ...inLists(["patches", "patchesJson6902", "replacements"], ["path"]),
    ...[openapi && openapi.get("path")].flatMap((node) => node ?? []),
  ];
  return all.filter(isUrl);
}

function scalarTextOf(node: Node): string {
  const value = node.value;
  return value.isScalar ? value.text : "";
}

function fieldsOf(root: Node): Kustomization["fields"] | undefined {
  const plain = root.plain(null);
  return typeof plain === "object" && plain !== null ? { ...plain } : undefined;
}
