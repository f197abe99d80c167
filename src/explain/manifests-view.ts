// Objects that charts make, as text: each field with the line of its template, and under it the values that are in it.
import type {
  ExplainedLayer,
  ExplainedManifest,
  ExplainedStack,
  ExplainedValue,
  Explanation,
  ManifestField,
  ManifestValue,
  OverriddenValue,
  Place,
} from "../explanation.ts";
import { legible } from "../report/index.ts";
import { count } from "../core/index.ts";
import { pathText } from "../merge/index.ts";
import { type Cell, columns, type TableLayout } from "./columns.ts";
import { hidden } from "./lines.ts";
import { targetOf, valuesAt } from "./manifest-values.ts";
import { plain as plainWords, tableCode } from "./markdown-text.ts";
import { painted, plain, type Paint } from "./paint.ts";
import { placeText } from "./places.ts";
import { titleOf } from "./titles.ts";
import type { ViewOptions } from "./view.ts";
import { objectText } from "../object-id.ts";

const widest = 56;

/** The fields of objects. */
export function renderManifests(explanation: Explanation, options: ViewOptions): string {
  const view = new ManifestView(explanation, options);
  return (explanation.manifests ?? []).map((each) => view.object(each)).join("\n");
}

/** The same as Markdown: a table for each object. */
export function markdownManifests(explanation: Explanation): string {
  const view = new ManifestView(explanation, { colour: false });
  return (explanation.manifests ?? []).map((each) => view.table(each)).join("\n");
}

/** What becomes of values: below each target its objects, and which of their fields change. */
export function renderEffects(explanation: Explanation, options: ViewOptions): string {
  const view = new ManifestView(explanation, options);
  return view.effects();
}

class ManifestView {
  private readonly explanation: Explanation;
  private readonly paint: Paint;
  private readonly layout: TableLayout;

  constructor(explanation: Explanation, { colour, width }: ViewOptions) {
    this.explanation = explanation;
    this.paint = colour ? painted : plain;
    this.layout = { most: widest, width };
  }

  object(manifest: ExplainedManifest): string {
    const { bold, dim } = this.paint;
    const head = `${bold(legible(objectText(manifest)))}  ${dim(legible(`${ownerOf(manifest)}, ${placeText(manifest.at, "")}`))}`;
    return [head, ...columns(this.rows(manifest), this.layout)].map((line) => `${line}\n`).join("");
  }

  table(manifest: ExplainedManifest): string {
    const rows = this.rows(manifest).map((cells) => {
      const [first = "", ...others] = cells.map(({ text }) => text);
      const depth = first.length - first.trimStart().length;
      const all = [`${"&nbsp;".repeat(depth)}${tableCode(first.trimStart())}`, ...others.map(shownInTable)];
      return `| ${all.join(" | ")} |`;
    });
    const head = `**${plainWords(objectText(manifest))}**, ${plainWords(`${ownerOf(manifest)}, ${placeText(manifest.at, "")}`)}`;
    return [head, "", "| Field | Where | What |", "|---|---|---|", ...rows]
      .map((line) => `${line}\n`)
      .join("");
  }

  private rows(manifest: ExplainedManifest): Cell[][] {
    const stack = this.stackOf(manifest);
    const rows = manifest.fields.flatMap((field) => [
      this.fieldCells(field),
      ...this.overRows(field),
      ...field.values.flatMap((each) => this.valueRows(each, stack)),
    ]);
    return [...manifest.exists.flatMap((each) => this.valueRows(each, stack)), ...rows];
  }

  effects(): string {
    const all = this.explanation.manifests ?? [];
    const owners = [...new Set(all.map(ownerOf))];
    const parts = owners.map((owner) => {
      const rows = all.filter((each) => ownerOf(each) === owner).flatMap((each) => this.effectRows(each));
      return [`${this.paint.bold(legible(owner))} makes of it`, ...columns(rows, this.layout)];
    });
    return parts.map((lines) => lines.map((line) => `${line}\n`).join("")).join("\n");
  }

  private effectRows(manifest: ExplainedManifest): Cell[][] {
    const name = { text: `  ${objectText(manifest)}` };
    const exists =
      manifest.exists.length === 0
        ? []
        : [[name, { text: `(${wordOf(manifest.exists)})` }, this.placeCell(manifest.at)]];
    const fields = manifest.fields.map(({ path, at, values }) => [
      name,
      { text: pathText(path) },
      this.placeCell(at),
      {
        text: wordOf(values),
        paint: this.paint.dim,
      },
    ]);
    return [...exists, ...fields];
  }

  /** What the chart has there. */
  private overRows({ over }: ManifestField): Cell[][] {
    if (over === undefined) return [];
    const { dim } = this.paint;
    const { text = hidden, at, action = "" } = over;
    return [
      [
        { text: `  over ${text}`, paint: dim, holds: "value" },
        this.placeCell(at),
        { text: action, paint: dim },
      ],
    ];
  }

  private fieldCells({ path, text, at, action, of, values, by, removed }: ManifestField): Cell[] {
    const facts = of === undefined ? [] : [`with the ${of.join(" and the ")}`];
    const isConstant =
      values.length === 0 &&
      of === undefined &&
      text !== undefined &&
      by === undefined &&
      action === undefined;
    const words = [
      ...(by === undefined ? [] : [by]),
      ...(action === undefined ? [] : [action]),
      ...facts,
      ...(isConstant ? ["constant"] : []),
    ];
    return [
      { text: `${pathText(path)}: ${text ?? (removed === true ? "(removed)" : hidden)}`, holds: "value" },
      this.placeCell(at),
      { text: words.join("  "), paint: this.paint.dim },
    ];
  }

  private valueRows({ path, how }: ManifestValue, stack: ExplainedStack | undefined): Cell[][] {
    const found = stack === undefined ? [] : valuesAt(stack, path);
    const lead = how === "exists" ? "  exists because " : "  ";
    const word = { carries: "", exists: "", absent: "", derived: "derived from it", reads: "read there" }[
      how
    ];
    if (found.length === 0)
      return [
        [{ text: `${lead}${pathText(path)}: (unset)` }, { text: "" }, { text: word, paint: this.paint.dim }],
      ];
    const [first] = found;
    if (how === "exists" && first !== undefined && found.length > 1) {
      const text = `${lead}${pathText(path)}: ${count(found.length, "value")}`;
      return [[{ text }, this.layerCell(first, stack), { text: "", paint: this.paint.dim }]];
    }
    return found.flatMap((value) => [
      [
        { text: `${lead}${pathText(value.path)}: ${value.text ?? hidden}`, holds: "value" } as const,
        this.layerCell(value, stack),
        {
          text: [word, noteOf(value, stack)].filter((each) => each !== "").join("; "),
          paint: this.paint.dim,
        },
      ],
      ...value.over.map((each) => [
        { text: `    over ${each.text ?? hidden}`, paint: this.paint.dim, holds: "value" } as const,
        this.layerCell(each, stack),
        { text: noteOf(each, stack), paint: this.paint.dim },
      ]),
    ]);
  }

  /** A place, or the name of what has none. */
  private layerCell(value: ExplainedValue | OverriddenValue, stack: ExplainedStack | undefined): Cell {
    const layer = layerOf(value, stack);
    const named =
      layer?.kind === undefined || layer.name === undefined
        ? (layer?.slot ?? "")
        : objectText({ kind: layer.kind, namespace: layer.namespace, name: layer.name });
    return { text: placeText(value.at, named), holds: "place" };
  }

  private placeCell(at: Place | undefined): Cell {
    return { text: placeText(at, ""), holds: "place" };
  }

  private stackOf(manifest: ExplainedManifest): ExplainedStack | undefined {
    const stacks = targetOf(this.explanation, manifest)?.stacks ?? [];
    return stacks.find(({ source }) => source === manifest.target.source) ?? stacks[0];
  }
}

/** How a value is in a field, in a word; none where the field carries it. */
function wordOf(values: readonly ManifestValue[]): string {
  const how = values.find((each) => each.how !== "carries")?.how;
  return how === "absent" ? "with another value" : (how ?? "");
}

function shownInTable(text: string): string {
  return text === "" ? "" : tableCode(text);
}

function ownerOf({ build, target }: ExplainedManifest): string {
  const name = titleOf(target);
  const source = target.source === undefined ? "" : ` ${target.source}`;
  return build === undefined ? `${name}${source}` : `${name}${source} in ${build}`;
}

function layerOf(
  { by }: { readonly by: string },
  stack: ExplainedStack | undefined,
): ExplainedLayer | undefined {
  return stack?.layers.find(({ id }) => id === by);
}

function noteOf(value: { readonly by: string }, stack: ExplainedStack | undefined): string {
  return layerOf(value, stack)?.why === "chart" ? "the chart's default" : "";
}
