// The files that `factor` writes: their names and texts.
import type { MergeRule } from "../merge/index.ts";
import type { Factored } from "./factor.ts";
import { isContent } from "./part.ts";

export interface OutputFile {
  /** From the folder that is written, with `/`. */
  readonly path: string;
  readonly text: Uint8Array;
}

export const baseName = "base.yaml";
export const settingsName = "fold.yaml";

export function middleName(index: number): string {
  return `middle-${index + 1}.yaml`;
}

/** True for names that outputs have whatever the files are called. */
export function isOwnName(path: string): boolean {
  return path === baseName || path === settingsName || /^middle-\d+\.yaml$/.test(path);
}

/** Names of the layers of a file, lowest first; its own is not among them. */
export function layersBelow({ middles }: Factored, file: number): readonly string[] {
  return [
    baseName,
    ...middles.flatMap(({ files }, index) => (files.includes(file) ? middleName(index) : [])),
  ];
}

/** @param paths one for each file, from the folder that all of them are in */
export function outputsOf(made: Factored, paths: readonly string[]): readonly OutputFile[] {
  const rules = made.listKeys.map(({ rule }) => rule);
  return [
    { path: baseName, text: made.base.text },
    ...made.middles.map(({ text }, index) => ({ path: middleName(index), text })),
    ...made.own.map(({ text }, index) => ({ path: paths[index] ?? "", text })),
    ...(rules.length === 0 ? [] : [{ path: settingsName, text: Buffer.from(settingsWith(rules)) }]),
  ];
}

const head = "apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nmetadata:\n  name: fold\n";

/** @param annotations lines that say how kustomize runs the function */
export function settingsWith(rules: readonly MergeRule[], annotations = ""): string {
  const lines = rules.map(
    ({ path, key }) => `    - { path: ${JSON.stringify(path)}, key: ${keyText(key)} }\n`,
  );
  return `${head}${annotations}${lines.length === 0 ? "" : `spec:\n  merge:\n${lines.join("")}`}`;
}

function keyText(key: MergeRule["key"]): string {
  return typeof key === "string" ? JSON.stringify(key) : JSON.stringify(key ?? []);
}

export function linesOf({ base, middles, own }: Factored): number {
  return [base, ...middles, ...own].reduce((sum, { text }) => sum + contentLines(text), 0);
}

/** A layer that says nothing is `{}`. */
export function contentLines(text: Uint8Array): number {
  const lines = Buffer.from(text).toString("latin1").split("\n");
  return lines.length < 3 && lines[0] === "{}" ? 0 : lines.filter(isContent).length;
}
