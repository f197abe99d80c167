// Objects that a chart makes, as they are after the kustomizations over them: a field that a patch sets has the line of the patch,
// and one that it leaves has that of the template.
import {
  type ChartRelease,
  givenValues,
  type HelmText,
  type ObjectPath,
  oneLine,
  type PatchedChart,
  type PatchedField,
  type PatchedObject,
  positionOf,
} from "../../explain/index.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import type { ManifestField } from "../../explanation.ts";
import type { Item } from "../../krm/index.ts";
import { objectText } from "../../object-id.ts";
import { madeTexts } from "./made-stream.ts";
import { rendered } from "./render.ts";
import { itemsIn } from "../items.ts";

/** The objects of a release in the end. */
export interface OverRelease {
  readonly chart: PatchedChart;
  /** As the chart makes them, by their numbers. */
  readonly made: readonly Item[];
}

/** Undefined where nothing is over the chart, or where that cannot be followed. */
export async function overRelease(release: ChartRelease, isAsked = true): Promise<OverRelease | undefined> {
  const { patches, helm } = release;
  if (patches?.patched === undefined) return undefined;
  const { answer } = await rendered(release, { ask: "render" }, { isAsked });
  const text = answer && joined(madeTexts(answer, release));
  if (text === undefined) return undefined;
  const made = itemsIn(text.bytes);
  // Helm 3 hands no hooks on.
  if (helm === 3 && made.some(({ annotations }) => annotations.has("helm.sh/hook"))) return undefined;
  const chart = await patches.patched(text);
  return chart && { chart, made };
}

/** The same where no name of an object may have something of a Secret. */
export async function namedRelease(release: ChartRelease, isAsked = true): Promise<OverRelease | undefined> {
  if (givenValues(release.given).secrets.length > 0) return undefined;
  const over = await overRelease(release, isAsked);
  return over?.chart.isSecret === true ? undefined : over;
}

const separator = Buffer.from("\n---\n");

function joined(texts: ReturnType<typeof madeTexts>): HelmText {
  const starts: number[] = [];
  let length = 0;
  for (const { bytes } of texts) {
    starts.push(length);
    length += bytes.length + separator.length;
  }
  return {
    bytes: Buffer.concat(texts.flatMap(({ bytes }) => [bytes, separator])),
    placeAt: (offset) => {
      const index = starts.findLastIndex((start) => start <= offset);
      return texts[index]?.lines.placeAt(offset - (starts[index] ?? 0)) ?? { of: "text" };
    },
  };
}

/** Of an object that is there no more. */
export async function takenFault(chart: PatchedChart, number: number, item: Item): Promise<Diagnostic> {
  const at = await chart.takenBy(number);
  const message = `a patch removes \`${objectText(item)}\` from what its chart makes`;
  return { code: "no-target", severity: "error", message, ...(at && { at: positionOf(at) }) };
}

/** A field that is not as the chart has it. @param own what the chart has at a path */
export function patchedField(
  { path, node, over, by }: PatchedField,
  { kind }: PatchedObject,
  release: ChartRelease,
  own: (path: ObjectPath) => Pick<ManifestField, "text" | "at" | "action"> | undefined,
): Omit<ManifestField, "path" | "elements"> {
  const isUnproven = by?.isProven !== true && givenValues(release.given).secrets.length > 0;
  const isOfSecret =
    kind === "Secret" && path[0] !== "metadata" && typeof path[0] === "string" && path.length > 1;
  const isHidden = by?.isSecret === true || isUnproven || isOfSecret;
  const below = over && own(over);
  const { text, at, action } = below ?? {};
  return {
    ...(node === undefined ? { removed: true } : isHidden ? {} : { text: oneLine(node) }),
    ...(by && { at: by.at, by: by.is }),
    values: [],
    ...(below && {
      over: {
        ...(text !== undefined && { text }),
        ...(at && { at }),
        ...(action !== undefined && { action }),
      },
    }),
  };
}
