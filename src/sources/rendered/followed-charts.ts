// Objects of a list whose charts make targets: each chart is rendered with the values of its own stack, which are known once the list
// is explained. What it makes is read like the rest of the list, and may be such objects.
import { type FoldInput, supplied } from "../../core/index.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import { type ChartRelease, explaining, givenValues, type OverChartOf } from "../../explain/index.ts";
import { objectId, objectKey, objectText } from "../../object-id.ts";
import { configuredBy, settingsIn } from "../configured.ts";
import type { Input } from "../entry.ts";
import type { ChartMaker } from "../flux/release-charts.ts";
import type { Workspace } from "../workspace.ts";
import { type ChartStream, nothingMade } from "./made-stream.ts";
import { Releases } from "./releases.ts";
import { type RenderedCharts, tooMany } from "./made-stream.ts";
import { itemsIn } from "../items.ts";

/** What is read so far. */
export interface ReadList {
  readonly input: Input;
  readonly makers: readonly ChartMaker[];
}

export interface FollowedChart {
  /** Of the object whose chart it is. */
  readonly id: string;
  readonly made: ChartStream;
}

interface WaitingMaker {
  readonly maker: ChartMaker;
  /** Undefined where no values are known, as of one of two releases of a name. */
  readonly release: ChartRelease | undefined;
}

/** How deep charts that charts make are followed. */
const mostRounds = 50;

export class FollowedCharts {
  private rounds = 0;
  readonly faults: Diagnostic[] = [];
  private readonly done = new Set<string>();
  private readonly rendered: RenderedCharts;
  private readonly workspace: Pick<Workspace, "configured">;

  constructor(rendered: RenderedCharts, workspace: Pick<Workspace, "configured">) {
    this.rendered = rendered;
    this.workspace = workspace;
  }

  /** What charts make that were not rendered yet; nothing once all are. */
  async next({ input, makers }: ReadList): Promise<readonly FollowedChart[]> {
    const waiting = makers.filter((each) => !this.done.has(objectKey(each)));
    const [first] = waiting;
    if (first === undefined) return [];
    if (++this.rounds > mostRounds) {
      this.faults.push(tooMany(objectId(first)));
      return [];
    }
    const releases = await this.releasesOf(waiting, input);
    const all = waiting.map((maker) => ({ maker, release: releases.of(maker)[0]?.release }));
    const there = new Set(itemsIn(input.input).map(objectKey));
    const followed: FollowedChart[] = [];
    for (const { maker, release } of firstOf(all)) {
      const made =
        release === undefined
          ? nothingMade(maker.missing ?? [])
          : await this.rendered.stream(release, objectId(maker), (each) => there.has(objectKey(each)));
      this.done.add(objectKey(maker));
      this.faults.push(...made.faults);
      for (const each of itemsIn(made.bytes)) there.add(objectKey(each));
      followed.push({ id: `${objectKey(maker)} chart`, made });
    }
    return followed;
  }

  private async releasesOf(makers: readonly ChartMaker[], input: Input): Promise<Releases> {
    const names = makers.map((each) => objectText(each));
    const releases = new Releases();
    // Of the others no chart is read here.
    const find: OverChartOf = async (target, documents) =>
      names.includes(target) ? input.overChart?.(target, documents) : undefined;
    const { overChart = find, ...list } = releases.in({ ...input, overChart: find });
    const call = { ...list, overChart, ...this.settingsFor(input) };
    const { explanation } = await supplied(explaining({ ...call, form: "stream" }));
    // One without layers has no stack: its chart has its own values only.
    const bare = makers.filter((each) => explanation !== undefined && releases.of(each).length === 0);
    for (const each of bare) await overChart(objectText(each), []);
    return releases;
  }

  /** What is sealed stays so: a chart with values of Secrets is not rendered. */
  private settingsFor(input: Input): Pick<FoldInput, "settings"> {
    const { configured = (each) => configuredBy({}, each) } = this.workspace;
    const { settings } = settingsIn(configured(input));
    if (settings === undefined || "faults" in settings) return settings === undefined ? {} : { settings };
    const { sops: _sops, schemas: _schemas, ...rest } = settings.settings;
    return { settings: { settings: rest } };
  }
}

/** What a layer lacks may be what another chart makes: charts with all their layers come first. */
function firstOf(all: readonly WaitingMaker[]): readonly WaitingMaker[] {
  const known = all.filter(
    ({ release }) => release !== undefined && givenValues(release.given).unknown.length === 0,
  );
  return known.length > 0 ? known : all;
}
