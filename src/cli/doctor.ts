// `valuefold doctor`: which programs are here, which functions a build would skip, and which references miss their objects.
import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { Diagnostic } from "../diagnostic.ts";
import { Exit, legible } from "../core/index.ts";
import { verify } from "../explain/index.ts";
import { version } from "../version.ts";
import { isDirectory, readBuilds } from "./inputs.ts";
import { type CommandResult, type Io, UsageError } from "./io.ts";
import { failedBuild } from "./explained.ts";
import { functionFindings, programOnPath } from "./function-checks.ts";
import { kustomizationFile } from "./kustomization-tree.ts";
import { manifestParts } from "./manifests.ts";
import { runProgram } from "./program.ts";
import { inSources } from "./source-places.ts";

/** @param words at most one directory */
export async function doctor([name = ".", ...others]: readonly string[], io: Io): Promise<CommandResult> {
  const directory = resolve(io.directory, name);
  if (others.length > 0)
    throw new UsageError("expected at most one directory", "name one: valuefold doctor overlays/prod");
  if (!isDirectory(directory))
    throw new UsageError(
      existsSync(directory) ? `\`${name}\` is not a directory` : `\`${name}\` does not exist`,
      "name a directory: valuefold doctor overlays/prod",
    );
  const rows = await Promise.all(tools.map((tool) => rowOf(tool, io.env)));
  const diagnostics = [...functionFindings(directory, io), ...(await buildFindings(directory, io))];
  const failed = diagnostics.some(({ severity }) => severity === "error");
  const isFine = diagnostics.every(({ severity }) => severity === "info");
  const text = [`valuefold ${version}`, ...rows].map((line) => `${line}\n`).join("");
  return {
    exitCode: failed ? Exit.faults : Exit.ok,
    output: [Buffer.from(text, "utf8")],
    diagnostics,
    account: () => ({ text: isFine ? `found nothing wrong in ${legible(name)}\n` : "" }),
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
  { name: "kustomize", asks: ["version"], use: "`explain`, `diff` and `compare` of a kustomization" },
  { name: "kpt", asks: ["version"], use: "`kpt fn render`" },
  { name: "sops", asks: ["--version", "--disable-version-check"], use: "sealed layers" },
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

/** Warnings about what a build misses. Other lints are what `verify` is for. */
const buildWarnings: ReadonlySet<string> = new Set(["unresolved-reference", "orphan-layer"]);

/** What would keep the build from folding, and references to objects that are in it under another name. */
async function buildFindings(directory: string, io: Io): Promise<readonly Diagnostic[]> {
  const { env, tidily, render, stdin, directory: from } = io;
  if (kustomizationFile(directory) === undefined && manifestParts(directory, from).parts.length === 0)
    return [];
  try {
    const input = await readBuilds([directory], stdin, {
      env,
      tidily,
      render,
      enableExec: false,
      asBuilt: true,
      from,
    });
    if (input.values !== undefined) return [];
    const { diagnostics } = verify({ ...input, strict: false, unfolded: true });
    const unread = (input.unbuilt ?? []).filter(({ severity }) => severity === "warning");
    const isFinding = ({ code, severity }: Diagnostic): boolean =>
      severity === "error" || (severity === "warning" && buildWarnings.has(code));
    return [...unread, ...inSources(diagnostics, input).filter(isFinding)];
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return failedBuild(relative(from, directory) || ".", error).diagnostics;
  }
}
