// Which rules of the setting `merge` apply to a target. The rules of an earlier fold stay in force: an overlay that folds
// again without the settings of its base would silently lose lists.
import type { Settings } from "../../settings/index.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import { grouped } from "../../grouped.ts";
import { type MergeRule, Rules, ruleText } from "../../merge/index.ts";
import type { JudgedTarget, Restoration, StackRules } from "../../layers/index.ts";
import { isForTarget } from "./protection.ts";

/** The rules of all targets. Most targets have the same ones: these are compiled once. */
export class RulesOfTargets {
  private readonly merge: readonly NonNullable<Settings["merge"]>[number][];
  private readonly known = new Map<string, StackRules | undefined>();

  constructor({ merge = [] }: Settings) {
    this.merge = merge;
  }

  /** The rules for a target, the last of several wins; undefined if there are none. */
  of(target: JudgedTarget["target"], restorations: readonly Restoration[]): StackRules | undefined {
    const own = this.merge.filter((rule) => isForTarget(target, rule));
    const earlier = earlierOf(restorations, own);
    const all = [...earlier, ...own];
    if (all.length === 0) return undefined;
    const key = [earlier.length, ...all.map(spelled)].join("\n");
    let rules = this.known.get(key);
    if (rules === undefined) this.known.set(key, (rules = compiled(earlier, own)));
    return rules;
  }
}

function compiled(earlier: readonly MergeRule[], own: readonly MergeRule[]): StackRules | undefined {
  const all = [...earlier, ...own].map(withoutTargets);
  const at = Rules.of(all);
  const paths = new Set(own.map(({ path }) => path));
  return at === undefined ? undefined : { at, all, kept: earlier.filter(({ path }) => !paths.has(path)) };
}

function withoutTargets({ path, key, list, mapping, null: nulls }: MergeRule): MergeRule {
  return {
    path,
    ...(key !== undefined && { key }),
    ...(list !== undefined && { list }),
    ...(mapping !== undefined && { mapping }),
    ...(nulls !== undefined && { null: nulls }),
  };
}

/** Rules of earlier folds that the settings do not have. */
function earlierOf(restorations: readonly Restoration[], own: readonly MergeRule[]): MergeRule[] {
  const known = new Set(own.map(spelled));
  return restorations
    .flatMap(({ rules }) => rules)
    .filter((rule) => !known.has(spelled(rule)) && known.add(spelled(rule)).size > 0);
}

function spelled({ path, key, list, mapping, null: nulls }: MergeRule): string {
  return JSON.stringify([path, key, list, mapping, nulls]);
}

/** One diagnostic for the rules that apply only because an earlier fold had them. */
export function rulesKept(all: readonly StackRules[]): Diagnostic[] {
  const kept = all.flatMap((rules) => rules.kept);
  return [...grouped(kept, spelled).values()].flatMap(([rule, ...more]): Diagnostic[] => {
    if (rule === undefined) return [];
    const targets = more.length === 0 ? "one target" : `${more.length + 1} targets`;
    return [
      {
        code: "rule-kept",
        severity: "info",
        message: `the rule \`${rule.path}\` (${ruleText(rule)}) of an earlier fold still applies to ${targets}`,
        hint: `set it in \`merge\`, or revoke it there: \`{path: ${rule.path}, ${undone(rule)}}\``,
      },
    ];
  });
}

function undone({ key, list, mapping }: MergeRule): string {
  if ((key ?? list) !== undefined) return "list: replace";
  return mapping === undefined ? "null: keep" : "mapping: merge";
}
