// Parts that were read, with what Applications of Argo CD among them deploy → one input.
import { lineIndex } from "../yaml/index.ts";
import type { SourceTarget } from "../explain/index.ts";
import type { Place } from "../explanation.ts";
import { mayHaveArgo } from "./argo/application.ts";
import { Applications, type ReadApplications } from "./argo/applications.ts";
import type { Input, WantedParts } from "./entry.ts";
import { makesTargets, releaseCharts } from "./flux/release-charts.ts";
import { madeBySets } from "./flux/resource-sets.ts";
import { sorted } from "./input.ts";
import { type BuildPlaces, JoinedPlaces } from "./joined-places.ts";
import { type StreamPart, type StreamParts, withRenders } from "./local-renders.ts";
import { type FoundObjects, itemsIn, placesInBuild, placesInFile } from "./placed-object.ts";
import { targetsIn } from "./read-kinds.ts";
import { type FollowedChart, FollowedCharts, type ReadList } from "./rendered/followed-charts.ts";
import type { ChartStream } from "./rendered/made-stream.ts";
import { RenderedCharts } from "./rendered/rendered-charts.ts";
import type { Workspace } from "./workspace.ts";
import { objectKey } from "../object-id.ts";

/** Parts, and the places of what was built of them. */
export type PlacedParts = StreamParts & {
  readonly origins?: JoinedPlaces | BuildPlaces;
  /** Charts that it gives to Helm. */
  readonly charts?: readonly SourceTarget[];
  /** Variables of Flux that only the cluster has. */
  readonly variables?: ReadonlySet<string>;
};

/** The objects in parts, for those who ask where they are. */
export function objectsIn({ parts, origins }: PlacedParts): readonly FoundObjects[] {
  return parts.map(({ bytes, name }): FoundObjects => {
    let placed: ReturnType<typeof lineIndex> | undefined;
    // Lines of stdin are not places that a user can open.
    const placeAt = (offset: number): Place =>
      name === undefined
        ? { of: "text" }
        : { of: "file", file: name, ...(placed ??= lineIndex(bytes))(offset) };
    return {
      bytes,
      placesOf: (item) => {
        const build = origins instanceof JoinedPlaces ? origins.of(item) : origins;
        return build === undefined ? placesInFile(item, placeAt) : placesInBuild(item, build);
      },
    };
  });
}

/** With what ResourceSets among the objects make. */
export async function withSets(found: PlacedParts): Promise<PlacedParts> {
  const made = await madeBySets(objectsIn(found));
  if (made.length === 0) return found;
  const places = made.flatMap(({ bytes, origins }) =>
    itemsIn(bytes).map((item) => [objectKey(item), origins] as const),
  );
  const origins = placesOf(found.origins, new Map(places));
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

/** Parts as an input, with what charts of their objects make: for that all is read, as any part may have values of such a chart. */
export async function readParts(
  source: PartsSource,
  applications: Applications | undefined,
  workspace: Workspace,
  wanted?: WantedParts,
): Promise<Input> {
  const first = await readList(source, { applications, made: [] }, workspace, wanted);
  if (first.makers.length === 0) return first.input;
  const charts = new FollowedCharts(applications?.rendered ?? new RenderedCharts(), workspace);
  let beside: BesideParts = { applications, made: [] };
  let all = wanted === undefined ? first : await readList(source, beside, workspace);
  for (;;) {
    const followed = await charts.next(all);
    const unbuilt = [...(all.input.unbuilt ?? []), ...charts.faults];
    if (followed.length === 0) return { ...all.input, unbuilt, isWhole: true };
    beside = await withFollowed(beside, followed, source, workspace);
    all = await readList(source, beside, workspace);
  }
}

/** What is read beside the parts of a source. */
interface BesideParts {
  readonly applications: Applications | undefined;
  /** What charts make that the source does not take. */
  readonly made: readonly ChartStream[];
}

async function withFollowed(
  { applications: known, made: before }: BesideParts,
  followed: readonly FollowedChart[],
  { follow }: PartsSource,
  workspace: Workspace,
): Promise<BesideParts> {
  let applications = known;
  for (const { id, made } of followed) {
    follow?.(id, made);
    if (mayHaveArgo(made.bytes)) applications ??= new Applications(workspace);
    await applications?.follow(id, made);
  }
  const made = follow === undefined ? followed.map((each) => each.made) : [];
  return { applications, made: [...before, ...made] };
}

async function readList(
  { read, own }: PartsSource,
  { applications, made }: BesideParts,
  workspace: Workspace,
  wanted?: WantedParts,
): Promise<ReadList> {
  const { parts, unbuilt, origins, charts: given = [], variables } = await read(wanted);
  const deployed = applications === undefined ? nothingDeployed : await applications.read(wanted);
  const streams = [...deployed.streams, ...made.map(({ bytes }) => bytes)];
  const more = streams.filter(({ length }) => length > 0).map((bytes): StreamPart => ({ bytes }));
  const all = await withRenders([...parts, ...more], workspace);
  const sources = placesOf(origins, new Map([...deployed.places, ...made.flatMap(placesIn)]));
  const objects = objectsIn({ parts: all.parts, unbuilt: [], ...(sources && { origins: sources }) });
  const found = await targetsIn(objects, workspace);
  const beside = [...given, ...found.flatMap((each) => each.targets)];
  const targets = [...deployed.targets, ...beside];
  const { overChart, makers } = await releaseCharts(
    all.parts.map(({ bytes }) => bytes),
    workspace,
  );
  const input: Input = {
    ...sorted(all.parts, targets.length > 0 ? [] : workspace.charts),
    ...(isEmpty(all.parts, targets.length > 0 || origins !== undefined) && { input: noObjects }),
    ...(sources && { sources }),
    ...(variables && { variables }),
    ...(targets.length === 0 && applications === undefined ? {} : { targets }),
    ...(own && { own }),
    overChart,
    unbuilt: [...unbuilt, ...all.unbuilt, ...deployed.unbuilt, ...found.flatMap(({ faults }) => faults)],
    rendered: all.rendered,
    ...(workspace.settings && { checkout: workspace.settings }),
  };
  return { input, makers: [...makers, ...beside.filter(makesTargets)] };
}

function placesIn({ bytes, places }: ChartStream): readonly (readonly [string, BuildPlaces])[] {
  return itemsIn(bytes).map((item) => [objectKey(item), places]);
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

/** Those of the parts come first. */
function placesOf(
  origins: PlacedParts["origins"],
  more: ReadonlyMap<string, BuildPlaces> = new Map(),
): PlacedParts["origins"] {
  return more.size === 0 ? origins : new JoinedPlaces(more, origins);
}
