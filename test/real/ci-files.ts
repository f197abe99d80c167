// Runs what a CI file says, step by step, as its runner does. Steps that bring another one's action (`uses`) are
// left out: what they install is on the PATH here.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { parse } from "yaml";

type Env = Readonly<Record<string, string>>;

export interface Place {
  /** The checkout. */
  readonly cwd: string;
  /** What a runner has before the file adds its own. */
  readonly env: Env;
}

export interface JobEnd {
  /** The step that failed. */
  readonly failed?: string;
  readonly messages: string;
  /** What the job adds to its page. */
  readonly summary: string;
}

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly if?: string;
  readonly env?: Env;
  readonly run?: string;
}

export interface Workflow {
  readonly env: Env;
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
}

export interface Pipeline {
  readonly variables: Env;
  readonly before_script: readonly string[];
  readonly [job: string]: unknown;
}

export function readWorkflow(file: string): Workflow {
  return parse(readFileSync(file, "utf8")) as Workflow;
}

export function readPipeline(file: string): Pipeline {
  return parse(readFileSync(file, "utf8")) as Pipeline;
}

/** `expressions` says what a `${{ … }}` or an `if` becomes; one that is not in there is a fault of the test. */
export function runGitHubJob(workflow: Workflow, name: string, expressions: Env, place: Place): JobEnd {
  const runner = mkdtempSync(join(tmpdir(), "valuefold-runner-"));
  const summary = join(runner, "summary");
  const given = { RUNNER_TEMP: runner, GITHUB_PATH: join(runner, "path"), GITHUB_STEP_SUMMARY: summary };
  const told: string[] = [];
  for (const step of workflow.jobs[name]?.steps ?? []) {
    if (step.run === undefined || (step.if !== undefined && valueOf(step.if, expressions) !== "true"))
      continue;
    const PATH = [...lines(given.GITHUB_PATH).toReversed(), place.env["PATH"]].join(delimiter);
    const own = filledIn({ ...workflow.env, ...step.env }, expressions);
    const script = join(runner, "step.sh");
    writeFileSync(script, step.run);
    const { status, messages } = bash(["-e", script], {
      ...place,
      env: { ...place.env, ...given, ...own, PATH },
    });
    told.push(messages);
    if (status !== 0)
      return { failed: step.name ?? step.run, messages: told.join(""), summary: readIfThere(summary) };
  }
  return { messages: told.join(""), summary: readIfThere(summary) };
}

/** GitLab's runner makes one script of a job's lines. */
export function runGitLabJob(pipeline: Pipeline, name: string, place: Place): JobEnd {
  const { script } = pipeline[name] as { readonly script: readonly string[] };
  const line = ["set -eo pipefail", ...pipeline.before_script, ...script].join("\n");
  const env = { ...place.env, ...pipeline.variables, CI_PROJECT_DIR: place.cwd };
  const { status, messages } = bash(["-c", line], { cwd: place.cwd, env });
  return { ...(status === 0 ? {} : { failed: name }), messages, summary: "" };
}

function bash(args: readonly string[], { cwd, env }: Place): { status: number | null; messages: string } {
  const { status, stdout, stderr, error } = spawnSync("bash", args, { cwd, env, encoding: "utf8" });
  if (error !== undefined) throw error;
  return { status, messages: `${stdout}${stderr}` };
}

function filledIn(env: Env, expressions: Env): Env {
  const fill = (text: string): string =>
    text.replaceAll(/\$\{\{ (.*?) \}\}/g, (_, name: string) => valueOf(name, expressions));
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value)]));
}

function valueOf(name: string, expressions: Env): string {
  const value = expressions[name];
  if (value === undefined) throw new Error(`the test has no value for: ${name}`);
  return value;
}

function lines(file: string): string[] {
  return readIfThere(file)
    .split("\n")
    .filter((line) => line !== "");
}

function readIfThere(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}
