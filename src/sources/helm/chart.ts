// A chart in a directory or an archive: its default values, what it depends on, and the subcharts that are in it.
import { basename, join } from "node:path";
import { isFault, lineAndColumn, Node, readDocument } from "../../yaml/index.ts";
import type { Diagnostic, Position } from "../../diagnostic.ts";
import { entriesIn, existsSync, isDirectory, isFile, namesAt, readFile, realPathOf } from "../disk.ts";
import { notBuilt } from "../not-built.ts";
import { type ArchivedFiles, ChartBudget, unpacked } from "./archive.ts";

/** An entry of `dependencies`. */
export interface Dependency {
  readonly name: string;
  readonly version: string;
  readonly repository: string;
  readonly alias: string | undefined;
  readonly condition: string;
  readonly tags: readonly string[];
  readonly importValues: readonly unknown[];
}

/** A file of a chart, as places name it: `charts/shop/values.yaml`, or `shop-1.0.0.tgz:values.yaml`. */
export interface ChartFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface Chart {
  readonly name: string;
  readonly version: string;
  /** How faults name it. */
  readonly shown: string;
  readonly values: ChartFile | undefined;
  readonly dependencies: readonly Dependency[];
  readonly subcharts: readonly Chart[];
  /** Its `values.schema.json`. */
  readonly schema: () => ChartFile | undefined;
  /** Its templates, those of its subcharts left out. */
  readonly templates: () => readonly ChartFile[];
}

export interface ReadChart {
  readonly chart?: Chart;
  readonly faults: readonly Diagnostic[];
}

/** True for a directory with a chart, and for what has the name of an archive. */
export function isChartAt(path: string): boolean {
  return existsSync(join(path, "Chart.yaml")) || (path.endsWith(".tgz") && isFile(path));
}

/** @param path a directory, or an archive @param shown how a file is named in places */
export async function readChart(path: string, shown: (path: string) => string): Promise<ReadChart> {
  const faults: Diagnostic[] = [];
  const reader = new ChartReader(faults);
  const chart = await (isDirectory(path)
    ? reader.read(folder(path, shown))
    : reader.archive(readFile(path), shown(path)));
  // Without a part of its subcharts its values would be others.
  return { ...(chart && !reader.isOver && { chart }), faults };
}

/** Where the files of a chart are. */
interface ChartFiles {
  readonly shown: string;
  readonly file: (name: string) => ChartFile | undefined;
  /** All below a folder, in the order of their names. */
  readonly below: (name: string) => readonly ChartFile[];
  /** What is in `charts/`. */
  readonly charts: () => readonly (ChartFiles | ChartFile)[];
  /** A chart that is not in `charts/`, by its path from this one. */
  readonly beside: (path: string) => ChartFiles | undefined;
}

/** Archives in archives are read by recursion. */
const mostDepth = 20;

class ChartReader {
  private readonly faults: Diagnostic[];
  private readonly budget = new ChartBudget();
  /** Those that are read now: a chart must not be below itself. */
  private readonly open: string[] = [];

  constructor(faults: Diagnostic[]) {
    this.faults = faults;
  }

  get isOver(): boolean {
    return this.budget.wrong !== undefined;
  }

  async archive(bytes: Uint8Array, shown: string): Promise<Chart | undefined> {
    // The first chart that is too much has said so.
    if (this.budget.wrong !== undefined) return undefined;
    const files = await unpacked(bytes, this.budget);
    if (!("wrong" in files)) return this.read(packed(files, "", shown));
    return this.refuse(`the chart \`${shown}\` cannot be read: ${files.wrong}`, shown);
  }

  async read(files: ChartFiles): Promise<Chart | undefined> {
    const { shown } = files;
    if (this.budget.wrong !== undefined) return undefined;
    this.budget.take(files.file("values.yaml")?.bytes.length ?? 0, 1);
    if (this.open.length >= mostDepth)
      this.budget.wrong = `the whole chart has more than ${mostDepth} levels of charts`;
    if (this.budget.wrong !== undefined)
      return this.refuse(`the chart \`${shown}\` cannot be read: ${this.budget.wrong}`, shown);
    const own = files.file("Chart.yaml");
    if (own === undefined) return this.refuse(`\`${shown}\` is no chart: it has no \`Chart.yaml\``, shown);
    const fields = this.fieldsOf(own);
    if (fields === undefined) return undefined;
    if (this.open.includes(shown)) return this.refuse(`the chart \`${shown}\` depends on itself`, shown);
    this.open.push(shown);
    const old = this.fieldsOf(files.file("requirements.yaml"));
    const dependencies = listOf((old ?? fields)["dependencies"]).map(dependencyOf);
    const inside: Chart[] = [];
    for (const each of files.charts()) {
      const chart = await ("bytes" in each ? this.archive(each.bytes, each.name) : this.read(each));
      if (chart !== undefined) inside.push(chart);
    }
    const subcharts = [...inside, ...(await this.missing(files, dependencies, inside))];
    this.open.pop();
    return {
      name: textOf(fields["name"]),
      version: textOf(fields["version"]),
      shown,
      values: files.file("values.yaml"),
      dependencies,
      subcharts,
      schema: () => files.file("values.schema.json"),
      templates: () => files.below("templates"),
    };
  }

  /** A dependency in a folder beside the chart is what Helm would put into `charts/`. */
  private async missing(
    files: ChartFiles,
    dependencies: readonly Dependency[],
    there: readonly Chart[],
  ): Promise<readonly Chart[]> {
    const wanted = dependencies.filter(({ name }) => !there.some((each) => each.name === name));
    const found: Chart[] = [];
    for (const [name, repository] of new Map(
      wanted.toReversed().map((each) => [each.name, each.repository]),
    )) {
      const beside = repository.startsWith("file://")
        ? files.beside(repository.slice("file://".length))
        : undefined;
      const chart = beside && (await this.read(beside));
      if (chart !== undefined) {
        found.push(chart);
        continue;
      }
      const message = `the chart \`${name}\`, which \`${files.shown}\` depends on, is not seen`;
      const at = { text: files.shown, isFile: true } as const;
      this.faults.push(notBuilt({ message, at, hint: `run: helm dependency build ${files.shown}` }));
    }
    return found;
  }

  private fieldsOf(file: ChartFile | undefined): Readonly<Record<string, unknown>> | undefined {
    if (file === undefined) return undefined;
    const doc = readDocument(file.bytes);
    if (isFault(doc)) {
      const place = lineAndColumn(file.bytes, doc.offset ?? 0);
      return this.refuse(`\`${file.name}\` cannot be read: ${doc.message}`, file.name, place);
    }
    const plain = new Node(doc).plain(null);
    return typeof plain === "object" && plain !== null ? { ...plain } : {};
  }

  private refuse(message: string, file: string, place: Pick<Position, "line" | "column"> = {}): undefined {
    const fault = notBuilt({ message, at: { text: file, isFile: true, ...place } });
    this.faults.push({ ...fault, severity: "error" });
    return undefined;
  }
}

function folder(directory: string, shown: (path: string) => string): ChartFiles {
  const fileAt = (path: string): ChartFile | undefined =>
    existsSync(path) && isFile(path) ? { name: shown(path), bytes: readFile(path) } : undefined;
  const charts = join(directory, "charts");
  return {
    shown: shown(directory),
    file: (name) => fileAt(join(directory, name)),
    below: (name) => filesBelow(join(directory, name)).flatMap((path) => fileAt(path) ?? []),
    charts: () =>
      namesIn(charts).flatMap((name): (ChartFiles | ChartFile)[] => {
        const path = join(charts, name);
        if (name.endsWith(".tgz")) return [fileAt(path) ?? []].flat();
        return existsSync(join(path, "Chart.yaml")) ? [folder(path, shown)] : [];
      }),
    beside: (path) => {
      const found = join(directory, path);
      return existsSync(join(found, "Chart.yaml")) ? folder(realPathOf(found), shown) : undefined;
    },
  };
}

function packed(files: ArchivedFiles, start: string, shown: string): ChartFiles {
  const fileAt = (name: string): ChartFile | undefined => {
    const bytes = files.get(start + name);
    return bytes && { name: `${shown}:${start}${name}`, bytes };
  };
  const below = (name: string): readonly string[] =>
    [...files.keys()].filter((each) => each.startsWith(`${start}${name}/`)).toSorted();
  return {
    shown: start === "" ? shown : `${shown}:${start.slice(0, -1)}`,
    file: fileAt,
    below: (name) => below(name).flatMap((each) => fileAt(each.slice(start.length)) ?? []),
    charts: () => {
      const names = below("charts").map(
        (each) => each.slice(start.length + "charts/".length).split("/")[0] ?? "",
      );
      return [...new Set(names)].filter(isSubchart).flatMap((name): (ChartFiles | ChartFile)[] => {
        if (name.endsWith(".tgz")) return [fileAt(`charts/${name}`) ?? []].flat();
        const inside = `${start}charts/${name}/`;
        return files.has(`${inside}Chart.yaml`) ? [packed(files, inside, shown)] : [];
      });
    },
    beside: () => undefined,
  };
}

function namesIn(directory: string): readonly string[] {
  return existsSync(directory) && isDirectory(directory)
    ? namesAt(directory).filter(isSubchart).toSorted()
    : [];
}

function isSubchart(name: string): boolean {
  return !/^[_.]/.test(basename(name)) && !name.endsWith(".prov");
}

function filesBelow(directory: string): readonly string[] {
  if (!existsSync(directory)) return [];
  return entriesIn(directory)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(directory, entry.name);
      return entry.kind === "directory" ? filesBelow(path) : [path];
    });
}

function dependencyOf(plain: unknown): Dependency {
  const fields: Readonly<Record<string, unknown>> =
    typeof plain === "object" && plain !== null ? { ...plain } : {};
  const alias = textOf(fields["alias"]);
  return {
    name: textOf(fields["name"]),
    version: textOf(fields["version"]),
    repository: textOf(fields["repository"]),
    alias: alias === "" ? undefined : alias,
    condition: textOf(fields["condition"]),
    tags: listOf(fields["tags"]).map(textOf),
    importValues: listOf(fields["import-values"]),
  };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
