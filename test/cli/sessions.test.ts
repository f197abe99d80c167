// Every directory in test/cli/sessions is what a user types there, and what the built program prints: session.txt holds the
// commands behind `$`, each with stdout, then stderr behind `! `, then the exit status unless it is 0. With `-u` the answers
// are written anew.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const folder = new URL("sessions/", import.meta.url);
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

test.for(readdirSync(folder))("session %s", async (name) => {
  const directory = new URL(`${name}/`, folder);
  const text = readFileSync(new URL("session.txt", directory), "utf8");
  const [head = ""] = text.split(/^\$ /m);
  const commands = [...text.matchAll(/^\$ (.*)$/gm)].map(([, command = ""]) => command);
  expect(commands.length).toBeGreaterThan(0);
  const answers = commands.map((command) => answerTo(command, directory.pathname));
  await expect(`${head}${answers.join("\n")}`).toMatchFileSnapshot(`${directory.pathname}session.txt`);
});
