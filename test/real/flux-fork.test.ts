// A kustomize-controller that lets functions run, as examples/flux-controller sets one up: an init container
// brings valuefold to a root without Node and glibc, and Flux' own code builds, folds and substitutes there.
// test/real/flux-fork holds the controller's part, and builds the stand-in for its image.
import { chmodSync, cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { emptyDir, type Pod, podOf, run, start } from "./controller-pod.ts";

const example = new URL("../../examples/flux-controller/", import.meta.url).pathname;
let pod: Pod;
const shared = emptyDir();

beforeAll(() => {
  const { stdout } = run("kustomize", ["build", `${example}flux-system`]);
  pod = podOf(stdout);
  const [init] = pod.initContainers;
  expect(start(init, { valuefold: shared }, init.args)).toMatchObject({ status: 0, stdout: "" });
});

interface Answer {
  readonly manifests?: string;
  readonly message?: string;
}

interface Reconciling {
  readonly source?: string;
  readonly volume?: string;
  readonly faults?: boolean;
  readonly flags?: readonly string[];
}

/** What the controller makes of a source: its answers, and its log. */
function reconcile({ source = example, volume = shared, faults = true, flags = [] }: Reconciling = {}): {
  readonly answers: readonly Answer[];
  readonly log: string;
} {
  const [{ env = [], ...manager }] = pod.containers;
  const container = { ...manager, env: faults ? env : [] };
  const folders = { valuefold: volume, temp: emptyDir(), "/source": source };
  const program = ["env", "-u", "HOME", "flux-fork", ...flags, "/source/apps.yaml", "/source/apps"];
  const { status, stdout, stderr } = start(container, folders, program);
  expect(status).toBe(0);
  const answers = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Answer);
  return { answers, log: stderr };
}

/** A copy of the example with other texts in some of its files. */
function changed(files: Readonly<Record<string, (text: string) => string>>): string {
  const copy = mkdtempSync(join(tmpdir(), "valuefold-source-"));
  chmodSync(copy, 0o755);
  cpSync(example, copy, { recursive: true });
  for (const [file, change] of Object.entries(files))
    writeFileSync(join(copy, file), change(readFileSync(join(copy, file), "utf8")));
  return copy;
}

test("the patch fits the Deployment", async () => {
  const { status, stdout, stderr } = run("kustomize", ["build", `${example}flux-system`]);
  expect([status, stderr]).toEqual([0, ""]);
  await expect(stdout).toMatchFileSnapshot(`${example}expected/flux-system.yaml`);
});

test("the root is as bare as it claims: no Node, no glibc, no HOME, 256 MiB, nothing to write to", () => {
  const script = `
    busybox find / -xdev '(' -name 'node*' -o -name 'libc.so.6' -o -name 'ld-linux*' ')'
    env -u HOME env | busybox grep -c ^HOME=
    cat /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes 2>/dev/null
    busybox touch /opt/valuefold/x /x 2>&1
    busybox grep ^Uid /proc/self/status`;
  const { stdout } = start(pod.containers[0], { valuefold: emptyDir() }, ["sh", "-c", script]);
  expect(stdout.split("\n")).toEqual([
    "0",
    String(256 * 1024 * 1024),
    "touch: /opt/valuefold/x: Read-only file system",
    "touch: /x: Read-only file system",
    "Uid:\t65534\t65534\t65534\t65534",
    "",
  ]);
});

test("folds, then Flux fills in its variables; again with the same bytes", async () => {
  const { answers, log } = reconcile({ flags: ["-times", "2"] });
  expect([log, answers.length]).toEqual(["", 2]);
  expect(answers[1]).toEqual(answers[0]);
  await expect(answers[0]?.manifests).toMatchFileSnapshot(`${example}expected/apps.yaml`);
});

const variables = { domain: "prod.example.org", replicas: "3" };

function filledIn(text: string): string {
  return Object.entries(variables).reduce(
    (filled, [name, value]) => filled.replaceAll(`\${${name}}`, value),
    text,
  );
}

/** Without what a folded item records of its text. */
function withoutDigests(manifests = ""): string {
  return manifests.replaceAll(/"digest":"[^"]+",?/g, "");
}

test("the fold leaves variables as they are", () => {
  const source = changed({ "apps.yaml": (text) => text.replace(/ {2}postBuild:[\s\S]*$/, "") });
  const [answer] = reconcile({ source }).answers;
  expect(answer?.manifests).toContain("host: shop.${domain} # Flux fills it in\n");
  expect(answer?.manifests).toContain("replicas: ${replicas}\n");
});

test("filling in before the fold comes to the same", () => {
  const source = changed({
    "apps.yaml": (text) => text.replace(/substitute:[\s\S]*$/, "substitute: {unused: x}\n"),
    "apps/base/values.yaml": filledIn,
    "apps/prod/prod.yaml": filledIn,
  });
  const [[before], [after]] = [reconcile({ source }).answers, reconcile().answers];
  expect(before?.manifests).toContain("replicas: 3\n");
  expect(withoutDigests(before?.manifests)).toBe(withoutDigests(after?.manifests));
});

const fault = `error[not-a-mapping]: expected a mapping at the top of the values, got a sequence
  at    ConfigMap/shop/shop-prod values.yaml:1:1 (layer of HelmRelease/shop/shop, priority 60)
  hint  indent the list or text under a key
`;

test.for([
  [
    true,
    `wrong node kind: expected MappingNode but got ScalarNode: node contents:\n|-\n${fault.replaceAll(/^(?=.)/gm, "  ")} `,
  ],
  [false, "exit status 1 "],
] as const)("a broken layer, VALUEFOLD_FAULTS set: %s", ([faults, shown]) => {
  const source = changed({
    "apps/prod/prod.yaml": (text) => text.replace(/values.yaml: \|\n[\s\S]*$/, "values.yaml: '- a'\n"),
  });
  const { answers, log } = reconcile({ source, faults });
  expect(answers).toEqual([{ message: `kustomize build failed: couldn't execute function: ${shown}` }]);
  expect(log).toBe(fault);
});

test("where the init container brought nothing", () => {
  const { answers } = reconcile({ volume: emptyDir() });
  expect(answers).toEqual([
    {
      message:
        "kustomize build failed: couldn't execute function: fork/exec /opt/valuefold/valuefold: no such file or directory ",
    },
  ]);
});

test("stock Flux runs no functions", () => {
  const { answers } = reconcile({ flags: ["-stock"] });
  expect(answers).toEqual([
    {
      message:
        "kustomize build failed: external plugins disabled; unable to load external plugin 'ValueFold'",
    },
  ]);
});

test("the page shows the code that is built here, and the files that are used", () => {
  const page = readFileSync(join(example, "README.md"), "utf8");
  const code = readFileSync(new URL("flux-fork/build.go", import.meta.url), "utf8");
  expect(page).toContain(code.replace("package main", "package controller"));
  for (const file of ["flux-system/valuefold.yaml", "apps/prod/fold.yaml"])
    expect(page).toContain(readFileSync(join(example, file), "utf8"));
});
