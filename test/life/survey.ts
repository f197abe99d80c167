// What a failure looks like to whoever mends it: a folder with the edits, the input and the output; and a table of all
// kinds of failure.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Failure } from "./life.ts";

export interface Kind {
  readonly example: Failure;
  readonly count: number;
}

/** Failures of one kind: the same pipeline, law, and last edits. */
export function kindOf({ pipeline, law, detail, rounds }: Failure): string {
  const last = rounds.at(-1)?.map(({ name }) => name) ?? [];
  const said = law === "error" ? ` ${detail}` : "";
  return [pipeline, `${law}${said}`, [...new Set(last)].toSorted().join(" + ")].join(" | ");
}

export function describeFailure(failure: Failure): string {
  const { pipeline, seed, round, law, detail, rounds } = failure;
  const edits = rounds.map((each, at) => `  round ${at}: ${each.map(({ name }) => name).join(", ")}`);
  return [`${pipeline}, seed ${seed}, round ${round}: ${law}`, detail, ...edits].join("\n");
}

/** Writes a failure down; returns where. */
export function keep(failure: Failure, name: string): string {
  const folder = join(tmpdir(), "valuefold-life", name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "input.yaml"), failure.input);
  writeFileSync(join(folder, "output.yaml"), failure.output);
  const { pipeline, seed, rounds } = failure;
  writeFileSync(join(folder, "life.json"), JSON.stringify({ pipeline, seed, rounds }, undefined, 1));
  writeFileSync(join(folder, "failure.txt"), `${describeFailure(failure)}\n`);
  return folder;
}

/** Lives that were written down, by folder. */
export function kept(folder: string): Map<string, Pick<Failure, "pipeline" | "seed" | "rounds">> {
  const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, "life.json")));
  const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name, "life.json"), "utf8"));
  return new Map(names.map((name) => [name, read(name) as Pick<Failure, "pipeline" | "seed" | "rounds">]));
}

export function table(kinds: ReadonlyMap<string, Kind>): string {
  return [...kinds]
    .toSorted(([, a], [, b]) => b.count - a.count)
    .map(([kind, { count, example }], at) => `${at + 1}. ${count} x ${kind} (seed ${example.seed})`)
    .join("\n");
}
