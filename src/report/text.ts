// Diagnostics as text for people: a headline, then the places, the reason and the cure, each on a line of its own.
import { type Diagnostic, formatPosition } from "../diagnostic.ts";
import { grouped } from "../grouped.ts";
import { legible, legibleText, shortened } from "./legible.ts";

/** How the text looks. */
export interface TextStyle {
  /**
   * The longest line, in characters: 40 to 100, and 0 if a terminal does not know its width. What is between backticks is
   * not broken, even if it is longer.
   */
  readonly columns?: number;
  readonly colour?: boolean;
  /** Infos, too, and all diagnostics of a code that has many. */
  readonly all?: boolean;
}

const mostColumns = 100;
/** In a narrower terminal lines are not broken well by either. */
const leastColumns = 40;
/** Of one code so many are printed, and the others are counted. */
const mostOfCode = 10;
/** Of equal diagnostics so many places are printed. */
const mostPlaces = 3;

/** Infos that are printed always: what a command leaves out is not to be missed. */
const printedInfos: ReadonlySet<string> = new Set(["not-built"]);

/**
 * Text for stderr. Errors come first, since kpt shows four lines at most.
 *
 *     error[not-a-mapping]: expected a mapping at the top of the values, got a sequence
 *       at    ConfigMap/org/base values:1:1 (layer of App/org/shop, priority 50)
 *       hint  indent the list or text under a key
 */
export function renderDiagnostics(diagnostics: readonly Diagnostic[], style: TextStyle = {}): string {
  const { all = false } = style;
  const printed = diagnostics.filter(
    ({ severity, code }) => all || severity !== "info" || printedInfos.has(code),
  );
  const errors = printed.filter(({ severity }) => severity === "error");
  const others = printed.filter(({ severity }) => severity !== "error");
  const lines = [errors, others]
    .flatMap((part) => entriesOf(part, all))
    .flatMap((entry) => linesOf(entry, style))
    .map((line) => `${line}\n`);
  return legibleText(lines.join(""));
}

/** What is printed together: a headline and the labelled lines below it. */
interface PrintedFault extends Pick<Diagnostic, "severity" | "code" | "message"> {
  readonly below: readonly (readonly [label: string, text: string])[];
}

/** Diagnostics that differ in their place only are one entry. Of a code that has many, the rest is counted. */
function entriesOf(diagnostics: readonly Diagnostic[], all: boolean): readonly PrintedFault[] {
  const alike = grouped(diagnostics, ({ severity, code, message, reason, hint, also = [] }) =>
    JSON.stringify([severity, code, message, reason, hint, also.map(formatPosition)]),
  );
  const entries = [...alike.values()].flatMap((each) => entryOf(each, all ? each.length : mostPlaces));
  if (all) return entries;
  const byCode = [...grouped(entries, ({ code }) => code).values()];
  const rest = new Set(byCode.flatMap((own) => own.slice(mostOfCode)));
  const more = byCode.flatMap(([first, ...others]): PrintedFault[] => {
    const left = others.length + 1 - mostOfCode;
    return first === undefined || left <= 0
      ? []
      : [{ ...first, message: `${left} more`, below: [["hint", "`-v` prints them all"]] }];
  });
  return [...entries.filter((entry) => !rest.has(entry)), ...more];
}

/** @param most how many places are printed */
function entryOf(alike: readonly Diagnostic[], most: number): readonly PrintedFault[] {
  const [first] = alike;
  if (first === undefined) return [];
  const { severity, code, message, reason, also = [], hint } = first;
  const places = [...new Set(alike.flatMap(({ at }) => (at === undefined ? [] : [formatPosition(at)])))];
  const more = places.length - most;
  const below = [
    ...places.slice(0, most).map((place) => ["at", place] as const),
    ["at", more > 0 ? `${more} more ${more === 1 ? "place" : "places"}` : undefined],
    ...also.map((position) => ["also", formatPosition(position)] as const),
    ["why", reason],
    ["hint", hint],
  ] as const;
  const labelled = below.flatMap(([label, text = ""]) => (text === "" ? [] : [[label, text] as const]));
  return [{ severity, code, message, below: labelled }];
}

/** Lines below a headline start with a label. */
const labelColumns = 8;

function linesOf({ severity, code, message, below }: PrintedFault, style: TextStyle): readonly string[] {
  const { columns = mostColumns, colour = false } = style;
  const width = columns === 0 ? mostColumns : Math.min(Math.max(columns, leastColumns), mostColumns);
  const paint = colour ? paints : plain;
  const lead = `${severity}[${code}]:`;
  const [head = "", ...others] = wrapped(`${lead} ${legible(shortened(message))}`, width, 2);
  return [
    paint[severity](lead) + paint.bold(head.slice(lead.length)),
    ...others.map(paint.bold),
    ...below.flatMap(([label, text]) => {
      const lines = wrapped(
        `  ${label.padEnd(labelColumns - 2)}${legible(shortened(text))}`,
        width,
        labelColumns,
      );
      return lines.map((line) => paint.dim(line.slice(0, labelColumns)) + line.slice(labelColumns));
    }),
  ];
}

/**
 * Lines of so many characters, broken at spaces that are not between backticks, nor in a short pair of brackets. All but
 * the first are indented.
 */
export function wrapped(text: string, width: number, indent: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.match(/ *(?:`[^`]*`|\([^()]{1,60}\)|[^ ])+/g) ?? []) {
    if (line.length > indent && line.length + word.length > width) {
      lines.push(line);
      line = " ".repeat(indent) + word.trimStart();
    } else line += word;
  }
  return [...lines, line];
}

const same = (text: string): string => text;

/** Text in the colour or weight of a code (SGR) of terminals. */
export function coded(code: string): (text: string) => string {
  return (text) => (text === "" ? text : `\u001b[${code}m${text}\u001b[0m`);
}

const plain = { error: same, warning: same, info: same, bold: same, dim: same };
const paints: typeof plain = {
  error: coded("1;31"),
  warning: coded("1;33"),
  info: coded("1;36"),
  bold: coded("1"),
  dim: coded("2"),
};
