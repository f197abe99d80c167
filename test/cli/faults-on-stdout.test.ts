// `VALUEFOLD_FAULTS=stdout`, for callers that show no stderr: the first fault as one YAML scalar in place of the list.
import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { withFaultOnStdout } from "../../src/cli/failure.ts";
import { foldText } from "../support/fold.ts";

const program = new URL("../../dist/valuefold.cjs", import.meta.url).pathname;

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The built program, as kustomize runs it. */
function run(input: string, faults: string | undefined, args: readonly string[] = []): Ended {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...args, program], {
    input,
    encoding: "utf8",
    env: { ...process.env, VALUEFOLD_FAULTS: faults },
  });
  return { status, stdout, stderr };
}

function layer(name: string, values: string): string {
  return `- apiVersion: v1
  kind: ConfigMap
  metadata: {name: ${name}, namespace: org, annotations: {valuefold.dev/into: HelmRelease/shop}}
  data: {values.yaml: ${JSON.stringify(values)}}
`;
}

const head = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n";
const release =
  "- apiVersion: helm.toolkit.fluxcd.io/v2\n  kind: HelmRelease\n  metadata: {name: shop, namespace: org}\n  spec: {interval: 10m}\n";

function listOf(...layers: readonly string[]): string {
  return `${head}items:\n${release}${layers.join("")}`;
}

const broken = layer("low", "- a\n");
const alsoBroken = layer("high", "just a text\n");

test("one error: all of it, and stderr and status as without", () => {
  const without = run(listOf(broken), undefined);
  expect(run(listOf(broken), "stdout")).toEqual({
    status: 1,
    stdout: `|-
  error[not-a-mapping]: expected a mapping at the top of the values, got a sequence
    at    ConfigMap/org/low values.yaml:1:1 (layer of HelmRelease/org/shop, priority 75)
    hint  indent the list or text under a key
`,
    stderr: without.stderr,
  });
  expect([without.status, without.stdout.startsWith(listOf(broken))]).toEqual([1, true]);
});

test.for([
  [[broken, alsoBroken], "and 1 more error; stderr has all"],
  [[broken, alsoBroken, layer("top", "a: [\n")], "and 2 more errors; stderr has all"],
] as const)("several errors: the first, and how many more: %#", ([layers, last]) => {
  const { status, stdout, stderr } = run(listOf(...layers), "stdout");
  const told = parse(stdout) as string;
  expect([status, told.split("\n").at(-1)]).toEqual([1, last]);
  expect(stderr.startsWith(told.slice(0, -last.length))).toBe(true);
  expect(stderr.match(/^error\[/gm)).toHaveLength(layers.length);
});

test.for([
  ["settings that are wrong", configured("{nope: 1}"), 3],
  ["input that is empty", "", 1],
  ["input that is no YAML", "a: [", 1],
  ["a function that only verifies", configured("{verify: {only: true}}"), 1],
] as const)("%s: the status stays, and the whole text is the scalar", ([, input, status]) => {
  const ended = run(input, "stdout");
  expect(ended.status).toBe(status);
  expect(ended.stderr).toMatch(/^error\[/);
  expect(`${parse(ended.stdout)}\n`).toBe(ended.stderr);
});

function configured(spec: string): string {
  const config = `functionConfig:\n  apiVersion: valuefold.dev/v1alpha1\n  kind: ValueFold\n  spec: ${spec}\n`;
  return listOf(layer("left", "a: 1\n")) + config;
}

/** A start digests its code: that works. */
const brokenHash = `const crypto = require("node:crypto");
const { hash } = crypto;
crypto.hash = (name, text, form) => {
  if (form === "buffer") return hash(name, text, form);
  throw new Error("c4n4ryMarker");
};
`;

test("a bug: its frames, never its message, and status 2", () => {
  const patch = join(mkdtempSync(join(tmpdir(), "valuefold-bug-")), "patch.cjs");
  writeFileSync(patch, brokenHash);
  const { status, stdout, stderr } = run(listOf(layer("low", "a: 1\n")), "stdout", ["--require", patch]);
  expect([status, stdout.startsWith("|-\n  error[bug]: valuefold ")]).toEqual([2, true]);
  expect(`${parse(stdout)}\n`).toBe(stderr);
  expect(stdout).not.toContain("c4n4ryMarker");
});

test.for(["stdout", "", undefined])("a run that succeeds is the same with %j", (faults) => {
  const folder = "../core/cases/config-and-user-config-in-a-resource-list/";
  const [input, stdout] = ["input.yaml", "output.yaml"].map((file) =>
    readFileSync(new URL(folder + file, import.meta.url), "utf8"),
  ) as [string, string];
  expect(run(input, faults)).toEqual({ status: 0, stdout, stderr: "" });
});

test("warnings alone do not fail, and stay on stderr", () => {
  const input = listOf(layer("low", "a: 1\na: 2\n"));
  const ended = run(input, "stdout");
  expect(ended).toEqual(run(input, undefined));
  expect([ended.status, ended.stderr]).toEqual([0, expect.stringMatching(/^warning\[duplicate-key\]/)]);
});

test("empty is unset: the list goes back with results", () => {
  expect(run(listOf(broken), "")).toEqual(run(listOf(broken), undefined));
});

test.for(["stderr", "STDOUT", "1"])("%s is refused before anything is read", (faults) => {
  expect(run(listOf(), faults)).toEqual({
    status: 1,
    stdout: "",
    stderr:
      "error[usage]: `VALUEFOLD_FAULTS`: expected `stdout`\n  hint  unset it, and faults go to stderr alone\n",
  });
});

test.for(["stdout", "nonsense"])("commands do not listen to it: %s", (faults) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, "fold"], {
    input: "a: [",
    encoding: "utf8",
    env: { ...process.env, VALUEFOLD_FAULTS: faults },
  });
  expect([status, stdout, stderr]).toEqual([1, "", expect.stringMatching(/^error\[input-unreadable\]/)]);
});

test.runIf(process.platform === "linux")("where stdout cannot be written, nothing more goes there", () => {
  const full = openSync("/dev/full", "w");
  const { status, stderr } = spawnSync(process.execPath, [program], {
    input: listOf(broken),
    stdio: ["pipe", full, "pipe"],
    encoding: "utf8",
    env: { ...process.env, VALUEFOLD_FAULTS: "stdout" },
  });
  closeSync(full);
  const lines = stderr.split("\n").filter((line) => !line.startsWith("  "));
  expect([status, lines]).toEqual([
    1,
    [
      expect.stringMatching(/^error\[not-a-mapping/),
      "error[usage]: cannot write the output: the disk is full",
      "",
    ],
  ]);
});

describe("the scalar", () => {
  test.for([
    ["quotes, colons, hashes", `"it's": a: b # c, {d} [e] \`f\` & *g !h |i > %j @k`, undefined],
    ["what is no ASCII", "größe 日本 — ✓ \u00a0.", undefined],
    ["a long line", "word ".repeat(500).trimEnd(), undefined],
    [
      "what kustomize would escape or refuse",
      "a\u{1f600}b\ufeffc\uffffd",
      "a\\u{1f600}b\\u{feff}c\\u{ffff}d",
    ],
    ["a space at the end of a line, which would put all in quotes", "a ", "a"],
  ] as const)("%s", ([, message, shown = message]) => {
    const ending = { exitCode: 1, output: [], messages: `error[x]: ${message}\n  at    y\n` };
    const { output } = withFaultOnStdout(ending);
    expect(Buffer.concat(output).toString("utf8")).toBe(`|-\n  error[x]: ${shown}\n    at    y\n`);
  });

  test("is one part of stdout, written at once", () => {
    const ending = { exitCode: 1, output: [Buffer.from("a"), Buffer.from("b")], messages: "error[x]: y\n" };
    expect(withFaultOnStdout(ending)).toEqual({ ...ending, output: [Buffer.from("|-\n  error[x]: y\n")] });
  });

  test("names are legible in it: no line of theirs", () => {
    const sly = layer("low", "a: 1\n").replace("name: low", 'name: "low\\n---\\nkind: Secret"');
    const { exitCode, messages, diagnostics } = foldText(listOf(sly.replace("a: 1", "- 1")));
    const { output } = withFaultOnStdout({ exitCode, messages, diagnostics, output: [] });
    const lines = Buffer.concat(output).toString("utf8").split("\n");
    expect(lines.filter((line) => !/^( {2}|\|-$|$)/.test(line))).toEqual([]);
    expect(lines.join("")).toContain("low\\u000a---");
  });
});
