// The machine a bench ran on: enough to judge the figures by, nothing that tells whose it is.
import { cpus, totalmem } from "node:os";
import { goVersion } from "./tools.ts";

export function machineLine(): string {
  const all = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${all[0]?.model.trim() ?? "unknown CPU"}, ${all.length} cores, ${memory} GiB; Node ${process.version}, ${goVersion()}`;
}
