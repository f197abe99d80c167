// Runs `verify`: each build by itself, and all plain files as one list.
import { resolve } from "node:path";
import { Exit, type Outcome } from "../core/index.ts";
import { verify, verifyFiles } from "../explain/index.ts";
import { type Build, buildsIn, eachBuild } from "./builds.ts";
import { failedBuild } from "./explained.ts";
import type { FlagValues } from "./flags.ts";
import { configuredBy, type Input, orStdin, settingsIn } from "./inputs.ts";
import { type CommandResult, type Io, UsageError } from "./io.ts";
import { isKustomization } from "./kustomize.ts";
import { inSources } from "./source-places.ts";

export async function runVerify(
  words: readonly string[],
  flags: FlagValues<"verify">,
  io: Io,
): Promise<CommandResult> {
  const builds = buildsIn(orStdin(words), io.directory);
  const outcomes: Outcome[] = [];
  for await (const build of eachBuild(
    builds,
    { enableExec: flags["enable-exec"] ?? false, asBuilt: true },
    io,
  ))
    outcomes.push(await verified(build, flags, io));
  return {
    exitCode: outcomes.find(({ exitCode }) => exitCode !== Exit.ok)?.exitCode ?? Exit.ok,
    output: [],
    diagnostics: outcomes.flatMap(({ diagnostics }) => diagnostics),
    account: () => ({ text: [...new Set(outcomes.map(({ account }) => account?.().text ?? ""))].join("") }),
    isReport: true,
  };
}

async function verified({ name, input }: Build, flags: FlagValues<"verify">, io: Io): Promise<Outcome> {
  if (input instanceof UsageError) return failedBuild(name, input);
  const configured = configuredBy(flags);
  const { strict = false, unfolded = isKustomization(resolve(io.directory, name)) } = flags;
  const outcome = await checked(input, { ...configured, strict, unfolded }, io);
  return { ...outcome, diagnostics: [...(input.unbuilt ?? []), ...inSources(outcome.diagnostics, input)] };
}

/** A kustomization is built without valuefold's own fold, so layers that wait for it are not a fault there. */
async function checked(
  { values, input, files }: Input,
  options: ReturnType<typeof configuredBy> & { readonly strict: boolean; readonly unfolded: boolean },
  { prepare }: Io,
): Promise<Outcome> {
  if (values !== undefined) return verifyFiles({ files: values, ...settingsIn(options) });
  await prepare(input);
  return verify({ input, files, ...options });
}
