// What a chart makes, as a stream of objects, each placed on the lines of its template: charts that make targets are read by it.
import type { Diagnostic } from "../../diagnostic.ts";
import { type ChartRelease, givenValues } from "../../explain/index.ts";
import type { Place, Variable } from "../../explanation.ts";
import type { EngineAnswer } from "../../engine/index.ts";
import { lineIndex, type Node } from "../../yaml/index.ts";
import {
  addScalarsTo,
  decodeStream,
  encode,
  type Item,
  metadataOf,
  removeItems,
  scalarOf,
  type TextEdit,
} from "../../krm/index.ts";
import { objectId, type ObjectId, objectText } from "../../object-id.ts";
import { sourceKinds } from "../flux/sources.ts";
import { type MadeObject, MadePlaces, type PlacedLines } from "../made-places.ts";
import { notBuilt } from "../not-built.ts";
import { readKinds } from "../read-kinds.ts";
import { unknownOf } from "./releases.ts";
import { rendered, type TemplateLine } from "./render.ts";

export interface ChartStream {
  readonly bytes: Uint8Array;
  readonly origins: MadePlaces;
  readonly faults: readonly Diagnostic[];
  /** True where it took too much. */
  readonly isCut?: boolean;
}

/** The text of a template: from a line and a column on, both 0-based, it is of a place. */
interface TemplateText {
  readonly name: string;
  readonly pieces: readonly (readonly [line: number, column: number, place: number])[];
}

/** @param item whose chart it is @param isThere true for an object that the list has: it is there once */
async function madeStream(
  release: ChartRelease,
  item: NonNullable<Diagnostic["item"]>,
  isThere: (object: ObjectId) => boolean = () => false,
): Promise<ChartStream> {
  const { secrets } = givenValues(release.given);
  if (secrets.length > 0) {
    const message = `what the chart \`${release.shown}\` makes is missing: its values have some of a Secret`;
    return nothingMade([notBuilt({ message, item, at: { text: objectText(item) } })]);
  }
  const { answer, faults, isCut = false } = await rendered(release, { ask: "render" }, { isAsked: false });
  if (answer === undefined) return { ...nothingMade(faults.map((each) => ({ ...each, item }))), isCut };
  const made = new MadeList(release.namespace, isThere);
  for (const { bytes, lines } of madeTexts(answer, release)) made.add(bytes, lines);
  const unknown = unknownOf(release, objectText(item)).map((each) => ({ ...each, item }));
  return {
    bytes: Buffer.concat(made.texts),
    origins: new MadePlaces(made.objects),
    faults: [...faults, ...unknown, ...made.faults],
  };
}

/** The texts of templates, in the order in which Helm prints them. */
export function madeTexts(
  answer: EngineAnswer,
  release: ChartRelease,
): readonly { readonly bytes: Uint8Array; readonly lines: PlacedLines }[] {
  const places = (answer["places"] ?? []) as readonly TemplateLine[];
  return ((answer["templates"] ?? []) as readonly TemplateText[]).map((each) => {
    const bytes = answer.files.get(each.name) ?? new Uint8Array();
    return { bytes, lines: linesOf(bytes, each, places, release) };
  });
}

/** Objects as the cluster has them: with the namespace of their release, where they have none. */
class MadeList {
  readonly texts: Uint8Array[] = [];
  readonly objects: MadeObject[] = [];
  readonly faults: Diagnostic[] = [];
  private readonly namespace: string;
  private readonly isThere: (object: ObjectId) => boolean;

  constructor(namespace: string, isThere: (object: ObjectId) => boolean) {
    this.namespace = namespace;
    this.isThere = isThere;
  }

  add(bytes: Uint8Array, text: PlacedLines): void {
    const envelope = decodeStream(bytes);
    if (!("items" in envelope)) return;
    const edits: TextEdit[] = [];
    const twice = new Set<Item>();
    for (const item of envelope.items) {
      const metadata =
        isRead(item) && !isOfArgo(item) && item.namespace === undefined ? metadataOf(item) : undefined;
      const listed = metadata === undefined ? item : { ...objectId(item), namespace: this.namespace };
      if (this.isThere(listed)) {
        twice.add(item);
        if (isRead(item)) this.faults.push(twiceFault(listed, item, text));
        continue;
      }
      if (metadata !== undefined)
        edits.push(addScalarsTo(metadata, [["namespace", scalarOf(this.namespace, 2)]]));
      this.objects.push({ item, text, listed });
    }
    this.texts.push(...encode(envelope, [...removeItems(envelope, twice), ...edits], []));
    this.texts.push(Buffer.from("\n---\n"));
  }
}

/** True for an object that has values, or leads to some. */
function isRead({ kind }: Item): boolean {
  return sourceKinds.includes(kind) || readKinds.some(({ kinds }) => kinds.includes(kind));
}

/** Argo CD has Applications where its own configuration says. */
function isOfArgo({ apiVersion }: Item): boolean {
  return apiVersion.startsWith("argoproj.io/");
}

function twiceFault(listed: ObjectId, item: Item, text: PlacedLines): Diagnostic {
  const message = `\`${objectText(listed)}\` exists twice: only the first is read`;
  const at = text.placeAt(item.read().offset ?? item.start);
  return notBuilt({ message, item: objectId(listed), at });
}

export function nothingMade(faults: readonly Diagnostic[]): ChartStream {
  return { bytes: new Uint8Array(), origins: new MadePlaces([]), faults };
}

function linesOf(
  bytes: Uint8Array,
  { name, pieces }: TemplateText,
  places: readonly TemplateLine[],
  release: ChartRelease,
): PlacedLines {
  const { shownTemplate } = release;
  const placeIn = lineIndex(bytes);
  const file = shownTemplate(name);
  const lineAt = (offset: number): TemplateLine | undefined => {
    const { line, column } = placeIn(offset);
    // An action may make several lines.
    const piece = pieces.findLast(([own, from]) => own < line - 1 || (own === line - 1 && from < column));
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

/** Charts that make themselves, again and again, end. */
const mostRendered = 500;

export class RenderedCharts {
  private count = 0;

  /** @param item whose chart it is @param isThere true for an object that the list has */
  async stream(
    release: ChartRelease,
    item: NonNullable<Diagnostic["item"]>,
    isThere?: (object: ObjectId) => boolean,
  ): Promise<ChartStream> {
    this.count++;
    if (this.count > mostRendered) return nothingMade([tooMany(item)]);
    const made = await madeStream(release, item, isThere);
    if (made.isCut === true) this.count = mostRendered;
    return made;
  }
}

export function tooMany(item: NonNullable<Diagnostic["item"]>): Diagnostic {
  const message =
    "charts that make targets with charts are too many, or take too long: the others are not read";
  return notBuilt({ message, item, severity: "error" });
}
