// A path that leads into a value, such as an element of a list: whether it has something there, or where the path ends.
import { nearest } from "../diagnostic.ts";
import type { ExplainedValue } from "../explanation.ts";
import { readValues } from "../layers/index.ts";
import { isKey, pathText, type Step } from "../merge/index.ts";
import type { Node } from "../yaml/index.ts";

type Shown = Pick<ExplainedValue, "path" | "text"> & {
  readonly over?: readonly Pick<ExplainedValue, "text">[];
};

/** Why a value has nothing at a path. */
export interface PathEnd {
  readonly why: string;
  /** The path that was meant, perhaps. */
  readonly near?: string;
}

/**
 * Undefined where the value has something at the path, or may have: it is hidden, or null, or hides something there.
 * @param value above the path
 */
export function endOfPath({ path, text, over = [] }: Shown, steps: readonly Step[]): PathEnd | undefined {
  const rest = steps.slice(path.length);
  const value = text === undefined ? undefined : valueIn(text);
  if (value === undefined || rest.length === 0 || steps.some(isOfAnyDepth)) return undefined;
  const end = mayHideAll(value) ? undefined : endIn(value, rest, pathText(path));
  const lower = over.map((each) => (each.text === undefined ? undefined : valueIn(each.text)));
  const hides = lower.some((each) => each === undefined || endIn(each, rest, "") === undefined);
  return hides ? undefined : end;
}

/** A null, or the null that a variable may be, removes what is below it. */
function mayHideAll(value: Node): boolean {
  return value.isScalar && (value.isNull || isVariable(value));
}

/** Between brackets a variable is quoted here, whatever a layer has. */
function isVariable(value: Node): boolean {
  return value.isScalar && /^\$\{[^{}]*\}$/.test(value.text);
}

function isOfAnyDepth(step: Step): boolean {
  return "any" in step && step.any === "keys";
}

/** What a line of an explanation says. */
function valueIn(text: string): Node | undefined {
  return readValues(Buffer.from(`value: ${text}\n`, "utf8")).root?.get("value")?.value;
}

/** @param at the path of the value */
function endIn(value: Node, [step, ...rest]: readonly Step[], at: string): PathEnd | undefined {
  if (step === undefined || isVariable(value)) return undefined;
  const found = membersAt(value, step);
  const ends = found.map(([own, node]) => endIn(node.value, rest, at + own));
  if (ends.includes(undefined)) return undefined;
  return ends[0] ?? { why: whyNothing(value, at), ...nearIn(value, step, at, rest) };
}

/** With the text of their steps. */
function membersAt(value: Node, step: Step): readonly (readonly [string, Node])[] {
  if ("inList" in step) {
    const all = value.isSequence ? value.children() : [];
    return [...all.entries()].flatMap(([index, each]) =>
      isElement(each, index, step.inList) ? [[`[${index}]`, each]] : [],
    );
  }
  const all = value.isMapping ? [...value.entries()] : [];
  const named = all.filter(([key]) => "any" in step || isKey(step.key, key));
  return named.map(([key, node]) => [afterDot(key), node]);
}

/** @param wanted `0`, `*` or `name=LOG` */
function isElement({ value }: Node, index: number, wanted: string): boolean {
  const [key = "", ...text] = wanted.split("=");
  if (text.length === 0) return wanted === "*" || Number(wanted) === index;
  return value.isMapping && value.textAt(key) === text.join("=");
}

function whyNothing(value: Node, at: string): string {
  if (value.isSequence) {
    const { length } = value.children();
    return `\`${at}\` is a list of ${length} element${length === 1 ? "" : "s"}`;
  }
  return value.isMapping ? `\`${at}\` has no such key` : `\`${at}\` has nothing below it`;
}

function nearIn(value: Node, step: Step, at: string, rest: readonly Step[]): Pick<PathEnd, "near"> {
  if (!("key" in step) || !value.isMapping) return {};
  const key = nearest(
    step.key,
    [...value.entries()].map(([each]) => each),
  );
  return key === undefined ? {} : { near: at + afterDot(key) + rest.map(stepText).join("") };
}

function stepText(step: Step): string {
  if ("inList" in step) return `[${step.inList}]`;
  return "key" in step ? afterDot(step.key) : ".*";
}

/** `.key`, or `["a key"]`. */
function afterDot(key: string): string {
  return pathText(["a", key]).slice(1);
}
