// A difference as a comment on a pull request: long lists are collapsed, and a line says what is left out.
import type { Difference, Edit } from "../../difference.ts";
import { count, pathText } from "../../core/index.ts";
import { hidden } from "../block.ts";
import { code, plain } from "../markdown-text.ts";
import { placeText } from "../places.ts";
import { absentIn, headOf, placeOf, targetOf, totalOf } from "./view.ts";

/** GitHub takes 65,536 characters; GitLab and others take more. */
const mostCharacters = 60_000;
const shownEffects = 5;
/** Of one edit; the others have to have room. */
const mostEffects = 40;

export function renderMarkdown(difference: Difference): string {
  const { edits, targets } = difference;
  const parts = [
    ...edits.map(editPart),
    ...targets.map(
      (lone) => `- ${code(targetOf(lone))} is ${lone.what}, with ${count(lone.values, "value")}\n`,
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

function editPart(edit: Edit): string {
  const rows = edit.effects.map((effect) => {
    const { what, path, from, to, secret, by, at } = effect;
    const [was, is] = secret === true ? [hidden, hidden] : [from, to];
    const values = what === "hidden" ? `keeps ${cell(is, edit)}` : `${cell(was, edit)} → ${cell(is, edit)}`;
    return `| ${what === "hidden" ? "hidden" : "**changes**"} | ${code(targetOf(effect))} | ${code(pathText(path))} | ${values} | ${by === undefined ? "" : code(placeText(at, by))} |\n`;
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
  const values = secret === true ? "a secret changes" : `${cell(was, edit)} → ${cell(is, edit)}`;
  return `**${code(pathText(path ?? []))}** ${values} in ${code(placeOf(edit))}`;
}

function cell(text: string | undefined, edit: Edit): string {
  return text === undefined ? absentIn(edit) : code(text);
}
