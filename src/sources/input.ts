// Parts that were read → one input: a stream of which each part keeps its name for messages, or values files.
import type { SourceFile } from "../report/index.ts";
import { resolve } from "node:path";
import { contentsOf, type ReadValuesFile } from "../explain/index.ts";
import { isThereAsDirectory, readNamed } from "./disk.ts";
import type { Input } from "./entry.ts";
import type { StreamPart } from "./local-renders.ts";
import { shownPath } from "./names.ts";
import type { Workspace } from "./workspace.ts";
import { UsageError } from "./usage-error.ts";

type Stdin = () => Uint8Array;

/** Manifests. Several files are one stream. */
export function readInputs(names: readonly string[], stdin: Stdin): Input {
  return joined(orStdin(names).map((name) => partOf(name, stdin, "")));
}

/** Files that must be values files. */
export function readValuesFiles(names: readonly string[], stdin: Stdin): readonly ReadValuesFile[] {
  const folder = names.find((name) => isThereAsDirectory(resolve(name)));
  if (folder !== undefined)
    throw new UsageError(
      `expected values files, got the directory \`${folder}\``,
      "name the files, the lowest first: valuefold merge base.yaml prod.yaml",
    );
  const parts = names.map((name) => partOf(name, stdin, ""));
  const manifests = parts.find(({ bytes }) => contentsOf(bytes) === "manifests");
  if (manifests !== undefined)
    throw new UsageError(
      `\`${manifests.name ?? "stdin"}\` holds manifests, and no values`,
      "fold manifests: valuefold fold FILE...",
    );
  return parts.map(({ name = "stdin", bytes }) => ({ name, bytes }));
}

export function orStdin(names: readonly string[]): readonly string[] {
  return names.length === 0 ? ["-"] : names;
}

export function partOf(name: string, stdin: Stdin, from: string): StreamPart {
  if (name === "-") return { bytes: stdin() };
  const path = resolve(from, name);
  return { name: shownPath(from, name), path, bytes: readNamed(path) };
}

function joined(parts: readonly StreamPart[]): Input {
  const texts: Uint8Array[] = [];
  const files: SourceFile[] = [];
  let start = 0;
  for (const [index, { bytes: all, name }] of parts.entries()) {
    // A byte order mark belongs to the start of a stream, and would be part of a key further on.
    const bytes = index > 0 && startsWithMark(all) ? all.subarray(byteOrderMark.length) : all;
    files.push({ ...(name === undefined ? {} : { name }), start });
    // Files are separate streams: a document never runs on from one to the next.
    const end = index === parts.length - 1 ? [] : [Buffer.from(bytes.at(-1) === 0x0a ? "---\n" : "\n---\n")];
    for (const text of [bytes, ...end]) {
      texts.push(text);
      start += text.length;
    }
  }
  const [only, second] = texts;
  return { input: only !== undefined && second === undefined ? only : Buffer.concat(texts), files };
}

const byteOrderMark = [0xef, 0xbb, 0xbf];

function startsWithMark(bytes: Uint8Array): boolean {
  return byteOrderMark.every((byte, index) => bytes[index] === byte);
}

/** Values files as they are, and manifests as one stream. @param charts below values: a file without a document is one of values then */
export function sorted(parts: readonly StreamPart[], charts: Workspace["charts"] = []): Input {
  const values = valuesIn(parts, charts.length > 0);
  return values === undefined ? joined(parts) : { input: new Uint8Array(), files: [], values };
}

/** All parts, if they are bare values files; undefined for manifests. */
function valuesIn(parts: readonly StreamPart[], isOverChart: boolean): readonly ReadValuesFile[] | undefined {
  const found = parts.map(({ name = "stdin", bytes }) => ({ name, bytes, holds: contentsOf(bytes) }));
  const values = found.find(({ holds }) => holds === "values");
  const manifests = found.find(({ holds }) => holds === "manifests");
  const isEmpty = ({ name, bytes }: StreamPart): boolean => name !== undefined && hasNoDocument(bytes);
  if (isOverChart && parts.length > 0 && parts.every(isEmpty)) return found;
  if (values === undefined) return undefined;
  if (manifests === undefined) return found;
  throw new UsageError(
    `\`${values.name}\` holds values, and \`${manifests.name}\` manifests`,
    "name files of one type: values files merge with each other, and manifests name their own layers",
  );
}

/** True for nothing but comments. */
function hasNoDocument(bytes: Uint8Array): boolean {
  const lines = Buffer.from(bytes).toString("utf8").split("\n");
  return lines.every((line) => /^(?:#|---\s*$|$)/.test(line.trim()));
}
