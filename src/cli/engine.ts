// How the engine compiles, told to it before a long fold. On its own it spends as much time on optimizing hundreds
// of functions, each with what it calls inside, as the fold of a thousand Apps takes. These are limits on that, no more:
// a run computes the same without them.

/** Below these bytes of input a run ends before the engine optimizes much, and asking costs more than it saves. */
const leastBytes = 128 * 1024;

/** The majors of V8 that know these names (Node 20 to 24). A name that V8 does not know, it complains about on stderr. */
const knowing = /^1[1-3]\./;

const flags = ["--max-inlined-bytecode-size-cumulative=300"];

/** How often a function runs until it is optimized; newer engines have a stage between, and another name. */
const budget = "--interrupt-budget=270336";

/** Called once, by the process alone: what it sets holds for all that runs in the process. */
export async function prepareEngine(
  { length }: Uint8Array,
  { v8, bun }: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  if (length < leastBytes || bun !== undefined || v8 === undefined || !knowing.test(v8)) return;
  const { setFlagsFromString } = await import("node:v8");
  for (const flag of v8.startsWith("11.") ? [...flags, budget] : flags) setFlagsFromString(flag);
}
