// All that a run of the tests writes outside of the repository is in one folder, which goes with the run: a full run leaves
// several gigabytes otherwise, and a later one finds no space. Its name is short: messages that wrap hold it.
import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

let folder = "";

/** For vitest's `globalSetup`: the workers start after it, and inherit the environment. */
export function setup(): void {
  folder = mkdtempSync(join(realpathSync(tmpdir()), "vf-"));
  // Some tests run programs as another user.
  chmodSync(folder, 0o755);
  process.env["TMPDIR"] = folder;
}

/** The folder goes after the run: it holds very many files, and nothing waits for them. Go's module cache has no right to write. */
export function teardown(): void {
  const words = ["-c", 'chmod -R u+w "$0"; rm -rf "$0"', folder];
  spawn("sh", words, { detached: true, stdio: "ignore" }).unref();
}
