// A directory with Kustomizations of Flux → all that Flux would apply because of it: the objects in the directory, and what
// each Kustomization builds, whose own Kustomizations are followed in turn. What cannot be seen is reported once.
import { availableParallelism } from "node:os";
import { relative } from "node:path";
import type { Item } from "../../krm/index.ts";
import { positionOf, type SourceTarget } from "../../explain/index.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import { helmReleaseKind } from "../../kinds.ts";
import { objectId, objectKey } from "../../object-id.ts";
import type { ObjectPlaces, PlacesOf } from "../object-places.ts";
import type { EntryPart, WantedParts } from "../entry.ts";
import { indexOf, type ManifestIndex } from "../manifest-index.ts";
import { Assumed, type Locator, locatorAround } from "../locator.ts";
import { repositoryOf } from "../repository.ts";
import { UsageError } from "../usage-error.ts";
import { type BuildOptions, buildKustomization, type KustomizeBuild } from "../kustomize/build.ts";
import { nothingAdded, type Overlay } from "../kustomize/overlay.ts";
import { fileShown } from "../names.ts";
import { notBuilt, passedOver, withoutCredentials } from "../not-built.ts";
import { realPathOf } from "../disk.ts";
import type { ChartStream } from "../rendered/made-stream.ts";
import { BuildContent } from "../build-content.ts";
import {
  type FluxKustomization,
  fluxKustomization,
  isFluxKustomization,
  mayBeFollowed,
  takesSync,
} from "./kustomization.ts";
import { isOfSets, ResourceSets } from "./resource-sets.ts";
import { definitionOf, filled, isPlain, partOf } from "./part.ts";
import { FluxSources } from "./sources.ts";
import { substitutionOf } from "./substitution.ts";
import { mayBeRead } from "./unfollowed.ts";
import { type BuiltObject, ClusterVariables } from "./variables.ts";
import { itemsIn, linesOf, withoutItems } from "../items.ts";
import { remembered } from "../../remembered.ts";

export interface FluxStreams {
  /** Charts that kustomizations give to Helm. */
  readonly charts: readonly SourceTarget[];
  /** One for each build, the directory's own first. */
  readonly streams: readonly Uint8Array[];
  readonly origins: PlacesOf;
  /** Variables that only the cluster has. */
  readonly variables: ReadonlySet<string>;
  readonly unbuilt: readonly Diagnostic[];
}

/** A build of kustomize, or what a ResourceSet makes. */
type ClusterBuild = Omit<KustomizeBuild, "origins"> & { readonly origins: ObjectPlaces };

/** A Kustomization that is known, and not built yet. */
interface Waiting {
  readonly kustomization: FluxKustomization;
  readonly directory: string;
  readonly content: BuildContent;
}

const notFollowed = passedOver("Kustomizations of Flux are not followed: this is not a git repository");

/** The id of the directory's own build. */
const ownId = ".";

/**
 * All that Flux applies because of one directory: the objects in it, and what each Kustomization builds. Those that may hold
 * other Kustomizations are built at the start; the others only where they may bear on what is asked.
 */
export class FluxCluster {
  private readonly top: string;
  private readonly directory: string;
  private readonly options: BuildOptions;
  private readonly sources: FluxSources;
  private readonly index: ManifestIndex;
  private readonly builds = new Map<string, ClusterBuild>();
  /** What no build before has as it is: there is one of an object in the cluster. */
  private readonly streamOf = new Map<string, Uint8Array>();
  private readonly sets = new ResourceSets();
  private readonly byName = new Map<string, BuiltObject>();
  /** Objects that an earlier build has otherwise. */
  private readonly others = new Map<string, BuiltObject[]>();
  private readonly all = new Map<string, Waiting>();
  /** Those of which the directory is not known yet. */
  private readonly unplaced = new Set<FluxKustomization>();
  private readonly waiting = new Map<string, Waiting>();
  private readonly seen = new Set<string>();
  private readonly unbuilt: Diagnostic[] = [];
  /** What is not followed: it may read a file all the same. */
  private readonly missed: EntryPart[] = [];
  private readonly made: EntryPart[] = [];
  private readonly variables: ClusterVariables;
  private readonly assumed = new Assumed();

  private constructor(locator: Locator, directory: string, options: BuildOptions) {
    this.top = locator.top;
    this.directory = realPathOf(directory);
    this.options = options;
    this.index = indexOf(options);
    this.sources = new FluxSources(locator);
    this.variables = new ClusterVariables(this.byName);
  }

  /** @param first the build of the directory: it comes back where there is nothing to follow */
  static async open(
    directory: string,
    first: KustomizeBuild,
    options: BuildOptions,
  ): Promise<FluxCluster | KustomizeBuild> {
    const items = mayBeFollowed(first.bytes) ? itemsIn(first.bytes) : [];
    // Of a release alone its own values are asked.
    const hasKustomizations = items.some(
      (item) => item.kind !== helmReleaseKind.kind && isFluxKustomization(item),
    );
    if (!hasKustomizations && !items.some(isOfSets)) return first;
    if (options.top === undefined && repositoryOf(realPathOf(directory)) === undefined)
      return hasKustomizations ? { ...first, unbuilt: [...first.unbuilt, notFollowed] } : first;
    const cluster = new FluxCluster(locatorAround(directory, options), directory, options);
    await cluster.start(first);
    await cluster.buildWhere(({ content }) => content.hasKustomizations);
    return cluster;
  }

  parts(): readonly EntryPart[] {
    const own = new BuildContent(this.index.filesOf(this.directory), this.index, this.top);
    const parts = [...this.all].map(([id, { kustomization, content }]) => partOf(id, content, kustomization));
    return [partOf(ownId, own), ...parts, ...this.made, ...this.missed];
  }

  /** What is asked for, with all that it refers to. */
  async read(wanted?: WantedParts): Promise<FluxStreams> {
    if (wanted === undefined) await this.buildWhere(() => true);
    else if ("target" in wanted) await this.buildTarget(wanted.target);
    else await this.buildParts(wanted.parts);
    return this.streams();
  }

  /** Takes what a chart makes for the build of a Kustomization. */
  follow(id: string, { bytes, origins }: ChartStream): void {
    this.add(id, { bytes, origins, charts: [], unbuilt: [] });
  }

  /** What is built so far. */
  opened(): FluxStreams {
    return this.streams();
  }

  private streams(): FluxStreams {
    const builds = [...this.builds.values()];
    return {
      streams: [...this.streamOf.values()],
      charts: builds.flatMap((each) => each.charts),
      origins: (item) => this.builtAs(item)?.origins,
      variables: this.variables.unknown,
      unbuilt: [...builds.flatMap((each) => each.unbuilt), ...this.unbuilt, ...this.assumed.notes()],
    };
  }

  private async buildTarget(name: string): Promise<void> {
    await this.buildWhere(({ content }) => content.mayMake(name));
    await this.buildReferred(() =>
      [...this.byName.values()].map(({ item }) => item).filter((item) => item.name === name),
    );
  }

  private async buildParts(parts: ReadonlySet<string>): Promise<void> {
    const isPart = ({ kustomization }: Waiting): boolean => parts.has(objectKey(kustomization));
    await this.buildWhere(isPart);
    await this.buildReferred(() =>
      [...parts].flatMap((id) => itemsIn(this.builds.get(id)?.bytes ?? new Uint8Array())),
    );
  }

  /** What objects mention is built, too. */
  private async buildReferred(objects: () => readonly Item[]): Promise<void> {
    const texts = objects().map(linesOf);
    await this.buildWhere(({ content }) =>
      content.names().some((name) => texts.some((text) => text.includes(name))),
    );
  }

  /** Builds those of a sort, what they take variables from first, until there are no more. */
  private async buildWhere(isWanted: (each: Waiting) => boolean): Promise<void> {
    const most = Math.max(2, availableParallelism());
    for (;;) {
      const providers = this.placed();
      const all = [...this.waiting.values()];
      const wanted = this.withVariables(all.filter((each) => providers.includes(each) || isWanted(each)));
      const ready = this.variables.ready(wanted, all);
      if (ready.length === 0 && (await this.addMade(wanted.length === 0))) continue;
      if (wanted.length === 0) return;
      // Variables that are nowhere here are those of the cluster.
      const wave = (ready.length > 0 ? ready : wanted).slice(0, most);
      for (const { kustomization } of wave) this.waiting.delete(objectKey(kustomization));
      const built = await Promise.all(wave.map((each) => this.buildAt(each.directory, each.kustomization)));
      for (const [index, build] of built.entries()) {
        const { kustomization } = wave[index] as Waiting;
        if (build !== undefined) this.add(objectKey(kustomization), build);
      }
    }
  }

  /** What ResourceSets make. @param isLast true where no build can bring more inputs */
  private async addMade(isLast: boolean): Promise<boolean> {
    const made = await this.sets.make(isLast);
    for (const { id, part, ...build } of made) {
      this.made.push(part);
      this.add(id, { ...build, charts: [] }, true);
    }
    return made.length > 0;
  }

  /** With the builds that have what their variables are taken from. */
  private withVariables(wanted: readonly Waiting[]): readonly Waiting[] {
    const missing = wanted.flatMap(({ kustomization }) => this.variables.missingOf(kustomization));
    if (missing.length === 0) return wanted;
    const others = [...this.waiting.values()].filter(
      (each) => !wanted.includes(each) && missing.some(({ name }) => each.content.mayMake(name)),
    );
    return others.length === 0 ? wanted : this.withVariables([...wanted, ...others]);
  }

  /** The Kustomization that builds the directory itself may change what is in it. */
  private async start(first: KustomizeBuild): Promise<void> {
    const own = itemsIn(first.bytes)
      .filter(isFluxKustomization)
      .map((item) => fluxKustomization(item, first.origins))
      .find((each) => each !== undefined && this.isOwn(each));
    if (own === undefined) return this.add(ownId, first);
    this.seen.add(objectKey(own));
    this.add(ownId, isPlain(own) ? first : ((await this.buildAt(this.directory, own)) ?? first));
  }

  private isOwn(kustomization: FluxKustomization): boolean {
    const file = this.fileOf(kustomization);
    return file !== undefined && this.sources.addOwn(kustomization, file) === this.directory;
  }

  /** A real path. */
  private fileOf({ at }: Pick<FluxKustomization, "at">): string | undefined {
    return at?.file === undefined ? undefined : fileShown(this.options.from, at.file);
  }

  private add(id: string, build: ClusterBuild, isMade = false): void {
    const { items, bytes } = withoutItems(build.bytes, (item) => this.isCopy(item));
    this.builds.set(id, build);
    this.streamOf.set(id, bytes);
    for (const item of items) {
      const file = this.fileOf({ at: build.origins.findItem(item) });
      if (takesSync(item, build.origins)) this.unbuilt.push(syncOfSecret(item));
      else this.sources.add(item, file);
      this.sets.see(item, build.origins);
      const [name, built] = [objectKey(item), { item, origins: build.origins, isMade }];
      if (this.byName.has(name)) remembered(this.others, name, () => []).push(built);
      else this.byName.set(name, built);
    }
    for (const item of items.filter(isFluxKustomization)) {
      const kustomization = fluxKustomization(item, build.origins);
      if (kustomization === undefined || this.seen.has(objectKey(kustomization))) continue;
      this.seen.add(objectKey(kustomization));
      if (kustomization.isElsewhere)
        this.pass(
          kustomization,
          "`spec.kubeConfig` applies it to another cluster",
          `name its directory: ${kustomization.path}`,
        );
      else this.unplaced.add(kustomization);
    }
  }

  /** Of several builds that have an object, the one that has it so. */
  private builtAs(item: Item): BuiltObject | undefined {
    const name = objectKey(item);
    const isSame = (each: BuiltObject): boolean => textOf(each.item) === textOf(item);
    return this.others.get(name)?.find(isSame) ?? this.byName.get(name);
  }

  private isCopy(item: Item): boolean {
    const known = this.byName.get(objectKey(item))?.item;
    return known !== undefined && textOf(known) === textOf(item);
  }

  /** Finds their directories. What may define a source that is not known is to be built first: it is returned. */
  private placed(): readonly Waiting[] {
    for (const each of this.unplaced) if (this.sources.isKnown(each.source)) this.place(each);
    const providers = [...this.waiting.values()].filter(({ content }) =>
      [...this.unplaced].some(({ source }) => content.mayDefine(source)),
    );
    if (providers.length > 0 || this.unplaced.size === 0) return providers;
    for (const each of this.unplaced) this.place(each);
    return this.placed();
  }

  /** Where it is in this repository, and what its files hold. */
  private place(kustomization: FluxKustomization): void {
    const { source, path, overlay } = kustomization;
    this.unplaced.delete(kustomization);
    const found = this.sources.directoryOf(kustomization, path, this.fileOf(kustomization));
    if ("why" in found) {
      const url = found.isOther === true ? this.sources.urlOf(source) : undefined;
      return this.pass(kustomization, found.why, url && otherCheckout(url));
    }
    const { directory } = found;
    // What is built already, as it is, would be there twice.
    if (directory === this.directory && isPlain(kustomization)) return;
    this.assumed.add(found.located, this.sources.urlOf(source), `${source.kind}/${source.name}`);
    const files = this.index.filesOf(directory, { ...nothingAdded, ...overlay });
    const content = new BuildContent(files, this.index, this.top, (text) => filled(text, kustomization));
    const waiting = { kustomization, directory, content };
    this.all.set(objectKey(kustomization), waiting);
    this.waiting.set(objectKey(kustomization), waiting);
  }

  private async buildAt(
    directory: string,
    kustomization: FluxKustomization,
  ): Promise<KustomizeBuild | undefined> {
    const lookup = this.variables.lookupFor(kustomization, (variable, meant) => {
      this.unbuilt.push(unsetVariable(kustomization, variable, meant));
    });
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
      this.miss(kustomization, [error.message, ...error.reason].join(": "), error.hint);
      return undefined;
    }
  }

  /** What is not followed is compared where a file of its path changed: then it is named as missing. */
  private pass(kustomization: FluxKustomization, reason: string, hint?: string): void {
    this.miss(kustomization, reason, hint);
    const { index, top } = this;
    this.missed.push({
      id: objectKey(kustomization),
      definition: definitionOf(kustomization),
      reads: mayBeRead(kustomization.path, { index, top }),
      mentions: () => false,
      names: () => [],
      targets: () => [],
      mayHave: () => false,
    });
  }

  private miss({ kind, namespace, name, at }: FluxKustomization, reason: string, hint?: string): void {
    const { column: _column, ...place } = at ?? { of: "text" };
    const message = `this ${kind} could not be followed`;
    const found = place.file === undefined ? undefined : place;
    this.unbuilt.push(notBuilt({ item: { kind, namespace, name }, message, reason, hint, at: found }));
  }
}

function syncOfSecret(item: Item): Diagnostic {
  const message = `this ${item.kind} could not be followed`;
  return notBuilt({ item: objectId(item), message, reason: "a part of its `sync` is that of a Secret" });
}

function unsetVariable(
  { kind, namespace, name, at }: FluxKustomization,
  variable: string,
  meant: string,
): Diagnostic {
  return {
    code: "unknown-variable",
    severity: "warning",
    item: { kind, namespace, name },
    message: `\`\${${variable}}\` becomes an empty string: this ${kind} does not set it`,
    hint: `did you mean \`${meant}\`?`,
    ...(at && { at: positionOf(at) }),
  };
}

function otherCheckout(url: string): string {
  return `name a checkout of it: --repo ${withoutCredentials(url)}=DIR`;
}

function textOf(item: Item): string {
  return linesOf(item).toString("latin1").trimEnd();
}
