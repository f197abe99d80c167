// One program, run to its end or stopped: after its time limit, or when we are asked to end. A program may be
// a script that waits for others, so those are ended, too, and we do not wait for descriptors that they keep open.
// No shell, no files. Its stderr is never read: it may quote its input.
import { closeSync, openSync } from "node:fs";
import type { Environment } from "./keys.ts";

/** The limits of a program. */
export interface Limits {
  readonly ms: number;
  /** Aborted when we are asked to end. */
  readonly stop?: AbortSignal | undefined;
  /** Ends all programs of a group. Only the process edge can; without it a program's own children outlive it. */
  readonly endGroup?: ((group: number) => void) | undefined;
}

export interface Ended {
  readonly status: "done" | "failed" | "missing" | "timeout";
  readonly exitCode: number | undefined;
  readonly output: Uint8Array;
}

const maxOutputBytes = 256 * 1024 * 1024;

/** @param input for its stdin; without it, its stdout is not read, either */
export async function runProgram(
  [program, ...args]: readonly [string, ...string[]],
  env: Environment,
  limits: Limits,
  input?: Uint8Array,
): Promise<Ended> {
  const { execa } = await import("execa");
  if (limits.stop?.aborted === true) return { status: "failed", exitCode: undefined, output: nothing };
  const detached = limits.endGroup !== undefined && !hasTerminal();
  const child = execa(program, args, {
    ...(input === undefined ? silent : { input }),
    env,
    extendEnv: false,
    reject: false,
    encoding: "buffer",
    stripFinalNewline: false,
    stderr: "ignore",
    maxBuffer: maxOutputBytes,
    detached,
  });
  const end = (): void => {
    if (child.pid !== undefined && detached) limits.endGroup?.(child.pid);
    child.kill("SIGKILL");
    for (const stream of [child.stdin, child.stdout]) stream?.destroy();
  };
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    end();
  }, limits.ms);
  limits.stop?.addEventListener("abort", end);
  const { code, exitCode, failed, stdout: output } = await child;
  clearTimeout(timer);
  limits.stop?.removeEventListener("abort", end);
  const isMissing = code === "ENOENT" || code === "EACCES";
  const status = isLate ? "timeout" : isMissing ? "missing" : failed ? "failed" : "done";
  return { status, exitCode, output: output instanceof Uint8Array ? output : nothing };
}

const nothing = new Uint8Array();
const silent = { stdin: "ignore", stdout: "ignore" } as const;

/** At a terminal the program stays in our group: it may ask for a passphrase there, and Ctrl-C reaches its children. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync("/dev/tty", "r"));
    return true;
  } catch {
    return false;
  }
}
