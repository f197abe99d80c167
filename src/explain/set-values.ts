// Helm's `--set` grammar: `a.b=1,c[0].d=x,e={x,y}` → values with their paths. Argo CD's parameters and Flux' `targetPath` are
// written in it. What Helm refuses is a fault in words.

/** A key, or an index of a list. */
export type SetStep = string | number;

/** One value that is set. */
export interface Assignment {
  readonly steps: readonly SetStep[];
  readonly value: SetValue;
  /** True if the text ends before the value: Helm then makes no new element for a mapping in a list. */
  readonly isOpen?: true;
}

export type SetValue = string | number | bigint | boolean | null | readonly SetValue[];

const maxIndex = 65_536;
const maxLevels = 30;

/** How the text of a value is read. */
export type ReadSetValue = (text: string) => SetValue;

/** As `--set` does it: words for booleans and null, and whole numbers without leading zeros. */
export function typedValue(text: string): SetValue {
  const word = text.toLowerCase();
  if (word === "true" || word === "false") return word === "true";
  if (word === "null") return null;
  if (!/^(?:0|[+-]?[1-9]\d*|[+-]0\d*)$/.test(text)) return text;
  const number = BigInt(text.replace(/^\+/, ""));
  if (BigInt.asIntN(64, number) !== number) return text;
  return Number.isSafeInteger(Number(number)) ? Number(number) : number;
}

/** @param read `typedValue`, or another reading of the texts of values */
export function assignmentsIn(
  text: string,
  read: ReadSetValue,
): readonly Assignment[] | { readonly wrong: string } {
  const reader = new SetReader(text, read);
  try {
    return reader.all();
  } catch (error) {
    if (error instanceof SetFault) return { wrong: error.message };
    throw error;
  }
}

class SetFault extends Error {}

class SetReader {
  private readonly characters: readonly string[];
  private readonly read: ReadSetValue;
  private at = 0;

  constructor(text: string, read: ReadSetValue) {
    this.characters = Array.from(text);
    this.read = read;
  }

  all(): readonly Assignment[] {
    const found: Assignment[] = [];
    while (this.at < this.characters.length) {
      const next = this.assignment();
      // An index without its end ends everything, in silence.
      if (next === undefined) return found;
      // A key without a name sets nothing.
      if (next.steps.at(-1) !== "" || next.steps.length > 1) found.push(next);
    }
    return found;
  }

  private assignment(): Assignment | undefined {
    const steps: SetStep[] = [];
    for (let levels = 0; ;) {
      const { text, stop } = this.until("=[,.");
      if (stop === "") throw new SetFault("a key has no value");
      if (stop === ",") throw new SetFault("a key has no value (cannot end with ,)");
      steps.push(text);
      if (stop === "=") return this.assigned(steps);
      if (stop === ".") {
        if (++levels > maxLevels) throw new SetFault(`more than ${maxLevels} names are nested`);
        continue;
      }
      const after = this.indexes(steps);
      if (after === undefined) return undefined;
      if (after === "=") return this.valued(steps);
    }
  }

  private assigned(steps: readonly SetStep[]): Assignment {
    const nameless = steps.findIndex((step, index) => step === "" && isName(steps[index - 1]));
    if (nameless > 0) throw new SetFault("a key map has no value");
    return this.valued(steps);
  }

  private valued(steps: readonly SetStep[]): Assignment {
    const isOpen = this.at === this.characters.length;
    return { steps, value: this.value(), ...(isOpen ? { isOpen } : {}) };
  }

  /** Indexes that follow each other, and what is after them. */
  private indexes(steps: SetStep[]): "=" | "." | undefined {
    for (;;) {
      const { text, stop } = this.until("]");
      if (stop === "") return undefined;
      if (!/^[+-]?\d+$/.test(text)) throw new SetFault("an index is no number");
      const index = Number(text);
      if (index < 0) throw new SetFault("a negative index is not allowed");
      if (index > maxIndex) throw new SetFault(`an index is greater than ${maxIndex}`);
      steps.push(index);
      const next = this.until("[.=");
      if (next.text !== "") throw new SetFault("unexpected characters after an index");
      if (next.stop === "") return undefined;
      if (next.stop !== "[") return next.stop === "=" ? "=" : ".";
    }
  }

  private value(): SetValue {
    if (this.characters[this.at] !== "{") return this.read(this.until(",").text);
    this.at++;
    const elements: SetValue[] = [];
    for (;;) {
      const { text, stop } = this.until(",}");
      if (stop === "") throw new SetFault("list must terminate with '}'");
      elements.push(this.read(text));
      if (stop === ",") continue;
      if (this.characters[this.at] === ",") this.at++;
      return elements;
    }
  }

  /** The text up to one of some characters, which is passed; a backslash takes the meaning of what follows. */
  private until(stops: string): { readonly text: string; readonly stop: string } {
    let text = "";
    while (this.at < this.characters.length) {
      const character = this.characters[this.at++] ?? "";
      if (stops.includes(character)) return { text, stop: character };
      if (character !== "\\") text += character;
      else if (this.at < this.characters.length) text += this.characters[this.at++];
    }
    return { text, stop: "" };
  }
}

function isName(step: SetStep | undefined): boolean {
  return typeof step === "string" && step !== "";
}

/** Values that may be assigned to: mappings as objects, lists as arrays. */
export type Assignable = { [key: string]: unknown };

export function isAssignable(value: unknown): value is Assignable {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Sets a value as Helm does. @returns why Helm refuses it */
export function assign(into: Assignable, { steps, value, isOpen }: Assignment): string | undefined {
  let at: unknown = into;
  let above: unknown;
  for (const [index, step] of steps.entries()) {
    const isLast = index === steps.length - 1;
    if (step === "") return undefined;
    if (step === "__proto__") return "`__proto__` cannot be set here";
    const next = isLast ? value : memberFor(at, step, steps[index + 1]);
    if (next === undefined)
      return `\`${spelledSteps(steps.slice(0, index + 1))}\` has a value of another type`;
    if (typeof step === "number") {
      const list = at as unknown[];
      if (isOpen && typeof steps[index + 1] === "string" && step >= list.length) return undefined;
      if (step < list.length) list[step] = next;
      else (above as Assignable)[String(steps[index - 1])] = at = grown(list, step, next);
    } else (at as Assignable)[step] = next;
    above = at;
    at = next;
  }
  return undefined;
}

/** As in Go, a list that grows is a new one. */
function grown(list: readonly unknown[], index: number, last: unknown): unknown[] {
  const nulls = Array.from({ length: index - list.length }, () => null);
  return [...list, ...nulls, last];
}

/** What is there for the next step, or what is made for it; undefined where something else is there. */
function memberFor(at: unknown, step: SetStep, next: SetStep | undefined): unknown {
  const isInList = typeof step === "number";
  const there = isInList ? (at as unknown[])[step] : ownValue(at as Assignable, step);
  const isThere = isInList ? there !== undefined && there !== null : Object.hasOwn(at as Assignable, step);
  if (typeof next === "number") {
    if (!isThere) return [];
    return Array.isArray(there) ? there : undefined;
  }
  if (!isThere) return {};
  if (isAssignable(there)) return there;
  // In a list Helm replaces what is no mapping.
  return isInList ? {} : undefined;
}

function ownValue(mapping: Assignable, key: string): unknown {
  return Object.hasOwn(mapping, key) ? mapping[key] : undefined;
}

export function spelledSteps(steps: readonly SetStep[]): string {
  return steps
    .map((step, index) => (typeof step === "number" ? `[${step}]` : index === 0 ? step : `.${step}`))
    .join("");
}
