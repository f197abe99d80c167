// What the functions of a kustomization or a kpt package need to run: both tools skip or refuse programs unless they are
// allowed.
import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import { delimiter, dirname, join, relative, resolve } from "node:path";
import { type Diagnostic, formatItem } from "../diagnostic.ts";
import { decodeStream, isNode, toPlain } from "../core/index.ts";
import type { Io } from "./io.ts";
import { functionsIn, kustomizationFile, type KustomizeFunction, readTree } from "./kustomization-tree.ts";
import { notBuilt, passedOver } from "./not-built.ts";

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
  return [...ofKustomize, ...ofPackage(directory, shown)].map((each) => findingFor(each, env));
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
  const file = join(directory, "Kptfile");
  const envelope = existsSync(file) ? decodeStream(readFileSync(file)) : undefined;
  const node = envelope !== undefined && "items" in envelope ? envelope.items[0]?.read() : undefined;
  const { pipeline = {} } =
    node !== undefined && isNode(node) ? (toPlain(node, null) as { pipeline?: Record<string, unknown> }) : {};
  const steps = Object.values(pipeline).flat() as readonly { readonly exec?: unknown }[];
  return steps.flatMap(({ exec }): RunFunction[] => {
    const [program = ""] = typeof exec === "string" ? exec.split(" ") : [];
    if (program === "") return [];
    const command = `kpt fn render --allow-exec ${shown}`;
    return [
      { tool: "kpt", name: program, file: join(shown, "Kptfile"), program, flags: "--allow-exec", command },
    ];
  });
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
