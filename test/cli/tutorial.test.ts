// docs/tutorial.md and docs/adopting.md are what a reader types, top to bottom in one shell, and what the built program prints: each `sh` block holds commands,
// and the `text` block after it their output, as a terminal shows it. With `-u` the output is written again.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { parse } from "yaml";
import { typed } from "../support/reader-shell.ts";

const pageOf = (name: string): string => new URL(`../../docs/${name}`, import.meta.url).pathname;
const tutorial = readFileSync(pageOf("tutorial.md"), "utf8");
const step = /^```sh\n([\s\S]*?)^```\n(?:\n```text\n[\s\S]*?^```\n)?/gm;
const directory = mkdtempSync(join(tmpdir(), "valuefold-tutorial-"));
afterAll(() => rmSync(directory, { recursive: true }));

/** One shell runs all blocks, as a reader's does, so a `cd` lasts. */
function answersTo(blocks: readonly string[]): string[] {
  const { output } = typed(
    blocks.map((commands) => `${commands}echo "end of block $?"\n`).join(""),
    directory,
  );
  const answers = [...output.matchAll(/([\s\S]*?)^end of block (\d+)\n/gm)];
  for (const [, answer = "", status] of answers) {
    expect([answer, status]).toEqual([answer, /^error\[/m.test(answer) ? "1" : "0"]);
  }
  return answers.map(([, answer = ""]) => answer);
}

test.for(["tutorial.md", "adopting.md"])("%s prints what it says", async (name) => {
  const page = readFileSync(pageOf(name), "utf8");
  const blocks = [...page.matchAll(step)].map(([, commands = ""]) => commands);
  const answers = answersTo(blocks);
  expect(answers).toHaveLength(blocks.length);
  const rest = answers.values();
  const written = page.replaceAll(step, (_, commands: string) => {
    const answer = rest.next().value;
    return `\`\`\`sh\n${commands}\`\`\`\n${answer === "" ? "" : `\n\`\`\`text\n${answer}\`\`\`\n`}`;
  });
  expect(written.match(/^```(?!yaml)\w+$/gm)).toHaveLength(blocks.length + answers.filter(Boolean).length);
  await expect(written).toMatchFileSnapshot(pageOf(name));
});

test("the commands of its job run, and do not show the password", () => {
  const job: { shop: { script: string[] } } = parse(
    readFileSync(join(directory, "shop/.gitlab-ci.yml"), "utf8"),
  );
  const [install, ...commands] = job.shop.script;
  expect(install).toMatch(/^npm install /);
  expect(typed(`set -e; cd shop; ${commands.join("; ")}`, directory).status).toBe(0);
  expect(tutorial.match(/correct-horse/g)).toHaveLength(1);
});

test("15 minutes: at most 1,500 words besides output", () => {
  const words = tutorial.replaceAll(/^```text\n[\s\S]*?^```$/gm, "").split(/\s+/);
  expect(words.length).toBeLessThanOrEqual(1500);
});
