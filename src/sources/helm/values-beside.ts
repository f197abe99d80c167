// A chart with values files beside it (`values-prod.yaml`) → a target for each of them. It is a guess by names, and called one.
import { basename, join } from "node:path";
import type { SourceTarget } from "../../explain/index.ts";
import { isFile, namesAt, readFile } from "../disk.ts";
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

/** False for the name of no target of these. */
export function mayHaveTarget(directory: string, name: string): boolean {
  const head = Buffer.from(readFile(join(directory, "Chart.yaml"))).toString("utf8");
  const [, chart = ""] = /^name:\s*["']?([^\s"'#]+)/m.exec(head) ?? [];
  return valuesBeside(directory).some((file) => name === `${chart}@${named.exec(file)?.[1] ?? ""}`);
}

export async function targetsBeside(directory: string, options: ChartOptions): Promise<FoundTargets> {
  const charts = chartsOf(options);
  const shown = shownFrom(options.from);
  const endsLine = (): boolean => charts.helmFor(4) === 4;
  const { chart, faults } = await charts.at(directory);
  const targets: SourceTarget[] = [];
  const all = [...faults];
  for (const file of valuesBeside(directory)) {
    const path = join(directory, file);
    const { document, diagnostics } = valuesFile(path, shown, { why: "file" }, endsLine);
    const own = `${chart?.name ?? basename(directory)}@${named.exec(file)?.[1] ?? ""}`;
    const release = { name: "release-name" };
    const user = { kind: "Chart", name: own, path: directory, helm: 4, release } as const;
    const found = await charts.target(user, undefined, [document]);
    targets.push(...found.targets);
    all.push(...diagnostics, ...found.faults);
  }
  const guess = passedOver(
    `assuming that each \`values-*.yaml\` in ${shown(directory)} overrides the chart there`,
  );
  return {
    targets,
    // Faults of the chart are those of each target.
    faults: [guess, ...distinct(all)],
  };
}
