// A kustomization with all others that it refers to on this disk: the directories that a build reads, and the functions
// that it runs.
import { join, relative, resolve } from "node:path";
import { isFault, lineAndColumn, Node, normalizeText, readDocument } from "../../yaml/index.ts";
import { entriesIn, existsSync, isDirectory, isFile, isFileAt, readFile, realPathOf } from "../disk.ts";
import { type FunctionField, functionFields, functionsOf, type KustomizeFunction } from "./functions.ts";
import { asGo } from "./documents.ts";
import { readingNow, type Reads } from "../reads.ts";
import type { Overlay } from "./overlay.ts";
import { asFields, asList, type Fields } from "../plain.ts";

/** One directory with a kustomization. */
export interface Kustomization {
  /** A real path. */
  readonly directory: string;
  readonly fileName: string;
  readonly fields: Fields;
  /** What its file says; absent if that cannot be read, or if nothing but Flux says what is built. */
  readonly root: Node | undefined;
  /** True if it cannot be read. */
  readonly isBroken: boolean;
  /** What it refers to and cannot be read here, and why it cannot be read itself. */
  readonly faults: TreeFault[];
  /** The kustomizations that it refers to. */
  readonly entered: Set<Kustomization>;
  /** Those that can be read, by the entries that name them. */
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
  /** What Flux or Argo CD adds to the topmost one. */
  readonly overlay: Overlay | undefined;
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

const objectFields = ["resources", "components", "bases"] as const;
const patchFields = ["patches", "patchesJson6902"] as const;
const generatorFields = ["configMapGenerator", "secretGenerator"] as const;
/** Lists of which an entry may be a directory. */
export const directoryFields = [...objectFields, ...functionFields] as const;

/** kustomize refuses a directory with two of them. */
export const fileNames = ["kustomization.yaml", "kustomization.yml", "Kustomization"];

export function kustomizationFile(directory: string): string | undefined {
  return fileNames.find((name) => existsSync(join(directory, name)));
}

/** The fields of a kustomization that name charts. */
export const chartFields = ["helmCharts", "helmGlobals", "helmChartInflationGenerator"] as const;

export function namesCharts({ fields }: Kustomization): boolean {
  return chartFields.some((field) => field in fields);
}

/** @param overlay what is added to the topmost one: without a file all manifests below are built then */
export function readTree(directory: string, overlay?: Overlay): KustomizationTree {
  return new TreeReader().treeOf(directory, overlay);
}

export function functionsIn({ all }: KustomizationTree): readonly KustomizeFunction[] {
  return all.flatMap(({ functions }) => [...functions.values()].flat());
}

/** The texts of a list in a kustomization. */
export function entriesAt({ fields }: Kustomization, field: string): readonly string[] {
  return asList(fields[field]).filter((entry) => typeof entry === "string");
}

/** The files with objects and patches that it names, on this disk or not. */
export function filesOf({ directory, fields }: Kustomization): readonly string[] {
  const named = [...objectFields, "patchesStrategicMerge"].flatMap((field) => asList(fields[field]));
  const paths = patchFields.flatMap((field) => asList(fields[field]).map((each) => asFields(each)["path"]));
  return [...named, ...paths]
    .filter((entry) => typeof entry === "string")
    .map((entry) => resolve(directory, entry));
}

/** The key of an entry's functions. */
export function entryKey(field: string, entry: string): string {
  return `${field} ${entry}`;
}

/** Reads each directory once, for all trees that have it. */
export class TreeReader {
  private readonly known = new Map<string, Kustomization>();
  private readonly reads: Map<Kustomization, readonly Reads[]> | undefined;
  /** The functions of directories, by `entryKey`. */
  private readonly below = new Map<string, readonly KustomizeFunction[]>();

  /** @param reads gets what reading each takes, if that is asked for */
  constructor(reads?: Map<Kustomization, readonly Reads[]>) {
    this.reads = reads;
  }

  treeOf(directory: string, overlay?: Overlay): KustomizationTree {
    const top = this.read(directory, overlay);
    const all = new Set<Kustomization>();
    const visit = (each: Kustomization): void => {
      if (all.has(each)) return;
      all.add(each);
      for (const other of each.entered) visit(other);
    };
    if (top !== undefined) visit(top);
    const faults = [...all].flatMap((each) => each.faults);
    return { top: top?.isBroken === true ? undefined : top, all: [...all], faults, overlay };
  }

  /** Undefined for what is no kustomization. */
  private read(directory: string, overlay?: Overlay): Kustomization | undefined {
    const path = realPathOf(directory);
    const known = this.known.get(path);
    const fileName = kustomizationFile(path);
    if (overlay === undefined && (known !== undefined || fileName === undefined)) return known;
    const plain = known ?? this.recorded(() => this.readAt(path, fileName));
    if (overlay === undefined) return plain;
    const below = this.reads?.get(plain) ?? [];
    return this.recorded(() => this.overlaidBy(plain, overlay), below);
  }

  /** @param below what was read for it before */
  private recorded(read: () => Kustomization, below: readonly Reads[] = []): Kustomization {
    if (this.reads === undefined) return read();
    const { value, reads } = readingNow(read);
    this.reads.set(value, [...below, reads]);
    return value;
  }

  /** What is added names components, and no other files: what the directory itself names was read before. */
  private overlaidBy(plain: Kustomization, overlay: Overlay): Kustomization {
    const { fields, others, entered } = plain;
    const own = {
      ...plain,
      fields: overlaid(fields, overlay),
      others: new Map(others),
      entered: new Set(entered),
    };
    if (!own.isBroken) for (const entry of overlay.components) this.enter(own, entry);
    return own;
  }

  /** @param fileName without one all manifests below are resources */
  private readAt(path: string, fileName: string | undefined): Kustomization {
    const faults: TreeFault[] = [];
    const root = fileName === undefined ? undefined : rootOf(join(path, fileName), faults);
    const own = fileName === undefined ? { resources: manifestsBelow(path) } : root && asFields(asGo(root));
    const kustomization: Kustomization = {
      directory: path,
      fileName: fileName ?? "kustomization.yaml",
      fields: own ?? {},
      root,
      isBroken: own === undefined || (root !== undefined && isOdd(root, join(path, fileName ?? ""), faults)),
      faults,
      others: new Map(),
      entered: new Set(),
      functions: new Map(),
    };
    if (fileName !== undefined) this.known.set(path, kustomization);
    if (!kustomization.isBroken) this.follow(kustomization);
    return kustomization;
  }

  private follow(kustomization: Kustomization): void {
    if (kustomization.root !== undefined) check(kustomization, kustomization.root);
    for (const field of objectFields)
      for (const entry of entriesAt(kustomization, field)) this.enter(kustomization, entry);
    for (const field of functionFields)
      for (const entry of entriesAt(kustomization, field))
        kustomization.functions.set(entryKey(field, entry), this.functionsAt(kustomization, entry, field));
  }

  private enter(from: Kustomization, entry: string): Kustomization | undefined {
    const path = resolve(from.directory, entry);
    const other = kindOf(path) === "directory" ? this.read(path) : undefined;
    if (other === undefined) return undefined;
    from.entered.add(other);
    if (other.isBroken) return undefined;
    from.others.set(entry, other);
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

/** Kustomize takes `Resources` for `resources`. What is not read here would be built all the same: it is refused. */
function isOdd(root: Node, file: string, faults: TreeFault[]): boolean {
  const lists = [...generatorFields, ...patchFields, "replacements"];
  const odd = [root, root.get("openapi"), ...lists.flatMap((field) => root.list(field))]
    .flatMap((node) => (node?.value.isMapping === true ? node.value.children() : []))
    .find(({ keyText }) => !fieldNames.has(keyText) && fieldNames.has(spelled(keyText)));
  if (odd === undefined) return false;
  const { line } = lineAndColumn(root.doc.bytes, odd.offset);
  const text = `\`${odd.keyText}\` is written \`${spelled(odd.keyText)}\``;
  faults.push({ why: "broken", file, line, text, isNeeded: true });
  return true;
}

/** What it names and is not here. What a generator makes of a URL is left out, and so is what is in another repository. */
function check({ directory, fileName, faults }: Kustomization, root: Node): void {
  const report = (why: TreeFault["why"], node: Node, isNeeded: boolean): void => {
    const { line } = lineAndColumn(root.doc.bytes, node.offset);
    faults.push({ why, file: join(directory, fileName), line, text: node.text, isNeeded });
  };
  const listed = (fields: readonly string[]): Node[] => fields.flatMap((field) => root.list(field));
  const paths = (fields: readonly string[]): Node[] =>
    listed(fields).flatMap((each) => each.get("path") ?? []);
  const isAbsent = ({ text }: Node): boolean => kindOf(resolve(directory, text)) === undefined;
  const openapi = root.get("openapi");
  const files = [
    ...listed(["patchesStrategicMerge", "configurations", "crds"]),
    ...paths([...patchFields, "replacements"]),
    ...[openapi && openapi.get("path")].flatMap((node) => node ?? []),
  ];
  for (const node of listed(generatorFields).flatMap(urlsOf)) report("remote", node, false);
  for (const node of files.filter(isUrl)) report("remote", node, true);
  for (const node of listed(functionFields).filter(({ text }) => isRemote(text)))
    if (isAbsent(node)) report("remote", node, true);
  for (const node of paths(patchFields).filter(({ text }) => !isRemote(text)))
    if (isAbsent(node)) report("missing", node, false);
  for (const node of listed(objectFields).filter(isAbsent))
    report(isRemote(node.text) ? "remote" : "missing", node, false);
}

function rootOf(path: string, faults: TreeFault[]): Node | undefined {
  const bytes = normalizeText(readFile(path));
  const doc = readDocument(bytes);
  const root = isFault(doc) ? undefined : new Node(doc);
  if (root?.value.isMapping === true || (root?.value.isScalar === true && root.value.isNull)) return root;
  const { offset = 0, message } = isFault(doc) ? doc : { message: "expected a mapping" };
  const { line } = lineAndColumn(bytes, offset);
  faults.push({ why: "broken", file: path, line, text: message, isNeeded: true });
  return undefined;
}

/** As Flux and Argo CD do it: what they add comes after what the file says, and overrides fields of one name. */
function overlaid(own: Fields, overlay: Overlay): Fields {
  const { fields, images } = overlay;
  const lists = { components: overlay.components, patches: overlay.patches.map((each) => each.fields) };
  const added = Object.entries(lists).filter(([, more]) => more.length > 0);
  return {
    ...own,
    ...(images.length > 0 && { images: withImages(asList(own["images"]) as readonly Fields[], images) }),
    ...fields,
    ...Object.fromEntries(added.map(([field, more]) => [field, [...asList(own[field]), ...more]])),
  };
}

/** A tag and a digest take the place of each other. */
function withImages(own: readonly Fields[], more: readonly Fields[]): readonly Fields[] {
  const names = more.map(({ name }) => name);
  const merged = more.map((image) => {
    const { newTag, digest, ...rest } = own.find(({ name }) => name === image["name"]) ?? {};
    const isPinned = "newTag" in image || "digest" in image;
    return { ...rest, ...(isPinned ? {} : { newTag, digest }), ...image };
  });
  return [...own.filter(({ name }) => !names.includes(name)), ...merged];
}

/** As Flux finds them: the manifests, and the directories with a kustomization. Paths from the top. */
export function manifestsBelow(directory: string, top = directory): readonly string[] {
  return entriesIn(directory)
    .filter(({ name }) => !name.startsWith("."))
    .flatMap((entry) => {
      const path = join(directory, entry.name);
      const isFolder = entry.kind === "directory";
      if (isFolder && kustomizationFile(path) === undefined) return manifestsBelow(path, top);
      return isFolder || (/\.ya?ml$/.test(path) && isFileAt(path, entry)) ? [relative(top, path)] : [];
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

/** The URLs among the files of a generator. */
export function urlsOf(generator: Node): readonly Node[] {
  const files = ["files", "envs"].flatMap((key) => generator.list(key));
  return [...files, ...[generator.get("env")].flatMap((node) => node ?? [])].filter(isUrl);
}

function isUrl(node: Node): boolean {
  return node.value.isScalar && isFetched(node.value.text);
}

/** True for a URL in place of a file. */
export function isFetched(text: string): boolean {
  return /^(?:[^=\n]*=)?https?:/i.test(text);
}
