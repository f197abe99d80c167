// Parts that were read, with what Applications of Argo CD among them deploy → one input.
import { lineIndex } from "../yaml/index.ts";
import type { SourceTarget } from "../explain/index.ts";
import type { Place } from "../explanation.ts";
import type { Applications, ReadApplications } from "./argo/applications.ts";
import type { Input, WantedParts } from "./entry.ts";
import { releaseCharts } from "./flux/release-charts.ts";
import { madeBySets } from "./flux/resource-sets.ts";
import { sorted } from "./input.ts";
import { type BuildPlaces, JoinedPlaces } from "./joined-places.ts";
import { type StreamPart, type StreamParts, withRenders } from "./local-renders.ts";
import { type FoundObjects, itemsIn, placesInBuild, placesInFile } from "./placed-object.ts";
import { targetsIn } from "./read-kinds.ts";
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

export async function readParts(
  { parts, unbuilt, origins, charts: given = [], variables }: PlacedParts,
  applications: Applications | undefined,
  workspace: Workspace,
  wanted?: WantedParts,
): Promise<Input> {
  const deployed = applications === undefined ? nothingDeployed : await applications.read(wanted);
  const more = deployed.streams.filter(({ length }) => length > 0).map((bytes): StreamPart => ({ bytes }));
  const all = await withRenders([...parts, ...more], workspace);
  const sources = placesOf(origins, deployed.places);
  const objects = objectsIn({ parts: all.parts, unbuilt: [], ...(sources && { origins: sources }) });
  const own = await targetsIn(objects, workspace);
  const targets = [...deployed.targets, ...given, ...own.flatMap((each) => each.targets)];
  const input = sorted(all.parts, targets.length > 0 ? [] : workspace.charts);
  return {
    ...input,
    ...(isEmpty(all.parts, targets.length > 0 || origins !== undefined) && { input: noObjects }),
    ...(sources && { sources }),
    ...(variables && { variables }),
    ...(targets.length === 0 && applications === undefined ? {} : { targets }),
    overChart: await releaseCharts(
      all.parts.map(({ bytes }) => bytes),
      workspace,
    ),
    unbuilt: [...unbuilt, ...all.unbuilt, ...deployed.unbuilt, ...own.flatMap(({ faults }) => faults)],
    rendered: all.rendered,
    ...(workspace.settings && { checkout: workspace.settings }),
  };
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
