// Programs run in a folder, and a package of kpt under git there.
import { spawnSync } from "node:child_process";

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function run(folder: string, command: string, ...args: string[]): Ran {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: folder, encoding: "utf8" });
  if (error !== undefined) throw error;
  return { status, stdout, stderr };
}

/** What git says; with a name of its own, and no change of line ends. */
export function git(folder: string, ...args: string[]): string {
  const settings = ["user.name=t", "user.email=t@example.com", "core.autocrlf=false"];
  return run(folder, "git", ...settings.flatMap((setting) => ["-c", setting]), ...args).stdout;
}

export function commit(folder: string): void {
  git(folder, "add", "-A");
  git(folder, "commit", "-qm", "x");
}

export function render(folder: string): Ran {
  return run(folder, "kpt", "fn", "render", "--allow-exec", ".");
}
