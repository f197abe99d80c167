// How the engine compiles, told to it before a long fold. On its own it spends as much time on optimizing hundreds
// of functions, each with what it calls inside, as the fold of a thousand Apps takes. These are limits on that, no more:
// a run computes the same without them.

/** Below these bytes of input a run ends before the engine optimizes much, and asking costs more than it saves. */
const leastBytes = 128 * 1024;

/** How much of other functions is put inside one. */
const inlining = "--max-inlined-bytecode-size-cumulative=300";

/** How long a function runs until it is optimized. Later engines have a stage between, and other names for it. */
const patience = "--interrupt-budget=270336";

/**
 * The flags of V8 for an input of some length: none where they cannot help, and none for an engine that may not know
 * them, since it would complain on stderr. Known are those of Node 20 to 24.
 */
export function engineFlags(
  inputBytes: number,
  { v8 = "", bun }: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  if (inputBytes < leastBytes || bun !== undefined || !/^1[1-3]\./.test(v8)) return [];
  return v8.startsWith("11.") ? [inlining, patience] : [inlining];
}

/** Called by the program alone: what it sets holds for all that runs in the process. */
export async function prepareEngine(
  { length }: Uint8Array,
  versions: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const flags = engineFlags(length, versions);
  if (flags.length === 0) return;
  const { setFlagsFromString } = await import("node:v8");
  for (const flag of flags) setFlagsFromString(flag);
}
