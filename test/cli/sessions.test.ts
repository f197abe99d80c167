// Every directory in test/cli/sessions, and examples with a session.txt, is what a user types there, and what the built program prints: session.txt holds the
// commands behind `$`, each with stdout, then stderr behind `! `, then the exit status unless it is 0. With `-u` the answers
// are written anew.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const folders = ["sessions/", "../../examples/"].flatMap((name) => {
  const parent = new URL(name, import.meta.url);
  return readdirSync(parent).map((own) => new URL(`${own}/`, parent));
});
const sessions = folders.filter((folder) => existsSync(new URL("session.txt", folder)));
const program = new URL("../../dist/valuefold.cjs", import.meta.url).pathname;

function answerTo(command: string, directory: string): string {
  const script = `valuefold() { "$NODE" "$PROGRAM" "$@"; }; ${command}`;
  const { status, stdout, stderr } = spawnSync("sh", ["-c", script], {
    cwd: directory,
    env: { ...process.env, NODE: process.execPath, PROGRAM: program, NODE_OPTIONS: "" },
    encoding: "utf8",
  });
  const errors = stderr.replaceAll(/^(?=.)/gm, "! ");
  return `$ ${command}\n${stdout}${errors}${status === 0 ? "" : `exit ${status}\n`}`;
}

test.for(sessions.map(({ href }) => href))("session %s", async (href) => {
  const directory = new URL(href);
  const text = readFileSync(new URL("session.txt", directory), "utf8");
  const [head = ""] = text.split(/^\$ /m);
  const commands = [...text.matchAll(/^\$ (.*)$/gm)].map(([, command = ""]) => command);
  expect(commands.length).toBeGreaterThan(0);
  const answers = commands.map((command) => answerTo(command, directory.pathname));
  await expect(`${head}${answers.join("\n")}`).toMatchFileSnapshot(`${directory.pathname}session.txt`);
});
