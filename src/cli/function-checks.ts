// What the functions of a kustomization or a kpt package need to run: both tools skip or refuse programs unless they are
// allowed.
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { delimiter, dirname, join, relative, resolve } from "node:path";
import { type Diagnostic, formatItem } from "../diagnostic.ts";
import { decodeStream, isNode, toPlain } from "../core/index.ts";
import type { Io } from "./io.ts";
import { functionsIn, kustomizationFile, type KustomizeFunction, readTree } from "./kustomization-tree.ts";
import { notBuilt, passedOver } from "./not-built.ts";
import { readFile } from "./stdio.ts";

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

export function functionFindings(directory: string, { env, directory: from }: Io): readonly Diagnostic[] {
  const shown = relative(from, directory) || ".";
  const own = kustomizationFile(directory) === undefined ? [] : functionsIn(readTree(directory));
  const ofKustomize = own
    .filter(({ runsAs }) => runsAs !== "builtin")
    .map((each) => ofFunction(each, shown, from));
  const run = [...ofKustomize, ...ofPackage(directory, shown)];
  return [...ofRefused(directory, shown), ...run.map((each) => findingFor(each, env))];
}

/** A program that a tool runs if it is allowed to. */
interface RunFunction {
  readonly tool: "kustomize" | "kpt";
  /** As messages name it. */
  readonly name: string;
  readonly file: string;
  /** A name on the PATH, or a path. */
  readonly program: string;
  /** Flags without which the tool does not run it. */
  readonly flags: string;
  readonly command: string;
}

function ofFunction(
  { runsAs, program, file, kind, name }: KustomizeFunction,
  shown: string,
  from: string,
): RunFunction {
  const flags = runsAs === "exec" ? "--enable-alpha-plugins --enable-exec" : "--enable-alpha-plugins";
  const path = program.includes("/") ? resolve(dirname(file), program) : program;
  return {
    tool: "kustomize",
    name: formatItem({ kind, name }),
    file: relative(from, file),
    program: runsAs === "exec" ? path : "docker",
    flags,
    command: `kustomize build ${flags} ${shown}`,
  };
}

/** The programs in the pipeline of a Kptfile. */
function ofPackage(directory: string, shown: string): readonly RunFunction[] {
  const file = join(shown, packageName);
  return stepsOf(pipelineIn(directory)).flatMap((step): RunFunction[] => {
    const exec = isMapping(step) ? step["exec"] : undefined;
    const [program = ""] = typeof exec === "string" ? exec.split(" ") : [];
    if (program === "") return [];
    const command = `kpt fn render --allow-exec ${shown}`;
    return [{ tool: "kpt", name: program, file, program, flags: "--allow-exec", command }];
  });
}

/** A Kptfile that kpt refuses. */
function ofRefused(directory: string, shown: string): readonly Diagnostic[] {
  const pipeline = pipelineIn(directory);
  if (pipeline !== unreadable && stepsOf(pipeline).every((step) => step === null || isMapping(step)))
    return [];
  const message =
    pipeline === unreadable
      ? `\`${packageName}\` cannot be read`
      : `\`${packageName}\`: \`pipeline\` has what is not a function`;
  const at = { text: join(shown, packageName), isFile: true } as const;
  const hint = "see why: kpt fn render; a function is a mapping in the list `pipeline.mutators`";
  return [{ ...notBuilt({ message, at, hint }), severity: "error" }];
}

const packageName = "Kptfile";
const unreadable = Symbol("a file that is not YAML, or not a mapping");

/** What a Kptfile has under `pipeline`: anything at all. Undefined without one. */
function pipelineIn(directory: string): unknown {
  const file = join(directory, packageName);
  if (!existsSync(file)) return undefined;
  const envelope = decodeStream(readFile(file));
  const node = "items" in envelope ? envelope.items[0]?.read() : undefined;
  const fields = node !== undefined && isNode(node) ? toPlain(node, null) : undefined;
  return isMapping(fields) ? fields["pipeline"] : unreadable;
}

/** The entries of all lists in a pipeline. What is not a list is an entry that is wrong. */
function stepsOf(pipeline: unknown): readonly unknown[] {
  if (pipeline === undefined || pipeline === null || pipeline === unreadable) return [];
  if (!isMapping(pipeline)) return [undefined];
  return Object.values(pipeline).flatMap((list) =>
    list === null ? [] : Array.isArray(list) ? (list as readonly unknown[]) : [undefined],
  );
}

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function findingFor({ tool, name, file, program, flags, command }: RunFunction, env: Io["env"]): Diagnostic {
  const at = { text: file, isFile: true } as const;
  const isPath = program.includes("/");
  if (isPath ? isProgram(program) : programOnPath(program, env) !== undefined)
    return { ...passedOver(`${tool} needs ${flags} to run \`${name}\``, command), at };
  const [called] = program.split("/").slice(-1);
  return {
    ...notBuilt({
      message: `${tool} cannot run \`${name}\``,
      at,
      hint: "install the program, or correct its path",
    }),
    reason: isPath ? `\`${called}\` is not there, or not a program` : `\`${program}\` is not on the PATH`,
    severity: "error",
  };
}
