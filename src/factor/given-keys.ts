// Rules for lists that the user names: `env=name`, `ports=containerPort,protocol`. A rule that does not fit a list is refused
// before anything is made.
import { hasMarkers, type MergeRule, misfitsIn, parsePath, ruledPlaces, Rules } from "../merge/index.ts";
import { lineAndColumn, type Node } from "../yaml/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import type { FactoredFile } from "./factor.ts";

/** Undefined for what is not `PATH=KEY`. */
export function listKeyIn(word: string): MergeRule | undefined {
  const at = word.lastIndexOf("=");
  const [path, keys] = [word.slice(0, at), word.slice(at + 1).split(",")];
  if (at < 1 || keys.includes("") || "wrongAt" in parsePath(path)) return undefined;
  return { path, key: keys.length === 1 ? keys[0] : keys };
}

/** Rules that no file has a list for, or that a file below has one for; and elements that do not fit. */
export function misfits(
  rules: readonly MergeRule[],
  sources: readonly FactoredFile[],
  below: readonly FactoredFile[],
): Diagnostic[] {
  const compiled = Rules.of(rules);
  if (compiled === undefined) return [];
  const met = new Set<MergeRule | undefined>();
  const found = sources.flatMap((source) =>
    ruledPlaces(source.root, compiled).flatMap((place): readonly Diagnostic[] => {
      const { listRule } = place.rules;
      met.add(listRule);
      const where = `list \`${listRule?.path}\``;
      if (hasMarkers(place.entry.value))
        return [misfit(source, place.entry, `the ${where} has a \`$patch\`, which a rule would carry out`)];
      return misfitsIn(place).map(({ node, what }) => misfit(source, node, `in the ${where}, ${what}`));
    }),
  );
  for (const source of below)
    for (const { entry, rules: here } of ruledPlaces(source.root, compiled))
      if (entry.value.isSequence)
        found.push(
          misfit(source, entry, `the list \`${here.listRule?.path}\` would merge with the one below it`),
        );
  const unmet = rules.filter((rule) => !met.has(rule));
  return [...found, ...unmet.map(noList)];
}

function misfit({ name, root }: FactoredFile, node: Node, message: string): Diagnostic {
  const place = lineAndColumn(root.doc.bytes, node.offset);
  const hint = "name another key, or leave out --list-key for this list";
  return {
    code: "rule-mismatch",
    severity: "error",
    message,
    hint,
    at: { text: name, isFile: true, ...place },
  };
}

function noList({ path }: MergeRule): Diagnostic {
  const hint = "`--list-key auto` finds the rules that save lines";
  return {
    code: "unmatched-selector",
    severity: "error",
    message: `no file has a list at \`${path}\``,
    hint,
  };
}
