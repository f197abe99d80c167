// Where `npm run fuzz` finds how many cases were run, and failures.
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = process.env["VALUEFOLD_FUZZ"] || undefined;

export function counted(cases: number): void {
  if (folder !== undefined) appendFileSync(join(folder, "cases"), `${cases}\n`);
}

/** Writes a failure down; returns where. */
export function kept(name: string, parts: readonly (string | Uint8Array)[], said: string): string {
  const place = join(folder ?? join(tmpdir(), "valuefold-fuzz"), name.replaceAll(/[^\w-]+/g, "-"));
  mkdirSync(place, { recursive: true });
  for (const [at, part] of parts.entries()) writeFileSync(join(place, `part-${at}`), part);
  writeFileSync(join(place, "failure.txt"), `${said}\n`);
  return place;
}
