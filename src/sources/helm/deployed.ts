// A chart with given values → what Helm deploys: which charts, and which value is where. Helm's own code computes it, and gets no
// value: only keys, booleans and nulls decide. Beside each key there is one with a mark, which goes wherever its value goes.
import { createHash } from "node:crypto";
import { ask, type EngineAnswer } from "../../engine/index.ts";
import { allCharts, type Chart } from "./chart.ts";
import { emptyTree, isTree } from "./value-tree.ts";
import { membersIn, type Placed } from "../placed.ts";

export type HelmVersion = 3 | 4;

/** Values that nothing is computed of. The message says why. */
export class RefusedValues extends Error {}

/** A chart at one place: under an alias it may be at several. */
interface ChartInstance {
  readonly chart: Chart;
  /** The keys down to its values, from the topmost chart. */
  readonly path: readonly string[];
}

/** A value that Helm has put somewhere; its chart, if it is a default of one. */
export interface MarkedLeaf {
  readonly leaf: Placed;
  readonly chart: Chart | undefined;
}

/** How what Helm answers becomes a tree. */
interface LeafPlacing {
  /** The leaf for what Helm has put at a path. */
  readonly leafAt: (path: readonly string[], marked: MarkedLeaf) => Placed | undefined;
  readonly isLeftOut: (path: readonly string[]) => boolean;
  /** Called where a null has left nothing. */
  readonly onNull: (path: readonly string[], leaf: Placed) => void;
}

export interface Deployed {
  /** Parents are before their subcharts. */
  readonly instances: readonly ChartInstance[];
  readonly values: (placing: LeafPlacing) => Placed;
}

/** What the engine answers. */
interface HelmAnswer {
  readonly values: PlainTree;
  readonly charts: readonly { readonly path: readonly string[]; readonly chart: string }[];
}

interface PlainTree {
  readonly [key: string]: PlainTree | string | number | boolean | null;
}

/** @param defaultsOf a chart's own values @param given what is set over the defaults */
export async function deployed(
  chart: Chart,
  defaultsOf: (chart: Chart) => Placed,
  given: Placed,
  helm: HelmVersion,
): Promise<Deployed> {
  const charts = new Map(allCharts(chart).map((each) => [each, defaultsOf(each)]));
  const marks = new HelmMarks([...charts.values(), given]);
  const sent = (each: Chart): object => {
    const { name, version, hasDependencies } = each;
    const values = marks.of(charts.get(each) ?? emptyTree, each);
    const dependencies = hasDependencies ? each.dependencies.map(written) : null;
    return { name, version, dependencies, values, charts: each.subcharts.map(sent) };
  };
  const text = JSON.stringify({ chart: sent(chart), given: marks.of(given) });
  const answer = await answerTo(text, helm);
  if (answer.cut !== undefined) throw new RefusedValues(`Helm gives no answer for \`${chart.shown}\``);
  const found = foundIn(answer);
  const numbered = [...charts.keys()];
  const instances = found.charts.flatMap(({ path, chart: number }) => {
    const own = numbered[Number(number)];
    return own === undefined ? [] : [{ chart: own, path }];
  });
  return { instances, values: (placing) => marks.placed(found.values, placing, []) };
}

const answers = new Map<string, ReturnType<typeof ask>>();
const mostAnswers = 50;

/** Targets of one chart mostly set the same keys, and Helm gets no values: it is asked once for all of them. */
function answerTo(text: string, helm: HelmVersion): ReturnType<typeof ask> {
  const id = createHash("sha256").update(`${helm} ${text}`).digest("hex");
  const answer = answers.get(id) ?? ask({ op: "chart", helm, files: new Map([["/chart.json", text]]) });
  answers.delete(id);
  answers.set(id, answer);
  const [oldest] = answers.keys();
  if (answers.size > mostAnswers && oldest !== undefined) answers.delete(oldest);
  return answer;
}

/** As `Chart.yaml` has it. */
function written({ importValues, ...rest }: Chart["dependencies"][number]): object {
  return { ...rest, "import-values": importValues };
}

/** Its message may hold what it refuses: a mark, or a name. */
function foundIn({ error, files }: EngineAnswer): HelmAnswer {
  if (error === undefined)
    return JSON.parse(Buffer.from(files.get("") ?? "{}").toString("utf8")) as HelmAnswer;
  const [, name] = /^type mismatch on ([^:]+):/.exec(error) ?? [];
  const why = name === undefined ? error : `\`${name}\` is a chart, and has no mapping of values`;
  throw new RefusedValues(`Helm refuses the values: ${why}`);
}

/** No key of values starts so: YAML has it in escapes only. */
const beside = "\0";
const besideNull = "\0\0";

/** What Helm is given in place of values. */
class HelmMarks {
  private readonly all: MarkedLeaf[] = [];
  /** Keys that have a boolean somewhere: Helm may decide by it, so a mark cannot be in its place. */
  private readonly booleans = new Set<string>();

  constructor(trees: readonly Placed[]) {
    for (const each of trees) this.addBooleans(each);
  }

  private addBooleans(tree: Placed): void {
    for (const [key, each] of membersIn(tree))
      if (isTree(each)) this.addBooleans(each);
      else if (typeof each.value === "boolean") this.booleans.add(key);
  }

  /**
   * A mark is the value, or beside it: there it is a null or a mapping where the value is, so that Helm does the same with both.
   * A null has a mark beside it, too.
   */
  of(tree: Placed, chart?: Chart): PlainTree {
    const members: [string, PlainTree[string]][] = [];
    for (const [key, each] of membersIn(tree)) {
      if (key.startsWith(beside)) throw new RefusedValues("a key of the values starts with a zero byte");
      const mark = isTree(each) ? {} : this.all.push({ leaf: each, chart }) - 1;
      const [isNull, isBeside] = [each.value === null, this.booleans.has(key)];
      const own = !isBeside || isTree(each) ? mark : typeof each.value === "boolean" ? each.value : "";
      members.push([key, isTree(each) ? this.of(each, chart) : isNull ? null : own]);
      if (isBeside) members.push([beside + key, isNull ? null : mark]);
      if (isNull) members.push([besideNull + key, mark]);
    }
    return Object.fromEntries(members);
  }

  placed(values: PlainTree, placing: LeafPlacing, path: readonly string[]): Placed {
    const tree = new Map<string, Placed>();
    for (const [key, each] of Object.entries(values)) {
      if (key.startsWith(besideNull)) this.placeNull(key.slice(besideNull.length), values, placing, path);
      const own = [...path, key];
      if (key.startsWith(beside) || placing.isLeftOut(own)) continue;
      const isMapping = typeof each === "object" && each !== null;
      const placed = isMapping ? this.placed(each, placing, own) : this.leaf(key, values, placing, path);
      if (placed !== undefined) tree.set(key, placed);
      // Helm may add a null that it needs itself; a value without its layer would be lost.
      else if (each !== null)
        throw new RefusedValues(`Helm computes a value at \`${own.join(".")}\` that comes from no layer`);
    }
    return { value: tree, at: undefined };
  }

  private placeNull(key: string, values: PlainTree, placing: LeafPlacing, path: readonly string[]): void {
    if (Object.hasOwn(values, key) || placing.isLeftOut([...path, key])) return;
    const leaf = this.leaf(key, values, placing, path);
    if (leaf !== undefined) placing.onNull([...path, key], leaf);
  }

  /** Where nothing is left, that of the null. */
  private leaf(
    key: string,
    values: PlainTree,
    { leafAt }: LeafPlacing,
    path: readonly string[],
  ): Placed | undefined {
    const own = values[key] ?? null;
    const mark =
      own === null ? values[besideNull + key] : this.booleans.has(key) ? values[beside + key] : own;
    const marked = this.all[Number(mark)];
    return marked && leafAt([...path, key], marked);
  }
}
