// `console` blocks of a page: what a reader types after `$` in a copy of an example, and what the built program prints.
//
//     <!-- run in examples/values-files -->
//
//     ```console
//     $ valuefold explain replicas base.yaml
//     ...
//     ```
//
// The blocks of a page share one copy for each example, so what one writes the next one finds. It is a git repository with one
// commit. `with kustomize` after the example's name has the block run in test/real only.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { typed } from "./reader-shell.ts";

const root = new URL("../../", import.meta.url);

export const pages = [
  "README.md",
  ...readdirSync(new URL("docs/", root)).map((name) => `docs/${name}`),
].filter((name) => name.endsWith(".md"));

const block = /^(?:<!-- run in (\S+)( with kustomize)? -->\n\n)?```console\n([\s\S]*?)^```$/gm;

export function textOf(page: string): string {
  return readFileSync(new URL(page, root), "utf8");
}

/** Blocks that name no example. */
export function homelessIn(page: string): readonly string[] {
  return [...textOf(page).matchAll(block)].flatMap(([, example, , session = ""]) =>
    example === undefined ? [session] : [],
  );
}

export function hasSessions(page: string, withKustomize: boolean): boolean {
  return [...textOf(page).matchAll(block)].some(
    ([, example, tools]) => example !== undefined && (tools !== undefined) === withKustomize,
  );
}

/** The page with the answers that its commands have now. */
export function answered(page: string, withKustomize: boolean): string {
  const copies = new Map<string, string>();
  const folder = mkdtempSync(join(tmpdir(), "valuefold-page-"));
  const copyOf = (example: string): string => {
    const known = copies.get(example) ?? copied(example, folder);
    copies.set(example, known);
    return known;
  };
  try {
    return textOf(page).replaceAll(block, (whole, example, tools, session: string) =>
      example === undefined || (tools !== undefined) !== withKustomize
        ? whole
        : whole.replace(session, () => answersTo(session, copyOf(example as string))),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function copied(example: string, folder: string): string {
  const copy = join(mkdtempSync(join(folder, "copy-")), basename(example));
  cpSync(new URL(`${example}/`, root), copy, { recursive: true });
  const { output, status } = typed(
    "git init -q -b main && git add -A && git commit -qm start >/dev/null",
    copy,
  );
  if (status !== 0) throw new Error(output);
  return copy;
}

function answersTo(session: string, directory: string): string {
  const commands = [...session.matchAll(/^\$ (.*)$/gm)].map(([, command = ""]) => command);
  return commands
    .map((command) => `$ ${command}\n${typed(command.replace(/ +# .*$/, ""), directory).output}`)
    .join("");
}
