// Random cases by number: each case follows from its seed alone, a failure is made smaller and written to a folder, and the
// message says how to run it again. VALUEFOLD_RUNS says how many cases, VALUEFOLD_SEED which is the first.
// VALUEFOLD_SURVEY=N goes on after a failure, counts all kinds, and keeps N of each.
import { Random } from "../support/nasty-yaml.ts";
import { smaller } from "./smaller.ts";
import { counted, kept } from "./tally.ts";

/** Texts of one case: layers, streams, settings. Bytes that are not UTF-8 stand in them as latin1 (see `bytesOf`). */
type Parts = readonly string[];

export interface Failure {
  /** What is wrong, in words that stay the same while the case is made smaller. */
  readonly kind: string;
  readonly detail?: string;
}

type Verdict = Failure | undefined;

export interface Hunt {
  readonly name: string;
  /** Cases where VALUEFOLD_RUNS says nothing. */
  readonly cases: number;
  readonly make: (random: Random) => Parts;
  readonly check: (parts: Parts) => Verdict | Promise<Verdict>;
  /** False where a case takes long, and its parts are few. */
  readonly isShrunk?: boolean;
}

const batch = 32;

/** Runs the cases; throws on a failure. */
export async function hunt(one: Hunt): Promise<void> {
  const { name, cases, make, check } = one;
  const runs = Number(process.env["VALUEFOLD_RUNS"] ?? cases);
  const first = Number(process.env["VALUEFOLD_SEED"] ?? 20_261_122);
  const mostKept = Number(process.env["VALUEFOLD_SURVEY"] ?? 0);
  const kinds = new Map<string, string[]>();
  for (let start = first; start < first + runs; start += batch) {
    const seeds = Array.from({ length: Math.min(batch, first + runs - start) }, (_, at) => start + at);
    const all = await Promise.all(seeds.map(async (seed) => check(make(new Random(seed)))));
    counted(all.length);
    for (const [at, failure] of all.entries()) {
      if (failure === undefined) continue;
      const seed = start + at;
      const known = kinds.get(failure.kind) ?? [];
      const said = known.length < Math.max(mostKept, 1) ? await keep(one, failure, seed) : "";
      if (said !== "") console.log(said);
      if (mostKept === 0) throw new Error(`${name}, seed ${seed}, case ${seed - first + 1}: ${said}`);
      kinds.set(failure.kind, [...known, said]);
    }
  }
  const table = [...kinds].map(([kind, said]) => `${said.length} x ${kind}`);
  if (table.length > 0) throw new Error(table.join("\n"));
}

/** Writes a failure down, made smaller; returns what it is, and where. */
async function keep(
  { name, check, make, isShrunk = true }: Hunt,
  failure: Failure,
  seed: number,
): Promise<string> {
  const parts = make(new Random(seed));
  const isSame = async (fewer: Parts): Promise<boolean> => (await check(fewer))?.kind === failure.kind;
  const best = isShrunk ? await smaller(parts, isSame) : parts;
  const { detail = "" } = (isShrunk ? await check(best) : undefined) ?? failure;
  const said = `${failure.kind}\n${detail}\nparts: ${JSON.stringify(best)}\nseed ${seed}`;
  return `${said}, in ${kept(`${name}-${seed}`, best.map(bytesOf), said)}`;
}

/** A text whose every character is a byte, behind this mark; any other is UTF-8. */
const bytesMark = "\u{f0000}";

export function asBytes(bytes: Uint8Array): string {
  return bytesMark + Buffer.from(bytes).toString("latin1");
}

export function bytesOf(part: string): Buffer {
  return part.startsWith(bytesMark)
    ? Buffer.from(part.slice(bytesMark.length), "latin1")
    : Buffer.from(part, "utf8");
}
