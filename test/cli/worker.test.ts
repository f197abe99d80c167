// The program as the controller keeps it: one command after another in one process, as if each had its own.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Ended, type Request, worker } from "../support/worker.ts";

const program = new URL("../../dist/valuefold.cjs", import.meta.url).pathname;
const cases = new URL("../core/cases/", import.meta.url).pathname;

function alone({ args, input }: Request): Ended {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    input,
    cwd: cases,
    encoding: "utf8",
  });
  return { exitCode: status, stdout, messages: stderr };
}

const requests: readonly Request[] = readdirSync(cases)
  .filter((name) => existsSync(`${cases}${name}/input.yaml`))
  .map((name) => ({
    args: ["fold", "--format", "json", "--quiet"],
    input: readFileSync(`${cases}${name}/input.yaml`, "utf8"),
  }));

test("nothing of a request is left for the next: all cases, there and back", { tags: "law" }, async () => {
  const { ask, end } = worker(cases);
  const there: Ended[] = [];
  for (const request of requests) there.push(await ask(request));
  const back: Ended[] = [];
  for (const request of requests.toReversed()) back.unshift(await ask(request));
  expect(await end()).toBe(0);
  expect(requests.length).toBeGreaterThan(50);
  expect(back).toEqual(there);
  const step = Math.ceil(requests.length / 12);
  for (let index = 0; index < requests.length; index += step)
    expect(there[index]).toEqual(alone(requests[index] ?? { args: [], input: "" }));
});

const layer = (key: string, value: string): string => `apiVersion: v1
kind: Secret
metadata: { name: shop, namespace: apps }
stringData:
  values.yaml: |
    color: none
---
apiVersion: v1
kind: Secret
metadata: { name: prod, namespace: apps, annotations: { valuefold.dev/into: Secret/shop } }
stringData:
  values.yaml: |
    ${key}: ${value}
`;

test("a secret of one tenant is in no answer to another, nor are faults and settings", async () => {
  const { ask, end } = worker(cases);
  const fold = ["fold", "--format", "json"];
  const quiet = { args: fold, input: layer("color", "blue") };
  const before = await ask(quiet);
  expect(before.stdout).toContain("blue");
  for (const request of [
    { args: fold, input: layer("canary-key", "canary-value") },
    { args: fold, input: layer("canary-key", "[canary-value") },
    { args: ["verify", "--format", "json", "--strict"], input: layer("canary-key", "canary-value") },
    { args: ["fold", "--config", "canary.yaml"], input: "" },
    { args: ["render", "--config", "-"], input: "kind: canary\n" },
    { args: ["canary"], input: "canary" },
    { args: [...fold], input: "canary: [" },
  ]) {
    await ask(request);
    expect(await ask(quiet)).toEqual(before);
  }
  expect(await end()).toBe(0);
});

test("what is no request ends the process", async () => {
  const child = spawn(process.execPath, [program, "worker"], { stdio: ["pipe", "ignore", "ignore"] });
  child.stdin.write("hello\n");
  expect(await once(child, "exit")).toEqual([2, null]);
});
