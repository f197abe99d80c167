import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A folder, new unless it is named, that holds the files, by their paths. */
export function folderOf(
  files: Readonly<Record<string, string>>,
  folder = mkdtempSync(join(tmpdir(), "valuefold-render-")),
): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}
