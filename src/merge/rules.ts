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

/** How far a rule has come down its path. Each rule has one of each. */
interface Live {
  readonly id: number;
  readonly rule: MergeRule;
  /** Absent where the rule holds. */
  readonly step: Step | undefined;
  /** Whether an entry's key is the step. */
  readonly enters: (entry: Node) => boolean;
  /** Behind the step: of `**` the same. */
  readonly next: () => Live;
  /** `**` stands for no key, too. */
  readonly also: Live | undefined;
}

/** More states than bits are told apart by their names. */
const mostBits = 30;

/** The rules that may hold at one place of a document or below it. */
export class Rules {
  /** How lists merge here; undefined where they are replaced, as everywhere. */
  readonly list: Exclude<ListRule, "replace"> | undefined;
  /** The rules that say so of lists, mappings and nulls. */
  readonly listRule: MergeRule | undefined;
  readonly mappingRule: MergeRule | undefined;
  readonly nullRule: MergeRule | undefined;
  /** True if a rule says anything here, and not only further down. */
  readonly holds: boolean;
  /** True if a mapping takes the place of another one here. */
  readonly replacesMappings: boolean;
  /** True if a null takes away what lies below it, and is not kept. */
  readonly dropsNulls: boolean;
  private readonly live: readonly Live[];
  /** By what was entered, 0 for an element; and those of all places, by their states. */
  private readonly known = new Map<number, Rules | undefined>();
  private readonly everywhere: Map<string, Rules>;

  private constructor(live: readonly Live[], everywhere: Map<string, Rules>) {
    this.live = live;
    this.everywhere = everywhere;
    const here = live.flatMap(({ rule, step }) => (step === undefined ? rule : []));
    this.holds = here.length > 0;
    this.listRule = here.findLast(({ key, list }) => key !== undefined || list !== undefined);
    this.mappingRule = here.findLast(({ mapping }) => mapping !== undefined);
    this.nullRule = here.findLast((rule) => rule.null !== undefined);
    this.list = this.listRule === undefined ? undefined : listRuleOf(this.listRule);
    this.replacesMappings = this.mappingRule?.mapping === "replace";
    this.dropsNulls = this.nullRule?.null === "drop";
  }

  /** The last of several rules wins, for lists, mappings and nulls each. Undefined if there are none. */
  static of(rules: readonly MergeRule[]): Rules | undefined {
    let id = 0;
    const starts = rules.flatMap((rule): Live[] => {
      const steps = parsePath(rule.path);
      return "wrongAt" in steps ? [] : [liveOf(rule, steps, () => id++)];
    });
    return Rules.from(starts, new Map());
  }

  private static from(live: readonly Live[], everywhere: Map<string, Rules>): Rules | undefined {
    if (live.length === 0) return undefined;
    const all = [...new Set(live.flatMap(withAlso))].toSorted((a, b) => a.id - b.id);
    const key = all.map(({ id }) => id).join(" ");
    let rules = everywhere.get(key);
    if (rules === undefined) everywhere.set(key, (rules = new Rules(all, everywhere)));
    return rules;
  }

  /** The rules for what stands under an entry's key. */
  at(entry: Node): Rules | undefined {
    const { live } = this;
    if (live.length > mostBits) return this.behind(({ enters }) => enters(entry));
    let bits = 0;
    for (let index = 0; index < live.length; index++)
      if ((live[index] as Live).enters(entry)) bits |= 1 << index;
    if (bits === 0) return undefined;
    if (!this.known.has(bits))
      this.known.set(
        bits,
        this.behind(({ enters }) => enters(entry)),
      );
    return this.known.get(bits);
  }

  /** The rules for elements of the list here. */
  get inElements(): Rules | undefined {
    if (!this.known.has(0))
      this.known.set(
        0,
        this.behind(({ step }) => step !== undefined && "inList" in step),
      );
    return this.known.get(0);
  }

  private behind(enters: (live: Live) => boolean): Rules | undefined {
    const entered = this.live.filter(enters).map(({ next }) => next());
    return Rules.from(entered, this.everywhere);
  }
}

function listRuleOf({ key, list }: MergeRule): Exclude<ListRule, "replace"> | undefined {
  if (key !== undefined) return typeof key === "string" ? [key] : key;
  return list === "replace" ? undefined : list;
}

function withAlso(live: Live): readonly Live[] {
  return live.also === undefined ? [live] : [live, live.also];
}

function isAnyKeys(step: Step | undefined): boolean {
  return step !== undefined && "any" in step && step.any === "keys";
}

/** A state for every step of a rule, the later ones first: ids go up with the rules. */
function liveOf(rule: MergeRule, [step, ...rest]: readonly Step[], nextId: () => number): Live {
  const behind = step === undefined ? undefined : liveOf(rule, rest, nextId);
  const isAny = isAnyKeys(step);
  const live: Live = {
    id: nextId(),
    rule,
    step,
    enters: entering(step),
    next: () => (isAny ? live : (behind ?? live)),
    also: isAny ? behind : undefined,
  };
  return live;
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
