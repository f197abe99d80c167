// The Applications among the objects that were read, those that sets make, and those that the sources of others hold: each
// with a chart is a target. What cannot be seen is reported once.
import { join } from "node:path";
import { isNode, type Item } from "../../krm/index.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import { objectId, type ObjectId, objectKey, objectText } from "../../object-id.ts";
import { positionOf, type ReadDocument, type SourceTarget } from "../../explain/index.ts";
import type { EntryPart, WantedParts } from "../entry.ts";
import { buildKustomization } from "../kustomize/build.ts";
import type { ObjectPlaces } from "../object-places.ts";
import { type Charts, chartsOf } from "../helm/charts.ts";
import { madeFaults } from "../helm/made-targets.ts";
import { indexOf, type ManifestIndex } from "../manifest-index.ts";
import { fileShown, shownFrom } from "../names.ts";
import { Assumed, foldersAbove, isWhole, type Locator, locatorAround } from "../locator.ts";
import { notBuilt } from "../not-built.ts";
import { fieldIn, plainIn, textIn } from "../placed.ts";
import { type FoundObjects, placedObject, type PlacedObject } from "../placed-object.ts";
import type { ChartStream } from "../rendered/made-stream.ts";
import { RenderedCharts } from "../rendered/made-stream.ts";
import { UsageError } from "../usage-error.ts";
import type { Workspace } from "../workspace.ts";
import { type ApplicationSource, explicitType, isArgoObject, mayHaveArgo, sourcesOf } from "./application.ts";
import { type ArgoHelm, argoHelm } from "./argo-helm.ts";
import { applicationTarget, type KnownApplication, readsOf, type ReadTarget } from "./application-target.ts";
import { directoryManifests } from "./directory-source.ts";
import { overlayOf } from "./kustomize-source.ts";
import { type PlacedSource, typeOf } from "./application.ts";
import { applicationsOfSet } from "./sets.ts";
import { existsSync, isThere } from "../disk.ts";
import { itemsIn } from "../items.ts";
import { isIn } from "../tree.ts";

export interface ReadApplications {
  readonly targets: readonly SourceTarget[];
  /** What kustomizations and directories of Applications hold. */
  readonly streams: readonly Uint8Array[];
  readonly places: ReadonlyMap<string, ObjectPlaces>;
  readonly unbuilt: readonly Diagnostic[];
}

export class Applications {
  private readonly workspace: Workspace;
  private readonly locator: Locator;
  readonly shown: (path: string) => string;
  private readonly index: ManifestIndex;
  private readonly known = new Map<string, KnownApplication>();
  private readonly streams = new Map<string, Uint8Array>();
  private readonly places = new Map<string, ObjectPlaces>();
  readonly documents = new Map<string, ReadDocument>();
  readonly charts: Charts;
  readonly helm: ArgoHelm;
  /** Charts that kustomizations give to Helm. */
  private readonly given: SourceTarget[] = [];
  private readonly unbuilt: Diagnostic[] = [];
  private readonly assumed = new Assumed();
  readonly rendered = new RenderedCharts();

  constructor(workspace: Workspace) {
    this.workspace = workspace;
    this.locator = locatorAround(workspace.from, workspace);
    this.index = indexOf(workspace);
    this.shown = shownFrom(workspace.from);
    this.charts = chartsOf(workspace);
    this.helm = argoHelm(workspace, this.locator.top);
  }

  /** Undefined where there is none. */
  static async find(
    objects: readonly FoundObjects[],
    workspace: Workspace,
  ): Promise<Applications | undefined> {
    if (!objects.some(({ bytes }) => mayHaveArgo(bytes))) return undefined;
    const all = new Applications(workspace);
    await all.add(objects);
    return all.known.size + all.unbuilt.length === 0 ? undefined : all;
  }

  /** Takes what the chart of an object of the list makes. */
  async follow({ bytes, origins }: ChartStream): Promise<void> {
    await this.add([{ bytes, placesOf: () => origins }]);
  }

  /** One for each Application. */
  parts(): readonly EntryPart[] {
    return [...this.known].map(([id, known]) => ({
      id,
      definition: JSON.stringify(plainIn(known.application.spec)),
      reads: readsOf(known, this.topsFor(known), this.index),
      mentions: () => false,
      names: () => [],
      targets: () => [],
      mayHave: () => false,
    }));
  }

  async read(wanted?: WantedParts): Promise<ReadApplications> {
    const chosen = [...this.known].filter(([id, { application }]) =>
      wanted === undefined
        ? true
        : "parts" in wanted
          ? wanted.parts.has(id)
          : application.name === wanted.target,
    );
    // A target of another kind may be in what any of them deploys.
    const isOther = wanted !== undefined && "target" in wanted && chosen.length === 0;
    const builders = isOther ? [...this.known] : chosen;
    for (const [id, each] of builders) await this.build(id, each);
    const found: ReadTarget[] = [];
    for (const [, each] of chosen) found.push(await applicationTarget(each, this));
    const { streams, places } = this;
    return {
      targets: [...found.flatMap(({ target }) => target ?? []), ...this.given],
      streams: [...streams.values()],
      places,
      unbuilt: [
        ...this.unbuilt,
        ...found.flatMap(({ faults }) => faults),
        ...this.helm.notes(),
        ...this.assumed.notes(),
      ],
    };
  }

  /** Sources that may hold other Applications are read at once. Of several objects of one name Argo CD takes the last. */
  private async add(objects: readonly FoundObjects[]): Promise<void> {
    const found = objects.flatMap(({ bytes, placesOf }) =>
      mayHaveArgo(bytes)
        ? itemsIn(bytes)
            .filter(isArgoObject)
            .map((item) => ({ item, places: placesOf(item) }))
        : [],
    );
    const last = new Map(found.map((each) => [objectKey(each.item), each]));
    for (const each of found) {
      const { item, places } = each;
      const taken = item.name === "" ? each : last.get(objectKey(item));
      if (taken !== undefined && taken !== each) this.repeat(item, placeOf(each), placeOf(taken));
      else if (item.kind === "Application") await this.addOwn(item, places);
      else if (item.kind === "ApplicationSet") await this.addSet(item, places);
    }
  }

  private async addSet(item: Item, places: ObjectPlaces): Promise<void> {
    const own = placedObject(item, places);
    if (own === undefined) return this.refuse(item, places.findItem(item), whyUnread(item));
    const { applications, unbuilt } = await applicationsOfSet(own, {
      topOf: (url) => this.topOf(url, undefined, own),
      shown: this.shown,
      read: (path) => this.index.placedIn(path, this.shown(path)),
      clusters: this.workspace.clusters,
    });
    this.unbuilt.push(...unbuilt);
    for (const each of applications) await this.addApplication(each);
  }

  private async addOwn(item: Item, places: ObjectPlaces): Promise<void> {
    const own = placedObject(item, places);
    if (own === undefined) this.refuse(item, places.findItem(item), whyUnread(item));
    else if (own.name === "") this.refuse(item, places.findItem(item), "has no name");
    else await this.addApplication(own);
  }

  private async addApplication(application: PlacedObject): Promise<void> {
    const id = objectKey(application);
    const other = this.known.get(id)?.application;
    if (other !== undefined) return this.repeat(application, application.at, other.at);
    const sources = sourcesOf(application.spec);
    if (sources.length === 0) return this.refuse(application, application.at, "has no source");
    const known = { application, sources: sources.flatMap((each) => this.placed(each, application) ?? []) };
    this.known.set(id, known);
    if (
      known.sources.some(
        ({ type, directory }) =>
          type === "chart" && directory !== undefined && this.index.madeBy(directory) !== undefined,
      )
    )
      await this.addMade(id, known);
    if (known.sources.some((each) => this.mayHoldMore(each))) await this.build(id, known);
  }

  /** An app of apps that is a chart. What it makes may be Applications of the same chart. */
  private async addMade(id: string, known: KnownApplication): Promise<void> {
    const { target } = await applicationTarget(known, this);
    const item = objectId(known.application);
    const { at } = known.application;
    const stacks = target?.stacks ?? [];
    if (stacks.every(({ release }) => release === undefined))
      for (const { type, directory } of known.sources)
        if (type === "chart" && directory !== undefined)
          this.unbuilt.push(
            ...madeFaults(this.shown(directory), this.index.madeBy(directory), item, at && positionOf(at)),
          );
    for (const [index, { release }] of stacks.entries()) {
      if (release === undefined) continue;
      const made = await this.rendered.stream(release, item);
      this.streams.set(`${id} chart ${index}`, made.bytes);
      this.unbuilt.push(...made.faults);
      for (const own of itemsIn(made.bytes))
        if (!this.places.has(objectKey(own))) this.places.set(objectKey(own), made.origins);
      await this.add([{ bytes: made.bytes, placesOf: () => made.origins }]);
    }
  }

  private placed(source: ApplicationSource, application: PlacedObject): PlacedSource | undefined {
    const { fields } = source;
    const [url, path] = [textIn(fieldIn(fields, "repoURL")) ?? "", textIn(fieldIn(fields, "path"))];
    const isRegistry = textIn(fieldIn(fields, "chart")) !== undefined;
    const [type, second] = explicitType(source);
    if (second !== undefined) {
      this.refuse(application, fields.at, `names several tools in \`${source.shown}\``);
      return undefined;
    }
    const top = isRegistry ? undefined : this.topOf(url, path, application);
    if (top === undefined || path === undefined) return { source, type, top, directory: undefined };
    const directory = join(top, path);
    if (!isIn(directory, top) || !existsSync(directory)) {
      const why = isThere(directory) ? "is outside of the repository" : "is not in the repository";
      this.refuse(application, fieldIn(fields, "path")?.at, `has a path that ${why}: \`${path}\``);
      return undefined;
    }
    return { source, type: type ?? typeOf(directory), top, directory };
  }

  private fileOf({ at }: PlacedObject): string | undefined {
    return at?.file === undefined ? undefined : fileShown(this.workspace.from, at.file);
  }

  private topsFor({ application, sources }: KnownApplication): readonly string[] {
    const { top } = this.locator;
    const file = this.fileOf(application);
    const isHere = sources.every((each) => each.top !== undefined);
    const above = isHere || file === undefined ? [] : foldersAbove(file, top);
    return above.length === 0 ? [top] : above;
  }

  /** The top of the checkout of a repository; undefined for one that is not here. */
  private topOf(url: string, path: string | undefined, application: PlacedObject): string | undefined {
    const file = this.fileOf(application);
    const named = path === undefined || isWhole(path) ? undefined : path;
    const located = this.locator.locate({ url, path: named, file });
    this.assumed.add(located, url, url);
    return "top" in located ? located.top : undefined;
  }

  private mayHoldMore({ type, directory }: PlacedSource): boolean {
    if (directory === undefined || (type !== "kustomize" && type !== "directory")) return false;
    if (type === "directory") return true;
    return this.index
      .filesOf(directory)
      .files.some((file) => mayHaveArgo(this.index.manifestsIn(file).bytes));
  }

  /** What its kustomizations and directories hold. */
  private async build(id: string, { application, sources }: KnownApplication): Promise<void> {
    for (const [index, each] of sources.entries()) {
      const key = `${id} ${index}`;
      if (each.directory === undefined || this.streams.has(key)) continue;
      if (each.type === "directory") await this.addDirectory(key, each.directory, each.source);
      if (each.type === "kustomize")
        await this.addKustomization(key, each.directory, each.source, application);
    }
  }

  private async addDirectory(key: string, directory: string, { fields }: ApplicationSource): Promise<void> {
    const { bytes, objects, unbuilt } = directoryManifests(
      directory,
      fieldIn(fields, "directory"),
      this.shown,
    );
    this.streams.set(key, bytes);
    this.unbuilt.push(...unbuilt);
    await this.add(objects);
  }

  private async addKustomization(
    key: string,
    directory: string,
    { fields, path }: ApplicationSource,
    application: PlacedObject,
  ): Promise<void> {
    this.streams.set(key, new Uint8Array());
    const overlay = overlayOf(fieldIn(fields, "kustomize"), this.shown(directory));
    try {
      const built = await buildKustomization(
        directory,
        overlay === undefined ? this.workspace : { ...this.workspace, overlay },
      );
      this.streams.set(key, built.bytes);
      this.given.push(...built.charts);
      this.unbuilt.push(...built.unbuilt);
      const { origins } = built;
      for (const item of itemsIn(built.bytes))
        if (!this.places.has(objectKey(item))) this.places.set(objectKey(item), origins);
      await this.add([{ bytes: built.bytes, placesOf: () => origins }]);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      const reason = [error.message, ...error.reason].join(": ");
      const message = `\`${path.join(".")}\` could not be built`;
      const { hint } = error;
      this.unbuilt.push(notBuilt({ message, item: objectId(application), reason, hint, at: fields.at }));
    }
  }

  /** What an Application deploys may be the same file. */
  private repeat(id: ObjectId, at: SourceTarget["at"], other: SourceTarget["at"]): void {
    if (JSON.stringify(at) === JSON.stringify(other)) return;
    const item = objectId(id);
    const message = `\`${objectText(item)}\` exists twice: this one is not read`;
    this.unbuilt.push(notBuilt({ message, item, at }));
  }

  private refuse({ kind, name }: ObjectId, at: SourceTarget["at"], what: string): void {
    const message = `\`${kind}/${name}\` ${what}`;
    this.unbuilt.push(notBuilt({ item: { kind, name }, message, severity: "error", at }));
  }
}

function placeOf({
  item,
  places,
}: {
  readonly item: Item;
  readonly places: ObjectPlaces;
}): SourceTarget["at"] {
  return places.findItem(item);
}

function whyUnread(item: Item): string {
  const root = item.read();
  return isNode(root) ? "has no `spec`" : `cannot be read: ${root.message}`;
}
