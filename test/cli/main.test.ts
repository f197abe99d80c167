// The built program as users run it: bytes, exit status, slow and closed pipes.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };

const program = new URL("../../dist/valuefold.cjs", import.meta.url).pathname;
const list = readFileSync(
  new URL("../core/cases/config-and-user-config-in-a-resource-list/input.yaml", import.meta.url),
);
const folded = readFileSync(
  new URL("../core/cases/config-and-user-config-in-a-resource-list/output.yaml", import.meta.url),
  "utf8",
);
const stream = new URL("../core/cases/config-and-user-config/input.yaml", import.meta.url).pathname;
const foldedStream = readFileSync(
  new URL("../core/cases/config-and-user-config/output.yaml", import.meta.url),
  "utf8",
);

function run(
  args: readonly string[],
  input: string | Buffer = "",
): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    input,
    maxBuffer: 1 << 28,
  });
  return { status, stdout: stdout.toString("utf8"), stderr: stderr.toString("utf8") };
}

describe("function mode", () => {
  test("folds a ResourceList from stdin to stdout", () => {
    expect(run([], list)).toEqual({ status: 0, stdout: folded, stderr: "" });
  });

  test("a render is asked for in whatever way its kind is spelled", () => {
    const config =
      'functionConfig: {apiVersion: valuefold.dev/v1alpha1, kind: "ValueFold\\x52ender", metadata: {name: a}}\n';
    const header = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n";
    const { status, stderr } = run([], header + config);
    expect([status, stderr]).toEqual([3, expect.stringContaining("`spec.schema` is missing")]);
  });

  test("empty stdin is an error and leaves stdout empty", () => {
    const { status, stdout, stderr } = run([], "");
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^error\[not-a-resource-list\]: the input is empty\n/);
  });

  test("a function config it does not know ends with status 3 and the list unchanged", () => {
    const config =
      "functionConfig:\n  apiVersion: valuefold.dev/v1alpha1\n  kind: ValueFold\n  spec: {nope: 1}\n";
    const { status, stdout } = run([], list.toString("utf8") + config);
    expect(status).toBe(3);
    expect(stdout.startsWith(list.toString("utf8") + config)).toBe(true);
  });
});

test("a copy of the one file alone says what is missing, and that it is no bug", () => {
  const copy = join(mkdtempSync(join(tmpdir(), "valuefold-copy-")), "valuefold.cjs");
  copyFileSync(program, copy);
  const { status, stdout, stderr } = spawnSync(process.execPath, [copy, "--version"], { encoding: "utf8" });
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^error\[usage\]: the files that valuefold loads/);
});

test.runIf(process.platform === "linux")("a full disk is no bug", () => {
  const full = openSync("/dev/full", "w");
  const { status, stderr } = spawnSync(process.execPath, [program], {
    input: list,
    stdio: ["pipe", full, "pipe"],
    encoding: "utf8",
  });
  closeSync(full);
  expect([status, stderr]).toEqual([
    1,
    "error[usage]: cannot write the output: the disk is full\n  hint  free some space, or write to another disk\n",
  ]);
});

test("an option of another command is refused", () => {
  expect(run(["fold", "--strict", stream])).toMatchObject({ status: 1, stdout: "" });
});

/** A start digests its code: that works. */
const brokenHash = `const crypto = require("node:crypto");
const { hash } = crypto;
crypto.hash = (name, text, form) => {
  if (form === "buffer") return hash(name, text, form);
  throw new Error("c4n4ryMarker");
};
`;

test("a bug ends with status 2, shows frames, and never the message: it may hold a value", () => {
  const patch = join(mkdtempSync(join(tmpdir(), "valuefold-bug-")), "patch.cjs");
  writeFileSync(patch, brokenHash);
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--require", patch, program], {
    input: list,
  });
  const text = stderr.toString("utf8");
  expect([status, stdout.toString("utf8")]).toEqual([2, ""]);
  expect(text).toMatch(/^error\[bug\]: valuefold \S+ failed \(Error\); please report these lines\n\s+at /);
  expect(text).not.toContain("c4n4ryMarker");
});

test("a folder where files are due is the user's to mend", () => {
  const { status, stderr } = run(["fold", tmpdir()]);
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining(`expected files, got the folder \`${relative(".", tmpdir())}\``),
  ]);
});

describe("command line", () => {
  test("--version and --help answer at once", () => {
    expect(run(["--version"])).toEqual({ status: 0, stdout: `${manifest.version}\n`, stderr: "" });
    expect(run(["--help"]).stdout).toContain("usage:");
    expect(run(["-h"]).status).toBe(0);
  });

  test("fold takes files, several files, and `-`", () => {
    expect(run(["fold", "--quiet", stream])).toEqual({ status: 0, stdout: foldedStream, stderr: "" });
    expect(run(["fold", stream]).stderr).toMatch(
      /folded \d+ layers of 1 target into \d items?; 1 target in all\n$/,
    );
    expect(run(["fold", "-"], readFileSync(stream)).stdout).toBe(foldedStream);
    expect(run(["fold"], readFileSync(stream)).stdout).toBe(foldedStream);
    const folder = mkdtempSync(join(tmpdir(), "valuefold-"));
    const parts = readFileSync(stream, "utf8").split("---\n");
    const files = parts.map((_, index) => join(folder, `${index}.yaml`));
    files.forEach((file, index) => writeFileSync(file, (parts[index] as string).trimEnd()));
    expect(run(["fold", ...files]).stdout.trimEnd()).toBe(foldedStream.trimEnd());

    // Both in one pipe, as on a terminal: the summary is about the stream, and comes after it.
    const both = spawnSync("sh", ["-c", '"$0" "$1" fold "$2" 2>&1', process.execPath, program, stream]);
    expect(both.stdout.toString("utf8")).toMatch(/^apiVersion[^]*\nfolded 2 layers[^\n]*\n$/m);
  });

  test("fold takes its function config from a file", () => {
    const file = join(mkdtempSync(join(tmpdir(), "valuefold-")), "config.yaml");
    writeFileSync(
      file,
      "apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nspec:\n  output:\n    name: '{name}-x'\n",
    );
    expect(run(["fold", "-c", file, stream]).stdout).toContain("name: ingress-x\n");
  });

  test("bad usage and missing files are told without a stack", () => {
    for (const args of [["bend"], ["--nope"], ["fold", "/no/such/file"]]) {
      const { status, stdout, stderr } = run(args);
      expect([status, stdout]).toEqual([1, ""]);
      expect(stderr).toMatch(/^error\[usage\]: .*\n/);
      expect(stderr).not.toContain("    at ");
    }
  });
});

describe("pipes", () => {
  const big = bigList(20_000);

  test("a slow reader gets every byte", async () => {
    const child = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "inherit"] });
    child.stdin?.end(big);
    expect((await readSlowly(child)).subarray(0, big.length).equals(big)).toBe(true);
  }, 120_000);

  test("a slow writer is waited for, on a non-blocking pipe too", async () => {
    const child = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "inherit"] });
    const reading = readSlowly(child);
    for (let at = 0; at < list.length; at += 97) {
      child.stdin?.write(list.subarray(at, at + 97));
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    child.stdin?.end();
    expect((await reading).toString("utf8")).toBe(folded);
  });

  test("a reader that goes away is no crash", async () => {
    const child = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "pipe"] });
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(big);
    child.stdout?.once("data", () => child.stdout?.destroy());
    let stderr = "";
    child.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString("utf8")));
    const status = await new Promise((resolve) => child.once("exit", resolve));
    expect([status, stderr]).toEqual([141, expect.not.stringContaining("    at ")]);
  });
});

function bigList(items: number): Buffer {
  const filler = Array.from(
    { length: items },
    (_, index) =>
      `- apiVersion: v1\n  kind: Thing\n  metadata:\n    name: t${index}\n  spec:\n    text: ${"x".repeat(100)}\n`,
  );
  return Buffer.from(`apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${filler.join("")}`);
}

async function readSlowly(child: ChildProcess): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of child.stdout ?? []) {
    chunks.push(chunk as Buffer);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return Buffer.concat(chunks);
}

describe.each(["SIGTERM", "SIGINT"] as const)("%s", (signal) => {
  interface World {
    readonly folder: string;
    readonly temporary: string;
    readonly env: NodeJS.ProcessEnv;
  }

  /** A repository of one kustomization, and a kustomize that never ends. */
  function world(): World {
    const folder = mkdtempSync(join(tmpdir(), "valuefold-signal-"));
    const [bin, temporary] = [join(folder, "bin"), join(folder, "tmp")];
    for (const each of [bin, temporary]) mkdirSync(each);
    writeFileSync(join(folder, "kustomization.yaml"), "resources: []\n");
    writeFileSync(join(bin, "kustomize"), '#!/bin/sh\n: >"${0%/*}/../began"\nexec sleep 100\n', {
      mode: 0o755,
    });
    const env = { ...process.env, PATH: `${bin}:${process.env["PATH"]}`, TMPDIR: temporary };
    const git = (...args: string[]): unknown => spawnSync("git", args, { cwd: folder, env });
    git("init", "-q");
    git("add", "kustomization.yaml");
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a");
    // What reads no changed file is not built.
    writeFileSync(join(folder, "kustomization.yaml"), "namespace: a\nresources: []\n");
    return { folder, temporary, env };
  }

  test.for([
    ["explain", "--enable-exec", "."],
    ["diff", "--enable-exec", "HEAD", "."],
  ])("while the program kustomize works: %j ends by it, and leaves nothing behind", async (args) => {
    const { folder, temporary, env } = world();
    const child = spawn(process.execPath, [program, ...args], { cwd: folder, env });
    const ended = endOf(child);
    // Without kustomize it ends by itself.
    while (!existsSync(join(folder, "began")) && child.exitCode === null)
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(readdirSync(temporary)).not.toEqual([]);
    child.kill(signal);
    expect(await ended).toEqual({ how: [null, signal], stdout: "" });
    expect(readdirSync(temporary)).toEqual([]);
  });

  test.for([["explain"], ["explain", "--json"], ["verify"], ["fold"], ["values", "App/a"]])(
    "while it waits or computes: %j ends by it",
    async (args) => {
      const child = spawn(process.execPath, [program, ...args, "-"]);
      const ended = endOf(child);
      child.stdin.write("a: 1\n");
      await new Promise((resolve) => setTimeout(resolve, 500));
      child.kill(signal);
      expect(await ended).toEqual({ how: [null, signal], stdout: "" });
    },
  );
});

async function endOf(child: ChildProcess): Promise<{ how: readonly unknown[]; stdout: string }> {
  let stdout = "";
  child.stdout?.on("data", (part: Buffer) => (stdout += part.toString("utf8")));
  const how = await new Promise<readonly unknown[]>((resolve) =>
    child.once("close", (...all) => resolve(all)),
  );
  return { how, stdout };
}

test("diff of two revisions: several plain files are one list, each directory is a build", () => {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-diff-"));
  const git = (...args: string[]): unknown => spawnSync("git", args, { cwd: folder });
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  const layer = (value: number, app: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: l, namespace: o, annotations: {valuefold.dev/into: App/${app}}}\ndata: {values: "a: ${value}"}\n`;
  const app = (name: string): string =>
    `apiVersion: application.giantswarm.io/v1alpha1\nkind: App\nmetadata: {name: ${name}, namespace: o}\nspec: {}\n`;
  const commit = (value: number): void => {
    write("layer.yaml", layer(value, "one"));
    write("all/all.yaml", `${app("two")}---\n${layer(value, "two")}`);
    git("add", "-A");
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a");
  };
  mkdirSync(join(folder, "all"));
  git("init", "-q");
  write("app.yaml", app("one"));
  commit(1);
  commit(2);
  // Added since: it is part of the list on one side only.
  write("more.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other}\n");
  const diff = (...names: string[]): string =>
    spawnSync(process.execPath, [program, "diff", ...names], { cwd: folder, encoding: "utf8" }).stdout;
  const files = ["layer.yaml", "app.yaml"];
  expect(diff("HEAD^", "HEAD", ...files)).toContain("a  1 → 2\n  changes  App/o/one\n");
  expect(diff("HEAD^", ...files, "more.yaml", "all")).toMatch(
    /App\/o\/one \(plain files\)[\s\S]*App\/o\/two \(all\)/,
  );
});
