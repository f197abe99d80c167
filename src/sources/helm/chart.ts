// A chart in a directory or an archive: its default values, what it depends on, and the subcharts that are in it.
import { dirname, join } from "node:path";
import { ask } from "../../engine/index.ts";
import { isFault, lineAndColumn, Node, readDocument } from "../../yaml/index.ts";
import type { Diagnostic, Position } from "../../diagnostic.ts";
import type { ChartFile } from "../../explain/index.ts";
import { existsSync, isDirectory, isFile, namesAt, readFile, realPathOf } from "../disk.ts";
import { count } from "../../core/index.ts";
import { dependenciesField, notBuilt } from "../not-built.ts";
import { MemoryTree } from "../tree.ts";
import { type ArchivedFiles, ChartBudget, unpacked } from "./archive.ts";
import { asFields, asList, asText, type Fields } from "../plain.ts";

/** An entry of `dependencies`. */
interface Dependency {
  readonly name: string;
  readonly version: string;
  readonly repository: string;
  readonly alias: string | undefined;
  readonly condition: string;
  readonly tags: readonly string[];
  readonly importValues: readonly unknown[];
}

export interface Chart {
  readonly name: string;
  readonly version: string;
  /** How faults name it. */
  readonly shown: string;
  readonly values: ChartFile | undefined;
  readonly dependencies: readonly Dependency[];
  /** False where it has no list of dependencies, not even an empty one: Helm looks at none below it, either. */
  readonly hasDependencies: boolean;
  readonly subcharts: readonly Chart[];
  /** Its `values.schema.json`. */
  readonly schema: () => ChartFile | undefined;
  /** Its templates, those of its subcharts left out. */
  readonly templates: () => readonly ChartFile[];
  /** All of it, by the paths from its folder; its subcharts are in `charts/`, whatever they were in. */
  readonly files: () => ReadonlyMap<string, ChartFile>;
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
    ? reader.folder(path, { ...onDisk, shown })
    : reader.archive(readFile(path), shown(path)));
  // Without a part of its subcharts its values would be others.
  return { ...(chart && !reader.isOver && { chart }), faults };
}

/** Where the files of a chart are. */
interface ChartFiles {
  /** Undefined for what is no file. */
  readonly read: (path: string) => Uint8Array | undefined;
  /** None for what is no folder. */
  readonly names: (path: string) => readonly string[];
  /** A chart that is not in `charts/`. */
  readonly beside: (path: string) => string | undefined;
  readonly shown: (path: string) => string;
}

const onDisk: Omit<ChartFiles, "shown"> = {
  read: (path) => (isFile(path) ? readFile(path) : undefined),
  names: (path) => (isDirectory(path) ? namesAt(path) : []),
  beside: (path) => (existsSync(join(path, "Chart.yaml")) ? realPathOf(path) : undefined),
};

const top = "/chart";

function inArchive(files: ArchivedFiles, archive: string): ChartFiles {
  const all = [...files].map(([name, bytes]) => [name, { content: () => bytes, isLink: false }] as const);
  const tree = new MemoryTree(top, new Map(all));
  const names = (path: string): readonly string[] => tree.list(path).map(({ name }) => name);
  return {
    read: (path) => (tree.kindOf(path) === "file" ? tree.read(path) : undefined),
    names: (path) => (tree.kindOf(path) === "directory" ? names(path).toSorted() : []),
    beside: () => undefined,
    shown: (path) => (path === top ? archive : `${archive}:${path.slice(top.length + 1)}`),
  };
}

function fileAt(path: string, { read, shown }: ChartFiles): ChartFile | undefined {
  const bytes = read(path);
  return bytes && { name: shown(path), bytes };
}

/** All in a folder and below it, in the order of their names. */
function filesBelow(path: string, files: ChartFiles): readonly ChartFile[] {
  return pathsBelow(path, files).flatMap((own) => fileAt(join(path, own), files) ?? []);
}

function allFiles(
  path: string,
  files: ChartFiles,
  subcharts: readonly Chart[],
): ReadonlyMap<string, ChartFile> {
  const own = pathsBelow(path, files).filter((each) => !each.startsWith("charts/"));
  const found = new Map(
    own.flatMap((each) => {
      const file = fileAt(join(path, each), files);
      return file === undefined ? [] : [[each, file] as const];
    }),
  );
  for (const [index, each] of subcharts.entries())
    for (const [name, file] of each.files()) found.set(`charts/${index}-${each.name}/${name}`, file);
  return found;
}

const mostPaths = 20_000;

/** The files that Helm reads of a folder; or why it reads none. */
async function unignored(path: string, rules: Uint8Array, files: ChartFiles): Promise<ChartFiles | string> {
  const paths = pathsBelow(path, files);
  if (paths.length > mostPaths) return `it has more than ${mostPaths} files`;
  const answer = await ask({ op: "ignored", paths, files: new Map([["", rules]]) });
  if (answer.cut !== undefined) return "its `.helmignore` takes too long";
  if (answer.error !== undefined) return `its \`.helmignore\` is refused: ${answer.error}`;
  const folder = join(path, ".");
  const ignored = new Set((answer["ignored"] as readonly string[]).map((each) => join(path, each, ".")));
  const isHere = (own: string): boolean => own === folder || (!ignored.has(own) && isHere(dirname(own)));
  return {
    ...files,
    read: (own) => (isHere(own) ? files.read(own) : undefined),
    names: (own) => files.names(own).filter((name) => isHere(join(own, name))),
  };
}

/** A chart with all below it. */
export function allCharts(chart: Chart): readonly Chart[] {
  return [chart, ...chart.subcharts.flatMap(allCharts)];
}

/** From the folder. Those of folders end with a slash; links to folders may lead around in a circle. */
function pathsBelow(path: string, files: ChartFiles): readonly string[] {
  const found: string[] = [];
  for (const left = files.names(path).toReversed(); left.length > 0 && found.length <= mostPaths;) {
    const own = left.pop() ?? "";
    const inner = files.names(join(path, own));
    found.push(inner.length > 0 ? `${own}/` : own);
    left.push(...inner.map((name) => `${own}/${name}`));
  }
  return found;
}

function isSubchart(name: string): boolean {
  return !/^[_.]/.test(name) && !name.endsWith(".prov");
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
    if (this.isOver) return undefined;
    const files = await unpacked(bytes, this.budget);
    if (!("wrong" in files)) return this.read(top, inArchive(files, shown));
    return this.refuse(`the chart \`${shown}\` cannot be read: ${files.wrong}`, shown);
  }

  /** What its `.helmignore` names is not there, in its subcharts, too. */
  async folder(path: string, files: ChartFiles): Promise<Chart | undefined> {
    const rules = fileAt(join(path, ".helmignore"), files);
    if (rules === undefined) return this.read(path, files);
    const left = await unignored(path, rules.bytes, files);
    if (typeof left !== "string") return this.read(path, left);
    return this.refuse(`the chart \`${files.shown(path)}\` cannot be read: ${left}`, rules.name);
  }

  async read(path: string, files: ChartFiles): Promise<Chart | undefined> {
    if (this.isOver) return undefined;
    const shown = files.shown(path);
    const file = (name: string): ChartFile | undefined => fileAt(join(path, name), files);
    const values = file("values.yaml");
    this.budget.take(values?.bytes.length ?? 0, 1);
    if (this.open.length >= mostDepth)
      this.budget.wrong = `the whole chart has more than ${mostDepth} levels of charts`;
    if (this.budget.wrong !== undefined)
      return this.refuse(`the chart \`${shown}\` cannot be read: ${this.budget.wrong}`, shown);
    const own = file("Chart.yaml");
    if (own === undefined) return this.refuse(`\`${shown}\` is no chart: it has no \`Chart.yaml\``, shown);
    const fields = this.fieldsOf(own);
    if (fields === undefined) return undefined;
    if (this.open.includes(shown)) return this.refuse(`the chart \`${shown}\` depends on itself`, shown);
    this.open.push(shown);
    const old = this.fieldsOf(file("requirements.yaml"));
    const written = (old ?? fields)["dependencies"];
    const dependencies = asList(written).map(dependencyOf);
    const subcharts = await this.subcharts(path, dependencies, files);
    this.open.pop();
    let all: ReturnType<Chart["files"]> | undefined;
    return {
      name: asText(fields["name"]),
      version: asText(fields["version"]),
      shown,
      values,
      dependencies,
      hasDependencies: Array.isArray(written),
      subcharts,
      schema: () => file("values.schema.json"),
      templates: () => filesBelow(join(path, "templates"), files),
      files: () => (all ??= allFiles(path, files, subcharts)),
    };
  }

  /** A dependency in a folder beside the chart is what Helm would put into `charts/`. */
  private async subcharts(
    path: string,
    dependencies: readonly Dependency[],
    files: ChartFiles,
  ): Promise<readonly Chart[]> {
    const found: Chart[] = [];
    for (const name of files.names(join(path, "charts")).filter(isSubchart)) {
      const chart = await this.subchart(join(path, "charts", name), files);
      if (chart !== undefined) found.push(chart);
    }
    const isHere = ({ name }: Dependency): boolean => found.some((each) => each.name === name);
    const missing = dependencies.filter((each) => !isHere(each));
    for (const each of missing) {
      const chart = isHere(each) ? undefined : await this.beside(path, each, files);
      if (chart !== undefined) found.push(chart);
    }
    const unseen = new Set(missing.filter((each) => !isHere(each)).map(({ name }) => name));
    if (unseen.size > 0) this.reportUnseen([...unseen], files.shown(path));
    return found;
  }

  private async subchart(path: string, files: ChartFiles): Promise<Chart | undefined> {
    const packed = path.endsWith(".tgz") ? fileAt(path, files) : undefined;
    if (packed !== undefined) return this.archive(packed.bytes, packed.name);
    return files.read(join(path, "Chart.yaml")) === undefined ? undefined : this.read(path, files);
  }

  private async beside(
    path: string,
    { repository }: Dependency,
    files: ChartFiles,
  ): Promise<Chart | undefined> {
    const [, own] = /^file:\/\/(.*)/.exec(repository) ?? [];
    const found = own === undefined ? undefined : files.beside(join(path, own));
    return found === undefined ? undefined : this.folder(found, { ...onDisk, shown: files.shown });
  }

  private reportUnseen(names: readonly string[], shown: string): void {
    const all = count(names.length, "missing chart");
    const message = `the chart \`${shown}\` depends on ${all}: ${names.join(", ")}`;
    const hint = `run: helm dependency build ${shown}`;
    const fault = notBuilt({ message, at: { text: shown, isFile: true }, hint });
    this.faults.push({ ...fault, field: dependenciesField });
  }

  private fieldsOf(file: ChartFile | undefined): Fields | undefined {
    if (file === undefined) return undefined;
    const doc = readDocument(file.bytes);
    if (isFault(doc)) {
      const place = lineAndColumn(file.bytes, doc.offset ?? 0);
      return this.refuse(`\`${file.name}\` cannot be read: ${doc.message}`, file.name, place);
    }
    return asFields(new Node(doc).plain(null));
  }

  private refuse(message: string, file: string, place: Pick<Position, "line" | "column"> = {}): undefined {
    this.faults.push(notBuilt({ message, severity: "error", at: { text: file, isFile: true, ...place } }));
    return undefined;
  }
}

function dependencyOf(plain: unknown): Dependency {
  const fields = asFields(plain);
  const alias = asText(fields["alias"]);
  return {
    name: asText(fields["name"]),
    version: asText(fields["version"]),
    repository: asText(fields["repository"]),
    alias: alias === "" ? undefined : alias,
    condition: asText(fields["condition"]),
    tags: asList(fields["tags"]).map(asText),
    importValues: asList(fields["import-values"]),
  };
}
