// What the user names → one stream: files, stdin, and directories. Each part keeps its name for messages.
import { relative, resolve } from "node:path";
import type { Request, SourceFile } from "../core/index.ts";
import type { Files } from "../explain/index.ts";
import {
  type BuildOptions,
  buildKustomization,
  isDirectory,
  isKustomization,
  manifestsIn,
  type Part,
  UsageError,
} from "./build.ts";
import { readFile } from "./stdio.ts";

export type Input = Pick<Request, "input"> & { readonly files: SourceFile[]; readonly sources?: Files };

/** Several files are one stream. */
export function readInputs(names: readonly string[], stdin: () => Uint8Array): Input {
  return joined(named(names).map((name) => partOf(name, stdin, "")));
}

/** The same, with directories: what kustomize builds of them, or the manifests in them. */
export async function readBuilds(
  names: readonly string[],
  stdin: () => Uint8Array,
  options: BuildOptions,
): Promise<Input> {
  const parts: Part[] = [];
  let sources: Files | undefined;
  for (const name of named(names)) {
    const path = resolve(options.from, name);
    if (name === "-" || !isDirectory(path)) parts.push(partOf(name, stdin, options.from));
    else if (isKustomization(path)) {
      const built = await buildKustomization(path, options);
      parts.push({ bytes: built.bytes });
      ({ sources } = built);
    } else for (const part of manifestParts(path, options.from)) parts.push(part);
  }
  return { ...joined(parts), ...(sources && { sources }) };
}

function named(names: readonly string[]): readonly string[] {
  return names.length === 0 ? ["-"] : names;
}

function partOf(name: string, stdin: () => Uint8Array, from: string): Part {
  return name === "-" ? { bytes: stdin() } : { name, bytes: readFile(resolve(from, name)) };
}

function manifestParts(directory: string, from: string): Part[] {
  const files = manifestsIn(directory);
  if (files.length === 0)
    throw new UsageError(
      `\`${relative(from, directory) || "."}\` holds neither a kustomization nor manifests`,
      "name the directory that is built, or files",
    );
  return files.map((path) => ({ name: relative(from, path), bytes: readFile(path) }));
}

function joined(parts: readonly Part[]): Input {
  const texts: Uint8Array[] = [];
  const files: SourceFile[] = [];
  let start = 0;
  for (const [index, { bytes, name }] of parts.entries()) {
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
