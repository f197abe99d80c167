import { spawnSync } from "node:child_process";
import { writeFileSync, readFileSync } from "node:fs";
import { growth } from "./inputs/growth.ts";
const only = process.argv[2] ?? "";
function cpu(args: string[], file: string, out: string): number {
  const r = spawnSync("sh", [
    "-c",
    `/usr/bin/time -o /tmp/perf/g.time -f "%U %S" timeout 20 node dist/valuefold.cjs ${args.join(" ")} < ${file} > ${out} 2>/tmp/perf/g.err`,
  ]);
  const t = readFileSync("/tmp/perf/g.time", "utf8").trim().split("\n").at(-1)!.split(" ").map(Number);
  return (r.status === 124 ? Infinity : 1) * Math.max(0.001, t[0]! + t[1]! - 0.04);
}
for (const g of growth.filter((x) => x.name.includes(only))) {
  const rows: Record<string, number[]> = {};
  for (const k of [1, 2, 4]) {
    const input = g.make(g.size * k);
    const isStream = g.command !== undefined;
    writeFileSync("/tmp/perf/g.in", input);
    (rows[g.command ?? "fold"] ??= []).push(
      cpu(isStream ? [g.command!, "-"] : [], "/tmp/perf/g.in", "/tmp/perf/g.out"),
    );
    for (const a of g.after ?? [])
      (rows[`then ${a}`] ??= []).push(
        cpu(
          a === "verify" ? ["verify", "-"] : isStream ? ["fold", "-"] : [],
          "/tmp/perf/g.out",
          "/tmp/perf/g.out2",
        ),
      );
    if (Object.values(rows).every((r) => r.at(-1) === Infinity)) break;
  }
  for (const [n, r] of Object.entries(rows))
    console.log(
      `${g.name.padEnd(46)} ${n.padEnd(12)} ${r
        .map((x) => x.toFixed(2))
        .join(" ")
        .padEnd(24)} exp ${Math.log2(r[2]! / r[1]!).toFixed(2)}`,
    );
}
