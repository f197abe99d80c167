// Every directory in test/cli/sessions, and examples with a session.txt, is what a user types there, and what the built program prints: session.txt holds the
// commands behind `$`, each with stdout, then stderr behind `! `, then the exit status unless it is 0. With `-u` the answers
// are written anew.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { type Ended, worker } from "../support/worker.ts";

const folders = ["sessions/", "../../examples/"].flatMap((name) => {
  const parent = new URL(name, import.meta.url);
  return readdirSync(parent).map((own) => new URL(`${own}/`, parent));
});
const sessions = folders.filter((folder) => existsSync(new URL("session.txt", folder)));
const program = new URL("../../dist/valuefold.cjs", import.meta.url).pathname;

/** One program runs all commands that need no shell. */
const kept = worker("/");
afterAll(() => kept.end());

async function answerTo(command: string, directory: string): Promise<string> {
  const isPlain = /^valuefold [^|<>;&$`*~"'\\]*$/.test(command);
  const { stdout, messages, exitCode } = isPlain
    ? await kept.ask({ args: command.split(/ +/).slice(1), input: "", directory })
    : typedInShell(command, directory);
  const errors = messages.replaceAll(/^(?=.)/gm, "! ");
  return `$ ${command}\n${stdout}${errors}${exitCode === 0 ? "" : `exit ${exitCode}\n`}`;
}

function typedInShell(command: string, directory: string): Ended {
  const script = `valuefold() { "$NODE" "$PROGRAM" "$@"; }; ${command}`;
  const { status, stdout, stderr } = spawnSync("sh", ["-c", script], {
    cwd: directory,
    env: {
      ...process.env,
      NODE: process.execPath,
      PROGRAM: program,
      NODE_OPTIONS: "",
      VALUEFOLD_ENGINE: process.env["SHARED_ENGINE"],
    },
    encoding: "utf8",
  });
  return { exitCode: status, stdout, messages: stderr };
}

test.for(sessions.map(({ href }) => href))("session %s", async (href) => {
  const directory = new URL(href);
  const text = readFileSync(new URL("session.txt", directory), "utf8");
  const [head = ""] = text.split(/^\$ /m);
  const commands = [...text.matchAll(/^\$ (.*)$/gm)].map(([, command = ""]) => command);
  expect(commands.length).toBeGreaterThan(0);
  const answers: string[] = [];
  for (const command of commands) answers.push(await answerTo(command, directory.pathname));
  await expect(`${head}${answers.join("\n")}`).toMatchFileSnapshot(`${directory.pathname}session.txt`);
});
