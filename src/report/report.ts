// Diagnostics: collected once each.
import type { Diagnostic, Position, Reporter } from "../diagnostic.ts";

/** The place in the input of an offset of the folded list: that place, or (not exact) near what the text was made for. */
export type PlaceInInput = (offset: number) => { readonly at: number; readonly isExact: boolean };

/** Collects diagnostics; the same finding of two stacks counts once, as an error if either is an error. */
export class Report implements Reporter {
  private readonly seen = new Map<string, Diagnostic>();
  private origin: PlaceInInput | undefined;

  report(diagnostic: Diagnostic): void {
    const { code, message, reason, at, field } = diagnostic;
    const key = JSON.stringify([
      code,
      message,
      reason,
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
  movedBy(origin: PlaceInInput): void {
    this.origin = origin;
  }

  /** The place in the input of an offset of the folded list. */
  originOf(offset: number): ReturnType<PlaceInInput> {
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

function moved(diagnostic: Diagnostic, origin: PlaceInInput): Diagnostic {
  const at = (position: Position): Position =>
    position.offset === undefined ? position : { ...position, offset: origin(position.offset).at };
  return {
    ...diagnostic,
    ...(diagnostic.at === undefined ? {} : { at: at(diagnostic.at) }),
    ...(diagnostic.also === undefined ? {} : { also: diagnostic.also.map(at) }),
  };
}
