// A difference as text: an edit a paragraph, with what it does to each target.
import type { Difference, Edit, Effect, LoneTarget } from "../../difference.ts";
import { count } from "../../core/index.ts";
import { grouped } from "../../grouped.ts";
import { legible } from "../../report/index.ts";
import { pathText } from "../../merge/index.ts";
import { hidden } from "../block.ts";
import { notesOf } from "../notes.ts";
import { placeText } from "../places.ts";

export function renderDifference(difference: Difference): string {
  const { edits, targets } = difference;
  const parts = [...edits.map((edit) => editText(edit, difference.builds)), ...targets.map(loneText)];
  return [
    ...parts.map((lines) => lines.map((line) => `${legible(line)}\n`).join("")),
    `${totalOf(difference)}\n`,
  ].join(parts.length > 0 ? "\n" : "");
}

export function totalOf({ edits, targets, all, changed, unread, builds }: Difference): string {
  const made = edits.length + targets.length;
  const blind = unread.length === 0 ? "" : `; not compared: ${unread.join(", ")}`;
  if (builds === 0) return "no value changes: no build reads a changed file";
  if (all === 0) return `no target with values on either side: nothing is compared${blind}`;
  if (made === 0 && blind !== "") return `not compared: ${unread.join(", ")}; nothing else changes`;
  if (made === 0) return `no value changes in ${count(all, "target")}`;
  return `${count(made, "edit")}; ${changed} of ${count(all, "target")} ${changed === 1 ? "changes" : "change"}${blind}`;
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

function editText(edit: Edit, builds: number | undefined): string[] {
  const place = edit.what === "value" ? `${placeOf(edit)}  ` : "";
  const filled = notesOf({ variables: edit.variables ?? [] }).map((note) => `  ${note}`);
  const effects = groupedEffects(edit.effects).map((group) => `  ${effectText(group, edit, builds)}`);
  return [`${place}${headOf(edit)}`, ...filled, ...(effects.length === 0 ? ["  changes nothing"] : effects)];
}

/** The path and the values are printed only if they differ from those of the edit. */
function effectText(group: GroupedEffect, edit: Edit, builds: number | undefined): string {
  const { effect } = group;
  const target = groupTitle(group, builds);
  const { what, path, from, to, secret, by, at } = effect;
  const isOwn = edit.path !== undefined && pathText(edit.path) === pathText(path);
  const where = isOwn ? "" : `  ${pathText(path)}`;
  if (what === "hidden")
    return `hidden   ${target}${where}  keeps ${secret === true ? hidden : (to ?? unset)}, ${placeText(at, by ?? "")}`;
  const isSame = isOwn && from === edit.was && to === edit.is;
  const values = secret === true ? `  ${hidden}` : `  ${from ?? absentIn(edit)} → ${to ?? absentIn(edit)}`;
  const source = isOwn && by === edit.layer ? "" : by === undefined ? "" : `, ${placeText(at, by)}`;
  return isSame ? `changes  ${target}` : `changes  ${target}${where}${values}${source}`;
}

function loneText(lone: LoneTarget): string[] {
  return [`${targetOf(lone)} is ${lone.what}, with ${count(lone.values, "value")}`];
}
