// A random chart with subcharts, and values files over it. Each value is the file and the line where it is written.
import { addValues, StampedFile } from "./stamped-values.ts";

type Random = (below: number) => number;

export interface StampedChart {
  /** The chart is in `chart`; values files are beside it. */
  readonly files: Map<string, string>;
  /** Lowest first. */
  readonly given: readonly string[];
  /** True for subcharts that have subcharts: their tags and conditions depend on who sets a value. */
  readonly isDeep: boolean;
}

const names = ["red", "blue", "green"];

export function stampedChart(random: Random): StampedChart {
  const files = new Map<string, string>();
  const isDeep = random(2) === 0;
  addChart(files, random, { folder: "chart", name: "shop", levels: isDeep ? 2 : 1 });
  files.set(
    "chart/templates/values.yaml",
    "apiVersion: v1\nkind: Values\nmetadata: {name: values}\nvalues: {{ toJson .Values }}\n",
  );
  const given = ["one.yaml", "two.yaml"].slice(0, random(3));
  for (const name of given) files.set(name, valuesFile(name, random, names, true));
  return { files, given, isDeep };
}

interface Making {
  readonly folder: string;
  readonly name: string;
  readonly levels: number;
}

function addChart(files: Map<string, string>, random: Random, { folder, name, levels }: Making): void {
  const subcharts = levels === 0 ? [] : names.filter(() => random(2) === 0);
  for (const each of subcharts)
    addChart(files, random, { folder: `${folder}/charts/${each}`, name: each, levels: levels - 1 });
  const dependencies = subcharts.flatMap((each) => (random(4) === 0 ? [] : dependenciesOn(each, random)));
  const head = `apiVersion: v2\nname: ${name}\nversion: 1.2.0\n`;
  files.set(
    `${folder}/Chart.yaml`,
    dependencies.length > 0
      ? `${head}dependencies:\n${dependencies.join("")}`
      : `${head}${random(4) === 0 ? "dependencies: []\n" : ""}`,
  );
  const own = dependencies.flatMap((each) => /alias: (\w+)/.exec(each)?.[1] ?? []);
  if (random(8) > 0)
    files.set(
      `${folder}/values.yaml`,
      valuesFile(`${folder}/values.yaml`, random, [...subcharts, ...own], random(2) === 0),
    );
}

function dependenciesOn(name: string, random: Random): readonly string[] {
  const version = ["1.2.0", "^1.0.0", ">=1.1, <2", "1.x.x", "~1.2"][random(5)];
  const once = (alias: string | undefined): string => {
    const lines = [`- name: ${name}`, `  version: "${version}"`];
    if (alias !== undefined) lines.push(`  alias: ${alias}`);
    if (random(3) === 0) lines.push(`  condition: ${alias ?? name}.enabled,all`);
    if (random(4) === 0) lines.push("  tags: [t, u]");
    const imports = ["    - c", "    - {child: a, parent: b.x}"];
    const some = imports.filter(() => random(4) === 0);
    if (some.length > 0) lines.push("  import-values:", ...some);
    return `${lines.join("\n")}\n`;
  };
  const isTwice = random(4) === 0;
  const alias = isTwice || random(3) === 0 ? `${name}2` : undefined;
  return isTwice ? [once(undefined), once(alias)] : [once(alias)];
}

/** Values, those for subcharts, switches and what subcharts export. */
function valuesFile(name: string, random: Random, subcharts: readonly string[], nulls: boolean): string {
  const file = new StampedFile(name);
  addValues(file, random, { nulls });
  for (const each of subcharts.filter(() => random(2) === 0)) {
    file.add(() => `${each}:`);
    addValues(file, random, { indent: "  ", nulls, depth: 3 });
    if (random(2) === 0) file.add(() => `  enabled: ${random(2) === 0}`);
  }
  if (random(3) === 0) file.add(() => `all: ${random(2) === 0}`);
  if (random(3) === 0) file.add(() => `tags: {t: ${random(2) === 0}, u: ${random(2) === 0}}`);
  if (random(2) === 0) {
    file.add(() => "exports:");
    file.add(() => "  c:");
    addValues(file, random, { indent: "    ", nulls, depth: 2 });
  }
  // Helm 4 ends a last line that has no end.
  return random(4) === 0 ? `${file.text()}tail: |${["", "+", "-"][random(3)]}\n  end` : file.text();
}
