// A random checkout on disk: its list, the values of its builds, and what `diff` answers.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runCommand } from "../../src/cli/commands.ts";
import type { Difference } from "../../src/difference.ts";
import type { Explanation } from "../../src/explanation.ts";
import { entries } from "../../src/index.ts";
import type { Entry } from "../../src/public.ts";
import { unseen } from "../support/checkouts/flux-beside.ts";
import { worldOf } from "../support/world.ts";
import { tools } from "./stamps.ts";

export function git(cwd: string, ...args: readonly string[]): void {
  const who = ["-c", "user.name=t", "-c", "user.email=t@t.example"];
  const { status, stderr } = spawnSync("git", [...who, ...args], { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
}

/** @param text undefined for a file that is deleted */
export function write(folder: string, path: string, text: string | undefined): void {
  if (text === undefined) rmSync(join(folder, path));
  else {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

export function listOf(repo: string): Promise<readonly Entry[]> {
  return entries(repo, { env: { PATH: tools } });
}

export function valuesIn({ targets }: Pick<Explanation, "targets">): readonly string[] {
  return targets.flatMap(({ kind, namespace = "", name, stacks }) =>
    stacks.flatMap(({ values }) =>
      values
        .filter(({ mapping }) => mapping !== true)
        .map(({ path, text }) => `${kind}/${namespace}/${name} ${path.join(".")} ${text}`),
    ),
  );
}

/** The files that the list reports as what nothing builds. */
export async function unbuiltIn(repo: string): Promise<readonly string[]> {
  const terminal = { stdin: true, stdout: false };
  const world = worldOf("", { directory: repo, env: { PATH: tools }, terminal });
  const { messages } = await runCommand(["explain"], world);
  const [, files] = /nothing here builds \d+ files?: ([^]*?), with targets/.exec(messages) ?? [];
  return files?.split(/,\s+/) ?? [];
}

/** What `diff` answers; the text of a mistake that it reports in place of an answer. */
export async function difference(
  repo: string,
  args: readonly string[],
): Promise<{ readonly difference: Difference; readonly exitCode: number } | string> {
  const world = worldOf("", { directory: repo, env: { PATH: tools } });
  try {
    const { output, exitCode } = await runCommand(["diff", "--exit-code", "--json", ...args], world);
    return { difference: JSON.parse(Buffer.concat(output).toString("utf8")) as Difference, exitCode };
  } catch (error) {
    return String(error);
  }
}

/** What could not be compared, less what no build has. */
export const unreadIn = ({ unread }: Difference): readonly string[] =>
  unread.filter((each) => !unseen.includes(each));
