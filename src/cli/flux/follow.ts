// A directory with Kustomizations of Flux → all that Flux would apply because of it: the objects in the directory, and what
// each Kustomization builds, whose own Kustomizations are followed in turn. What cannot be seen is reported once.
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { decodeStream, entriesOf, childOf, isNode, type Item, scalarText } from "../../core/index.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import type { Chain, Files, TextPlace } from "../../explain/index.ts";
import type { Place } from "../../explanation.ts";
import type { Node } from "../../core/index.ts";
import { UsageError } from "../io.ts";
import {
  type BuildOptions,
  buildKustomization,
  type KustomizeBuild,
  repositoryOf,
} from "../kustomize/build.ts";
import type { BuildOrigins } from "../kustomize/origins.ts";
import type { Overlay } from "../kustomize/overlay.ts";
import { kustomizationFile } from "../kustomize/tree.ts";
import { notBuilt, passedOver } from "../not-built.ts";
import { readFile } from "../stdio.ts";
import type { Lookup } from "./expression.ts";
import {
  type FluxKustomization,
  fluxKustomization,
  idOf,
  isFluxKustomization,
  type ObjectName,
} from "./kustomization.ts";
import { directoryAt, FluxSources } from "./sources.ts";
import { substitutionOf } from "./substitution.ts";

export interface FollowedBuild {
  /** A stream for each build, the directory's own first. */
  readonly streams: readonly Uint8Array[];
  readonly origins: Files;
  readonly unbuilt: readonly Diagnostic[];
}

/** True for a stream that Flux would build more of. */
export function mayBeFollowed(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes("kustomize.toolkit.fluxcd.io/");
}

/** True for a directory without a kustomization, and with a Kustomization of Flux in one of its own files. */
export function isFluxDirectory(directory: string): boolean {
  if (kustomizationFile(directory) !== undefined) return false;
  return readdirSync(directory)
    .filter((name) => /\.ya?ml$/.test(name))
    .map((name) => readFile(join(directory, name)))
    .some((bytes) => mayBeFollowed(bytes) && itemsIn(bytes).some(isFluxKustomization));
}

/** @returns undefined where there is nothing to follow */
export async function followFlux(
  directory: string,
  first: KustomizeBuild,
  options: BuildOptions,
): Promise<FollowedBuild | undefined> {
  if (!itemsIn(first.bytes).some(isFluxKustomization)) return undefined;
  const top = options.top ?? repositoryOf(realpathSync(directory));
  if (top === undefined) {
    const note = passedOver("Kustomizations of Flux are not followed: this is not a git repository");
    return { streams: [first.bytes], origins: first.origins, unbuilt: [...first.unbuilt, note] };
  }
  const walk = new FluxWalk(realpathSync(top), realpathSync(directory), options, remotesOf(top));
  await walk.run(first);
  return walk.result();
}

interface Waiting {
  readonly kustomization: FluxKustomization;
  readonly item: Item;
}

class FluxWalk {
  private readonly top: string;
  private readonly directory: string;
  private readonly options: BuildOptions;
  private readonly sources: FluxSources;
  private readonly builds: KustomizeBuild[] = [];
  private readonly byName = new Map<string, { readonly item: Item; readonly origins: BuildOrigins }>();
  private readonly seen = new Set<string>();
  private readonly waiting: Waiting[] = [];
  private readonly unbuilt: Diagnostic[] = [];
  private readonly assumed = new Set<string>();

  constructor(top: string, directory: string, options: BuildOptions, remotes: readonly string[]) {
    this.top = top;
    this.directory = directory;
    this.options = options;
    this.sources = new FluxSources(remotes);
  }

  async run(first: KustomizeBuild): Promise<void> {
    await this.start(first);
    const most = Math.max(2, availableParallelism());
    while (this.waiting.length > 0) {
      const ready = this.waiting.filter((each) => this.hasVariables(each.kustomization));
      // Variables that are nowhere here are those of the cluster.
      const wave = (ready.length > 0 ? ready : this.waiting).slice(0, most);
      for (const each of wave) this.waiting.splice(this.waiting.indexOf(each), 1);
      const built = await Promise.all(wave.map((each) => this.build(each.kustomization)));
      for (const each of built) if (each !== undefined) this.add(each);
    }
  }

  result(): FollowedBuild {
    if (this.assumed.size > 0)
      this.unbuilt.push(
        passedOver(`not here: ${[...this.assumed].join(", ")}; its paths are read in this repository`),
      );
    return {
      streams: this.builds.map(({ bytes }) => bytes),
      origins: new FluxOrigins(this.byName),
      unbuilt: [...this.builds.flatMap((each) => each.unbuilt), ...this.unbuilt],
    };
  }

  /** The Kustomization that builds the directory itself may change what is in it. */
  private async start(first: KustomizeBuild): Promise<void> {
    const own = itemsIn(first.bytes)
      .filter(isFluxKustomization)
      .map((item) => fluxKustomization(item, first.origins))
      .find((each) => each !== undefined && directoryAt(this.top, each.path) === this.directory);
    if (own === undefined) return this.add(first);
    this.sources.addOwn(own);
    this.seen.add(idOf(own));
    const isPlain = own.variables.size + own.variableSources.length === 0 && isEmpty(own.overlay);
    this.add(isPlain ? first : ((await this.buildAt(this.directory, own)) ?? first));
  }

  private add(build: KustomizeBuild): void {
    this.builds.push(build);
    for (const item of itemsIn(build.bytes)) {
      this.sources.add(item);
      const id = idOf({ ...item, namespace: item.namespace ?? "" });
      if (!this.byName.has(id)) this.byName.set(id, { item, origins: build.origins });
      const kustomization = isFluxKustomization(item) ? fluxKustomization(item, build.origins) : undefined;
      if (kustomization === undefined || this.seen.has(idOf(kustomization))) continue;
      this.seen.add(idOf(kustomization));
      this.waiting.push({ kustomization, item });
    }
  }

  private async build(kustomization: FluxKustomization): Promise<KustomizeBuild | undefined> {
    const { source, path } = kustomization;
    const found = this.sources.find(source);
    if ("why" in found) return this.miss(kustomization, `of ${source.kind}/${source.name}: ${found.why}`);
    const directory = directoryAt(this.top, `${found.path}/${path}`.replace(/^\/+/, ""));
    if (directory === undefined)
      return this.miss(kustomization, `its path \`${path}\` is not in this repository`);
    if (found.isAssumed) this.assumed.add(`${source.kind}/${source.name}`);
    return this.buildAt(directory, kustomization);
  }

  private async buildAt(
    directory: string,
    kustomization: FluxKustomization,
  ): Promise<KustomizeBuild | undefined> {
    const lookup = this.lookupFor(kustomization);
    const { name, at, overlay } = kustomization;
    const refuse = (object: string, reason: string): void => {
      this.miss(kustomization, `Flux cannot substitute variables in ${object}: ${reason}`);
    };
    const own: Overlay = {
      ...overlay,
      substitution: lookup && substitutionOf(lookup, refuse),
      command: `flux build kustomization ${name} --dry-run --path ${relative(this.options.from, directory) || "."} --kustomization-file ${at?.file ?? "FILE"}`,
    };
    try {
      return await buildKustomization(directory, { ...this.options, overlay: own });
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      return this.miss(kustomization, [error.message, ...error.reason].join(": "), error.hint);
    }
  }

  private miss({ kind, namespace, name, at }: FluxKustomization, reason: string, hint?: string): undefined {
    this.unbuilt.push({
      ...notBuilt({ item: { kind, namespace, name }, message: "what this Kustomization builds is missing" }),
      reason,
      ...(hint === undefined ? {} : { hint }),
      ...(at?.file === undefined
        ? {}
        : { at: { text: at.file, isFile: true, ...(at.line && { line: at.line }) } }),
    });
    return undefined;
  }

  private hasVariables({ variableSources }: FluxKustomization): boolean {
    return variableSources.every((each) => each.kind === "Secret" || this.byName.has(idOf(each)));
  }

  /** Undefined without variables: Flux replaces nothing then. Those of Secrets are never shown. */
  private lookupFor({ variables, variableSources }: FluxKustomization): Lookup | undefined {
    if (variables.size + variableSources.length === 0) return undefined;
    const sources = variableSources.map((each) => this.variablesOf(each)).toReversed();
    return (name) => {
      const inline = variables.get(name);
      if (inline !== undefined) return inline;
      for (const source of sources) {
        const found = source === undefined ? "unknown" : source(name);
        if (found !== "unset") return found;
      }
      return "unset";
    };
  }

  /** Undefined for what is not here. */
  private variablesOf(source: ObjectName): Lookup | undefined {
    const found = this.byName.get(idOf(source));
    const root = found?.item.read();
    if (found === undefined || root === undefined || !isNode(root)) return undefined;
    const [data, texts] = [childOf(root, "data"), childOf(root, "stringData")];
    const entries = new Map([...(data ? entriesOf(data) : []), ...(texts ? entriesOf(texts) : [])]);
    return (name) => {
      const node = entries.get(name);
      if (node === undefined) return "unset";
      if (source.kind === "Secret") return "unknown";
      const text = scalarText(node);
      const { item, origins } = found;
      const known = ["data", "stringData"].flatMap(
        (field) => origins.sourceOf(item, [field, name], node) ?? [],
      )[0];
      const at = known?.placeAt(0) ?? {
        of: "file",
        file: origins.findText(item, name, Buffer.from(text, "utf8")).file,
      };
      return { name, at, value: text.replaceAll("\n", "") };
    };
  }
}

/** The URLs of the repository. A work tree of its own has them elsewhere: there none is known. */
export function remotesOf(top: string): readonly string[] {
  const file = join(top, ".git", "config");
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  return [...text.matchAll(/^\s*url\s*=\s*(\S+)\s*$/gm)].map(([, url = ""]) => url);
}

function isEmpty({ fields, components, patches, images }: FluxKustomization["overlay"]): boolean {
  return Object.keys(fields).length + components.length + patches.length + images.length === 0;
}

function itemsIn(bytes: Uint8Array): readonly Item[] {
  const envelope = decodeStream(bytes);
  return "items" in envelope ? envelope.items : [];
}

/** The places of several builds. An object that two of them have is looked up in the first. */
class FluxOrigins implements Files {
  private readonly byName: ReadonlyMap<string, { readonly origins: BuildOrigins }>;

  constructor(byName: ReadonlyMap<string, { readonly origins: BuildOrigins }>) {
    this.byName = byName;
  }

  findItem(item: Item): Place | undefined {
    return this.of(item)?.findItem(item);
  }

  findText(item: Item, key: string, text: Uint8Array): TextPlace | undefined {
    return this.of(item)?.findText(item, key, text);
  }

  chainOf(item: Item, values: Node): Chain | undefined {
    return this.of(item)?.chainOf(item, values);
  }

  private of(item: Item): BuildOrigins | undefined {
    return this.byName.get(idOf({ ...item, namespace: item.namespace ?? "" }))?.origins;
  }
}
