// All that a run of the tests writes outside of the repository is in one folder, which goes with the run: a full run leaves
// several gigabytes otherwise, and a later one finds no space. Its name is short: messages that wrap hold it.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
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

export function teardown(): void {
  // Go's module cache has no right to write.
  spawnSync("chmod", ["-R", "u+w", folder]);
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // A program that ends late may still write there: that fails no test.
  }
}
