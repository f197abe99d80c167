// Runs kustomize or git to its end. Their stderr is never shown: it may quote what they read.
import { spawn } from "node:child_process";

export interface ProgramOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends the program once it is aborted. */
  readonly stop?: AbortSignal | undefined;
}

export interface ProgramResult {
  readonly status: "done" | "failed" | "missing";
  /** All of its stdout. */
  readonly output: Uint8Array;
}

export function runProgram(
  program: string,
  args: readonly string[],
  { env, stop }: ProgramOptions,
): Promise<ProgramResult> {
  const signal = stop === undefined ? {} : { signal: stop };
  const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "ignore"], ...signal });
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
