// Paths as users type them: `controller.replicas`, `annotations["a.b/c"]`, `env[name=LOG].value`, `**.tag`. One grammar
// for all commands and settings.
import { resolvePlain } from "../yaml/resolve-plain.ts";

export type Step =
  | { readonly key: string }
  /** `*`: any key. */
  | { readonly any: "key" }
  /** `**`: any keys, or none. */
  | { readonly any: "keys" }
  /** Something inside a list, which is one value here: `[0]`, `[*]`, `[name=LOG]`. */
  | { readonly inList: string };

/** The steps of a path; what is wrong with it, and where (1-based), otherwise. */
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

function isAnyKeys(step: Step | undefined): boolean {
  return step !== undefined && "any" in step && step.any === "keys";
}

interface Found {
  readonly step: Step;
  readonly length: number;
}

function named(rest: string, isStart: boolean): Found | undefined {
  const [whole, key = ""] = (isStart ? /^([^.[\]]+)/ : /^\.([^.[\]]+)/).exec(rest) ?? [];
  if (whole === undefined) return undefined;
  const step: Step = key === "*" ? { any: "key" } : key === "**" ? { any: "keys" } : { key };
  return { step, length: whole.length };
}

function bracketed(rest: string): Found | undefined {
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

/** What stands in the brackets of an element of a list in a value's path: `[0]`, `[name=LOG]`; undefined for a key. */
export function keyOfLabel(step: string): string | undefined {
  return /^\[(\d+|[^\]="\s]+=[^\]\n]*)\]$/.exec(step)?.[1];
}

/** What a value's path is to the steps: at them or below, above them, or neither. */
/** @param elements which steps of the path are elements of lists */
export function compare(
  path: readonly string[],
  steps: readonly Step[],
  elements: readonly number[] = none,
): "inside" | "above" | undefined {
  const [step, ...left] = steps;
  if (step === undefined) return "inside";
  const [key, ...deeper] = path;
  if ("inList" in step) {
    const label = key === undefined || !elements.includes(0) ? undefined : keyOfLabel(key);
    // A list that no rule takes apart is one value.
    if (label === undefined) return "inside";
    if (step.inList === "*" || step.inList === label) return compare(deeper, left, behind(elements));
    // Where elements have keys, nobody counts them.
    return label.includes("=") === step.inList.includes("=") ? undefined : "inside";
  }
  if (key === undefined) return "above";
  if ("any" in step && step.any === "keys") {
    const here = compare(path, left, elements);
    return here === "inside" ? here : (compare(deeper, steps, behind(elements)) ?? here);
  }
  return "key" in step && !isKey(step.key, key) ? undefined : compare(deeper, left, behind(elements));
}

const none: readonly number[] = [];

function behind(elements: readonly number[]): readonly number[] {
  return elements.length === 0 ? none : elements.map((depth) => depth - 1);
}

/** A bare `y` or `on` is a key `true` to its consumer: either spelling finds it. */
function isKey(asked: string, key: string): boolean {
  if (asked === key) return true;
  const { type, text } = resolvePlain(asked);
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
