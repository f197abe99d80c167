// valuefold as a library. No function throws on bad input: what is wrong is among the diagnostics. An argument of a wrong
// type is a TypeError. No value is ever in a diagnostic or a message.
import {
  checkBuilds,
  checkEntries,
  checkExplanation,
  checkFiles,
  checkOptions,
  checkRequest,
} from "./arguments.ts";
import { entriesIn } from "./entries.ts";
import {
  folding,
  type Need,
  type FoldInput,
  sopsWith,
  supplied,
  type Supply,
  unsupplied,
} from "./core/index.ts";
import { type Outcome, renderDiagnostics } from "./report/index.ts";
import { readFunctionConfig, readSettings } from "./settings/index.ts";
import {
  Comparing,
  differenceOf,
  explaining,
  explainingFiles,
  type FilesCall as FilesToMerge,
  mergingFiles,
  pathSteps,
  verify as verifyItems,
  verifyingList,
} from "./explain/index.ts";
import type {
  CompareOptions,
  Comparison,
  Difference,
  EntriesOptions,
  Entry,
  ExplainedBuild,
  ExplainFilesRequest,
  ExplainOutcome,
  Explanation,
  ExplainRequest,
  FilesRequest,
  FoldOutcome,
  FoldRequest,
  MergeRequest,
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

/** Merges bare values files as `helm -f` does. `output` is the merged document. */
export function merge(request: MergeRequest): FoldOutcome {
  const { json = false } = request;
  return outcomeOf(unsupplied(mergingFiles({ ...filesIn(request), json })));
}

/** The values that differ between builds. Explanations read from JSON know no secrets. */
export function compare(builds: readonly ExplainedBuild[], options: CompareOptions = {}): Comparison {
  checkBuilds(builds);
  const { target, path, all = false } = options;
  const steps = path === undefined ? undefined : pathSteps(path);
  if (steps !== undefined && "code" in steps) throw new TypeError(`valuefold: \`path\`: ${steps.message}`);
  const comparing = new Comparing({ ...(target !== undefined && { target }), ...(steps && { steps }), all });
  for (const { name, explanation } of builds) comparing.add(name, explanation);
  return comparing.comparison();
}

/**
 * Where every value comes from, and what it overrides: what `valuefold explain --json` prints. Writes nothing, runs no
 * other program. Explains bare values files where it gets `files`.
 */
export function explain(request: ExplainRequest | ExplainFilesRequest): ExplainOutcome {
  if ("files" in request) return explainFiles(request);
  const asRequest = requestOf(request);
  const { target, path } = request;
  const question = { ...(target === undefined ? {} : { target }), ...(path === undefined ? {} : { path }) };
  const { explanation, outcome } = unsupplied(explaining({ ...asRequest, ...question }));
  const { ok, diagnostics } = outcomeOf(outcome);
  return { ok, diagnostics, ...(explanation === undefined ? {} : { explanation }) };
}

function explainFiles(request: ExplainFilesRequest): ExplainOutcome {
  const { path } = request;
  const question = path === undefined ? {} : { path };
  const { explanation, outcome } = unsupplied(explainingFiles({ ...filesIn(request), ...question }));
  const { ok, diagnostics } = outcomeOf(outcome);
  return { ok, diagnostics, ...(explanation === undefined ? {} : { explanation }) };
}

/**
 * What is built by itself in a directory, as the command line finds it: clusters of Flux, Applications of Argo CD,
 * kustomizations. Reads files, and runs kustomize, git and `sops` of the PATH in `env` once something is explained.
 */
export async function entries(directory: string, options: EntriesOptions = {}): Promise<readonly Entry[]> {
  checkEntries(directory, options);
  return entriesIn(directory, options);
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

function requestOf(request: FoldRequest): FoldInput {
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

function filesIn(request: FilesRequest): FilesToMerge {
  checkFiles(request);
  const { files, settings, config } = request;
  const own = files.map(({ name, text }) => ({ name, bytes: bytesOf(text) }));
  if (settings !== undefined) return { files: own, settings: readSettings(settings) };
  return config === undefined
    ? { files: own }
    : { files: own, settings: readFunctionConfig(bytesOf(config)) };
}

function bytesOf(text: string | Uint8Array): Uint8Array {
  return typeof text === "string" ? Buffer.from(text, "utf8") : text;
}

function outcomeOf({ exitCode, output, diagnostics }: Outcome): FoldOutcome {
  const messages = renderDiagnostics(diagnostics);
  return { ok: exitCode === 0, exitCode, output: Buffer.concat(output), messages, diagnostics };
}
