// The commands of docs/flux.md run as they stand, in an empty folder, and say what the page says.
import { spawnSync } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporary } from "./flux-world.ts";
import { tools } from "./sops-world.ts";

const root = new URL("../../", import.meta.url).pathname;
const page = readFileSync(join(root, "docs/flux.md"), "utf8");

function blocks(heading: string, language: string): string[] {
  const section = page.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  return [...section.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, "g"))].map(
    ([, text = ""]) => text,
  );
}

test("from an empty folder to values of Helm", () => {
  const folder = temporary();
  symlinkSync(root, join(folder, "valuefold"));
  const commands = [...blocks("From an empty repository", "sh"), ...blocks("The Helm way", "sh")];
  const { status, stdout, stderr } = spawnSync("bash", ["-e", "-c", commands.join("")], {
    cwd: folder,
    encoding: "utf8",
    env: {
      ...process.env,
      HOME: folder,
      PATH: `${tools}bin:${tools}:${process.env["PATH"] ?? ""}`,
      GIT_AUTHOR_NAME: "Test",
      GIT_AUTHOR_EMAIL: "test@shop.example",
      GIT_COMMITTER_NAME: "Test",
      GIT_COMMITTER_EMAIL: "test@shop.example",
    },
  });
  expect([commands.length, status]).toEqual([5, 0]);
  expect(stderr).toContain("folded 3 layers of 1 target into 1 item");
  expect(stdout).toContain("host: shop.east.prod.example");
  expect(stdout).toContain('image: "east.registry.example/shop:1.10"');
});
