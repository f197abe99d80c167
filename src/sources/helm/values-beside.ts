// A chart that nothing here deploys → a target for each values file beside it (`values-prod.yaml`), or one without values. It is a guess
// by names, and called one.
import { basename, dirname, join } from "node:path";
import type { SourceTarget, StackDocument } from "../../explain/index.ts";
import { isDirectory, isFile, namesAt } from "../disk.ts";
import { madeBy } from "./made-targets.ts";
import { shownFrom } from "../names.ts";
import { passedOver } from "../not-built.ts";
import { type ChartOptions, chartsOf, type FoundTargets } from "./charts.ts";
import { distinct } from "../../grouped.ts";
import { valuesFile } from "../files.ts";

const named = /^values[-._](.+)\.ya?ml$/;

/** The names of values files beside a chart. */
export function valuesBeside(directory: string): readonly string[] {
  return namesAt(directory).filter((name) => named.test(name) && isFile(join(directory, name)));
}

/** True for a values file beside a chart that makes targets: these have one name with each of the files. */
export function isOfMaker(path: string): boolean {
  const directory = dirname(path);
  const isBeside = named.test(basename(path)) && isFile(path) && isFile(join(directory, "Chart.yaml"));
  return isBeside && madeBy(directory) !== undefined;
}

/** @param path that of the chart, for a target of each values file beside it; or one of these files */
export async function targetsOfChart(path: string, options: ChartOptions): Promise<FoundTargets> {
  const isWhole = isDirectory(path);
  const directory = isWhole ? path : dirname(path);
  const files = isWhole ? valuesBeside(path) : [basename(path)];
  const charts = chartsOf(options);
  const shown = shownFrom(options.from);
  const endsLine = (): boolean => charts.helmFor(4) === 4;
  const { chart, faults } = await charts.at(directory);
  const targets: SourceTarget[] = [];
  const all = [...faults];
  const own = chart?.name ?? basename(directory);
  const add = async (name: string, given: readonly StackDocument[]): Promise<void> => {
    const release = { name: "release-name" };
    const user = { kind: "Chart", name, path: directory, helm: 4, release } as const;
    const found = await charts.target(user, undefined, given);
    targets.push(...found.targets);
    all.push(...found.faults);
  };
  for (const file of files) {
    const { document, diagnostics } = valuesFile(join(directory, file), shown, { why: "file" }, endsLine);
    all.push(...diagnostics);
    await add(isWhole ? `${own}@${named.exec(file)?.[1] ?? ""}` : own, [document]);
  }
  if (files.length === 0) await add(own, []);
  // Faults of the chart are those of each target.
  const which = isWhole ? "each `values-*.yaml`" : `\`${basename(path)}\``;
  const guess =
    files.length === 0
      ? `assuming that ${shown(directory)} is installed without values: nothing here deploys it`
      : `assuming that ${which} in ${shown(directory)} overrides the chart there`;
  return { targets, faults: [passedOver(guess), ...distinct(all)] };
}
