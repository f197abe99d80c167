// What a build was read without, as diagnostics. A warning is about something that is missing in what is explained or
// compared; an info is about what was passed over on purpose.
import { count } from "../core/index.ts";
import type { Diagnostic } from "../diagnostic.ts";

export function notBuilt(fault: Pick<Diagnostic, "message" | "hint" | "at" | "item">): Diagnostic {
  return { code: "not-built", severity: "warning", ...fault };
}

export function passedOver(message: string, hint?: string): Diagnostic {
  return { code: "not-built", severity: "info", message, ...(hint === undefined ? {} : { hint }) };
}

const mostNames = 3;

/** `2 charts: a, b`. */
export function listed(names: readonly string[], noun: string): string {
  const rest = names.length - mostNames;
  const shown = names.slice(0, mostNames).join(", ");
  return `${count(names.length, noun)}: ${shown}${rest > 0 ? `, and ${rest} more` : ""}`;
}
