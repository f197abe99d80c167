// What becomes of two sides where kustomizations are over the chart: the objects in the end are compared.
import { type ChartRelease, type ObjectPath, oneLine, type PatchedObject } from "../../explain/index.ts";
import type { ChangedField, ChangedManifest } from "../../difference.ts";
import { type Node, quote } from "../../yaml/index.ts";
import { objectId, objectText } from "../../object-id.ts";
import { chartPatches } from "../kustomize/over-chart.ts";
import { stepsOf } from "./made-objects.ts";
import { namedRelease, type OverRelease, patchedField } from "./patched-objects.ts";

type ChangedObject = Omit<ChangedManifest, "target" | "build">;

/** Undefined where nothing is over the chart, where that cannot be followed, or where something of a Secret may be in a name. */
export async function patchedChanges(
  old: ChartRelease,
  now: ChartRelease,
  isAsked: boolean,
): Promise<readonly ChangedObject[] | undefined> {
  if (old.patches === undefined && now.patches === undefined) return undefined;
  const [before, after] = [await sideOf(old, isAsked), await sideOf(now, isAsked)];
  return before && after && changesBetween(before, after);
}

const nothingOver = chartPatches("", () => []);

async function sideOf(release: ChartRelease, isAsked: boolean): Promise<PatchedSide | undefined> {
  const over = await namedRelease({ ...release, patches: release.patches ?? nothingOver }, isAsked);
  return over && { ...over, release };
}

interface PatchedSide extends OverRelease {
  readonly release: ChartRelease;
}

async function changesBetween(old: PatchedSide, now: PatchedSide): Promise<readonly ChangedObject[]> {
  const later = new Map(now.chart.objects.map((each) => [objectText(each), each]));
  const earlier = new Map(old.chart.objects.map((each) => [objectText(each), each]));
  const changes: ChangedObject[] = [];
  for (const [id, each] of earlier) {
    const other = later.get(id);
    const fields = other === undefined ? [] : await fieldsBetween([each, old], [other, now]);
    if (other === undefined) changes.push({ ...objectId(each), what: "removed", fields });
    else if (fields.length > 0) changes.push({ ...objectId(each), what: "changed", fields });
  }
  const added = [...later].filter(([id]) => !earlier.has(id));
  return [
    ...changes,
    ...added.map(([, each]) => ({ ...objectId(each), what: "added", fields: [] }) as const),
  ];
}

type SidedObject = readonly [PatchedObject, PatchedSide];

async function fieldsBetween(old: SidedObject, now: SidedObject): Promise<readonly ChangedField[]> {
  const [was, is] = [await leavesOf(old), await leavesOf(now)];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((key): ChangedField[] => {
    const [from, to] = [was.get(key), is.get(key)];
    if (from?.text === to?.text) return [];
    const path = stepsOf((to ?? from)?.path ?? []);
    if (from?.isHidden === true || to?.isHidden === true) return [{ path, secret: true }];
    return [{ path, ...(from && { from: from.text }), ...(to && { to: to.text }) }];
  });
}

interface PatchedLeaf {
  readonly path: ObjectPath;
  readonly text: string;
  readonly isHidden: boolean;
}

/** By their paths, with the names of elements in place of their numbers. */
async function leavesOf([object, { release }]: SidedObject): Promise<ReadonlyMap<string, PatchedLeaf>> {
  const found = new Map<string, PatchedLeaf>();
  const all = await object.fields(() => false);
  const names = new Map(
    all.flatMap(({ path, node }) => (path.at(-1) === "name" && node ? [[keyOf(path), lineOf(node)]] : [])),
  );
  for (const field of all) {
    const { path, node } = field;
    if (node === undefined) continue;
    const nameAt = (index: number): string | undefined =>
      names.get(keyOf([...path.slice(0, index + 1), "name"]));
    const named = path.map((step, index) => (typeof step === "number" ? (nameAt(index) ?? step) : step));
    const key = found.has(keyOf(named)) ? keyOf(path) : keyOf(named);
    const isHidden = patchedField(field, object, release, () => undefined).text === undefined;
    found.set(key, { path, text: lineOf(node), isHidden });
  }
  return found;
}

/** kustomize may quote what a template does not. */
function lineOf(node: Node): string {
  const plain = node.plain(undefined);
  return typeof plain === "string" ? quote(plain) : oneLine(node);
}

function keyOf(path: ObjectPath): string {
  return JSON.stringify(path);
}
