// What merging may do at a path (setting `merge`): rules compiled to states that advance key by key, as documents are
// walked. Most of a document is under no rule: there `undefined` goes down instead of a state, and nothing is asked.
import { hasKey, isAscii, textOfKey } from "../yaml/key.ts";
import { resolvePlain } from "../yaml/resolve-plain.ts";
import type { Node } from "../yaml/tape.ts";
import { parsePath, type Step } from "./path.ts";

export type ListRule = "append" | "prepend" | "set" | "replace" | readonly string[];

/** A rule as settings and records spell it: for the list, mapping or null at a path. */
export interface MergeRule {
  readonly path: string;
  /** Keys that tell elements of a list apart. */
  readonly key?: string | readonly string[] | undefined;
  readonly list?: "append" | "prepend" | "set" | "replace" | undefined;
  readonly mapping?: "replace" | "merge" | undefined;
  readonly null?: "drop" | "keep" | undefined;
}

interface Live {
  readonly rule: MergeRule;
  readonly steps: readonly Step[];
  /** Whether an entry's key is the first step. */
  readonly enters: (entry: Node) => boolean;
}

/** More states than bits are not remembered. */
const mostRemembered = 30;

/** The rules that may hold at one place of a document or below it. */
export class Rules {
  /** How lists merge here; undefined where they are replaced, as everywhere. */
  readonly list: Exclude<ListRule, "replace"> | undefined;
  /** The rule that says so. */
  readonly listRule: MergeRule | undefined;
  /** The last rule that says anything here; absent where rules only hold further down. */
  readonly rule: MergeRule | undefined;
  /** True if a mapping takes the place of another one here. */
  readonly replacesMappings: boolean;
  /** True if a null takes away what lies below it, and is not kept. */
  readonly dropsNulls: boolean;
  private readonly live: readonly Live[];
  private readonly known = new Map<number, Rules | undefined>();

  private constructor(live: readonly Live[]) {
    this.live = live;
    const here = live.flatMap(({ rule, steps }) => (steps.length === 0 ? rule : []));
    this.rule = here.at(-1);
    this.listRule = here.findLast(({ key, list }) => key !== undefined || list !== undefined);
    this.list = this.listRule === undefined ? undefined : listRuleOf(this.listRule);
    this.replacesMappings = here.findLast(({ mapping }) => mapping !== undefined)?.mapping === "replace";
    this.dropsNulls = here.findLast((rule) => rule.null !== undefined)?.null === "drop";
  }

  /** The last of several rules wins, for lists, mappings and nulls each. Undefined if there are none. */
  static of(rules: readonly MergeRule[]): Rules | undefined {
    return Rules.from(
      rules.flatMap((rule): Live[] => {
        const steps = parsePath(rule.path);
        return "wrongAt" in steps ? [] : [liveOf(rule, steps)];
      }),
    );
  }

  private static from(live: readonly Live[]): Rules | undefined {
    return live.length === 0 ? undefined : new Rules(live.flatMap(alsoWithout));
  }

  /** The rules for what stands under an entry's key. */
  at(entry: Node): Rules | undefined {
    let bits = 0;
    for (let index = 0; index < this.live.length; index++)
      if ((this.live[index] as Live).enters(entry)) bits |= 1 << index;
    return bits === 0 ? undefined : this.after(bits, ({ enters }) => enters(entry));
  }

  /** The rules for elements of the list here. */
  get inElements(): Rules | undefined {
    return this.after(-1, ({ steps: [step] }) => step !== undefined && "inList" in step);
  }

  private after(bits: number, enters: (live: Live) => boolean): Rules | undefined {
    if (this.known.has(bits)) return this.known.get(bits);
    const entered = this.live.filter(enters);
    const rules = Rules.from(
      entered.map(({ rule, steps }) => liveOf(rule, isAnyKeys(steps[0]) ? steps : steps.slice(1))),
    );
    if (this.live.length <= mostRemembered) this.known.set(bits, rules);
    return rules;
  }
}

function listRuleOf({ key, list }: MergeRule): Exclude<ListRule, "replace"> | undefined {
  if (key !== undefined) return typeof key === "string" ? [key] : key;
  return list === "replace" ? undefined : list;
}

/** `**` stands for no key, too. */
function alsoWithout(live: Live): readonly Live[] {
  return isAnyKeys(live.steps[0]) ? [live, liveOf(live.rule, live.steps.slice(1))] : [live];
}

function isAnyKeys(step: Step | undefined): boolean {
  return step !== undefined && "any" in step && step.any === "keys";
}

function liveOf(rule: MergeRule, steps: readonly Step[]): Live {
  return { rule, steps, enters: entering(steps[0]) };
}

/** Asked of many entries, so as much as can be is known before. */
function entering(step: Step | undefined): (entry: Node) => boolean {
  if (step === undefined || "inList" in step) return () => false;
  if ("any" in step) return () => true;
  const { key } = step;
  // A bare `y` or `on` is a key `true` to its consumer: either spelling finds it.
  const { type, text } = resolvePlain(key);
  if (type === "bool") return (entry) => [key, text].includes(textOfKey(entry));
  return isAscii(key) ? (entry) => hasKey(entry, key) : (entry) => textOfKey(entry) === key;
}

/** A rule in words: `key name`, `append`, `mapping: replace`. */
export function ruleText({ key, list, mapping, null: nulls }: MergeRule): string {
  const words = [
    key === undefined ? list : `key ${typeof key === "string" ? key : key.join(", ")}`,
    mapping === undefined ? undefined : `mapping: ${mapping}`,
    nulls === undefined ? undefined : `null: ${nulls}`,
  ];
  return words.filter((each) => each !== undefined).join(", ");
}
