// Programs that run while a test does: each with a log, on ports of its own, ended at the end.
import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

export const tools = new URL("../real/.tools/", import.meta.url).pathname;

/** Below the ports of outgoing connections: one of those could take a port before its program listens. */
const ports = { first: 20_000, count: 12_000 };
/** Ports that were given away: some are not listened at yet. */
const given = new Set<number>();

/** A port of loopback that was free a moment ago. */
export async function freePort(): Promise<number> {
  const port = ports.first + randomInt(ports.count);
  if (given.has(port) || !(await isFree(port))) return freePort();
  given.add(port);
  return port;
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}

export interface Running {
  readonly pid: number;
  readonly log: () => string;
  /** Ends it and waits. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<void>;
}

export class Processes {
  private readonly folder: string;
  private readonly all = new Set<ChildProcess>();

  constructor(folder: string) {
    this.folder = join(folder, "log");
    mkdirSync(this.folder, { recursive: true });
  }

  /** Its memory is bounded: some tests try to use it up. */
  start(name: string, command: readonly string[], env: Readonly<Record<string, string>> = {}): Running {
    const path = join(this.folder, `${name}.log`);
    const log = openSync(path, "a");
    const started = spawn("prlimit", ["--as=17179869184", ...command], {
      cwd: join(this.folder, ".."),
      env: { PATH: `${tools}:/usr/bin:/bin`, HOME: this.folder, ...env },
      stdio: ["ignore", log, log],
    });
    closeSync(log);
    this.all.add(started);
    programs.set(started, { name, path });
    return {
      pid: started.pid ?? 0,
      log: () => readFileSync(path, "utf8"),
      stop: (signal) => this.stop(started, signal),
    };
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.all].toReversed().map((each) => this.stop(each, "SIGKILL")));
  }

  private async stop(child: ChildProcess, signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    this.all.delete(child);
    programs.delete(child);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }
}

/** What was started and not stopped, by the test that waits or by another. */
const programs = new Map<ChildProcess, { readonly name: string; readonly path: string }>();

function stateOf([child, { name, path }]: readonly [ChildProcess, { name: string; path: string }]): string {
  const end = child.exitCode ?? child.signalCode;
  const last = readFileSync(path, "utf8").trimEnd().split("\n").at(-1) ?? "";
  return `${name} ${end === null ? "runs" : `ended (${end})`}: ${last}`;
}

const stepMs = 50;

/** What a question answers, as soon as it answers anything but undefined. */
export async function until<T>(
  ask: () => T | undefined | Promise<T | undefined>,
  what: string | (() => string),
  limit = 150,
): Promise<T> {
  const end = Date.now() + limit * 1000;
  let last: unknown;
  while (Date.now() < end) {
    try {
      const answer = await ask();
      if (answer !== undefined) return answer;
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, stepMs));
  }
  const wanted = typeof what === "string" ? what : what();
  throw new Error([`gave up after ${limit} s: ${wanted}`, ...[...programs].map(stateOf)].join("\n"), {
    cause: last,
  });
}

export function seconds(since: number): number {
  return Math.round(Date.now() - since) / 1000;
}
