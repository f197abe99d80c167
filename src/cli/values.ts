// Runs `values` and `merge`: final values alone.
import { Exit } from "../report/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { objectId, objectText } from "../object-id.ts";
import type { ExplainedTarget } from "../explanation.ts";
import {
  explaining,
  jsonOf,
  mergingFiles,
  positionOf,
  type SourceTarget,
  takenFromSecret,
  targetsNamed,
  textDocument,
  type ReadValuesFile,
  valuesOfTarget,
  withoutSecrets,
} from "../explain/index.ts";
import {
  attemptsAt,
  entriesNamed,
  isTarget,
  failedBuild,
  settingsIn,
  type CheckoutEntry,
  type Input,
  isUnmatched,
  readEntries,
  readValuesFiles,
  UsageError,
  unbuiltIn,
  inSources,
  type CheckoutInput,
  configuredBy,
} from "../sources/index.ts";
import { absentIn, questionFrom } from "./question.ts";
import { checkBuilds, commandOf } from "./readings.ts";
import type { FlagValues } from "./flags.ts";
import { wordsOrHere, workspaceOf } from "./here.ts";
import { type CommandResult, incomplete, type Io } from "./io.ts";

export async function runValues(
  words: readonly string[],
  flags: FlagValues<"values">,
  io: Io,
): Promise<CommandResult> {
  const result = valuesAs(flags, await valuesNamed(words, flags, io));
  const isWhole = !result.diagnostics.some(
    ({ code, severity }) => severity === "warning" && (code === "values-missing" || code === "not-built"),
  );
  return flags.strict === true && result.exitCode === Exit.ok && !isWhole
    ? { ...result, exitCode: incomplete }
    : result;
}

/** Of values files, lowest first. */
export async function runMerge(
  names: readonly string[],
  flags: FlagValues<"merge">,
  io: Io,
): Promise<CommandResult> {
  if (names.length === 0)
    throw new UsageError(
      "expected values files",
      "name them, the lowest first: valuefold merge base.yaml prod.yaml",
    );
  return valuesAs(flags, await mergedFiles(readValuesFiles(names, io.stdin), flags, io));
}

/** The target may come before or after the files. */
async function valuesNamed(
  words: readonly string[],
  flags: FlagValues<"values">,
  io: Io,
): Promise<CommandResult> {
  const { target, path, files, note } = questionFrom(io.directory, words);
  const name = target ?? path;
  const workspace = workspaceOf(io, flags);
  const isPath = target !== undefined && path !== undefined;
  checkBuilds("values", words, [...(isPath ? [path] : []), ...absentIn(io.directory, files)], workspace);
  if (isPath)
    throw new UsageError(
      `\`values\` prints all values of \`${target}\`, and takes no path`,
      isTarget(`${target}/${path}`)
        ? `did you mean: ${commandOf("values", [`${target}/${path}`, ...files])}`
        : `for one value: ${commandOf("explain", [target, path])}`,
    );
  const entries = entriesNamed(wordsOrHere(files, io), workspace);
  const unbuilt: Diagnostic[] = [];
  let first: CommandResult | undefined;
  for (const { wanted } of attemptsAt(name === undefined ? {} : { target: name }, entries)) {
    const found: EntryResult[] = [];
    for await (const read of readEntries(entries, wanted, io.progress))
      found.push({ entry: read.name, result: await valuesIn(read, name, flags, io) });
    const all = found.filter(({ result }) => !isWithout(result));
    const others = found.filter((each) => !all.includes(each)).flatMap(({ result }) => result.diagnostics);
    if (all.length > 0) return withOthers(onlyOf(all, name), [...(note ? [note] : []), ...unbuiltIn(others)]);
    first = found[0]?.result;
    unbuilt.splice(0, unbuilt.length, ...unbuiltIn(others));
  }
  if (entries.length === 1 && first !== undefined && first.exitCode !== Exit.ok) return first;
  const { diagnostics, ...nothing } = failed(noTarget(name ?? "", entries));
  return { ...nothing, diagnostics: [...unbuilt, ...diagnostics] };
}

interface EntryResult {
  readonly entry: string;
  readonly result: CommandResult;
}

function onlyOf([only, ...others]: readonly EntryResult[], name = ""): CommandResult {
  if (only !== undefined && others.length === 0) return only.result;
  const broken = [only, ...others].flatMap((each) =>
    each?.result.exitCode === Exit.ok ? [] : (each?.result ?? []),
  );
  if (broken.length > 0)
    return {
      exitCode: Exit.faults,
      output: [],
      diagnostics: broken.flatMap(({ diagnostics }) => diagnostics),
    };
  throw new UsageError(
    `\`${name}\` is in ${others.length + 1} builds`,
    `name one of them: ${[only, ...others].map((each) => each?.entry).join(", ")}`,
  );
}

/** What other builds lack may have the target, too. */
function withOthers(result: CommandResult, unbuilt: readonly Diagnostic[]): CommandResult {
  const diagnostics = [...unbuilt, ...result.diagnostics];
  const isBroken = unbuilt.some(({ severity }) => severity === "error");
  return isBroken ? { exitCode: Exit.faults, output: [], diagnostics } : { ...result, diagnostics };
}

function noTarget(wanted: string, entries: readonly CheckoutEntry[]): Diagnostic {
  const names = entries.map(({ name }) => name).join(", ");
  const message = `no build has the target \`${wanted}\``;
  return { code: "no-target", severity: "error", message, hint: `these were read: ${names}` };
}

function failed(fault: Diagnostic): CommandResult {
  return { exitCode: Exit.faults, output: [], diagnostics: [fault] };
}

/** A build that is not followed, and is no error, has no target, either. */
function isWithout({ diagnostics, exitCode, output }: CommandResult): boolean {
  if (exitCode === Exit.ok && output.length === 0) return true;
  return diagnostics.some(({ code, severity }) => code === "no-target" && severity === "error");
}

async function valuesIn(
  { name, input, isGuess }: CheckoutInput,
  target: string | undefined,
  flags: FlagValues<"values">,
  io: Io,
): Promise<CommandResult> {
  if (input instanceof UsageError) return failedBuild(name, input, isGuess);
  const { values, ...list } = input;
  if (values !== undefined && target === undefined) return mergedFiles(values, flags, io, input);
  if (values !== undefined)
    throw new UsageError(
      `values files have no target \`${target}\``,
      "leave the target out: valuefold values FILE...",
    );
  if (target === undefined)
    throw new UsageError(
      "expected a target: `Kind/name` or `Kind/namespace/name`",
      "name one: valuefold values HelmRelease/shop FILE...",
    );
  const { targets = [] } = input;
  const own = targetsNamed(targets, target);
  if (!("code" in own)) return valuesOfSource(own, list, flags, io);
  const listed = await valuesOf(list, target, flags, io);
  return isWithout(listed) && targets.length > 0 ? failed(own) : listed;
}

/** Of a target that is no object: what is not seen is named. */
async function valuesOfSource(
  [only, second]: readonly SourceTarget[],
  input: Input,
  flags: FlagValues<"values">,
  { supplied }: Io,
): Promise<CommandResult> {
  if (only === undefined || second !== undefined)
    throw new UsageError("there are several targets of that name", "name its namespace: Kind/namespace/name");
  const call = { ...input, form: "stream", ...configuredBy(flags, input), targets: [only] } as const;
  const { explanation, outcome } = await supplied(
    explaining({ ...call, target: objectText(only), isBrief: true }),
  );
  const { unbuilt = [] } = input;
  const isBroken = outcome.exitCode !== Exit.ok || unbuilt.some(({ severity }) => severity === "error");
  const shown = flags.secrets === true ? only : targetWithoutSecrets(only);
  const lacks = [
    ...(explanation?.targets.flatMap(missingFrom) ?? []),
    ...(shown === only ? [] : [takenFromSecret(only)]),
  ];
  return {
    exitCode: isBroken ? outcome.exitCode || Exit.faults : Exit.ok,
    output: isBroken ? [] : [valuesOfTarget(shown)],
    // Other targets are not judged here, so their rules seem to match nothing.
    diagnostics: [
      ...unbuilt,
      ...outcome.diagnostics.filter(({ code }) => code !== "unmatched-selector"),
      ...lacks,
    ],
  };
}

/** The same target without values of Secrets. */
function targetWithoutSecrets(target: SourceTarget): SourceTarget {
  if (!target.stacks.some(({ documents }) => documents.some(({ isSecret }) => isSecret))) return target;
  const stacks = target.stacks.map((stack) => {
    const root = withoutSecrets(stack.documents);
    const [first] = stack.documents;
    return root === undefined || first === undefined ? stack : { ...stack, documents: [{ ...first, root }] };
  });
  return { ...target, stacks };
}

/** Layers that only the cluster has. */
function missingFrom(target: ExplainedTarget): readonly Diagnostic[] {
  const item = objectId(target);
  return target.stacks
    .flatMap(({ layers }) => layers)
    .filter(({ state }) => state === "late" || state === "unseen" || state === "sealed")
    .map((layer) => ({
      code: "values-missing",
      severity: "warning",
      item,
      message: `\`${objectText({ ...layer, name: layer.name ?? "" })}\` is not here, so its values are not among these`,
      ...(layer.at && { at: positionOf(layer.at) }),
    }));
}

async function valuesOf(
  input: Input,
  target: string,
  flags: FlagValues<"values">,
  io: Io,
): Promise<CommandResult> {
  const { secrets = false } = flags;
  const configured = configuredBy(flags, input);
  const outcome = await io.values({ ...input, form: "stream", ...configured, target, secrets });
  const [own] = outcome.output;
  const over = own && outcome.exitCode === Exit.ok ? await withDefaults(own, input, target) : undefined;
  const isBroken = over?.diagnostics.some(({ severity }) => severity === "error") === true;
  return {
    ...outcome,
    exitCode: isBroken ? Exit.faults : outcome.exitCode,
    output: isBroken ? [] : (over?.output ?? outcome.output),
    diagnostics: [
      ...(input.unbuilt ?? []),
      ...inSources(outcome.diagnostics, input),
      ...(over?.diagnostics ?? []),
    ],
  };
}

/** With a chart's defaults below them; undefined where the chart is not known. */
async function withDefaults(
  values: Uint8Array,
  { overChart }: Input,
  target: string,
): Promise<Pick<CommandResult, "output" | "diagnostics"> | undefined> {
  const { document } = textDocument(values, { why: "own", state: "folded" }, () => ({ of: "text" }));
  const over = await overChart?.(target, [document]);
  if (over === undefined) return undefined;
  const { faults, ...stack } = over;
  return { output: [valuesOfTarget({ kind: "", name: "", stacks: [stack] })], diagnostics: faults };
}

/** Values files, merged; over their chart, if one is known. */
async function mergedFiles(
  files: readonly ReadValuesFile[],
  flags: FlagValues<"merge"> | FlagValues<"values">,
  { supplied }: Io,
  input: Pick<Input, "overChart" | "checkout" | "helm"> = {},
): Promise<CommandResult> {
  const { overChart, checkout, helm } = input;
  const settings = settingsIn(configuredBy(flags, input));
  const result = await supplied(mergingFiles({ files, overChart, helm, ...settings }));
  // What settings of a checkout do not match here may be in another build.
  const isOther = (each: Diagnostic): boolean => checkout !== undefined && isUnmatched(each);
  return { ...result, diagnostics: result.diagnostics.filter((each) => !isOther(each)) };
}

/** Values as YAML, or as JSON. */
function valuesAs(
  { output: form }: Pick<FlagValues<"values">, "output">,
  result: CommandResult,
): CommandResult {
  if (form !== "json") return result;
  return { ...result, output: result.output.map((text) => Buffer.from(jsonOf(text), "utf8")) };
}
