// How values merge at a path (setting `merge`): rules compiled to states that advance key by key, as documents are
// walked. Most of a document has no rule: there the state is `undefined`, and no rule is looked up.
import { hasKey, isAscii, resolvePlain, type Node } from "../yaml/index.ts";
import { isAnyKeys, parsePath, type Step } from "./path.ts";

export type ListRule = "append" | "prepend" | "set" | "replace" | readonly string[];

/** A rule as settings and records spell it: for the list, mapping or null at a path. */
export interface MergeRule {
  readonly path: string;
  /** Keys that identify elements of a list. */
  readonly key?: string | readonly string[] | undefined;
  readonly list?: "append" | "prepend" | "set" | "replace" | undefined;
  readonly mapping?: "replace" | "merge" | undefined;
  readonly null?: "drop" | "keep" | undefined;
}

/** How far a rule has come down its path. Each rule has one of each. */
interface Live {
  readonly id: number;
  readonly rule: MergeRule;
  /** Absent where the rule applies. */
  readonly step: Step | undefined;
  /** Whether an entry's key is the step. */
  readonly enters: (entry: Node) => boolean;
  /** The state after the step; for `**` the same state. */
  readonly next: () => Live;
  /** `**` also matches no key. */
  readonly also: Live | undefined;
}

/** Rules with more states than bits use names as cache keys. */
const mostBits = 30;

/** The rules that apply at one place of a document or below it. */
export class Rules {
  /** How lists merge here; undefined where they are replaced, as everywhere. */
  readonly list: Exclude<ListRule, "replace"> | undefined;
  /** The rules that set this for lists, mappings and nulls. */
  readonly listRule: MergeRule | undefined;
  readonly mappingRule: MergeRule | undefined;
  readonly nullRule: MergeRule | undefined;
  /** True if a rule applies here, and not only further down. */
  readonly appliesHere: boolean;
  /** True if a mapping replaces another one here. */
  readonly replacesMappings: boolean;
  /** True if a null removes the value below it, and is not kept. */
  readonly dropsNulls: boolean;
  private readonly live: readonly Live[];
  /** By the entered step, 0 for an element; and those of all places, by their states. */
  private readonly known = new Map<number, Rules | undefined>();
  private readonly everywhere: Map<string, Rules>;

  private constructor(live: readonly Live[], everywhere: Map<string, Rules>) {
    this.live = live;
    this.everywhere = everywhere;
    const here = live.flatMap(({ rule, step }) => (step === undefined ? rule : []));
    this.appliesHere = here.length > 0;
    this.listRule = here.findLast(({ key, list }) => key !== undefined || list !== undefined);
    this.mappingRule = here.findLast(({ mapping }) => mapping !== undefined);
    this.nullRule = here.findLast((rule) => rule.null !== undefined);
    this.list = this.listRule === undefined ? undefined : listRuleOf(this.listRule);
    this.replacesMappings = this.mappingRule?.mapping === "replace";
    this.dropsNulls = this.nullRule?.null === "drop";
  }

  /** For lists, mappings and nulls each, the last of several rules wins. Undefined without rules. */
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

  /** The rules for the value of an entry. */
  at(entry: Node): Rules | undefined {
    const { live } = this;
    if (live.length > mostBits) return this.advance(({ enters }) => enters(entry));
    let bits = 0;
    for (let index = 0; index < live.length; index++)
      if ((live[index] as Live).enters(entry)) bits |= 1 << index;
    if (bits === 0) return undefined;
    if (!this.known.has(bits))
      this.known.set(
        bits,
        this.advance(({ enters }) => enters(entry)),
      );
    return this.known.get(bits);
  }

  /** The rules for elements of the list here. */
  get inElements(): Rules | undefined {
    if (!this.known.has(0))
      this.known.set(
        0,
        this.advance(({ step }) => step !== undefined && "inList" in step),
      );
    return this.known.get(0);
  }

  private advance(enters: (live: Live) => boolean): Rules | undefined {
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

/** A state for every step of a rule, the later ones first: ids go up with the rules. */
function liveOf(rule: MergeRule, [step, ...rest]: readonly Step[], nextId: () => number): Live {
  const following = step === undefined ? undefined : liveOf(rule, rest, nextId);
  const isAny = isAnyKeys(step);
  const live: Live = {
    id: nextId(),
    rule,
    step,
    enters: entering(step),
    next: () => (isAny ? live : (following ?? live)),
    also: isAny ? following : undefined,
  };
  return live;
}

/** Called for many entries, so it prepares as much as possible. */
function entering(step: Step | undefined): (entry: Node) => boolean {
  if (step === undefined || "inList" in step) return () => false;
  if ("any" in step) return () => true;
  const { key } = step;
  // A bare `y` or `on` is the key `true` to its consumer: either spelling matches it.
  const { type, text } = resolvePlain(key);
  if (type === "bool") return (entry) => [key, text].includes(entry.key);
  return isAscii(key) ? (entry) => hasKey(entry, key) : (entry) => entry.key === key;
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
