// Writes a page where the user names it.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { UsageError } from "./io.ts";

/** Replaces an earlier page. Any other file with that name is kept: it was named by mistake. */
export function writePage(path: string, name: string, page: string): void {
  const start = page.slice(0, page.indexOf("<meta"));
  if (existsSync(path) && !isPage(path, start))
    throw new UsageError(
      `\`${name}\` exists, and is not a page of valuefold`,
      "name another file: --html takes the name of the page, and files to read come after it",
    );
  try {
    writeFileSync(path, page);
  } catch {
    throw new UsageError(`cannot write \`${name}\``, "name a file in a directory that exists");
  }
}

function isPage(path: string, start: string): boolean {
  try {
    const text = readFileSync(path, "utf8");
    return text.startsWith(start) && text.includes("valuefold explain");
  } catch {
    return false;
  }
}
