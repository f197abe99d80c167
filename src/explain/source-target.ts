// Targets that are no objects to fold: their stacks are documents that a source found. What is asked of objects is asked of
// them, too.
import { type Diagnostic, nearest } from "../diagnostic.ts";
import { isNamedAs, type ObjectId, withKind } from "../object-id.ts";
import type { ExplainedStack, ExplainedTarget, Explanation, RemovedValue } from "../explanation.ts";
import type { Node } from "../yaml/index.ts";
import { mergeAll, type Rules, writeValues } from "../merge/index.ts";
import type { ChartPatches } from "./chart-patches.ts";
import { type ChainValue, readListed } from "./chain.ts";
import type { StackDocument } from "./document.ts";
import { Pieces } from "./pieces.ts";
import type { Explaining } from "./stack-values.ts";
import { explainedStack, letters } from "./stack.ts";

export interface SourceStack {
  /** What it is the stack of, where the target has several: `spec.sources[0]`. */
  readonly source?: string;
  /** Lowest first. */
  readonly documents: readonly StackDocument[];
  /** Those of the user, where a chart's defaults are among the documents: settings judge these. */
  readonly given?: readonly StackDocument[];
  /** How lists merge, where it is valuefold that merges. */
  readonly rules?: Rules | undefined;
  readonly removed?: readonly RemovedValue[];
  /** Where a null takes away a chart's default: the chart has it again without the null. */
  readonly nulls?: readonly (readonly string[])[];
  /** Mappings of which nulls leave nothing. */
  readonly empty?: readonly (readonly string[])[];
  /** What Helm is given, where the chart is here. */
  readonly release?: ChartRelease;
  /** Which chart it is for, here or not. */
  readonly chart?: ChartReference;
}

/** A version of a chart, and where it can be pulled from. */
export interface WantedChart {
  readonly name: string;
  /** Empty where none is named. */
  readonly version: string;
  /** The URL of the repository that has it. */
  readonly repository?: string | undefined;
  /** What else says where it is from: with another one it may be another chart. */
  readonly source?: string | undefined;
  /** True where the name is that of an object which is not here, and its chart may have another one. */
  readonly isNamedByObject?: true;
}

/** What a target says that its chart is. */
export interface ChartReference extends WantedChart {
  /** The same release of a chart that is elsewhere; undefined where that cannot be read. */
  readonly from: (path: string) => Promise<ChartRelease | undefined>;
}

/** A chart with the values of its user, as Helm installs it. */
export interface ChartRelease {
  readonly name: string;
  readonly namespace: string;
  readonly helm: 3 | 4;
  /** The Kubernetes that templates see, where the target says it; else that of `helm template`. */
  readonly kubeVersion?: string | undefined;
  /** APIs beside those that Helm knows: the target names them. */
  readonly apiVersions?: readonly string[];
  /** The same of its cluster, as the user knows it. */
  readonly clusterApis: readonly string[];
  /** How faults name the chart: its directory. */
  readonly shown: string;
  /** What it calls itself. */
  readonly chartName: string;
  /** Its files by their paths in it, with those of its subcharts, and the names that places have. */
  readonly files: () => ReadonlyMap<string, ChartFile>;
  /** How places name a template, by the name that Helm gives to it: `charts/redis/templates/service.yaml`. */
  readonly shownTemplate: (name: string) => string;
  /** What changes the objects that it makes. */
  readonly patches?: ChartPatches | undefined;
  /** Lowest first. */
  readonly given: readonly StackDocument[];
  /** What is known of a path that the chart does not read. */
  readonly unread: (path: readonly string[]) => Promise<UnreadPath>;
}

export interface UnreadPath {
  /** Down to the first key that the chart does not know. */
  readonly path: readonly string[];
  /** A key that the chart knows in place of that one; the whole path with it, if the chart knows all of it. */
  readonly near?: {
    readonly key: string;
    /** Where it is known from: a file, perhaps with a line. */
    readonly at: string | undefined;
    readonly path?: readonly string[];
  };
}

/** A file of a chart, as places name it: `charts/shop/values.yaml`, or `shop-1.0.0.tgz:values.yaml`. */
export interface ChartFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Documents with a chart's defaults below them. */
export interface OverChart extends SourceStack {
  /** How many documents are below the given ones; absent where they are one with them. */
  readonly start?: number;
  readonly faults: readonly Diagnostic[];
}

/** List rules make other lists than Helm's merging gives: the chart is no layer of theirs. */
export const chartLeftOut: Diagnostic = {
  code: "not-built",
  severity: "info",
  message: "the chart's own values are not explained where the setting `merge` applies",
  hint: "`valuefold values` has them",
};

/** Finds the chart of a target, and puts its documents over it; undefined where no chart is known. */
export type OverChartOf = (
  target: string,
  documents: readonly StackDocument[],
) => Promise<OverChart | undefined>;

/** An Argo CD Application, for example. */
export interface SourceTarget extends Pick<ExplainedTarget, "kind" | "namespace" | "name" | "at"> {
  readonly stacks: readonly SourceStack[];
  /** What is odd about it, though nothing is wrong. */
  readonly lints?: readonly Diagnostic[];
  /** What is wrong with its documents. */
  readonly faults?: readonly Diagnostic[];
}

/** Targets by themselves, whatever the settings. */
export function explainTargets(targets: readonly SourceTarget[]): Explanation {
  const how = { isBrief: false, protections: [] };
  return { kind: "Explanation", version: 1, targets: targets.map((each) => explainedTarget(each, how)) };
}

/** The final values of a target, as YAML; of each of its stacks one document. */
export function valuesOfTarget({ stacks }: SourceTarget): Uint8Array {
  const documents = stacks.map(({ documents: all, nulls = [], empty = [], rules }) => {
    const roots = all.flatMap(({ root }) => root ?? []);
    return writeValues(mergeAll([...eachAt(empty, "{}"), ...roots, ...eachAt(nulls, "null")], rules));
  });
  return Buffer.concat(
    documents.flatMap((each, index) => (index === 0 ? [each] : [Buffer.from("---\n"), each])),
  );
}

/** A document with the same at each path. */
function eachAt(paths: readonly (readonly string[])[], text: string): readonly Node[] {
  const at = { of: "text" } as const;
  const values = paths.map((path): ChainValue => ({ path, text, at }));
  if (values.length === 0) return [];
  return [readListed(values, at).root];
}

export function targetsNamed<T extends ObjectId>(
  targets: readonly T[],
  wanted: string,
): readonly T[] | Diagnostic {
  const found = targets.filter((each) => isNamedAs(each, wanted));
  if (found.length > 0) return found;
  const names = targets.flatMap((each) => [each.name, `${each.kind}/${each.name}`]);
  const near = nearest(withKind(wanted, targets), names) ?? names.find((each) => each.startsWith(wanted));
  return {
    code: "no-target",
    severity: "error",
    message: `no target \`${wanted}\` here`,
    ...(near === undefined ? {} : { hint: `did you mean \`${near}\`?` }),
  };
}

export function explainedTarget(
  { stacks, lints: _lints, faults: _faults, ...named }: SourceTarget,
  how: Omit<Explaining, "rules" | "pieces">,
): ExplainedTarget {
  const nextId = letters();
  const charts = stacks.map(({ chart }) => chart?.name);
  const own = stacks.map(({ source, chart, documents, rules, removed = [] }): ExplainedStack => ({
    ...(source === undefined ? {} : { source }),
    ...(source !== undefined && chart !== undefined && isOnly(chart.name, charts) && { chart: chart.name }),
    ...explainedStack(documents, { ...how, rules, pieces: rules && Pieces.one }, nextId),
    runs: [],
    splits: [],
    ...(removed.length === 0 ? {} : { removed }),
  }));
  return { ...named, stacks: own };
}

function isOnly<T>(one: T, all: readonly T[]): boolean {
  return all.indexOf(one) === all.lastIndexOf(one);
}
