// A program run to its end: kustomize or git. Its stderr is never shown: it may quote what it was given.
import { spawnSync } from "node:child_process";

const maxOutputBytes = 1024 * 1024 * 1024;

export interface Ran {
  readonly status: "done" | "failed" | "missing";
  readonly output: Uint8Array;
}

export function runProgram(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Ran {
  const { error, status, stdout } = spawnSync(program, args, {
    env,
    maxBuffer: maxOutputBytes,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const isMissing = error !== undefined && "code" in error && error.code === "ENOENT";
  return {
    status: isMissing ? "missing" : status === 0 ? "done" : "failed",
    output: stdout ?? new Uint8Array(),
  };
}
