// Whether a word that names a directory names a target, too: true if a manifest has one of that name. A name that only a build makes
// is not found, and the word names the directory then.
import { join } from "node:path";
import { factsOf, isTargetKind } from "../kinds.ts";
import { isNamedAs, parseObject } from "../object-id.ts";
import type { Item } from "../krm/index.ts";
import { entriesIn, ifReadable, readFile } from "./disk.ts";
import { itemsIn } from "./items.ts";

/** In more than a checkout no word is looked for. */
const mostEntries = 20_000;

/** @param from the directory that is searched, with all below it */
export function namesTarget(word: string, from: string): boolean {
  const folders = [from];
  let seen = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = listed(folder).filter(({ name }) => !name.startsWith(".") && name !== "node_modules");
    seen += entries.length;
    if (seen > mostEntries) return false;
    for (const { name, kind } of entries) {
      const path = join(folder, name);
      if (kind === "directory") folders.push(path);
      else if (kind === "file" && /\.ya?ml$/.test(name) && hasTarget(path, word)) return true;
    }
  }
  return false;
}

function hasTarget(file: string, word: string): boolean {
  const bytes = ifReadable(() => Buffer.from(readFile(file))) ?? Buffer.alloc(0);
  if (!bytes.includes(parseObject(word).name)) return false;
  // Layers are ConfigMaps and Secrets, and often named as directories are.
  const isMeant = ({ kind }: Item): boolean => word.includes("/") || factsOf(kind)?.inPlace !== true;
  return itemsIn(bytes).some((item) => isTargetKind(item.kind) && isNamedAs(item, word) && isMeant(item));
}

function listed(folder: string): ReturnType<typeof entriesIn> {
  return ifReadable(() => entriesIn(folder)) ?? [];
}
