// ResourceSets of flux-operator, case by case: a directory holds a checkout, the commands that are asked of it, and the answers.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { runCommand } from "../../src/cli/commands.ts";
import { worldOf } from "../support/world.ts";

const cases = new URL("resource-sets/", import.meta.url);

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function checkout(): string {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-sets-"));
  folders.push(folder);
  mkdirSync(join(folder, ".git"));
  return folder;
}

async function ran(directory: string, words: readonly string[], input = ""): Promise<string> {
  const world = worldOf(input, {
    directory,
    env: { PATH: process.env["PATH"] },
    terminal: { stdin: true, stdout: false },
  });
  const { output, messages, exitCode } = await runCommand([...words], world);
  return `${messages}${Buffer.concat(output).toString("utf8")}exit ${exitCode}\n`;
}

test.for(readdirSync(cases))("%s", async (name) => {
  const own = new URL(`${name}/`, cases);
  const folder = checkout();
  cpSync(own, folder, { recursive: true });
  const commands = readFileSync(new URL("commands.txt", own), "utf8").trim().split("\n");
  const answers: string[] = [];
  for (const line of commands) answers.push(`$ valuefold ${line}\n${await ran(folder, line.split(" "))}`);
  await expect(answers.join("\n")).toMatchFileSnapshot(new URL("answers.txt", own).pathname);
});

test("diff names what a changed input changes, and what a file changes that a Kustomization of a set builds", async () => {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-sets-"));
  folders.push(folder);
  cpSync(new URL("providers-of-another-kustomization/", cases), folder, { recursive: true });
  const git = (...words: string[]): void => {
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...words], { cwd: folder });
  };
  git("init", "-q");
  git("add", "-A");
  git("commit", "-q", "-m", "x");
  const edit = (file: string, from: string, to: string): void => {
    const text = readFileSync(join(folder, file), "utf8");
    expect(text).toContain(from);
    writeFileSync(join(folder, file), text.replace(from, to));
  };
  edit("inputs/mail.yaml", "south", "west");
  const ofInput = await ran(folder, ["diff", "HEAD"]);
  expect(ofInput).toContain("south → west");
  expect(ofInput).toContain("1 of 2 targets changes");
  git("commit", "-qam", "y");
  edit("apps/release.yaml", "replicas: 1", "replicas: 2");
  const ofFile = await ran(folder, ["diff", "HEAD"]);
  expect(ofFile).toContain("1 → 2");
  expect(ofFile).toContain("changes  HelmRelease/apps/shop-web (clusters/eu)");
  expect(ofFile).toContain("changes  HelmRelease/apps/mail-web (clusters/eu)");
});

/** A set with some thousands of inputs. */
function large(counts: readonly number[], strategy: "Flatten" | "Permute"): string {
  const provider = (index: number): string => `---
apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSetInputProvider
metadata: {name: one-${index}, namespace: a, labels: {of: all}}
spec: {type: Static, defaultValues: {own: x${index}}}
`;
  const [own = 0, others = 0] = counts;
  const inputs = Array.from({ length: own }, (_, index) => `  - own: ${index}\n`).join("");
  return `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: all, namespace: a}
spec:
  inputStrategy: {name: ${strategy}}
  inputs:
${inputs}  inputsFrom: [{selector: {matchLabels: {of: all}}}]
  resources:
  - apiVersion: v1
    kind: ConfigMap
    metadata: {name: "c-<< ${strategy === "Flatten" ? "inputs.own" : "inputs.all.own"} >>"}
${Array.from({ length: others }, (_, index) => provider(index)).join("")}`;
}

test.each<["Flatten" | "Permute", readonly number[], boolean]>([
  ["Flatten", [10_000, 1], false],
  ["Permute", [10_000, 1], true],
  ["Permute", [10_001, 1], false],
])("%s makes 10,000 results, and no more: %j", { tags: "law" }, async (strategy, counts, isMade) => {
  const answer = await ran(checkout(), ["explain", "-"], large(counts, strategy));
  expect(answer.includes("it has more than 10,000 inputs")).toBe(!isMade);
  expect(answer.includes("exit 1")).toBe(!isMade);
});

test("the inputs of sets that sets make are bounded together", { tags: "law" }, async () => {
  const set = `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: a, namespace: a}
spec:
  inputs: [{own: x}]
  resourcesTemplate: |
    apiVersion: fluxcd.controlplane.io/v1
    kind: ResourceSet
    metadata: {name: "<< inputs.provider.name >>a", namespace: a}
    spec:
      inputs: [${Array.from({ length: 101 }, (_, index) => `{own: ${index}}`).join(", ")}]
      resourcesTemplate: |
        apiVersion: fluxcd.controlplane.io/v1
        kind: ResourceSet
        metadata: {name: "<< "<< inputs.provider.name >>-<< inputs.own >>" >>", namespace: a}
        spec: {inputs: [${"{}, ".repeat(100)}], resources: []}
`;
  expect(await ran(checkout(), ["explain", "-"], set)).toContain(
    "it has more than 10,000 inputs, with those of other sets that sets make",
  );
});
