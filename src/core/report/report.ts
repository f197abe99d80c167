// Diagnostics: collected once each, and rendered for stderr.
import { type Diagnostic, formatPosition, type Position, type Reporter } from "../../diagnostic.ts";

/** The place in the input of an offset of the folded list: that place, or (not exact) near what the text was made for. */
export type Origin = (offset: number) => { readonly at: number; readonly isExact: boolean };

/** Collects diagnostics; the same finding of two stacks counts once, as an error if either is an error. */
export class Report implements Reporter {
  private readonly seen = new Map<string, Diagnostic>();
  private origin: Origin | undefined;

  report(diagnostic: Diagnostic): void {
    const { code, message, at, field } = diagnostic;
    const key = JSON.stringify([
      code,
      message,
      at?.text,
      at?.line,
      at?.column,
      field,
      code === "tie" ? diagnostic.also : 0,
    ]);
    const known = this.seen.get(key)?.severity;
    if (known === undefined || (known !== "error" && diagnostic.severity === "error"))
      this.seen.set(key, this.origin === undefined ? diagnostic : moved(diagnostic, this.origin));
  }

  /** From now on offsets count in a list that was made of the input. @param origin their places in the input */
  movedBy(origin: Origin): void {
    this.origin = origin;
  }

  /** The place in the input of an offset of the folded list. */
  originOf(offset: number): ReturnType<Origin> {
    return this.origin === undefined ? { at: offset, isExact: true } : this.origin(offset);
  }

  all(diagnostics: readonly Diagnostic[]): void {
    for (const diagnostic of diagnostics) this.report(diagnostic);
  }

  get diagnostics(): readonly Diagnostic[] {
    const all = [...this.seen.values()];
    // A layer with a wrong priority gets the default, where it may tie with others: that tie is no fault of its own.
    const isMisplaced = all.some(({ code }) => code === "invalid-priority");
    return isMisplaced ? all.filter(({ code }) => code !== "tie") : all;
  }

  get failed(): boolean {
    return this.diagnostics.some(({ severity }) => severity === "error");
  }
}

function moved(diagnostic: Diagnostic, origin: Origin): Diagnostic {
  const at = (position: Position): Position =>
    position.offset === undefined ? position : { ...position, offset: origin(position.offset).at };
  return {
    ...diagnostic,
    ...(diagnostic.at === undefined ? {} : { at: at(diagnostic.at) }),
    ...(diagnostic.also === undefined ? {} : { also: diagnostic.also.map(at) }),
  };
}

/** Text for stderr: an error in full, its first line complete in itself; a warning on one line; infos left out. */
export function renderDiagnostics(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error").map(renderError);
  const warnings = diagnostics.filter(({ severity }) => severity === "warning").map(renderOnOneLine);
  return [...warnings, ...errors].join("");
}

/** Text for stderr, a line each, infos too: what a command leaves out is always said. */
export function renderNotes(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map(renderOnOneLine).join("");
}

/** Names and annotations come from outside: none of their control characters reaches a terminal or starts a line of its own. */
export function legible(line: string): string {
  // Nearly every line is.
  if (/^[\x20-\x7e]*$/.test(line)) return line;
  return line.replaceAll(
    /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** kpt shows four lines of stderr at most, so the first one names the place as well. */
function renderError({ code, message, at, also = [], hint }: Diagnostic): string {
  const places = at === undefined ? [] : [`  at    ${formatPosition(at)}`];
  const others = also.map((position) => `  also  ${formatPosition(position)}`);
  const cure = hint === undefined || hint === "" ? [] : [`  hint  ${hint}`];
  return [`error[${code}]: ${message}`, ...places, ...others, ...cure]
    .map((line) => `${legible(line)}\n`)
    .join("");
}

function renderOnOneLine({ code, severity, message, at, also = [], hint }: Diagnostic): string {
  const place = at === undefined ? "" : `; at ${formatPosition(at)}`;
  const others = also.map((position) => ` and ${formatPosition(position)}`).join("");
  const cure = hint === undefined || hint === "" ? "" : `; ${hint}`;
  return `${legible(`${severity}[${code}]: ${message}${place}${others}${cure}`)}\n`;
}
