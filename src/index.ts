// valuefold as a library. No function throws on bad input: what is wrong is among the diagnostics. An argument of a wrong
// type is a TypeError. No value is ever in a plan, a diagnostic or a message.
import { checkExplanation, checkOptions, checkRequest } from "./arguments.ts";
import {
  folding,
  type Need,
  type Outcome,
  readSettings,
  type Request,
  sopsWith,
  supplied,
  type Supply,
  unsupplied,
} from "./core/index.ts";
import { differenceOf, explaining, planning, verify as verifyItems, verifyingList } from "./explain/index.ts";
import type {
  Difference,
  ExplainOutcome,
  Explanation,
  ExplainRequest,
  FoldOutcome,
  FoldPlan,
  FoldRequest,
  VerifyRequest,
} from "./public.ts";
import { wings } from "./wings.ts";

export type * from "./public.ts";
export { version } from "./version.ts";

/**
 * Folds a stream or a resource list. Runs the program `sops` only where the setting `sops` is set and something
 * sealed would fold; `env` is the environment it gets (PATH, keys), mostly that of the process.
 */
export async function fold(
  request: FoldRequest,
  options: { readonly env?: Readonly<Record<string, string | undefined>> } = {},
): Promise<FoldOutcome> {
  checkOptions(options);
  const { env = {} } = options;
  const supply = async (need: Need): Promise<Supply> => {
    const sops = sopsWith(env, need.keys);
    return "open" in need ? sops.open(need.open) : sops.seal(need.seal, need.recipients);
  };
  return outcomeOf(await supplied(folding(requestOf(request), wings), supply));
}

/** The same with no other program: a sealed layer that would have to be opened is the fault `sealed-layer`. */
export function foldSync(request: FoldRequest): FoldOutcome {
  return outcomeOf(unsupplied(folding(requestOf(request), wings)));
}

/** What would fold, and where every value comes from. Writes nothing, runs no other program. */
export function plan(request: FoldRequest): FoldPlan {
  const { targets, outcome } = unsupplied(planning(requestOf(request)));
  const { ok, diagnostics } = outcomeOf(outcome);
  return { ok, diagnostics, targets };
}

/**
 * Where every value comes from, and what it overrides: what `valuefold explain --json` prints. Writes nothing, runs no
 * other program.
 */
export function explain(request: ExplainRequest): ExplainOutcome {
  const asRequest = requestOf(request);
  const { target, path } = request;
  const question = { ...(target === undefined ? {} : { target }), ...(path === undefined ? {} : { path }) };
  const { explanation, outcome } = unsupplied(explaining({ ...asRequest, ...question }));
  const { ok, diagnostics } = outcomeOf(outcome);
  return { ok, diagnostics, ...(explanation === undefined ? {} : { explanation }) };
}

/** What changes between two explanations that `explain` gave, grouped by edit. Explanations read from JSON know no secrets. */
export function diff(before: Explanation, after: Explanation): Difference {
  checkExplanation("before", before);
  checkExplanation("after", after);
  return differenceOf([{ before, after }]);
}

/** Finds what remains in a list if the fold did not run, or ran on a part of it. The outcome's `output` is empty. */
export function verify(request: VerifyRequest): FoldOutcome {
  const asRequest = requestOf(request);
  const { strict = false, unfolded = false } = request;
  return outcomeOf(verifyItems({ ...asRequest, strict, unfolded }));
}

function requestOf(request: FoldRequest): Request {
  checkRequest(request);
  const { input, form = "stream", settings, config, previous } = request;
  return {
    input: bytesOf(input),
    form,
    verify: verifyingList,
    ...(config === undefined ? {} : { config: bytesOf(config) }),
    ...(previous === undefined ? {} : { previous: bytesOf(previous) }),
    ...(settings === undefined ? {} : { settings: readSettings(settings) }),
  };
}

function bytesOf(text: string | Uint8Array): Uint8Array {
  return typeof text === "string" ? Buffer.from(text, "utf8") : text;
}

function outcomeOf({ exitCode, output, messages, diagnostics }: Outcome): FoldOutcome {
  return { ok: exitCode === 0, exitCode, output: Buffer.concat(output), messages, diagnostics };
}
