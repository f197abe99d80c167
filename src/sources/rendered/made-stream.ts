// What a chart makes, as a stream of objects, each placed on the lines of its template: an app of apps is read by it.
import type { Diagnostic } from "../../diagnostic.ts";
import { type ChartRelease, givenValues } from "../../explain/index.ts";
import type { Place, Variable } from "../../explanation.ts";
import { lineIndex, type Node } from "../../yaml/index.ts";
import { type MadeObject, MadePlaces, type PlacedLines } from "../made-places.ts";
import { notBuilt } from "../not-built.ts";
import { itemsIn } from "../placed-object.ts";
import { rendered, type TemplateLine } from "./render.ts";
import { objectText } from "../../object-id.ts";

export interface ChartStream {
  readonly bytes: Uint8Array;
  readonly places: MadePlaces;
  readonly faults: readonly Diagnostic[];
  /** True where it took too much. */
  readonly isCut?: boolean;
}

/** The text of a template: from a line and a column on, both 0-based, it is of a place. */
interface TemplateText {
  readonly name: string;
  readonly pieces: readonly (readonly [line: number, column: number, place: number])[];
}

/** @param item whose chart it is */
export async function madeStream(
  release: ChartRelease,
  item: NonNullable<Diagnostic["item"]>,
): Promise<ChartStream> {
  const { secrets } = givenValues(release.given);
  if (secrets.length > 0) {
    const message = `what the chart \`${release.shown}\` makes is missing: its values have some of a Secret`;
    return nothingMade([{ ...notBuilt({ message, item }), at: { text: objectText(item) } }]);
  }
  const { answer, faults, isCut = false } = await rendered(release, { ask: "render" }, { isAsked: false });
  if (answer === undefined) return { ...nothingMade(faults.map((each) => ({ ...each, item }))), isCut };
  const places = (answer["places"] ?? []) as readonly TemplateLine[];
  const objects: MadeObject[] = [];
  const texts: Uint8Array[] = [];
  for (const each of (answer["templates"] ?? []) as readonly TemplateText[]) {
    const bytes = answer.files.get(each.name) ?? new Uint8Array();
    const text = linesOf(bytes, each, places, release);
    objects.push(...itemsIn(bytes).map((own) => ({ item: own, text })));
    texts.push(bytes, Buffer.from("\n---\n"));
  }
  return { bytes: Buffer.concat(texts), places: new MadePlaces(objects), faults };
}

export function nothingMade(faults: readonly Diagnostic[]): ChartStream {
  return { bytes: new Uint8Array(), places: new MadePlaces([]), faults };
}

function linesOf(
  bytes: Uint8Array,
  { name, pieces }: TemplateText,
  places: readonly TemplateLine[],
  release: ChartRelease,
): PlacedLines {
  const { shownTemplate } = release;
  const positionOf = lineIndex(bytes);
  const file = shownTemplate(name);
  const lineAt = (offset: number): TemplateLine | undefined => {
    const { line, column } = positionOf(offset);
    const piece = pieces.findLast(([ownLine, ownColumn]) => ownLine === line - 1 && ownColumn <= column - 1);
    return piece && places[piece[2]];
  };
  const at = (offset: number): Place => {
    const own = lineAt(offset);
    return own === undefined
      ? { of: "file", file }
      : { of: "file", file: shownTemplate(own.file), line: own.line };
  };
  return { placeAt: at, lineAt: at, variablesAt: (offset) => valuesIn(lineAt(offset), release) };
}

/** The values of the user that a line of a template names. */
function valuesIn(line: TemplateLine | undefined, { files, given }: ChartRelease): readonly Variable[] {
  const text = line && Buffer.from(files().get(line.file)?.bytes ?? []).toString("utf8");
  const own = text?.split("\n")[(line?.line ?? 0) - 1] ?? "";
  const named = new Set([...own.matchAll(/\.Values\.([\w.]*\w)/g)].map(([, path = ""]) => path));
  return [...named].flatMap((name): readonly Variable[] => {
    const path = name.split(".");
    const found = given.toReversed().flatMap(({ root, placeOf }) => {
      const node = path.reduce<Node | undefined>((at, key) => at?.get(key), root);
      return node === undefined ? [] : [placeOf(node, path)];
    });
    return found[0] === undefined ? [] : [{ name, at: found[0] }];
  });
}
