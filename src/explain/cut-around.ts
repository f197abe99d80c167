// Long values next to each other, without what is equal in all of them: elements of lists, lines of texts, else characters.
// `[1, 2, …, 90, …]` and the same with 91 are `[…, 90, …]` and `[…, 91, …]`. For people to read; no such text is a value.
import { nodeOfLine, oneLine } from "./one-line.ts";

/** A text that is not longer is left whole. */
export const longestCell = 200;

/** How a value is taken apart, and put together of what is left. */
interface CuttableForm {
  /** Undefined for a value of another form. */
  readonly units: (text: string) => readonly string[] | undefined;
  readonly whole: (units: readonly string[]) => string;
  /** How many equal units are left around those that differ. */
  readonly around: number;
}

/** The texts in their order, cut where one of them is long. The first difference is in what is left. */
export function cutAround(texts: readonly string[]): readonly string[] {
  return forms.reduce<readonly string[]>((left, form) => {
    if (left.length < 2 || left.every(({ length }) => length <= longestCell)) return left;
    const all = left.flatMap((text) => {
      const units = form.units(text);
      return units === undefined ? [] : [units];
    });
    return all.length === left.length ? cutUnits(all, form) : left;
  }, texts);
}

const gap = "…";

const forms: readonly CuttableForm[] = [
  { units: elementsOf, whole: (units) => `[${units.join(", ")}]`, around: 0 },
  { units: linesOf, whole: (units) => `"${units.join("")}"`, around: 0 },
  { units: (text) => Array.from(text), whole: (units) => units.join(""), around: 40 },
];

function elementsOf(text: string): readonly string[] | undefined {
  if (!text.startsWith("[")) return undefined;
  const list = nodeOfLine(text);
  return list?.isSequence === true ? list.children().map(oneLine) : undefined;
}

/** Lines of a text in double quotes, each with its escaped end. */
function linesOf(text: string): readonly string[] | undefined {
  if (!(text.startsWith('"') && text.endsWith('"') && text.includes("\\n"))) return undefined;
  return text.slice(1, -1).match(/(?:[^\\]|\\[^n])*\\n|(?:[^\\]|\\[^n])+$/gs) ?? undefined;
}

function cutUnits(all: readonly (readonly string[])[], { around, whole }: CuttableForm): readonly string[] {
  const shortest = Math.min(...all.map(({ length }) => length));
  const isSame = (unitOf: (units: readonly string[]) => string | undefined): boolean =>
    new Set(all.map(unitOf)).size === 1;
  let start = 0;
  while (start < shortest && isSame((units) => units[start])) start++;
  let end = 0;
  while (end < shortest - start && isSame((units) => units.at(-1 - end))) end++;
  const from = Math.max(0, start - around);
  const to = Math.max(0, end - around);
  const isAligned = around === 0 && all.every(({ length }) => length === shortest);
  return all.map((units) => {
    const isGap = units.map(
      (_, index) =>
        index < from || index >= units.length - to || (isAligned && isSame((each) => each[index])),
    );
    return whole(
      units.flatMap((unit, index) =>
        isGap[index] !== true ? [unit] : isGap[index - 1] === true ? [] : [gap],
      ),
    );
  });
}
