// A composite action, run step by step as the runner of GitHub does: expressions only where they are evaluated,
// each script by bash with the runner's options, and files for what a step hands on.
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { parse } from "yaml";

interface Step {
  readonly id?: string;
  readonly name: string;
  readonly if?: string;
  readonly shell: string;
  readonly env?: { readonly [name: string]: string };
  readonly run: string;
}

export interface Action {
  readonly inputs: { readonly [name: string]: { readonly description: string; readonly default: string } };
  readonly outputs: { readonly [name: string]: { readonly description: string; readonly value: string } };
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

/** What a job gives to an action: values of contexts by their whole name, and the environment. */
export interface Job {
  readonly workspace: string;
  readonly toolCache: string;
  readonly contexts: { readonly [name: string]: string };
  readonly env?: { readonly [name: string]: string };
}

export interface Ran {
  /** The name of the step that failed. */
  readonly failed: string | undefined;
  readonly log: string;
  /** What was added to the PATH. */
  readonly path: readonly string[];
  readonly outputs: { readonly [name: string]: string };
  readonly summary: string;
}

export function readAction(path: string): Action {
  return parse(readFileSync(path, "utf8")) as Action;
}

/** As the runner does: what no context holds is empty. */
function evaluated(text: string, contexts: { readonly [name: string]: string }): string {
  return text.replaceAll(/\$\{\{ ([\w.-]+) \}\}/g, (_, name: string) => contexts[name] ?? "");
}

function holds(condition: string, contexts: { readonly [name: string]: string }): boolean {
  return condition.split(" && ").every((part) => {
    const [, name, wanted] = /^([\w.-]+) == '([^']*)'$/.exec(part) ?? [];
    if (name === undefined) throw new Error(`a condition that is not understood: ${part}`);
    return (contexts[name] ?? "") === wanted;
  });
}

function linesOf(path: string): string[] {
  return readFileSync(path, "utf8").split("\n").slice(0, -1);
}

/** @param root where action.yml lies */
export async function runAction(
  root: string,
  inputs: { readonly [name: string]: string },
  job: Job,
): Promise<Ran> {
  const action = readAction(join(root, "action.yml"));
  const temp = mkdtempSync(join(tmpdir(), "valuefold-runner-"));
  const files = Object.fromEntries(
    ["GITHUB_PATH", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_ENV"].map((name) => [
      name,
      join(temp, name),
    ]),
  );
  for (const file of Object.values(files)) writeFileSync(file, "");
  const given = Object.entries(action.inputs).map(([name, { default: unset }]) => [
    `inputs.${name}`,
    inputs[name] ?? evaluated(unset, job.contexts),
  ]);
  const contexts: Record<string, string> = { ...job.contexts, ...Object.fromEntries(given) };
  mkdirSync(join(temp, "temp"));
  const env = {
    HOME: temp,
    RUNNER_OS: "Linux",
    RUNNER_ARCH: process.arch === "arm64" ? "ARM64" : "X64",
    RUNNER_TEMP: join(temp, "temp"),
    RUNNER_TOOL_CACHE: job.toolCache,
    GITHUB_ACTION_PATH: root,
    GITHUB_WORKSPACE: job.workspace,
    GITHUB_REPOSITORY: contexts["github.repository"] ?? "",
    ...files,
    ...job.env,
  };
  let log = "";
  let failed: string | undefined;
  for (const step of action.runs.steps) {
    if (failed !== undefined || (step.if !== undefined && !holds(step.if, contexts))) continue;
    const script = join(temp, "step.sh");
    writeFileSync(script, step.run);
    writeFileSync(join(temp, "GITHUB_OUTPUT"), "");
    const path = [
      ...linesOf(join(temp, "GITHUB_PATH")).toReversed(),
      job.env?.["PATH"] ?? process.env["PATH"],
    ];
    const own = Object.entries(step.env ?? {}).map(([name, text]) => [name, evaluated(text, contexts)]);
    const { all, exitCode } = await execa("bash", ["--noprofile", "--norc", "-eo", "pipefail", script], {
      all: true,
      cwd: job.workspace,
      env: { ...env, ...Object.fromEntries(own), PATH: path.join(":") },
      extendEnv: false,
      reject: false,
      stdin: "ignore",
    });
    log += `${all}\n`;
    if (exitCode !== 0) failed = step.name;
    for (const line of linesOf(join(temp, "GITHUB_OUTPUT"))) {
      const [name = "", ...value] = line.split("=");
      if (step.id !== undefined) contexts[`steps.${step.id}.outputs.${name}`] = value.join("=");
    }
  }
  return {
    failed,
    log,
    path: linesOf(join(temp, "GITHUB_PATH")),
    outputs: Object.fromEntries(
      Object.entries(action.outputs).map(([name, { value }]) => [name, evaluated(value, contexts)]),
    ),
    summary: readFileSync(join(temp, "GITHUB_STEP_SUMMARY"), "utf8"),
  };
}
