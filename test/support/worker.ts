// The built program that stays and runs one command after another, as the controller keeps it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

const program = new URL("../../dist/valuefold.cjs", import.meta.url).pathname;

export interface Request {
  readonly args: readonly string[];
  readonly input: string;
  /** Where it runs, if not where all do. */
  readonly directory?: string;
}

export interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly messages: string;
}

/** @param home where commands run that name no directory */
export function worker(home: string): {
  ask: (request: Request) => Promise<Ended>;
  end: () => Promise<unknown>;
} {
  const child = spawn(process.execPath, [program, "worker"], {
    env: { ...process.env, VALUEFOLD_ENGINE: process.env["SHARED_ENGINE"], NODE_OPTIONS: "" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async ask({ args, input, directory = home }) {
      const stdin = Buffer.from(input).toString("base64");
      child.stdin.write(`${JSON.stringify({ args, directory, stdin })}\n`);
      const { value } = await lines.next();
      const { exitCode, stdout, messages } = JSON.parse(String(value)) as Ended;
      return { exitCode, stdout: Buffer.from(stdout, "base64").toString("utf8"), messages };
    },
    async end() {
      const ended = once(child, "exit");
      child.stdin.end();
      return (await ended)[0];
    },
  };
}
