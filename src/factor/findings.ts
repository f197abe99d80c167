// What a user should look at before the files are used: values of the base that some files override, and comments that are in
// no layer. Places and paths only: a values file may hold passwords.
import { lineAndColumn } from "../yaml/index.ts";
import { namesIn } from "./cut-list.ts";
import type { Factored, FactoredFile } from "./factor.ts";
import { stepText } from "./list-keys.ts";
import type { Part } from "./part.ts";
import { commentsIn } from "./remarks.ts";

/** A value of the base that some files override. The next file made from the base has it. */
export interface MajorityValue {
  readonly path: string;
  /** How many files have it. */
  readonly holders: number;
}

export function majorityValues({ base, roots, listKeys }: Factored): readonly MajorityValue[] {
  const keys = new Map(listKeys.map(({ rule }) => [rule.path, [rule.key ?? []].flat()]));
  const visit = (
    shown: string,
    path: string,
    part: Part,
    others: readonly Part[],
  ): readonly MajorityValue[] => {
    const inList = keys.get(path);
    if (part.members !== undefined)
      return [...part.members].flatMap(([key, member]) => {
        const step = stepText(key, path);
        const found = others.flatMap(({ members }) => members?.get(key) ?? []);
        return visit(shown + step, path + step, member, found);
      });
    const holders = others.filter(({ id }) => id === part.id).length;
    if (part.items === undefined || inList === undefined)
      return holders < others.length ? [{ path: shown, holders }] : [];
    const named = others.map((other) => namesIn(other, inList));
    return [...namesIn(part, inList)].flatMap(([name, item]) => {
      const found = named.flatMap((each) => each.get(name) ?? []);
      return visit(`${shown}[${labelOf(item, inList)}]`, `${path}[*]`, item, found);
    });
  };
  return base.part === undefined ? [] : visit("", "", base.part, roots);
}

/** `name=web` */
function labelOf({ members }: Part, keys: readonly string[]): string {
  const texts = keys.map((key) => {
    const member = members?.get(key);
    return `${key}=${member === undefined ? "" : member.node.value.text}`;
  });
  return texts.join(",");
}

/** Where comments are that are in no layer: `values-prod.yaml:12`. */
export function lostComments(
  sources: readonly FactoredFile[],
  { base, middles, own }: Factored,
): readonly string[] {
  const kept = new Set<string>();
  for (const { text } of [base, ...middles, ...own])
    for (const comment of commentsIn(Buffer.from(text).toString("latin1")).keys()) kept.add(comment);
  return sources.flatMap(({ name, bytes }) => {
    const found = [...commentsIn(Buffer.from(bytes).toString("latin1"))];
    return found.flatMap(([comment, offset]) => {
      if (kept.has(comment)) return [];
      kept.add(comment);
      return `${name}:${lineAndColumn(bytes, offset).line}`;
    });
  });
}
