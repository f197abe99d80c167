// The settings that a directory's own folds run with: those of a kustomization, its bases included, and those of a kpt package.
import { basename, dirname, join, relative } from "node:path";
import { readFunctionConfig } from "../settings/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { renderKindOf } from "../render/index.ts";
import { type KptStep, packageName, readKptfile } from "./kptfile.ts";
import type { KustomizeFunction } from "./kustomize/functions.ts";
import { functionsIn, kustomizationFile, readTree } from "./kustomize/tree.ts";
import { notBuilt } from "./not-built.ts";
import { existsSync, readFile } from "./disk.ts";
import { itemsIn, rootOf } from "./items.ts";

/** Settings of a fold, as a file has them. */
export interface FoldSettings {
  readonly file: string;
  readonly text: Uint8Array;
  /** False where lines of the text are not those of the file. */
  readonly hasLines: boolean;
}

export interface BuildSettings extends FoldSettings {
  /** True if what is sealed may be opened: a checkout must not make SOPS call out unless its programs may run. */
  readonly mayOpen: boolean;
}

export interface OwnSettings {
  /** Undefined for a directory that runs no fold, or one without settings. */
  readonly own?: FoldSettings;
  readonly unbuilt: readonly Diagnostic[];
}

/** The settings of the topmost fold; of others that differ only a part of the build has them. */
export function ownSettings(directory: string, from: string): OwnSettings {
  const [own, ...others] = settingsIn(directory, from);
  if (own === undefined) return { unbuilt: [] };
  const other = others.find((each) => !isSame(own, each));
  if (other === undefined) return { own, unbuilt: [] };
  const fault = notBuilt({
    message: `two folds with different settings run here: those in \`${own.file}\` are used`,
    at: { text: other.file, isFile: true },
    hint: "to see what the base folds, name the directory of the base",
  });
  return { own, unbuilt: [fault] };
}

function settingsIn(directory: string, from: string): readonly FoldSettings[] {
  const shown = relative(from, directory) || ".";
  const functions = kustomizationFile(directory) === undefined ? [] : functionsIn(readTree(directory));
  return [
    ...functions
      .filter(({ isFold, field }) => isFold && field !== "validators")
      .map((each) => settingsOfFunction(each, from)),
    ...readKptfile(directory, shown).steps.flatMap((step) => settingsOfStep(step, directory, shown) ?? []),
  ];
}

export function settingsOfFunction({ file, text }: KustomizeFunction, from: string): FoldSettings {
  const hasLines = kustomizationFile(dirname(file)) !== basename(file);
  return { file: relative(from, file), text, hasLines };
}

/** Undefined for a function that is no fold, or has no settings. */
export function settingsOfStep(
  { words: [program = ""], configPath, configMap }: KptStep,
  directory: string,
  shown: string,
): FoldSettings | undefined {
  if (!isOwnProgram(program)) return undefined;
  if (configPath !== undefined) {
    const path = join(directory, configPath);
    const text = existsSync(path) ? readFile(path) : undefined;
    return text === undefined || !isOfFold(text)
      ? undefined
      : { file: join(shown, configPath), text, hasLines: true };
  }
  if (configMap === undefined) return undefined;
  const text = JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", data: configMap });
  return { file: join(shown, packageName), text: Buffer.from(text, "utf8"), hasLines: false };
}

export function isOwnProgram(program: string): boolean {
  return /(?:^|\/)valuefold(?:[:@][^/]*)?$/.test(program);
}

/** The settings of a render are read when it runs. */
function isOfFold(text: Uint8Array): boolean {
  const config = rootOf(itemsIn(text)[0]);
  return config === undefined || renderKindOf(config) === undefined;
}

/** Names and annotations of the functions do not count. */
function isSame(a: FoldSettings, b: FoldSettings): boolean {
  const [one, other] = [a, b].map(({ text, file }) => readFunctionConfig(text, file));
  return JSON.stringify(one) === JSON.stringify(other);
}
