// What the functions of a kustomization or a kpt package need to run: both tools skip or refuse programs unless they are
// allowed.
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, dirname, join, relative, resolve } from "node:path";
import type { Diagnostic } from "../diagnostic.ts";
import { objectText } from "../object-id.ts";
import {
  type FoldSettings,
  functionsIn,
  isOwnProgram,
  kustomizationFile,
  type KustomizeFunction,
  readKptfile,
  readTree,
  runProgram,
  settingsOfFunction,
  notBuilt,
  settingsOfStep,
  packageName,
  passedOver,
  type KptStep,
} from "../sources/index.ts";
import type { Io } from "./io.ts";

/** The first program of that name on the PATH. */
export function programOnPath(name: string, env: Io["env"]): string | undefined {
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

export interface FunctionFindings {
  readonly diagnostics: readonly Diagnostic[];
  /** Of valuefold's own folds. */
  readonly settings: readonly FoldSettings[];
}

export async function functionFindings(
  directory: string,
  { env, directory: from }: Io,
): Promise<FunctionFindings> {
  const shown = relative(from, directory) || ".";
  const all = kustomizationFile(directory) === undefined ? [] : functionsIn(readTree(directory));
  const { steps, faults } = readKptfile(directory, shown);
  const run = [
    ...all
      .filter(({ runsAs, isFold }) => isFold || (runsAs !== "builtin" && runsAs !== "plugin"))
      .map((each) => ofFunction(each, shown, from)),
    ...steps.map((step) => ofStep(step, shown, directory, env)),
  ];
  const findings = await Promise.all(run.map((each) => findingFor(each, env)));
  return { diagnostics: [...faults, ...findings], settings: run.flatMap(({ settings }) => settings ?? []) };
}

/** A program that a tool runs if it is allowed to. */
interface RunFunction {
  readonly tool: "kustomize" | "kpt";
  /** As messages name it. */
  readonly name: string;
  readonly file: string;
  /** Undefined where the tool finds none. */
  readonly runsAs: "exec" | "container" | undefined;
  /** A name on the PATH, or a path; for an image the program that runs it. */
  readonly program: string;
  readonly args: readonly string[];
  /** Flags without which the tool does not run it. */
  readonly flags: string;
  readonly command: string;
  readonly settings?: FoldSettings;
}

function ofFunction(each: KustomizeFunction, shown: string, from: string): RunFunction {
  const { runsAs, program, args, file, kind, name, isFold } = each;
  const flags = runsAs === "exec" ? "--enable-alpha-plugins --enable-exec" : "--enable-alpha-plugins";
  const path = program.includes("/") ? resolve(dirname(file), program) : program;
  return {
    tool: "kustomize",
    name: objectText({ kind, name }),
    file: relative(from, file),
    runsAs: runsAs === "builtin" || runsAs === "plugin" ? undefined : runsAs,
    program: runsAs === "exec" ? path : "docker",
    args: isOwnProgram(program) ? args : [],
    flags,
    command: `kustomize build ${flags} ${shown}`,
    ...(isFold && { settings: settingsOfFunction(each, from) }),
  };
}

function ofStep(step: KptStep, shown: string, directory: string, env: Io["env"]): RunFunction {
  const { runsAs, words } = step;
  const [program = "", ...args] = words;
  const flags = runsAs === "exec" ? "--allow-exec" : "";
  const settings = settingsOfStep(step, directory, shown);
  return {
    tool: "kpt",
    name: program,
    file: join(shown, packageName),
    runsAs,
    program: runsAs === "exec" ? program : (env["KRM_FN_RUNTIME"] ?? "docker"),
    args: isOwnProgram(program) ? args : [],
    flags,
    command: `kpt fn render ${flags}${flags === "" ? "" : " "}${shown}`,
    ...(settings && { settings }),
  };
}

/** An info about what a function needs, or why it cannot run. */
async function findingFor(each: RunFunction, env: Io["env"]): Promise<Diagnostic> {
  const { tool, name, file, flags, command } = each;
  const at = { text: file, isFile: true } as const;
  const [reason, hint] = await obstacleOf(each, env);
  if (reason !== undefined)
    return {
      ...notBuilt({ message: `${tool} cannot run \`${name}\``, at, hint: hint ?? "" }),
      reason,
      severity: "error",
    };
  const needs = flags === "" ? "docker" : flags;
  return { ...passedOver(`${tool} needs ${needs} to run \`${name}\``, command), at };
}

/** Why a function cannot run, and the cure; nothing if it can. */
async function obstacleOf(
  { tool, runsAs, program, args }: RunFunction,
  env: Io["env"],
): Promise<readonly [reason?: string, hint?: string]> {
  if (runsAs === undefined)
    return [
      `its annotation \`config.kubernetes.io/function\` names no program that ${tool} can run`,
      "write in the annotation: exec: { path: valuefold }",
    ];
  const isPath = program.includes("/");
  if (isPath ? !isProgram(program) : programOnPath(program, env) === undefined) {
    const reason = isPath
      ? `\`${program.split("/").at(-1) ?? ""}\` does not exist, or is not a program`
      : `\`${program}\` is not on the PATH`;
    return [reason, "install the program, or correct its path"];
  }
  if (args.length > 0)
    return [
      `it passes \`${args.join(" ")}\`, and a function takes no arguments`,
      "write its settings into its function config",
    ];
  if (runsAs === "exec") return [];
  const stop = AbortSignal.timeout(longestMs);
  const { status } = await runProgram(program, ["version", "--format", "{{.Server.Version}}"], { env, stop });
  return status === "done"
    ? []
    : [
        `\`${program}\` is installed, and its daemon does not answer`,
        `start it, and see: ${program} version`,
      ];
}

const longestMs = 5000;
