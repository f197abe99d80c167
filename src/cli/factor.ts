// `factor`: reads copied values, shows what they share, and writes a base and layers where it is asked to.
import { relative, resolve } from "node:path";
import { count } from "../core/index.ts";
import { Exit, legibleText } from "../report/index.ts";
import type { MergeRule } from "../merge/index.ts";
import { readValues } from "../layers/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import {
  factor,
  type Factored,
  type FactorRequest,
  formatOf,
  listKeyIn,
  misfits,
  type OutputFile,
  reportOf,
  type FactoredFile,
  variantsOf,
} from "../factor/index.ts";
import { readSources, requireClean, requireEmpty, writeInPlace, writeOut } from "./factor-files.ts";
import { type FactorInput, type FactorSet, readSets } from "./factor-sets.ts";
import type { FlagValues } from "./flags.ts";
import type { CommandResult, Io } from "./io.ts";
import { UsageError } from "../sources/index.ts";

type Flags = FlagValues<"factor">;

/** @param merge what the proof merges with */
export async function runFactor(
  words: readonly string[],
  flags: Flags,
  io: Io,
  merge?: FactorRequest["merge"],
): Promise<CommandResult> {
  checkFlags(flags);
  const input = await readSets(words, flags, io);
  const lower = readSources(flags.below ?? [], io.directory);
  const listKeys = (flags["list-key"] ?? []).filter((word) => word !== "auto").map(ruleIn);
  const faults = [
    ...input.diagnostics,
    ...lower.diagnostics,
    ...misfits(
      listKeys,
      input.sets.flatMap((set) => set.sources),
      lower.sources,
    ),
  ];
  const text = input.notes.map((note) => `note: ${note}\n`).join("");
  const found = { diagnostics: faults, account: () => ({ text }) };
  if (faults.some(({ severity }) => severity === "error")) return { ...found, ...failed };
  const sets = input.sets.filter(({ sources }) => sources.length > 1);
  if (sets.length === 0) throw tooFew(input);
  await requireWritable(input, flags, io);
  const options = { ...optionsIn(flags), listKeys, ...(merge && { merge }) };
  const all = sets.map((set) => takeApart(set, lower.sources, options));
  const broken = all.flatMap(({ made }) => made.unproven);
  if (broken.length > 0) return { ...failed, diagnostics: [...faults, unproven(broken)] };
  const written = write(all, input.folder, flags, io);
  const report = all.map((each) => reportOn(each, flags, written !== undefined)).join("\n");
  const end = written ?? "nothing is written: use --out DIR or --in-place\n";
  return { ...found, exitCode: Exit.ok, output: [Buffer.from(legibleText(report + end), "utf8")] };
}

/** A set, and what is made of it. */
interface Apart {
  readonly set: FactorSet;
  readonly request: FactorRequest;
  readonly made: Factored;
}

function takeApart(
  set: FactorSet,
  lower: readonly FactoredFile[],
  options: Omit<FactorRequest, "sources" | "below" | "isSpelled">,
): Apart {
  const { sources, isSpelled } = set;
  const below = lower.flatMap(({ bytes }) => readValues(bytes, formatOf(isSpelled)).root ?? []);
  const request = { ...options, sources, below, isSpelled };
  return { set, request, made: factor(request) };
}

function optionsIn(flags: Flags): Pick<FactorRequest, "shared" | "reorder" | "middle" | "findListKeys"> {
  const { shared = "most", reorder = false, middle = false } = flags;
  return { shared, reorder, middle, findListKeys: flags["list-key"]?.includes("auto") ?? false };
}

function reportOn({ set, request, made }: Apart, { list = false }: Flags, isWritten: boolean): string {
  const variants = isWritten ? [] : variantsOf(request, made);
  const report = reportOf({ sources: set.sources, made, variants, isFull: list });
  return set.title === undefined ? report : `${set.title}: ${report}`;
}

/** @throws UsageError where nothing may be written */
async function requireWritable({ folder, files }: FactorInput, flags: Flags, io: Io): Promise<void> {
  const { out, "in-place": isInPlace = false } = flags;
  if (out !== undefined) requireEmpty(resolve(io.directory, out), out);
  if (!isInPlace) return;
  if (folder === undefined)
    throw new UsageError(
      "`--in-place` is for values files",
      "write what is found in builds elsewhere: --out DIR",
    );
  await requireClean(folder, files, io);
}

/** What was written, in words; undefined if nothing was to be. */
function write(
  all: readonly Apart[],
  folder: string | undefined,
  { out, "in-place": isInPlace = false }: Flags,
  { directory }: Io,
): string | undefined {
  if (out === undefined && !isInPlace) return undefined;
  const shared = all.filter(({ made }) => made.base.part !== undefined || made.middles.length > 0);
  if (shared.length === 0)
    throw new UsageError(
      "these files share nothing, so nothing is written",
      "see what options would do: leave out --out and --in-place",
    );
  const outputs = shared.flatMap(({ set, made }): readonly OutputFile[] => set.outputs(made));
  if (out !== undefined) writeOut(resolve(directory, out), out, outputs);
  else if (folder !== undefined) writeInPlace(folder, relative(directory, folder) || ".", outputs);
  const files = count(
    shared.reduce((sum, { set }) => sum + set.sources.length, 0),
    "file",
  );
  return `wrote ${out ?? "in place"}: base and layers merge back into each of the ${files}\n`;
}

function checkFlags(flags: Flags): void {
  if (flags.out !== undefined && flags["in-place"] === true)
    throw new UsageError("expected one of `--out` and `--in-place`");
  if (flags.kustomize === true && flags.out === undefined)
    throw new UsageError("`--kustomize` makes new files", "say where: --kustomize --out DIR");
  if (flags.reorder === true && flags["list-key"] === undefined)
    throw new UsageError("`--reorder` is about lists that a key merges", "add --list-key auto");
}

function ruleIn(word: string): MergeRule {
  const rule = listKeyIn(word);
  if (rule !== undefined) return rule;
  throw new UsageError(
    `\`--list-key ${word}\`: expected \`auto\` or PATH=KEY`,
    "such as env=name, or ports=containerPort,protocol",
  );
}

function tooFew({ sets, notes }: FactorInput): UsageError {
  const isFiles = sets.some(({ title }) => title === undefined);
  const expected = isFiles ? "two values files or more" : "an object with values that two builds have";
  return new UsageError(
    [`expected ${expected}`, ...notes].join("; "),
    "valuefold factor values-*.yaml, or valuefold factor overlays/*",
  );
}

function unproven(names: readonly string[]): Diagnostic {
  const named = names.slice(0, 3).map((name) => `\`${name}\``);
  return {
    code: "not-proven",
    severity: "error",
    message: `the layers of ${named.join(", ")} give other values, so nothing is written`,
    hint: "this is a bug of valuefold: please report it, with files that show it",
  };
}

const failed = { exitCode: Exit.faults, output: [] } as const;
