// Writes a page where the user names it, with links to where the user says that files can be looked at.
import { existsSync, readFileSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import type { SourceLinks } from "../explain/index.ts";
import { UsageError } from "../sources/index.ts";
import { writeOutput } from "./output-file.ts";

/** Replaces an earlier page. Any other file with that name is kept: it was named by mistake. */
export function writePage(directory: string, name: string, parts: readonly Uint8Array[]): void {
  const path = resolve(directory, name);
  const [first = new Uint8Array()] = parts;
  const page = Buffer.from(first).toString("utf8", 0, 4096);
  const start = page.slice(0, page.indexOf("<meta"));
  if (existsSync(path) && !isPage(path, start))
    throw new UsageError(
      `\`${name}\` exists, and is not a page of valuefold`,
      "name another file for the page",
    );
  writeOutput(directory, name, parts);
}

/** A page is written to a file or a pipe: a terminal would show its source. */
export function checkPage(flags: PageFlags, isTerminal: boolean): void {
  const { output, "output-file": file = "-" } = flags;
  if (output === "html" && file === "-" && isTerminal)
    throw new UsageError("`-o html` is a page", "name a file for it: --output-file values.html");
}

function isPage(path: string, start: string): boolean {
  try {
    // A device or a pipe may have no end.
    const text = statSync(path).isFile() ? readFileSync(path, "utf8") : "";
    return text.startsWith(start) && /valuefold (?:compare|explain)/.test(text);
  } catch {
    return false;
  }
}

interface PageFlags {
  readonly output?: string;
  readonly "output-file"?: string;
  readonly "source-url"?: string;
}

/** Links to the files in a directory. Undefined without `--source-url`. */
export function sourceLinks(
  { output, "source-url": template }: PageFlags,
  directory: string,
): SourceLinks | undefined {
  if (template === undefined) return undefined;
  if (output !== "html")
    throw new UsageError("`--source-url` has no effect without `-o html`", "add `-o html`");
  const reason = misfitOf(template);
  if (reason !== undefined)
    throw new UsageError(
      `\`--source-url\`: ${reason}`,
      "write it like `https://git.example/shop/blob/main/{file}#L{line}`",
    );
  return { template, pathOf: (file) => pathIn(directory, file) };
}

/** What is wrong with a template. No name of a file may decide about the server. */
function misfitOf(template: string): string | undefined {
  const url = URL.canParse(template) ? new URL(template) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return "expected an address of http or https";
  if (url.username !== "" || url.password !== "") return "expected no user: the page would show it";
  const place = /^https?:\/\/[^/{}]+\/(.*)$/s.exec(template)?.[1] ?? "";
  if (!place.includes("{file}")) return "expected `{file}` after the name of the server";
  const other = /\{(?!file\}|line\})[^}]*\}?/.exec(place)?.[0];
  return other === undefined ? undefined : `\`${other}\` is neither \`{file}\` nor \`{line}\``;
}

/** The path of a file from a directory that it is in. A name that is no such file may be another repository's. */
function pathIn(directory: string, file: string): string | undefined {
  const path = resolve(directory, file);
  const inside = relative(directory, path);
  if (inside === "" || inside.split(sep)[0] === ".." || isAbsolute(inside) || !existsSync(path))
    return undefined;
  return inside.split(sep).join("/");
}
