// What the files of a build hold, before anything is built: enough to know whether it can have to do with an object. In doubt
// it can.
import { basename } from "node:path";
import { type Item, Mark } from "../krm/index.ts";
import { isJudgedKind, kindNames } from "../kinds.ts";
import type { ObjectId } from "../object-id.ts";
import type { BuildFiles, ManifestIndex } from "./manifest-index.ts";
import { textsIn } from "./kustomize/copy.ts";
import { functionsIn, type KustomizationTree } from "./kustomize/tree.ts";
import { isFluxKustomization } from "./flux/kustomization.ts";
import { isOfSets } from "./flux/resource-sets.ts";
import { sourceKinds } from "./flux/sources.ts";
import { asFields, asList } from "./plain.ts";
import { generatorKinds } from "./kustomize/documents.ts";

const definingKinds: readonly string[] = [...sourceKinds, "ArtifactGenerator"];

export class BuildContent {
  /** True where it holds Kustomizations of Flux, or what may make some. */
  readonly hasKustomizations: boolean;
  private readonly files: BuildFiles;
  /** Targets, and what they may refer to. Names are as before prefixes and suffixes; a variable in one may be anything. */
  private readonly objects: readonly ObjectId[];
  private readonly sources: readonly ObjectId[];
  private readonly texts: readonly string[];
  /** True if what it makes has names that are not in its files. */
  private readonly isOpaque: boolean;
  private readonly isRenamed: boolean;

  /** @param top of the repository @param filled replaces the variables that are known */
  constructor(
    files: BuildFiles,
    index: ManifestIndex,
    top: string,
    filled: (text: string) => string = (text) => text,
  ) {
    const { tree } = files;
    const texts = files.files.filter((file) => /\.(?:ya?ml|json)$/.test(file));
    const read = texts.map((file) => index.manifestsIn(file));
    const items = read.flatMap((each) => each.items);
    const generated = tree?.all.flatMap(generatedBy) ?? [];
    this.files = files;
    this.hasKustomizations = items.some((item) => isFluxKustomization(item) || isOfSets(item));
    const named = ({ kind, name }: ObjectId): ObjectId => ({ kind, name: filled(name) });
    this.objects = [...items.filter(isKnownKind), ...generated].map(named);
    this.sources = items.filter(({ kind }) => definingKinds.includes(kind)).map(named);
    this.texts = [
      ...read.map(({ bytes }) => filled(Buffer.from(bytes).toString("latin1"))),
      ...(tree?.all.map(({ fields }) => textsIn(fields).join("\n")) ?? []),
    ];
    this.isOpaque =
      items.some(isMaker) ||
      isOpaque(tree, this.texts) ||
      texts.some((file) => index.makersIn(file, top).length > 0);
    this.isRenamed =
      tree?.all.some(({ fields }) => "namePrefix" in fields || "nameSuffix" in fields) ?? false;
  }

  reads(path: string): boolean {
    return (
      this.files.reads.some((each) => each.isTouchedBy(path)) ||
      this.texts.some((each) => mayNameForChart(each, path))
    );
  }

  /** True if an object of the name may come of it. */
  mayMake(name: string): boolean {
    return this.isOpaque || this.objects.some((each) => this.isNamed(each, name));
  }

  /** True if it may have the object that a source is. */
  mayDefine({ kind, name }: { readonly kind: string; readonly name: string }): boolean {
    const maker = kind === "ExternalArtifact" ? undefined : name;
    return this.sources.some((each) =>
      maker === undefined
        ? each.kind === "ArtifactGenerator"
        : each.kind === kind && this.isNamed(each, maker),
    );
  }

  /** True if its texts have one of the names in them, or may have. */
  mentions(names: ReadonlySet<string>): boolean {
    return this.isOpaque || [...names].some((name) => this.texts.some((text) => text.includes(name)));
  }

  /** The names of its ConfigMaps and Secrets, as far as they are known. */
  names(): readonly string[] {
    const layers = this.objects.filter(({ kind }) => kind === "ConfigMap" || kind === "Secret");
    return layers.map(({ name }) => name).filter((name) => name !== "" && !name.includes("${"));
  }

  /** The names of its targets, as far as they are known. */
  targets(): readonly string[] {
    const named = this.objects.filter(({ kind, name }) => isJudgedKind(kind) && !name.includes("${"));
    return named.map(({ name }) => name);
  }

  /** True if a target of the name may come of an object in its files. */
  mayHave(name: string): boolean {
    return this.objects.some((each) => isJudgedKind(each.kind) && this.isNamed(each, name));
  }

  private isNamed({ name }: ObjectId, wanted: string): boolean {
    const [first = "", ...parts] = name.split(/\$\{[^${}]*\}/);
    if (this.isRenamed) return areInOrder([first, ...parts], wanted);
    if (parts.length === 0) return first === wanted;
    const last = parts.pop() ?? "";
    const rest = wanted.slice(first.length, wanted.length - last.length);
    const isLong = wanted.length >= first.length + last.length;
    return isLong && wanted.startsWith(first) && wanted.endsWith(last) && areInOrder(parts, rest);
  }
}

/** True for a text of releases that may name a file in place of the values of their charts. */
export function mayNameForChart(text: string, path: string): boolean {
  return text.includes("valuesFiles") && text.includes(basename(path));
}

function areInOrder(parts: readonly string[], text: string): boolean {
  let at = 0;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return true;
}

/** A layer may name its target itself, and what folds may make others. */
function isMaker({ annotations, apiVersion }: Item): boolean {
  return annotations.has(Mark.into) || apiVersion.startsWith("valuefold.dev/");
}

function isKnownKind({ kind }: Item): boolean {
  return kindNames.some((each) => each === kind);
}

function generatedBy({ fields }: KustomizationTree["all"][number]): readonly ObjectId[] {
  return Object.entries(generatorKinds).flatMap(([field, kind]) =>
    asList(fields[field]).flatMap((entry) => {
      const { name } = asFields(entry);
      return typeof name === "string" ? { kind, name } : [];
    }),
  );
}

/** Functions, charts and remote bases make what no file here names; so does what gives an object another name. */
function isOpaque(tree: KustomizationTree | undefined, texts: readonly string[]): boolean {
  if (tree === undefined) return false;
  return (
    tree.faults.length > 0 ||
    functionsIn(tree).length > 0 ||
    tree.all.some(({ fields }) => "helmCharts" in fields || "replacements" in fields) ||
    texts.some((text) => text.includes("allowNameChange") || text.includes(Mark.into))
  );
}
