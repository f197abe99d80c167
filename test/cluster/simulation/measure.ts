// What processes have used so far, from /proc and their metrics.
import { readdirSync, readFileSync } from "node:fs";
import type { Replica } from "../world.ts";

const ticksPerSecond = 100;

/** CPU seconds of a process, and of its children: those that have ended, and those that live. */
function cpuOf(pid: number): readonly [own: number, children: number] {
  const [own, ended] = cpuAt(pid);
  const living = childrenOf(pid).flatMap((child) => {
    try {
      return cpuOf(child);
    } catch {
      return []; // it has ended in between
    }
  });
  return [own, living.reduce((sum, each) => sum + each, ended)];
}

function childrenOf(pid: number): readonly number[] {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );
}

function cpuAt(pid: number): readonly [own: number, children: number] {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  const at = (index: number): number => (fields[index] ?? 0) / ticksPerSecond;
  return [at(11) + at(12), at(13) + at(14)];
}

/** Resident memory in MiB. */
export function memoryOf(pid: number): number {
  const kib = /^VmRSS:\s+(\d+)/mu.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Math.round(Number(kib) / 1024);
}

async function requestsOf({ metrics }: Replica): Promise<number> {
  const text = await (await fetch(metrics)).text();
  return [...text.matchAll(/^rest_client_requests_total\{.*\} (\S+)$/gmu)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );
}

export interface Usage {
  readonly controller: number;
  readonly children: number;
  readonly server: number;
  readonly requests: number;
}

/** @param servers the API server and etcd */
export async function usageOf(replicas: readonly Replica[], servers: readonly number[]): Promise<Usage> {
  const total = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);
  const used = replicas.map(({ pid }) => cpuOf(pid));
  return {
    controller: total(used.map(([own]) => own)),
    children: total(used.map(([, children]) => children)),
    server: total(servers.map((pid) => cpuOf(pid)[0])),
    requests: total(await Promise.all(replicas.map(requestsOf))),
  };
}
