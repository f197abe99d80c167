// Shortcuts for tests: text in, text out.
import { folding, unsupplied } from "../../src/core/fold.ts";
import { wings } from "../../src/wings.ts";
import type { Outcome } from "../../src/report/outcome.ts";
import { renderDiagnostics } from "../../src/report/text.ts";

export interface Folded {
  readonly exitCode: number;
  readonly output: string;
  /** The output as it is: text that is not UTF-8 shows in it. */
  readonly bytes: Buffer;
  readonly messages: string;
  readonly diagnostics: Outcome["diagnostics"];
}

/** Folds a ResourceList (function mode) or anything else (a plain stream), as its text says. */
export function foldText(input: string | Uint8Array, config?: string): Folded {
  const bytes = typeof input === "string" ? Buffer.from(input, "utf8") : input;
  const isList = Buffer.from(bytes).includes("ResourceList");
  const request = { input: bytes, form: isList ? "resource-list" : "stream" } as const;
  const outcome = unsupplied(
    folding(config === undefined ? request : { ...request, config: Buffer.from(config, "utf8") }, wings),
  );
  const written = Buffer.concat(outcome.output);
  const messages = messagesOf(outcome);
  return { ...outcome, messages, bytes: written, output: written.toString("utf8") };
}

/** What stderr gets. */
export function messagesOf({ diagnostics }: Pick<Outcome, "diagnostics">): string {
  return renderDiagnostics(diagnostics);
}

/** A list without its results: each run tells of itself anew, and what an earlier one settled is no news. */
export function itemsOnly(list: string): string {
  return list.replace(/\nresults:\n[\s\S]*$/, "\n").replace(/\], ?"results": \[[^\n]*\n*$/, "]}");
}
