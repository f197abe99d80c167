// What `verify` says of folds: none is stale that was just made, and one that is stale changes with the next fold.
import { verify } from "../../src/explain/verify.ts";
import { itemsPart } from "./kpt.ts";
import { streamConfig } from "./render.ts";
import type { Broken, Round } from "./round.ts";

export function fresh({ pipeline, before: { settings }, rendered }: Round): Broken | undefined {
  const { input, folded } = rendered;
  const config = streamConfig(settings);
  // A new layer with the name of a pruned one is not applied: the fold warns of it, and `verify` rightly fails.
  const isHeld = folded.diagnostics.some(({ code }) => code === "layer-held");
  const after = toldIn(folded.output, config, isHeld ? ["folded-stale"] : ["folded-stale", "layer-left"]);
  if (after !== undefined) return { law: "fresh", detail: `told once it is folded: ${after}` };
  const before = toldIn(input, config, ["folded-stale"]);
  const isSame =
    pipeline === "plain" ? folded.output === input : itemsPart(folded.output) === itemsPart(input);
  return before !== undefined && isSame
    ? { law: "fresh", detail: `told, and nothing changes: ${before}` }
    : undefined;
}

function toldIn(list: string, config: string, codes: readonly string[]): string | undefined {
  const { diagnostics } = verify({ input: Buffer.from(list), strict: false, config: Buffer.from(config) });
  const told = diagnostics.find(({ code, severity }) => severity === "error" && codes.includes(code));
  return told && `${told.code}: ${told.message}`;
}
