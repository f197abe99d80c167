// Runs `verify --fix`: deletes lines that are of no use, and prints each.
import { pathText } from "../merge/index.ts";
import { Exit } from "../report/index.ts";
import { entriesAndRest, type FixCode, type Fixes, fixesOf, UsageError } from "../sources/index.ts";
import type { FlagValues } from "./flags.ts";
import { wordsOrHere, workspaceOf } from "./here.ts";
import type { CommandResult, Io } from "./io.ts";
import { replaceFiles, writing } from "./output-file.ts";
import { explainingBy } from "./question.ts";

const codes: readonly FixCode[] = ["idle-value", "unread-key"];

export async function runFix(
  words: readonly string[],
  flags: FlagValues<"verify">,
  io: Io,
): Promise<CommandResult> {
  const wanted = (flags.fix ?? "").split(",");
  const wrong = wanted.find((each) => !codes.some((code) => code === each));
  if (wrong !== undefined)
    throw new UsageError(`\`--fix\` deletes no \`${wrong}\``, "expected unread-key, idle-value, or both");
  if (flags.output !== undefined)
    throw new UsageError("`--fix` prints what it deletes as text only", "leave `-o` out");
  const deleted: string[] = [];
  let left: string[] = [];
  // What goes may free another value: a run leaves nothing for the next one.
  for (let isMore = true; isMore;) {
    isMore = false;
    left = [];
    for (const code of codes.filter((each) => wanted.includes(each))) {
      const { fixed, kept, files } = await fixesOf({
        code,
        directory: io.directory,
        entries: () => entriesAndRest(wordsOrHere(words, io), workspaceOf(io, flags)),
        options: explainingBy(flags, io),
      });
      writing("the files", () => replaceFiles([...files].map(([path, bytes]) => ({ path, parts: [bytes] }))));
      isMore ||= fixed.length > 0;
      deleted.push(...fixed.map((each) => `deleted  ${shown(each)}  ${code}`));
      left.push(...kept.map((each) => `left     ${shown(each)}  ${code}: ${each.why}`));
    }
  }
  const lines = [...deleted, ...left];
  return {
    exitCode: Exit.ok,
    output: [Buffer.from(`${lines.join("\n") || "nothing to delete"}\n`, "utf8")],
    diagnostics: [],
  };
}

function shown({ file, line, path, length }: Fixes["fixed"][number]): string {
  return `${file}:${line}  ${pathText(path.slice(0, length))}`;
}
