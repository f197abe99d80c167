// Lists with one Repeat, put together by hand: what tests of Repeats say over and over.
import { expect } from "vitest";
import { foldText, itemsOnly } from "./fold.ts";

/** A stream of a Repeat with one entry, and what else is there. */
export function streamOf(instances: string, clone: string, ...items: readonly string[]): string {
  const repeat = `apiVersion: valuefold.dev/v1alpha1\nkind: Repeat\nmetadata: {name: r}\nspec:\n  ${instances}\n  clone:\n  - ${clone}\n`;
  return [repeat, ...items].join("---\n");
}

/** A Repeat `r` with instances of its own. */
export function repeatIn(instances: string, ...entries: readonly string[]): string {
  const clone = entries.map((entry) => `  - ${entry}\n`).join("");
  return `apiVersion: valuefold.dev/v1alpha1\nkind: Repeat\nmetadata: {name: r}\nspec:\n  instances: ${instances}\n  clone:\n${clone}`;
}

/** A list as kustomize hands it over. */
export function listOf(...items: readonly string[]): string {
  const indented = items.map((item) => `- ${item.trimEnd().replaceAll("\n", "\n  ")}\n`);
  return `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${indented.join("")}`;
}

/** What a list comes to, without a word said. */
export function folded(input: string): string {
  const { exitCode, messages, output } = foldText(input);
  expect([exitCode, messages]).toEqual([0, ""]);
  return itemsOnly(output);
}

/** Why a list or stream is refused: code, message, cure, line by line. */
export function refusal(input: string): string {
  const { exitCode, diagnostics } = foldText(input);
  expect(exitCode).toBe(1);
  return diagnostics.map(({ code, message, hint }) => `${code}: ${message}; ${hint}`).join("\n");
}
