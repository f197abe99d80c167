// Temporary folders, for the program kustomize alone: it runs where --enable-exec allows it to.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { realPathOf } from "./disk.ts";
import type { MemoryFile } from "./tree.ts";

/** The folder is removed after the work. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = realPathOf(mkdtempSync(join(tmpdir(), "valuefold-")));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes files below a folder. Links come last: nothing is written through one. */
export function writeBelow(folder: string, files: Iterable<readonly [string, MemoryFile]>): void {
  const links: (() => void)[] = [];
  mkdirSync(folder, { recursive: true });
  for (const [path, { content, isLink }] of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    if (isLink) links.push(() => symlinkSync(Buffer.from(content()).toString("utf8"), file));
    else writeFileSync(file, content());
  }
  for (const link of links) link();
}
