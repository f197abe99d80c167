// A git checkout with a remote, and what commands say in it.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach } from "vitest";
import { runCommand } from "../../src/cli/commands.ts";
import { worldOf } from "./world.ts";

/** The remote of a checkout, unless it has another one. */
export const checkoutUrl = "https://git.example/team/deploy.git";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export class Checkout {
  readonly folder = mkdtempSync(join(tmpdir(), "valuefold-checkout-"));

  constructor(files: Readonly<Record<string, string>>, remote = checkoutUrl) {
    folders.push(this.folder);
    this.write(files);
    this.git("init", "-q", "-b", "main");
    this.git("remote", "add", "origin", remote);
    this.commit();
  }

  write(files: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.folder, name)), { recursive: true });
      writeFileSync(join(this.folder, name), text);
    }
  }

  commit(): void {
    this.git("add", "-A");
    this.git("-c", "user.name=a", "-c", "user.email=a@b.example", "commit", "-qm", "x");
  }

  async run(...words: readonly string[]): Promise<string> {
    const { PATH = "" } = process.env;
    const world = worldOf("", {
      directory: this.folder,
      env: { PATH },
      terminal: { stdin: true, stdout: false },
    });
    const { output, messages, exitCode } = await runCommand(words, world);
    return `${Buffer.concat(output).toString("utf8")}${messages}status ${exitCode}\n`;
  }

  private git(...args: readonly string[]): void {
    execFileSync("git", ["-C", this.folder, ...args]);
  }
}
