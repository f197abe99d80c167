// The variables of a Kustomization of Flux, and what a build has in place of them: Flux' own code replaces them, in the engine. What
// has a variable whose value cannot be known stays as it is written.
import { ask } from "../../engine/index.ts";
import type { Variable } from "../../explanation.ts";
import { decodeStream, type Item, Mark } from "../../krm/index.ts";
import { isOff } from "../../layers/index.ts";
import { scalarsIn } from "../kustomize/marks.ts";
import { BuildCut } from "../kustomize/runs.ts";
import type { Substitution } from "../kustomize/overlay.ts";
import { objectText } from "../../object-id.ts";
import { itemsIn, linesOf, rootOf } from "../items.ts";

/** A variable and its value, which one that stays does not have. */
export type FoundVariable = Variable & ({ readonly value: string } | { readonly stays: string });

export interface Lookup {
  /** A name that is not set is an empty text. */
  readonly find: (name: string) => FoundVariable | "unset";
  /** Called for a variable that stays, where a text asks for it. */
  readonly missed: (name: string) => void;
  /** Called for a variable that is not set, where a text has nothing else in its place, and no Secret has it. */
  readonly unset: (name: string) => void;
}

/** @param onRefused called with an object that Flux refuses, and why: it stays as it is */
export function substitutionOf(
  lookup: Lookup,
  onRefused: (object: string, reason: string) => void,
): Substitution {
  return async (bytes) => {
    const items = itemsIn(bytes);
    const own = items.filter((item) => linesOf(item).includes("$") && !isOff(item, Mark.substitute));
    const texts = [...new Set(own.flatMap(textsIn).filter((text) => text.includes("$")))];
    const isShown = shownIn(items, own);
    const all = await substituted([...own.map((item) => linesOf(item).toString("utf8")), ...texts], {
      ...lookup,
      unset: (name) => isShown(name) && lookup.unset(name),
    });
    const parts: Uint8Array[] = [];
    let end = 0;
    for (const [index, item] of own.entries()) {
      const { made, reason = "it is not valid YAML once its variables are replaced" } = all[index] ?? {};
      const isYaml = made !== undefined && "items" in decodeStream(made);
      if (!isYaml) onRefused(objectText(item), reason);
      parts.push(bytes.subarray(end, item.start), isYaml ? made : linesOf(item));
      end = item.end;
    }
    const ofTexts = new Map(texts.map((text, index) => [text, all[own.length + index]?.variables ?? []]));
    return {
      bytes: Buffer.concat([...parts, bytes.subarray(end)]),
      variablesIn: (text) => ofTexts.get(text) ?? [],
    };
  };
}

/** What variables may add to a build: a text may name a long one any number of times. */
const mostFilled = 32 * 1024 * 1024;

interface SubstitutedText {
  /** Absent for what is refused, which has a reason. */
  readonly made: Uint8Array | undefined;
  readonly reason: string | undefined;
  readonly variables: readonly Variable[];
}

/** What the engine answers, by the names of texts. */
interface SubstituteAnswer {
  /** The names of variables that each asks for. */
  readonly asked: Readonly<Record<string, readonly string[]>>;
  readonly refused: Readonly<Record<string, string>>;
}

async function substituted(texts: readonly string[], lookup: Lookup): Promise<readonly SubstitutedText[]> {
  const found = new Map<string, FoundVariable>();
  let bytes = 0;
  for (const text of texts)
    for (const [, name = ""] of text.matchAll(/\$\{#?([\p{L}\p{Nd}_]+)/gu)) {
      const variable = found.get(name) ?? lookup.find(name);
      if (variable === "unset") continue;
      found.set(name, variable);
      bytes += "value" in variable ? variable.value.length : 0;
      if (bytes > mostFilled) throw new BuildCut("variables make it too large: it is stopped");
    }
  const vars = Object.fromEntries(
    [...found].flatMap(([name, each]) => ("value" in each ? [[name, each.value]] : [])),
  );
  const stays = [...found].flatMap(([name, each]) => ("stays" in each ? name : []));
  const files = new Map(texts.map((text, index) => [`${index}`, text]));
  const answer = await ask({ op: "substitute", vars, stays, files });
  if (answer.cut !== undefined) throw new BuildCut("replacing variables does not end: it is stopped");
  const { asked, refused } = answer as unknown as SubstituteAnswer;
  for (const name of new Set(Object.values(asked).flat())) {
    if (stays.includes(name)) lookup.missed(name);
    if (!found.has(name)) lookup.unset(name);
  }
  return [...files.keys()].map((key) => ({
    made: answer.files.get(key),
    reason: refused[key],
    variables: (asked[key] ?? []).flatMap((name) => found.get(name) ?? []).map(withoutValue),
  }));
}

function withoutValue(variable: FoundVariable): Variable {
  const { name, at } = variable;
  return "stays" in variable ? { name, at, stays: variable.stays } : { name, at };
}

/**
 * Whether a variable may be named: an object that is no Secret has it, and no Secret has its name anywhere. A build may have brought
 * what a Secret holds into other objects, in parts. Secrets are read where something is asked.
 */
function shownIn(items: readonly Item[], own: readonly Item[]): (name: string) => boolean {
  let secrets: readonly string[] | undefined;
  return (name) => {
    const isIn = (item: Item): boolean => item.kind !== "Secret" && linesOf(item).includes(`\${${name}}`);
    if (!own.some(isIn)) return false;
    secrets ??= items.filter(({ kind }) => kind === "Secret").flatMap(decodedTexts);
    return !secrets.some((text) => text.includes(name));
  };
}

/** What a Secret holds, as it is written and decoded. */
function decodedTexts(secret: Item): readonly string[] {
  return textsIn(secret).flatMap((text) => [text, Buffer.from(text, "base64").toString("utf8")]);
}

function textsIn(item: Item): readonly string[] {
  const root = rootOf(item);
  return root === undefined ? [] : scalarsIn(root).map(({ text }) => text);
}
