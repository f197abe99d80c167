// The recipe for stock Flux: the CI files of examples/flux-oci are run as they stand, against a registry, by the
// flux command.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { readPipeline, readWorkflow, runGitHubJob, runGitLabJob, type JobEnd } from "./ci-files.ts";
import * as world from "./flux-world.ts";

const archive = `valuefold-${manifest.version}-linux-x64`;
const workflow = readWorkflow(join(world.example, ".github/workflows/render.yaml"));
const pipeline = readPipeline(join(world.example, ".gitlab-ci.yml"));

let registry: world.Registry;
let release: string;
let artifacts = 0;
beforeAll(async () => {
  registry = await world.startRegistry();
  release = world.makeRelease(archive);
});
afterAll(() => registry.stop());

interface Project {
  readonly repository: string;
  readonly artifact: string;
  readonly release: string;
}

function project(from = release): Project {
  artifacts += 1;
  return {
    repository: world.makeRepository(),
    artifact: `${registry.host}/shop/prod-${artifacts}`,
    release: `file://${from}`,
  };
}

interface Host {
  /** The job of a pull request, from the commit `base`. */
  readonly review: (project: Project, base: string) => JobEnd;
  /** The job of the main branch. */
  readonly publish: (project: Project) => JobEnd;
}

const hosts: Readonly<Record<string, Host>> = {
  GitHub: {
    review: (of, base) => github(of, "pull_request", { "github.event.pull_request.base.sha": base }),
    publish: (of) =>
      github(of, "push", {
        "vars.ARTIFACT": of.artifact,
        "secrets.REGISTRY_USER": world.user,
        "secrets.REGISTRY_PASSWORD": world.password,
      }),
  },
  GitLab: {
    review: (of, base) => gitlab(of, "render", { CI_MERGE_REQUEST_DIFF_BASE_SHA: base }),
    publish: (of) =>
      gitlab(of, "push", {
        REGISTRY_USER: world.user,
        REGISTRY_PASSWORD: world.password,
        ARTIFACT: of.artifact,
      }),
  },
};

function github(of: Project, event: "pull_request" | "push", more: Record<string, string>): JobEnd {
  const env = {
    ...world.runnerEnv(registry),
    GITHUB_SHA: world.git(of.repository, "rev-parse", "HEAD"),
    GITHUB_REF_NAME: "main",
    GITHUB_SERVER_URL: "https://git.example",
    GITHUB_REPOSITORY: "org/shop",
  };
  const expressions = {
    "github.event_name == 'push'": String(event === "push"),
    "github.event_name == 'pull_request'": String(event === "pull_request"),
    "vars.VALUEFOLD_RELEASES": of.release,
    ...more,
  };
  return runGitHubJob(workflow, "render", expressions, { cwd: of.repository, env });
}

function gitlab(of: Project, job: "render" | "push", more: Record<string, string>): JobEnd {
  const env = {
    ...world.runnerEnv(registry),
    VALUEFOLD_RELEASES: of.release,
    CI_COMMIT_SHA: world.git(of.repository, "rev-parse", "HEAD"),
    CI_COMMIT_BRANCH: "main",
    CI_PROJECT_URL: "https://git.example/org/shop",
    ...more,
  };
  return runGitLabJob(pipeline, job, { cwd: of.repository, env });
}

/** A change on a branch; what was there before. */
function change(repository: string, file: string, text: string): string {
  const base = world.git(repository, "rev-parse", "HEAD");
  writeFileSync(join(repository, file), text);
  world.commit(repository);
  return base;
}

describe.for(Object.entries(hosts))("%s", ([, host]) => {
  test("a pull request renders, verifies, tells what changes, and pushes nothing", () => {
    const of = project();
    const base = change(of.repository, "overlays/prod/stage.yaml", "replicas: 4\n");
    const { failed, messages, summary } = host.review(of, base);
    expect([failed, messages]).toEqual([undefined, expect.stringContaining("checked 1 folded item")]);
    expect(`${messages}${summary}`).toMatch(/^.*overlays\/prod\/stage\.yaml:1:11.*$/m);
    expect(`${messages}${summary}`.replaceAll("`", "")).toContain("3 → 4");
    expect(world.pull(`${of.artifact}:latest`)).toBe(undefined);
  });

  test("the main branch pushes what expected/prod.yaml shows, with its commit", async () => {
    const of = project();
    expect(host.publish(of)).toMatchObject({ messages: expect.stringContaining("artifact tagged as") });
    const latest = world.pull(`${of.artifact}:latest`);
    await expect(latest?.rendered).toMatchFileSnapshot(join(world.example, "expected/prod.yaml"));
    const head = world.git(of.repository, "rev-parse", "HEAD");
    expect(latest?.revision).toBe(`main@sha1:${head}`);
    expect(world.pull(`${of.artifact}:${head}`)).toEqual(latest);
  });

  test("a job that runs again pushes the same digest; another commit has another", async () => {
    const of = project();
    host.publish(of);
    const first = world.pull(`${of.artifact}:latest`);
    await setTimeout(1100); // a time in the artifact would be another second
    host.publish(of);
    expect(world.pull(`${of.artifact}:latest`)).toEqual(first);
    change(of.repository, "README.md", "changes no manifest\n");
    host.publish(of);
    const second = world.pull(`${of.artifact}:latest`);
    expect([second?.rendered === first?.rendered, second?.digest === first?.digest]).toEqual([true, false]);
  });

  test("a broken layer fails the job, and the tag stays at the last artifact", () => {
    const of = project();
    host.publish(of);
    const last = world.pull(`${of.artifact}:latest`);
    change(of.repository, "overlays/prod/region.yaml", "- not a mapping\n");
    const { failed, messages } = host.publish(of);
    expect([failed !== undefined, messages]).toEqual([true, expect.stringContaining("error[not-a-mapping]")]);
    expect(world.pull(`${of.artifact}:latest`)).toEqual(last);
    expect(readFileSync(join(of.repository, "rendered.yaml"), "utf8")).toBe(last?.rendered);
    expect(existsSync(join(of.repository, "rendered.yaml.part"))).toBe(false);
  });

  test("an archive that is not the one of SHA256SUMS is not installed", () => {
    const forged = world.makeRelease(archive);
    appendFileSync(join(forged, `${archive}.tar.gz`), "more");
    const { failed, messages } = host.publish(project(forged));
    expect([failed !== undefined, messages]).toEqual([
      true,
      expect.stringContaining(`${archive}.tar.gz: FAILED`),
    ]);
    expect(messages).not.toContain("folded");
  });
});

test("the CI files name this version of valuefold", () => {
  expect([workflow.env["VALUEFOLD"], pipeline.variables["VALUEFOLD"]]).toEqual([archive, archive]);
});

test("no expression reaches a shell, and other people's actions are pinned", () => {
  const { steps = [] } = workflow.jobs["render"] ?? {};
  expect(steps.filter(({ run = "" }) => run.includes("${{"))).toEqual([]);
  for (const { uses } of steps)
    if (uses !== undefined) expect(uses).toMatch(/@([0-9a-f]{40}|v\d+\.\d+\.\d+)$/);
});
