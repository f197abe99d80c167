// Parts that were read, with what Applications of Argo CD among them deploy → one input.
import type { Diagnostic } from "../diagnostic.ts";
import { contentsOf, type SourceTarget } from "../explain/index.ts";
import type { Place } from "../explanation.ts";
import { mayHaveArgo } from "./argo/application.ts";
import { Applications, type ReadApplications } from "./argo/applications.ts";
import type { Input, WantedParts } from "./entry.ts";
import { isFluxKustomization } from "./flux/kustomization.ts";
import { makesTargets, releaseCharts } from "./flux/release-charts.ts";
import { madeBySets } from "./flux/resource-sets.ts";
import { sorted } from "./input.ts";
import { notBuilt } from "./not-built.ts";
import { type ObjectPlaces, placesInFile, type PlacesOf, withPlaces } from "./object-places.ts";
import { type StreamPart, type StreamParts, withRenders } from "./local-renders.ts";
import type { FoundObjects } from "./placed-object.ts";
import { targetsIn } from "./read-kinds.ts";
import { FollowedCharts, type ReadList } from "./rendered/followed-charts.ts";
import type { ChartStream } from "./rendered/made-stream.ts";
import { RenderedCharts } from "./rendered/made-stream.ts";
import type { Workspace } from "./workspace.ts";
import { objectId, objectKey, objectText } from "../object-id.ts";
import { itemsIn } from "./items.ts";
import { placesOfFile } from "./placed.ts";

/** Parts, and the places of what was built of them. */
export type PlacedParts = StreamParts & {
  readonly origins?: PlacesOf;
  /** Charts that it gives to Helm. */
  readonly charts?: readonly SourceTarget[];
  /** Variables of Flux that only the cluster has. */
  readonly variables?: ReadonlySet<string>;
};

/** The objects in parts, for those who ask where they are. */
export function objectsIn({ parts, origins }: PlacedParts): readonly FoundObjects[] {
  return parts.map(({ bytes, name }): FoundObjects => {
    // Lines of stdin are not places that a user can open.
    const own = placesInFile(name === undefined ? (): Place => ({ of: "text" }) : placesOfFile(name, bytes));
    return { bytes, placesOf: (item) => origins?.(item) ?? own };
  });
}

/** With what ResourceSets among the objects make. */
export async function withSets(found: PlacedParts): Promise<PlacedParts> {
  const made = await madeBySets(objectsIn(found));
  if (made.length === 0) return found;
  const origins = withMade(found.origins, made);
  return {
    ...found,
    parts: [...found.parts, ...made.map(({ bytes }) => ({ bytes }))],
    unbuilt: [...found.unbuilt, ...made.flatMap(({ unbuilt }) => unbuilt)],
    ...(origins && { origins }),
  };
}

const nothingDeployed: ReadApplications = { targets: [], streams: [], places: new Map(), unbuilt: [] };

/** Where the parts of an input are from. */
export interface PartsSource {
  readonly read: (wanted?: WantedParts) => PlacedParts | Promise<PlacedParts>;
  /** Takes what a chart makes, where it may build more because of it. */
  readonly follow?: (id: string, made: ChartStream) => void;
  /** The settings of its own fold. */
  readonly own?: Input["own"];
}

/**
 * Parts as an input, with what charts of their objects make. For that all is read, whatever is asked for: any part may have values of
 * such a chart.
 */
export class PartsReader {
  private readonly source: PartsSource;
  private readonly workspace: Workspace;
  private readonly charts: FollowedCharts;
  private applications: Applications | undefined;
  /** What charts make that the source does not take. */
  private readonly made: ChartStream[] = [];

  constructor(source: PartsSource, applications: Applications | undefined, workspace: Workspace) {
    this.source = source;
    this.applications = applications;
    this.workspace = workspace;
    this.charts = new FollowedCharts(applications?.rendered ?? new RenderedCharts(), workspace);
  }

  async read(wanted?: WantedParts): Promise<Input> {
    const first = await this.list(wanted);
    if (first.makers.length === 0) return first.input;
    let all = wanted === undefined ? first : await this.list();
    while (await this.follow(all)) all = await this.list();
    const unbuilt = [...(all.input.unbuilt ?? []), ...this.charts.faults, ...this.made.flatMap(unbuiltIn)];
    return { ...all.input, unbuilt, isWhole: true };
  }

  private async list(wanted?: WantedParts): Promise<ReadList> {
    const { source, applications, made, workspace } = this;
    const parts = await source.read(wanted);
    return listOf({ parts, applications, made, own: source.own }, workspace, wanted);
  }

  /** @returns false once there is nothing more to follow */
  private async follow(list: ReadList): Promise<boolean> {
    const { source, workspace } = this;
    const followed = await this.charts.next(list);
    for (const { id, made } of followed) {
      if (source.follow === undefined) this.made.push(made);
      else source.follow(id, made);
      if (mayHaveArgo(made.bytes)) this.applications ??= new Applications(workspace);
      await this.applications?.follow(made);
    }
    return followed.length > 0;
  }
}

/** What an input is made of. */
interface ListParts {
  readonly parts: PlacedParts;
  readonly applications: Applications | undefined;
  readonly made: readonly ChartStream[];
  readonly own: Input["own"];
}

/** Where no cluster of Flux is read, what Kustomizations build is missing. */
function unbuiltIn({ bytes }: ChartStream): readonly Diagnostic[] {
  return itemsIn(bytes)
    .filter(isFluxKustomization)
    .map((item) => {
      const message = `\`${objectText(item)}\` is not followed: no cluster of Flux is read`;
      return notBuilt({ message, item: objectId(item), hint: "name the directory that Flux builds" });
    });
}

async function listOf(
  { parts: placed, applications, made, own }: ListParts,
  workspace: Workspace,
  wanted: WantedParts | undefined,
): Promise<ReadList> {
  const { parts, unbuilt, origins, charts: given = [], variables } = placed;
  const deployed = applications === undefined ? nothingDeployed : await applications.read(wanted);
  // Sets that charts make.
  const sets = await madeBySets(made.map(({ bytes, origins: of }) => ({ bytes, placesOf: () => of })));
  const streams = [...deployed.streams, ...[...made, ...sets].map(({ bytes }) => bytes)];
  // Who deploys a directory ignores what is no manifest.
  const more = streams.filter((bytes) => contentsOf(bytes) === "manifests");
  const all = await withRenders([...parts, ...more.map((bytes) => ({ bytes }))], workspace);
  const sources = withMade(origins, [...made, ...sets], deployed.places);
  const objects = objectsIn({ parts: all.parts, unbuilt: [], ...(sources && { origins: sources }) });
  const found = await targetsIn(objects, workspace);
  const beside = [...given, ...found.flatMap((each) => each.targets)];
  const targets = [...deployed.targets, ...beside];
  const { overChart, released, makers } = await releaseCharts(objects, workspace);
  const input: Input = {
    ...sorted(all.parts, targets.length > 0 ? [] : workspace.charts),
    ...(isEmpty(all.parts, targets.length > 0 || origins !== undefined) && { input: noObjects }),
    ...(sources && { sources }),
    ...(variables && { variables }),
    ...(targets.length === 0 && applications === undefined ? {} : { targets }),
    ...(own && { own }),
    overChart,
    helm: workspace.helm,
    released,
    unbuilt: [
      ...unbuilt,
      ...all.unbuilt,
      ...deployed.unbuilt,
      ...sets.flatMap((each) => each.unbuilt),
      ...found.flatMap(({ faults }) => faults),
    ],
    rendered: all.rendered,
    ...(workspace.settings && { checkout: workspace.settings }),
  };
  return { input, makers: [...makers, ...beside.filter(makesTargets)] };
}

/** Those of the parts come first. */
function withMade(
  origins: PlacesOf | undefined,
  made: readonly Pick<ChartStream, "bytes" | "origins">[],
  others: ReadonlyMap<string, ObjectPlaces> = new Map(),
): PlacesOf | undefined {
  const own = made.flatMap(({ bytes, origins: of }) =>
    itemsIn(bytes).map((item): [string, ObjectPlaces] => [objectKey(item), of]),
  );
  const all = new Map([...others, ...own]);
  return all.size === 0 ? origins : withPlaces(origins, all);
}

/** There may be targets and no objects, and a build may be empty; stdin may not. */
function isEmpty(parts: readonly StreamPart[], mayBe: boolean): boolean {
  return mayBe && parts.every(({ bytes }) => isBlank(bytes));
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x0a || byte === 0x20);
}

/** A list without any. */
export const noObjects = Buffer.from("apiVersion: v1\nkind: List\nitems: []\n");
