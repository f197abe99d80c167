// Runs kustomize or git to its end. Their stderr may quote what they read: only what is known to hold no secret is shown.
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
  /** The start of its stderr. */
  readonly stderr: string;
}

const mostOfStderr = 64 * 1024;

/** @param input for its stdin */
export function runProgram(
  program: string,
  args: readonly string[],
  { env, stop }: ProgramOptions,
  input?: Uint8Array,
): Promise<ProgramResult> {
  const signal = stop === undefined ? {} : { signal: stop };
  const child = spawn(program, args, { env, stdio: ["pipe", "pipe", "pipe"], ...signal });
  // A program may end before it has read all.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input ?? "");
  const parts: Buffer[] = [];
  child.stdout.on("data", (part: Buffer) => parts.push(part));
  let stderr = "";
  child.stderr.on("data", (part: Buffer) => {
    if (stderr.length < mostOfStderr) stderr += part.toString("utf8");
  });
  return new Promise((resolve) => {
    child.once("error", (error) => {
      const isMissing = "code" in error && error.code === "ENOENT";
      resolve({ status: isMissing ? "missing" : "failed", output: new Uint8Array(), stderr });
    });
    child.once("close", (status) =>
      resolve({ status: status === 0 ? "done" : "failed", output: Buffer.concat(parts), stderr }),
    );
  });
}
