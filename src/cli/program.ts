// A program run to its end: kustomize or git. Its stderr is never shown: it may quote what it was given.
import { spawn } from "node:child_process";

/** What a program is run with. */
export interface Running {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends the program once it is aborted. */
  readonly stop?: AbortSignal | undefined;
}

export interface Ran {
  readonly status: "done" | "failed" | "missing";
  readonly output: Uint8Array;
}

export function runProgram(program: string, args: readonly string[], running: Running): Promise<Ran> {
  const { env, stop } = running;
  const ended = stop === undefined ? {} : { signal: stop };
  const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "ignore"], ...ended });
  const parts: Buffer[] = [];
  child.stdout.on("data", (part: Buffer) => parts.push(part));
  return new Promise((resolve) => {
    child.once("error", (error) => {
      const isMissing = "code" in error && error.code === "ENOENT";
      resolve({ status: isMissing ? "missing" : "failed", output: new Uint8Array() });
    });
    child.once("close", (status) =>
      resolve({ status: status === 0 ? "done" : "failed", output: Buffer.concat(parts) }),
    );
  });
}
