// Limits on how V8 compiles, set before a long fold. Without them V8 spends as much time on optimizing hundreds of functions,
// each with what it calls inlined, as the fold of a thousand Apps takes. The result of a run is the same without them.

/** With less input a run ends before V8 optimizes much, and setting the flags costs more than it saves. */
const leastBytes = 128 * 1024;

/** How much of other functions is inlined into one. */
const inlining = "--max-inlined-bytecode-size-cumulative=300";

/** How long a function runs before it is optimized. Later versions have a stage between, and other names for it. */
const patience = "--interrupt-budget=270336";

/**
 * The flags of V8 for an input of some length: none if they cannot help, and none for a version that may not know
 * them, since it would complain on stderr. Node 20 to 24 know them.
 */
export function engineFlags(
  inputBytes: number,
  { v8 = "", bun }: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  if (inputBytes < leastBytes || bun !== undefined || !/^1[1-3]\./.test(v8)) return [];
  return v8.startsWith("11.") ? [inlining, patience] : [inlining];
}

/** Called by the program, never by the library: the flags apply to the whole process. */
export async function prepareEngine(
  { length }: Uint8Array,
  versions: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const flags = engineFlags(length, versions);
  if (flags.length === 0) return;
  const { setFlagsFromString } = await import("node:v8");
  for (const flag of flags) setFlagsFromString(flag);
}
