// A chart's defaults below given values, as Helm coalesces them: nulls remove defaults, globals reach subcharts, and what a
// parent sets overrides its subcharts. Helm 3 and Helm 4 differ in nulls.
import { copied, isTree, type ValueLeaf, type ValueTree } from "./value-tree.ts";

export type HelmVersion = 3 | 4;

/** A chart as it is deployed: under its alias, with the subcharts that are enabled. */
export interface LiveChart {
  readonly name: string;
  values: ValueTree;
  subcharts: readonly LiveChart[];
}

export interface CoalesceOptions {
  readonly helm: HelmVersion;
  /** True where nulls stay, for what is merged again. */
  readonly keepsNulls: boolean;
}

/** Values that nothing is computed of. The message says why. */
export class RefusedValues extends Error {}

/** Changes `given`. */
export function coalesced(chart: LiveChart, given: ValueTree, options: CoalesceOptions): ValueTree {
  addDefaults(chart, given, options);
  for (const subchart of chart.subcharts) {
    const own = given.get(subchart.name) ?? new Map<string, ValueTree | ValueLeaf>();
    if (!isTree(own))
      throw new RefusedValues(
        `Helm refuses the values: \`${subchart.name}\` is a chart, and has no mapping of values`,
      );
    given.set(subchart.name, own);
    addGlobals(own, given, options);
    coalesced(subchart, own, options);
  }
  return given;
}

function addDefaults(chart: LiveChart, given: ValueTree, options: CoalesceOptions): void {
  for (const [key, each] of copied(chart.values)) {
    const own = given.get(key);
    const isOfSubchart = chart.subcharts.some(({ name }) => name === key);
    if (own === undefined) addMissing(key, each, given, options);
    else if (isNullLeaf(own)) {
      if (!options.keepsNulls) given.delete(key);
    } else if (isTree(own) && isTree(each)) {
      const keepsNulls = options.keepsNulls || isOfSubchart;
      if (!keepsNulls && options.helm === 4) dropNulls(each);
      addMembers(own, each, { ...options, keepsNulls });
    }
  }
}

function addMissing(
  key: string,
  each: ValueTree | ValueLeaf,
  given: ValueTree,
  { helm, keepsNulls }: CoalesceOptions,
): void {
  if (!keepsNulls && helm === 4) {
    if (isNullLeaf(each)) return;
    if (isTree(each)) dropNulls(each);
  }
  given.set(key, each);
}

/** Adds what a mapping lacks. A null in it removes what is below. As in Helm, both mappings change, and share what is in them. */
export function addMembers(own: ValueTree, below: ValueTree, options: CoalesceOptions): ValueTree {
  const { helm, keepsNulls } = options;
  const removable = new Set([...below].flatMap(([key, each]) => (helm === 4 && isNullLeaf(each) ? [] : key)));
  if (helm === 4) for (const [key, each] of own) if (isNullLeaf(each)) below.set(key, each);
  for (const [key, each] of below) {
    const upper = own.get(key);
    if (isNullLeaf(upper) && !keepsNulls && removable.has(key)) own.delete(key);
    else if (upper === undefined) own.set(key, each);
    else if (isTree(upper) && isTree(each)) addMembers(upper, each, options);
  }
  return own;
}

/** Those of the parent override those of the subchart. */
function addGlobals(own: ValueTree, parent: ValueTree, { helm }: CoalesceOptions): void {
  const globals = own.get("global") ?? new Map<string, ValueTree | ValueLeaf>();
  const given = parent.get("global") ?? new Map<string, ValueTree | ValueLeaf>();
  if (!isTree(globals) || !isTree(given)) return;
  for (const [key, each] of given) {
    const below = globals.get(key);
    if (!isTree(each)) {
      if (!isTree(below)) globals.set(key, each);
    } else if (below === undefined) globals.set(key, new Map(each));
    else if (isTree(below)) globals.set(key, addMembers(new Map(each), below, { helm, keepsNulls: true }));
  }
  own.set("global", globals);
}

function dropNulls(tree: ValueTree): void {
  for (const [key, each] of tree)
    if (isNullLeaf(each)) tree.delete(key);
    else if (isTree(each)) dropNulls(each);
}

export function isNullLeaf(member: ValueTree | ValueLeaf | undefined): boolean {
  return member !== undefined && !isTree(member) && member.isNull;
}
