// Paths as users type them: `controller.replicas`, `annotations["a.b/c"]`, `env[name=LOG].value`, `**.tag`. One grammar
// for all commands and settings.
import { resolvePlain } from "../yaml/index.ts";

export type Step =
  | { readonly key: string }
  /** `*`: any key. */
  | { readonly any: "key" }
  /** `**`: any keys, or none. */
  | { readonly any: "keys" }
  /** An element of a list, which is one value here: `[0]`, `[*]`, `[name=LOG]`. */
  | { readonly inList: string };

/** The steps of a path; otherwise where it is wrong (1-based). */
export function parsePath(text: string): readonly Step[] | { readonly wrongAt: number } {
  const steps: Step[] = [];
  let at = 0;
  let isStart = true;
  while (at < text.length) {
    const rest = text.slice(at);
    const found = rest.startsWith("[")
      ? bracketed(rest)
      : isStart || rest.startsWith(".")
        ? named(rest, isStart)
        : undefined;
    if (found === undefined) return { wrongAt: at + 1 };
    // `**.**` finds what `**` finds.
    if (!(isAnyKeys(found.step) && isAnyKeys(steps.at(-1)))) steps.push(found.step);
    at += found.length;
    isStart = false;
  }
  return steps.length === 0 ? { wrongAt: 1 } : steps;
}

export function isAnyKeys(step: Step | undefined): boolean {
  return step !== undefined && "any" in step && step.any === "keys";
}

interface ParsedStep {
  readonly step: Step;
  readonly length: number;
}

function named(rest: string, isStart: boolean): ParsedStep | undefined {
  const [whole, key = ""] = (isStart ? /^([^.[\]]+)/ : /^\.([^.[\]]+)/).exec(rest) ?? [];
  if (whole === undefined) return undefined;
  const step: Step = key === "*" ? { any: "key" } : key === "**" ? { any: "keys" } : { key };
  return { step, length: whole.length };
}

function bracketed(rest: string): ParsedStep | undefined {
  const [quoted, text = ""] = /^\[("(?:[^"\\]|\\.)*")\]/.exec(rest) ?? [];
  if (quoted !== undefined) {
    const key = unquoted(text);
    return key === undefined ? undefined : { step: { key }, length: quoted.length };
  }
  const [whole, inList = ""] = /^\[(\d+|\*|[^\]="]+=[^\]]*)\]/.exec(rest) ?? [];
  return whole === undefined ? undefined : { step: { inList }, length: whole.length };
}

function unquoted(text: string): string | undefined {
  try {
    return String(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The text in the brackets of a list element in a value's path: `[0]`, `[name=LOG]`; undefined for a key. */
export function keyOfLabel(step: string): string | undefined {
  return /^\[(\d+|[^\]="\s]+=[^\]\n]*)\]$/.exec(step)?.[1];
}

/** A value's path compared with the steps: at or below them, above them, or unrelated. */
type Match = "inside" | "above" | undefined;

/**
 * Takes time in proportion to path × steps: each place is compared with each step once.
 * @param elements which steps of the path are elements of lists
 */
export function compare(
  path: readonly string[],
  steps: readonly Step[],
  elements: readonly number[] = none,
): Match {
  const known = new Map<number, Match>();
  const matchAt = (place: number, index: number): Match => {
    const step = steps[index];
    if (step === undefined) return "inside";
    if ("inList" in step) return inListAt(step.inList, place, index);
    const key = path[place];
    if (key === undefined) return "above";
    if (isAnyKeys(step)) return anyKeysAt(place, index);
    return "key" in step && !isKey(step.key, key) ? undefined : matchAt(place + 1, index + 1);
  };
  const inListAt = (inList: string, place: number, index: number): Match => {
    const key = path[place];
    const label = key === undefined || !elements.includes(place) ? undefined : keyOfLabel(key);
    // Without a rule a list is one value; a mapping has no elements.
    if (label === undefined) return key === undefined ? "inside" : undefined;
    if (inList === "*" || inList === label) return matchAt(place + 1, index + 1);
    // Elements with keys have no index.
    return label.includes("=") === inList.includes("=") ? undefined : "inside";
  };
  const anyKeysAt = (place: number, index: number): Match => {
    const id = place * steps.length + index;
    if (!known.has(id)) {
      const here = matchAt(place, index + 1);
      known.set(id, here === "inside" ? here : (matchAt(place + 1, index) ?? here));
    }
    return known.get(id);
  };
  return matchAt(0, 0);
}

const none: readonly number[] = [];

/** A bare `y` or `on` is the key `true` to its consumer: either spelling matches it. */
export function isKey(wanted: string, key: string): boolean {
  if (wanted === key) return true;
  const { type, text } = resolvePlain(wanted);
  return type === "bool" && text === key;
}

const plainKey = /^[^.[\]*"\s]+$/;

/** A path as users type it. */
export function pathText(path: readonly string[]): string {
  return path
    .map((key, index) =>
      keyOfLabel(key) !== undefined
        ? key
        : plainKey.test(key)
          ? `${index === 0 ? "" : "."}${key}`
          : `[${JSON.stringify(key)}]`,
    )
    .join("");
}
