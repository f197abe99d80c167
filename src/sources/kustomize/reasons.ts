// Why kustomize refuses a directory, in lines that quote nothing of a Secret: faults of the tree, or what kustomize says of a copy
// with marks, which has none.
import { dirname, relative, resolve } from "node:path";
import { decodeStream, isNode, type WireFault } from "../../krm/index.ts";
import { lineAndColumn, normalizeText, type ReadFault } from "../../yaml/index.ts";
import { existsSync, isFile, isThere, linkAt, readFile } from "../disk.ts";
import { withoutMarks } from "./marked-copy.ts";
import type { Marks } from "./marks.ts";
import { filesOf, type KustomizationTree, type TreeFault } from "./tree.ts";

export const notShown = "(not shown: it may quote a Secret that the build reads)";

const mostLines = 3;
const mostCharacters = 500;

export function faultLines(faults: readonly TreeFault[], from: string): readonly string[] {
  return faults
    .slice(0, mostLines)
    .map((each) => `${relative(from, each.file) || "."}:${each.line}  ${faultText(each)}`);
}

/** Of a directory that kustomize refuses: the files with objects or patches that are no YAML, each with its first mistake. */
export function brokenFiles({ all }: KustomizationTree): readonly TreeFault[] {
  const files = new Set(all.flatMap((each) => filesOf(each)).filter(isFile));
  return [...files].flatMap((file): TreeFault[] => {
    const bytes = normalizeText(readFile(file));
    const envelope = decodeStream(bytes);
    const read = "items" in envelope ? envelope.items.map((item) => item.read()) : faultsOf(envelope);
    // Patches of JSON are lists.
    const [first] = read.flatMap((each) => (isNode(each) || each.code === "not-a-mapping" ? [] : each));
    if (first === undefined) return [];
    const { line } = lineAndColumn(bytes, first.offset ?? 0);
    return [{ why: "broken", file, line, text: first.message, isNeeded: true }];
  });
}

function faultsOf(fault: WireFault): readonly ReadFault[] {
  return "fault" in fault ? [fault.fault] : [];
}

function faultText({ why, text, file }: TreeFault): string {
  if (why === "broken") return text;
  // A manifest in place of a path may be a Secret.
  const entry = /[\n{]|:\s/.test(text) ? "an entry that looks like a manifest" : `\`${text}\``;
  return `${entry} ${why === "remote" ? "is not fetched without --enable-exec" : whyMissing(resolve(dirname(file), text))}`;
}

function whyMissing(path: string): string {
  if (isThere(path) && !existsSync(path)) return "leads out of the repository, and is not read";
  return linkAt(path) === undefined ? "does not exist" : "is a link to nothing";
}

/** Marks may fail where values do not: that is another reason. */
export function isSameReason(marked: string, reason: string): boolean {
  const words = withoutAddresses(withoutMarks(marked)).match(/[a-z]{3,}/gi) ?? [];
  return words.every((word) => reason.includes(word));
}

/** kustomize prints where things are in memory: that differs from run to run. */
function withoutAddresses(words: string): string {
  return words.replaceAll(/\b0x[\da-f]+/g, "");
}

/** With the place of the patch that it is about, where there is one. @param from the directories that paths start from */
export function reasonLines(words: string, marks: Marks, from: readonly string[]): readonly string[] {
  const { file, line } = marks.patchIn(words) ?? {};
  const place = line === undefined ? [] : [`${file}:${line}  this patch does not apply`];
  return [...place, ...linesOf(withoutMarks(words), from)];
}

/** The first lines that say why, with paths as the user knows them. */
function linesOf(words: string, from: readonly string[]): readonly string[] {
  // It quotes patches and generators before it says what is wrong.
  const own = withoutAddresses(words).replaceAll(/ with config: `\n[^]*`(?=: )/g, "");
  const lines = own.split("\n").map((line) => line.trim());
  const texts = lines.filter((line) => line !== "" && !line.startsWith("# Warning"));
  const shown = texts.slice(0, mostLines).map((line) => {
    const named = from
      .filter((path) => path !== "/")
      .reduce((text, path) => text.replaceAll(`${path}/`, "").replaceAll(path, "."), line);
    return named.length > mostCharacters ? `${named.slice(0, mostCharacters)}…` : named;
  });
  return shown.length === 0 ? ["(kustomize says nothing)"] : shown;
}
