// `valuefold doctor`: which programs are here, which functions a build would skip, and which references miss their objects.
import { existsSync, realpathSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { type Diagnostic, meantOr } from "../diagnostic.ts";
import { defaultSettings, readFunctionConfig } from "../settings/index.ts";
import { Exit, legible, legibleText } from "../report/index.ts";
import type { FoldInput } from "../core/index.ts";
import { ask, whyNotNative } from "../engine/index.ts";
import { verifying } from "../explain/index.ts";
import { version } from "../version.ts";
import {
  entriesBelow,
  failedBuild,
  type FoldSettings,
  isThereAsDirectory,
  nearPath,
  UsageError,
  inSources,
  runProgram,
  readOne,
  settled,
  refusalOf,
  kustomizationFile,
  hasManifests,
  unfollowedFaults,
  manifestParts,
} from "../sources/index.ts";
import type { CommandResult, Io } from "./io.ts";
import { functionFindings, programOnPath } from "./function-checks.ts";
import { workspaceOf } from "./here.ts";

/** @param words at most one directory */
export async function doctor([name = ".", ...others]: readonly string[], io: Io): Promise<CommandResult> {
  const directory = resolve(io.directory, name);
  if (others.length > 0)
    throw new UsageError("expected at most one directory", "name one: valuefold doctor overlays/prod");
  const near = existsSync(directory) ? undefined : nearPath(directory);
  if (!isThereAsDirectory(directory))
    throw new UsageError(
      existsSync(directory) ? `\`${name}\` is not a directory` : `\`${name}\` does not exist`,
      meantOr(near && relative(io.directory, near), "name a directory: valuefold doctor overlays/prod"),
    );
  const rows = [await engineRow(), ...(await Promise.all(tools.map((tool) => rowOf(tool, io.env))))];
  const workspace = settled(workspaceOf(io), directory);
  const found = entriesBelow(directory, workspace);
  const shown = (path: string): string => relative(realpathSync(io.directory), path);
  const rest = found.flatMap(({ unfollowed: each }) => (each && unfollowedFaults(each, shown)) || []);
  const below = found.flatMap(({ name: own, unfollowed }) => (unfollowed ? [] : join(directory, own)));
  const isItself = below.length === 0 && (rest.length === 0 || hasManifests(directory, io.directory));
  const findings: DoctorFindings[] = [];
  for (const each of isItself ? [directory] : below) findings.push(await findingsIn(each, io));
  const diagnostics = [...rest, ...findings.flatMap((each) => each.diagnostics)];
  const isBuilt = findings.some((each) => each.isBuilt);
  const failed = diagnostics.some(({ severity }) => severity === "error");
  const isFine = diagnostics.every(({ severity }) => severity === "info");
  const text = [`valuefold ${version}`, ...rows].map((line) => `${line}\n`).join("");
  const closing = isBuilt
    ? `found nothing wrong in ${legible(name)}\n`
    : `nothing is built in ${legible(name)}\n`;
  return {
    exitCode: failed ? Exit.faults : Exit.ok,
    output: [Buffer.from(legibleText(text), "utf8")],
    diagnostics,
    account: () => ({ text: isFine ? closing : "" }),
  };
}

interface Tool {
  readonly name: string;
  /** Words that make it print its version. */
  readonly asks: readonly string[];
  /** What needs it. */
  readonly use: string;
}

const tools: readonly Tool[] = [
  {
    name: "valuefold",
    asks: ["--version"],
    use: "functions of kustomize and kpt that are `exec: valuefold`",
  },
  { name: "kustomize", asks: ["version"], use: "`--enable-exec`, and pipes from `kustomize build`" },
  { name: "kpt", asks: ["version"], use: "`kpt fn render`" },
  { name: "sops", asks: ["--version", "--disable-version-check"], use: "encrypted layers" },
  { name: "git", asks: ["--version"], use: "`diff` of revisions" },
];

const longestMs = 5000;

async function rowOf({ name, asks, use }: Tool, env: Io["env"]): Promise<string> {
  const path = programOnPath(name, env);
  if (path === undefined) return `  ${name.padEnd(10)} ${"-".padEnd(16)} not on the PATH; needed for ${use}`;
  const { output } = await runProgram(path, asks, { env, stop: AbortSignal.timeout(longestMs) });
  const [found] = /\d+\.\d+[\w.+-]*/.exec(Buffer.from(output).toString("utf8")) ?? [];
  return `  ${name.padEnd(10)} ${(found ?? "?").padEnd(16)} ${path}`;
}

/** The code that needs no program. */
async function engineRow(): Promise<string> {
  const { runs, kustomize, helm3, helm4 } = (await ask({ op: "about" })) as unknown as Readonly<
    Record<string, string>
  >;
  const build = runs === "wasip1/wasm" ? "wasm" : "native";
  const why = whyNotNative();
  const native = why === undefined ? "" : `; ${legible(why)}`;
  return `  ${"engine".padEnd(10)} ${build.padEnd(16)} kustomize ${kustomize}, Helm ${helm4} and ${helm3}, inside${native}`;
}

/** Warnings about what a build misses. Other lints are what `verify` is for. */
const buildWarnings: ReadonlySet<string> = new Set(["unresolved-reference", "unused-values", "orphan-layer"]);

interface DoctorFindings {
  readonly diagnostics: readonly Diagnostic[];
  /** False where there is nothing to build. */
  readonly isBuilt: boolean;
}

async function findingsIn(directory: string, io: Io): Promise<DoctorFindings> {
  const { diagnostics, settings } = await functionFindings(directory, io);
  const faults = settings.flatMap(faultsIn);
  const isBroken = [...diagnostics, ...faults].some(({ severity }) => severity === "error");
  const build = await buildFindings(directory, isBroken, settings, io);
  return { ...build, diagnostics: [...diagnostics, ...faults, ...build.diagnostics] };
}

/** What is wrong with the settings of a fold. */
function faultsIn({ file, text, hasLines }: FoldSettings): readonly Diagnostic[] {
  const outcome = readFunctionConfig(text, file);
  if (!("faults" in outcome)) return [];
  return outcome.faults.map((each) => (hasLines ? each : { ...each, at: { text: file, isFile: true } }));
}

/** What would keep the build from folding, and references to objects that are in it under another name. */
async function buildFindings(
  directory: string,
  isBroken: boolean,
  settings: readonly FoldSettings[],
  io: Io,
): Promise<DoctorFindings> {
  const { directory: from } = io;
  const isKustomization = kustomizationFile(directory) !== undefined;
  if (!isKustomization && manifestParts(directory, from).parts.length === 0)
    return { diagnostics: [], isBuilt: false };
  const workspace = workspaceOf(io);
  try {
    const input = await readOne(directory, workspace);
    if (input.values !== undefined) return { diagnostics: [], isBuilt: false };
    const refusal = isKustomization && !isBroken ? await refusalOf(directory, workspace) : undefined;
    if (refusal !== undefined) throw refusal;
    const { diagnostics } = await io.supplied(
      verifying({ ...input, ...settingsOf(settings), strict: false, unfolded: true }),
    );
    const unread = (input.unbuilt ?? []).filter(({ severity }) => severity === "warning");
    const isFinding = ({ code, severity }: Diagnostic): boolean =>
      severity === "error" || (severity === "warning" && buildWarnings.has(code));
    return { diagnostics: [...unread, ...inSources(diagnostics, input).filter(isFinding)], isBuilt: true };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { ...failedBuild(relative(from, directory) || ".", error), isBuilt: true };
  }
}

/** The settings of the only fold; of several each has its own part of the build. Lints are what `verify` is for. */
function settingsOf([only, second]: readonly FoldSettings[]): Pick<FoldInput, "settings"> {
  const outcome =
    only === undefined || second !== undefined ? undefined : readFunctionConfig(only.text, only.file);
  if (outcome === undefined || "faults" in outcome) return {};
  // A checkout must not make SOPS call out.
  const { sops: _, ...settings } = outcome.settings;
  return { settings: { settings: { ...settings, verify: defaultSettings.verify } } };
}
