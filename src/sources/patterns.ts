// Patterns of file names, for sides that no shell can look into: `overlays/*` in a revision is another list than it is here.
import { join, resolve } from "node:path";
import { isThere, namesAt } from "./disk.ts";

/** The names that fit a pattern with `*`, `?` or `[…]` in it, sorted; a word that exists or has none of these is a name. */
export function expanded(word: string, from: string): readonly string[] {
  if (!isPattern(word) || isThere(resolve(from, word))) return [word];
  return word.split("/").reduce<readonly string[]>(
    (found, part) => {
      return found.flatMap((parent) => {
        if (!isPattern(part)) return joined(parent, part, from);
        const fits = new RegExp(
          `^${part.replaceAll(/[.+^${}()|\\]|\*|\?|\[!/g, (each) => meanings[each] ?? `\\${each}`)}$`,
        );
        return namesIn(resolve(from, parent))
          .filter((name) => fits.test(name) && (part.startsWith(".") || !name.startsWith(".")))
          .map((name) => (parent === "" ? name : join(parent, name)));
      });
    },
    [""],
  );
}

export function isPattern(word: string): boolean {
  return /[*?[]/.test(word);
}

const meanings: Readonly<Record<string, string>> = { "*": "[^/]*", "?": "[^/]", "[!": "[^" };

function joined(parent: string, part: string, from: string): readonly string[] {
  const path = parent === "" ? part || "/" : join(parent, part);
  return isThere(resolve(from, path)) ? [path] : [];
}

function namesIn(directory: string): readonly string[] {
  try {
    return namesAt(directory);
  } catch {
    return [];
  }
}
