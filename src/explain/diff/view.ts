// A difference as text: an edit a paragraph, with what it does to each target.
import type { ChangedManifest, Difference, Edit, Effect, LoneTarget } from "../../difference.ts";
import { count } from "../../core/index.ts";
import { grouped } from "../../grouped.ts";
import { legible } from "../../report/index.ts";
import { pathText } from "../../merge/index.ts";
import { hidden } from "../block.ts";
import { cutAround } from "../cut-around.ts";
import { notesOf } from "../notes.ts";
import { placeText } from "../places.ts";
import { objectText } from "../../object-id.ts";
import { changedText } from "./changed-text.ts";
import { upgradeLines, upgradeTotals } from "./upgrades.ts";

/** @param width of the terminal, if the text goes there */
export function renderDifference(difference: Difference, isVerbose = false, width?: number): string {
  const { edits, targets, upgrades = [] } = difference;
  const parts = [
    ...upgrades.map((each) => [...upgradeLines(each, isVerbose, width)]),
    ...edits.map((edit) => editText(edit, difference.builds, isVerbose)),
    ...targets.map(loneText),
    ...manifestGroups(difference).map(manifestLines),
  ];
  return [
    ...parts.map((lines) => lines.map((line) => `${legible(line)}\n`).join("")),
    `${totalOf(difference)}\n`,
  ].join(parts.length > 0 ? "\n" : "");
}

export function totalOf(difference: Difference): string {
  const { upgrades = [], ...others } = difference;
  if (upgrades.length === 0) return totalOfValues(difference);
  const isAlone = others.edits.length + others.targets.length + (others.manifests ?? []).length === 0;
  const { unread } = others;
  const blind = unread.length === 0 ? "" : `; not compared: ${unread.join(", ")}`;
  return `${upgradeTotals(upgrades)}${isAlone ? blind : `; ${totalOfValues(difference)}`}`;
}

function totalOfValues(difference: Difference): string {
  const { edits, targets, all, changed, unread, builds, manifests = [], upgrades = [] } = difference;
  const made = edits.length + targets.length;
  const blind = unread.length === 0 ? "" : `; not compared: ${unread.join(", ")}`;
  if (builds === 0 && unread.length === 0) return "no value changes: no build reads a changed file";
  if (all === 0 && manifests.length === 0)
    return blind === "" ? withoutTargets(builds) : `not compared: ${unread.join(", ")}`;
  if (made === 0 && manifests.length > 0) {
    const objects = `${count(manifests.length, "object")} of charts ${manifests.length === 1 ? "changes" : "change"}${blind}`;
    // A new version may have another default.
    return upgrades.length > 0 ? objects : `no value changes; ${objects}`;
  }
  if (made === 0 && blind !== "") return `not compared: ${unread.join(", ")}; nothing else changes`;
  if (made === 0) return `no value changes in ${count(all, "target")}`;
  return `${count(made, "edit")}; ${changed} of ${count(all, "target")} ${changed === 1 ? "changes" : "change"}${blind}`;
}

/** @param builds those that read a changed file, or all of two directories; undefined for two files or directories without builds */
function withoutTargets(builds: number | undefined): string {
  return builds === undefined
    ? "no target with values on either side: nothing is compared"
    : `no value changes: no target has values in ${count(builds, "build")} that ${builds === 1 ? "is" : "are"} compared`;
}

/** No value is written like this. */
const unset = "(unset)";

/** The word for a value that is not there, or not known. */
export function absentIn({ what }: Edit): string {
  return what === "layer-known" || what === "layer-unknown" ? "(unknown)" : unset;
}

/** What an edit is, in words. */
export function headOf(edit: Edit): string {
  const { what, layer, path, was, is, secret } = edit;
  switch (what) {
    case "value":
      return secret === true
        ? `${pathText(path ?? [])}  ${hidden} changes`
        : `${pathText(path ?? [])}  ${was ?? unset} → ${is ?? unset}`;
    case "layer-added":
      return `${layer} is a layer now`;
    case "layer-removed":
      return `${layer} is no longer a layer`;
    case "layer-known":
      return `${layer} can be read now`;
    case "layer-unknown":
      return `${layer} can no longer be read: its values are unknown`;
    case "order":
      return `${layer} has another place in the stack${was === undefined ? "" : `: priority ${was} → ${is ?? ""}`}`;
  }
}

export function placeOf({ at, layer }: Edit): string {
  return placeText(at, layer);
}

export function targetOf({ target, build }: Pick<Effect, "target" | "build">): string {
  return build === undefined ? target : `${target} (${build})`;
}

/** An effect, and the builds in which it is the same. */
export interface GroupedEffect {
  readonly effect: Effect;
  readonly builds: readonly string[];
}

/** Effects that differ in their build alone are one. */
export function groupedEffects(effects: readonly Effect[]): GroupedEffect[] {
  const groups = grouped(effects, ({ build: _build, ...effect }) => JSON.stringify(effect));
  return [...groups.values()].flatMap((all) => {
    const [effect] = all;
    return effect === undefined ? [] : [{ effect, builds: all.flatMap(({ build }) => build ?? []) }];
  });
}

/** `App/shop (clusters/eu-1)`, `App/shop in 38 of 40 builds`. */
export function groupTitle({ effect, builds }: GroupedEffect, all: number | undefined): string {
  if (all === undefined) return effect.target;
  if (builds.length > fewBuilds) return `${effect.target} in ${builds.length} of ${count(all, "build")}`;
  return `${effect.target} (${builds.join(", ")})`;
}

const fewBuilds = 3;

function editText(edit: Edit, builds: number | undefined, isVerbose: boolean): string[] {
  const filled = notesOf({ variables: edit.variables ?? [] }).map((note) => `  ${note}`);
  const effects = effectTexts(groupedEffects(edit.effects), edit, builds, isVerbose);
  return [
    ...editLines(edit, isVerbose),
    ...filled,
    ...(effects.length === 0 ? ["  changes nothing"] : effects.map((text) => `  ${text}`)),
  ];
}

function editLines(edit: Edit, isVerbose: boolean): readonly string[] {
  if (edit.what !== "value") return [headOf(edit)];
  if (edit.secret === true) return [`${placeOf(edit)}  ${headOf(edit)}`];
  const { onLine, below } = changedText(edit.was ?? unset, edit.is ?? unset, isVerbose);
  return [`${placeOf(edit)}  ${pathText(edit.path ?? [])}  ${onLine}`, ...below];
}

/** Many targets in which an edit does the same share a line. */
function effectTexts(
  groups: readonly GroupedEffect[],
  edit: Edit,
  builds: number | undefined,
  isVerbose: boolean,
): readonly string[] {
  const alike = grouped(groups, (group) => (isVerbose ? group : sameAs(group, edit)));
  return [...alike.values()].flatMap((all) => {
    // One more takes no more room than its number.
    if (all.length <= fewTargets + 1) return all.map((group) => effectText(group, edit, builds));
    const names = all.slice(0, fewTargets).map((group) => groupTitle(group, builds));
    const verb = all[0]?.effect.what === "hidden" ? "hidden   in" : "changes ";
    return [`${verb} ${all.length} targets: ${names.join(", ")} and ${all.length - fewTargets} more (-v)`];
  });
}

const fewTargets = 3;

/** What groups do alike: all hide the edit, or all have its values. Others are alone. */
function sameAs(group: GroupedEffect, edit: Edit): GroupedEffect | string {
  const { what, path, from, to } = group.effect;
  const isOwn = edit.path !== undefined && pathText(edit.path) === pathText(path);
  if (what === "hidden") return isOwn ? "hidden" : group;
  return isOwn && from === edit.was && to === edit.is ? "changes" : group;
}

/** Whether a secret is another one is not said. */
export function heldWord({ from, secret }: Pick<Effect, "from" | "secret">): string {
  return secret === true ? "is" : from === undefined ? "keeps" : "is now";
}

/** The path and the values are printed only if they differ from those of the edit. */
function effectText(group: GroupedEffect, edit: Edit, builds: number | undefined): string {
  const { effect } = group;
  const target = groupTitle(group, builds);
  const { what, path, from, to, secret, by, at } = effect;
  const isOwn = edit.path !== undefined && pathText(edit.path) === pathText(path);
  const where = isOwn ? "" : `  ${pathText(path)}`;
  if (what === "hidden")
    return `hidden   ${target}${where}  ${heldWord(effect)} ${secret === true ? hidden : (to ?? unset)}, ${placeText(at, by ?? "")}`;
  const isSame = isOwn && from === edit.was && to === edit.is;
  const values = secret === true ? `  ${hidden}` : `  ${from ?? absentIn(edit)} → ${to ?? absentIn(edit)}`;
  const source = isOwn && by === edit.layer ? "" : by === undefined ? "" : `, ${placeText(at, by)}`;
  return isSame ? `changes  ${target}` : `changes  ${target}${where}${values}${source}`;
}

/** What the chart of a target makes of a difference, and the builds in which it is the same. */
interface ManifestGroup {
  readonly target: string;
  readonly builds: readonly string[];
  readonly manifests: readonly ChangedManifest[];
}

export function manifestGroups({ manifests = [] }: Difference): readonly ManifestGroup[] {
  const ofTargets = grouped(manifests, ({ target, build = "" }) => JSON.stringify([target, build]));
  const alike = grouped([...ofTargets.values()], (all) =>
    JSON.stringify(all.map(({ build: _build, ...each }) => each)),
  );
  return [...alike.values()].flatMap((groups) => {
    const [[first] = []] = groups;
    const builds = groups.flatMap(([each]) => each?.build ?? []);
    return first === undefined ? [] : [{ target: first.target, builds, manifests: groups[0] ?? [] }];
  });
}

/** So many fields of an object are shown one by one. */
const fewFields = 3;

/** An object, and each of its fields; or how many of them. */
export function changesOf({ what, fields, ...object }: ChangedManifest): readonly string[] {
  const name = objectText(object);
  if (what !== "changed") return [`${name} is ${what}`];
  if (fields.length > fewFields) return [`${name}  ${count(fields.length, "field")}`];
  return fields.map(({ path, from = unset, to = unset, secret }) => {
    const values = secret === true ? `${hidden} changes` : cutAround([from, to]).join(" → ");
    return `${name}  ${pathText(path)}  ${values}`;
  });
}

const fewObjects = 10;

export function titleOfManifests({ target, builds }: ManifestGroup): string {
  if (builds.length === 0) return `the chart of ${target} renders`;
  const where =
    builds.length > fewBuilds ? ` in ${count(builds.length, "build")}` : ` (${builds.join(", ")})`;
  return `the chart of ${target}${where} renders`;
}

function manifestLines(group: ManifestGroup): string[] {
  const { manifests } = group;
  const shown = manifests.slice(0, fewObjects).flatMap(changesOf);
  const rest = manifests.length - fewObjects;
  const more = rest > 0 ? [`  ${count(rest, "more object")}`] : [];
  return [titleOfManifests(group), ...shown.map((each) => `  ${each}`), ...more];
}

function loneText(lone: LoneTarget): string[] {
  return [`${targetOf(lone)} is ${loneEnd(lone)}`];
}

export function loneEnd({ what, values }: LoneTarget): string {
  return values === 0 ? what : `${what}, with ${count(values, "value")}`;
}
