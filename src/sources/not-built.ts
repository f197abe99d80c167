// What a build was read without, as diagnostics. A warning is about something that is missing in what is explained or
// compared; an info is about what was passed over on purpose.
import { count } from "../core/index.ts";
import type { Diagnostic, Position } from "../diagnostic.ts";
import type { Place } from "../explanation.ts";
import { positionOf } from "../explain/index.ts";

interface NotBuilt extends Pick<Diagnostic, "message" | "item" | "reason"> {
  readonly hint?: string | undefined;
  /** Where it is: as messages show it, or in a file that was read. */
  readonly at?: Position | Place | undefined;
  readonly severity?: Diagnostic["severity"];
}

export function notBuilt({ hint, at, severity = "warning", ...fault }: NotBuilt): Diagnostic {
  return {
    code: "not-built",
    severity,
    ...fault,
    message: withoutCredentials(fault.message),
    ...(hint !== undefined && { hint: withoutCredentials(hint) }),
    ...(at && { at: "text" in at ? at : positionOf(at) }),
  };
}

/** Of a chart, in what is reported of charts that it depends on. */
export const dependenciesField = "dependencies";

export function passedOver(message: string, hint?: string): Diagnostic {
  return notBuilt({ message, hint, severity: "info" });
}

/**
 * A text in which no URL has a password or a token. What it names is found all the same: URLs are compared without it.
 *
 *     https://bot:token@github.com/org/repo → https://github.com/org/repo
 */
export function withoutCredentials(text: string): string {
  return text
    .replace(/\b(https?:\/\/)[^\s/]+@/gi, "$1")
    .replace(/\b([a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@]*):[^\s/]+@/gi, "$1@")
    .replace(/([?&](?!(?:ref|version|submodules|depth|timeout)=)[\w.-]{1,60}=)[^&\s"'`]+/gi, "$1…");
}

const mostNames = 3;

/** `2 charts: a, b`. */
export function listed(names: readonly string[], noun: string): string {
  const rest = names.length - mostNames;
  const shown = names.slice(0, mostNames).join(", ");
  return `${count(names.length, noun)}: ${shown}${rest > 0 ? `, and ${rest} more` : ""}`;
}
