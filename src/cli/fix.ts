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
  const { fixed, kept, files } = await fixesOf({
    codes: codes.filter((each) => wanted.includes(each)),
    directory: io.directory,
    entries: () => entriesAndRest(wordsOrHere(words, io), workspaceOf(io, flags)),
    options: explainingBy(flags, io),
  });
  // All at once: a run that fails deletes nothing.
  writing("the files", () => replaceFiles([...files].map(([path, bytes]) => ({ path, parts: [bytes] }))));
  const lines = [
    ...fixed.map((each) => `deleted  ${shown(each)}`),
    ...kept.map(({ why, ...each }) => `left     ${shown(each)}: ${why}`),
  ];
  return {
    exitCode: Exit.ok,
    output: [Buffer.from(`${lines.join("\n") || "nothing to delete"}\n`, "utf8")],
    diagnostics: [],
  };
}

function shown({ file, line, path, length, code }: Fixes["fixed"][number]): string {
  return `${file}:${line}  ${pathText(path.slice(0, length))}  ${code}`;
}
