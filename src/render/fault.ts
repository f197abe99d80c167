// The form of what is wrong with a render.
import type { Diagnostic } from "../diagnostic.ts";

/** A file, an instance or a document: its name, or a position in it. */
export type Place = string | NonNullable<Diagnostic["at"]>;

/** An error. @param field of a document, as a path */
export function errorAt(
  code: Diagnostic["code"],
  at: Place | undefined,
  message: string,
  hint: string,
  field?: string,
): Diagnostic {
  const place = at === undefined ? {} : { at: typeof at === "string" ? { text: at } : at };
  return { code, severity: "error", message, ...(field === undefined ? {} : { field }), ...place, hint };
}

/** The same as a warning. */
export function warningAt(...args: Parameters<typeof errorAt>): Diagnostic {
  return { ...errorAt(...args), severity: "warning" };
}
