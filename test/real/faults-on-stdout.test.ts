// What real kustomize says in its own error of a fault that stands on stdout: that is all that Flux shows of a build.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

const trees = new URL("trees/", import.meta.url);

interface Built {
  readonly status: number | null;
  readonly stdout: string;
  /** What valuefold wrote to stderr, which kustomize passes on. */
  readonly own: string;
  /** What kustomize says. */
  readonly error: string;
}

function build(folder: string, faults?: string): Built {
  const { status, stdout, stderr } = spawnSync(
    "kustomize",
    ["build", "--enable-alpha-plugins", "--enable-exec", folder],
    { encoding: "utf8", env: { ...process.env, VALUEFOLD_FAULTS: faults } },
  );
  const [own = "", error = ""] = stderr.split("Error: ");
  return { status, stdout, own, error };
}

function pathOf(tree: string): string {
  return new URL(`${tree}/top`, trees).pathname;
}

const before = `couldn't execute function: wrong node kind: expected MappingNode but got ScalarNode: node contents:
|-
`;

test("the whole fault, line by line", () => {
  const { status, stdout, own, error } = build(pathOf("failing"), "stdout");
  const block = own.replaceAll(/^/gm, "  ").trimEnd();
  expect({ status, stdout, error }).toEqual({ status: 1, stdout: "", error: `${before}${block}\n \n` });
  expect(own).toBe(readFileSync(new URL("failing/stderr.txt", trees), "utf8").split("Error: ")[0]);
});

test("without the variable no more than a number", () => {
  expect(build(pathOf("failing")).error).toBe("couldn't execute function: exit status 1 \n");
});

test("the function config may set it for its function; odd names, long lines and how many more", async () => {
  const { status, own, error } = build(pathOf("faults-on-stdout"));
  expect([status, own.match(/^error\[/gm)?.length]).toEqual([1, 2]);
  await expect(error).toMatchFileSnapshot(new URL("faults-on-stdout/stderr.txt", trees).pathname);
});

test("settings that are wrong are told as well", () => {
  const copy = mkdtempSync(join(tmpdir(), "valuefold-faults-"));
  cpSync(pathOf("failing"), copy, { recursive: true });
  const fold = readFileSync(join(copy, "fold.yaml"), "utf8");
  writeFileSync(join(copy, "fold.yaml"), fold.replace("spec: {}", "spec: {layer: prune}"));
  const { status, stdout, error } = build(copy, "stdout");
  expect([status, stdout, error.startsWith(`${before}  error[unknown-setting]: `)]).toEqual([1, "", true]);
});
