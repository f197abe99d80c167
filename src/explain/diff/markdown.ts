// A difference as a comment on a pull request: long lists are collapsed, and a line says what is left out.
import type { ChartUpgrade, Difference, Edit } from "../../difference.ts";
import { count } from "../../core/index.ts";
import { pathText } from "../../merge/index.ts";
import { hidden } from "../block.ts";
import { cutAround } from "../cut-around.ts";
import { code, plain, tableCode } from "../markdown-text.ts";
import { placeText } from "../places.ts";
import { isJudged, rowsOf, sameText, titleOfUpgrade } from "./upgrades.ts";
import {
  absentIn,
  changesOf,
  groupedEffects,
  groupTitle,
  headOf,
  loneEnd,
  manifestGroups,
  placeOf,
  targetOf,
  titleOfManifests,
  totalOf,
  heldWord,
} from "./view.ts";

/** GitHub takes 65,536 characters; GitLab and others take more. */
const mostCharacters = 60_000;
const shownEffects = 5;
/** Of one edit; the others have to have room. */
const mostEffects = 40;

export function renderMarkdown(difference: Difference): string {
  const { edits, targets, upgrades = [] } = difference;
  const parts = [
    ...upgrades.map(upgradePart),
    ...edits.map((edit) => editPart(edit, difference.builds)),
    ...targets.map((lone) => `- ${code(targetOf(lone))} is ${loneEnd(lone)}\n`),
    ...manifestGroups(difference).map(
      (group) =>
        `**${plain(titleOfManifests(group))}**\n\n${group.manifests
          .flatMap(changesOf)
          .slice(0, mostEffects)
          .map((each) => `- ${code(each)}\n`)
          .join("")}`,
    ),
  ];
  let text = `### valuefold: ${plain(totalOf(difference))}\n`;
  for (const [index, part] of parts.entries()) {
    if (text.length + part.length > mostCharacters)
      return `${text}\n_${count(parts.length - index, "more edit")} left out: the comment would be too long. Run \`valuefold diff\` to see all._\n`;
    text += `\n${part}`;
  }
  return text;
}

function upgradePart(upgrade: ChartUpgrade): string {
  const rows = rowsOf(upgrade, false).map(
    ({ what, path, values, place, about }) =>
      `| ${what === "breaks" || what === "dead" ? `**${what}**` : what} | ${tableCode(`${path}  ${values}`.trimEnd())} | ${place === "" ? "" : tableCode(place)} | ${plain(about).replaceAll("|", "\\|")} |\n`,
  );
  const table = rows.length === 0 ? "" : `\n| | value | set in | |\n|---|---|---|---|\n${rows.join("")}`;
  const unseen = upgrade.notCompared.map(
    ({ reason, commands }) =>
      `\nnot compared: ${plain(reason)}${commands.length === 0 ? "" : `; run ${commands.map(code).join(" and ")}`}\n`,
  );
  const versions = upgrade.versions.map(({ of, from = "", to = "" }) => code(`${of} ${from} → ${to}`));
  const closing = isJudged(upgrade)
    ? [...(versions.length === 0 ? [] : [`versions: ${versions.join(", ")}`]), `same: ${sameText(upgrade)}`]
    : [];
  return `**${plain(titleOfUpgrade(upgrade))}**\n${unseen.join("")}${table}${closing.length === 0 ? "" : `\n${closing.join("; ")}\n`}`;
}

function editPart(edit: Edit, builds: number | undefined): string {
  const rows = groupedEffects(edit.effects).map((group) => {
    const { what, path, from, to, secret, by, at } = group.effect;
    const [was, is] = secret === true ? [hidden, hidden] : [from, to];
    const values =
      what === "hidden"
        ? `${heldWord(group.effect)} ${is === undefined ? absentIn(edit) : tableCode(is)}`
        : changeOf(was, is, edit, tableCode);
    return `| ${what === "hidden" ? "hidden" : "**changes**"} | ${tableCode(groupTitle(group, builds))} | ${tableCode(pathText(path))} | ${values} | ${by === undefined ? "" : tableCode(placeText(at, by))} |\n`;
  });
  const table = `| | target | value | | by |\n|---|---|---|---|---|\n`;
  if (rows.length === 0) return `${titleOf(edit)}: changes nothing\n`;
  const [first, rest] = [rows.slice(0, shownEffects), rows.slice(shownEffects, mostEffects)];
  const left = rows.length > mostEffects ? `\n_${rows.length - mostEffects} more left out._\n` : "";
  const more =
    rest.length === 0
      ? ""
      : `\n<details><summary>${rest.length} more</summary>\n\n${table}${rest.join("")}\n</details>\n`;
  return `${titleOf(edit)}\n\n${table}${first.join("")}${more}${left}`;
}

function titleOf(edit: Edit): string {
  const { what, path, was, is, secret } = edit;
  if (what !== "value") return `**${plain(headOf(edit))}**`;
  const values = secret === true ? "a secret changes" : changeOf(was, is, edit, code);
  const filled = (edit.variables ?? []).map(({ name, at, stays }) =>
    stays === undefined
      ? `, with ${code(name)} of ${code(placeText(at, ""))}`
      : `; ${code(`\${${name}}`)} stays: ${plain(stays)}`,
  );
  return `**${code(pathText(path ?? []))}** ${values} in ${code(placeOf(edit))}${filled.join("")}`;
}

/** A value before and after, around what differs. */
function changeOf(was: string | undefined, is: string | undefined, edit: Edit, spelled: typeof code): string {
  if (was === undefined || is === undefined)
    return [was, is].map((text) => (text === undefined ? absentIn(edit) : spelled(text))).join(" → ");
  return cutAround([was, is]).map(spelled).join(" → ");
}
