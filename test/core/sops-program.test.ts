// The programs that open and seal: scripts stand for them here, since real ones neither hang nor wait at will. What they
// leave behind is looked for: processes, and folders of keys.
import { spawn } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sopsWith } from "../../src/core/sops/program.ts";

const program = new URL("../../dist/valuefold.cjs", import.meta.url).pathname;
let home = "";

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "valuefold-sops-"));
  for (const folder of ["bin", "keys", "tmp"]) mkdirSync(join(home, folder));
});
afterEach(() => rmSync(home, { recursive: true }));

/** Puts a program in the path; `$HOME` is the test's folder. */
function put(name: string, script: string): void {
  writeFileSync(join(home, "bin", name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

function environment(): { [name: string]: string } {
  return { PATH: `${join(home, "bin")}:/usr/bin:/bin`, HOME: home, TMPDIR: join(home, "tmp") };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // One that has ended may wait for somebody to ask about it.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

async function until(condition: () => boolean): Promise<void> {
  const end = Date.now() + 60_000;
  while (!condition() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(condition()).toBe(true);
}

function pidIn(name: string): number {
  return Number(readFileSync(join(home, name), "utf8"));
}

const sealed = { text: Buffer.from("x"), input: "yaml", output: "json", verified: false, key: undefined };

function openWith(limitMs: number, ...edge: [Parameters<typeof sopsWith>[3]?]): Promise<readonly unknown[]> {
  const sops = sopsWith(environment(), undefined, limitMs, ...edge);
  return sops.open([sealed as unknown as Parameters<typeof sops.open>[0][number]]);
}

/** A script that waits for another program, which holds its stdout open. */
const waiting = 'sleep 100 &\necho $! >"$HOME/child"\nwait\necho "{}"';
const endGroup = (group: number): void => void process.kill(-group, "SIGKILL");

describe("a time limit", () => {
  test("is kept by a script that waits for another program", async () => {
    put("sops", waiting);
    expect(await openWith(1000)).toEqual([{ fault: "timeout" }]);
    // Nobody has waited for it.
    expect(isAlive(pidIn("child"))).toBe(true);
    process.kill(pidIn("child"), "SIGKILL");
  });

  // At a terminal the program stays with it, so that it can ask there.
  test.runIf(!hasTerminal())("ends that one, too, where the process edge lends the power", async () => {
    put("sops", waiting);
    const begun = Date.now();
    expect(await openWith(1000, { endGroup })).toEqual([{ fault: "timeout" }]);
    expect(Date.now() - begun).toBeLessThan(50_000);
    await until(() => !isAlive(pidIn("child")));
  });

  test("does not touch what ends in time", async () => {
    put("sops", "cat");
    expect(await openWith(10_000, { endGroup })).toEqual([{ text: new Uint8Array(Buffer.from("x")) }]);
  });
});

function hasTerminal(): boolean {
  try {
    closeSync(openSync("/dev/tty", "r"));
    return true;
  } catch {
    return false;
  }
}

describe.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("%s", (signal) => {
  test("while sops works: no key stays behind, and the process ends by that signal", async () => {
    put("gpg", 'mkdir "$GNUPGHOME/private-keys-v1.d" && echo secret >"$GNUPGHOME/private-keys-v1.d/a.key"');
    put("gpgconf", 'echo "$@" >"$HOME/gpgconf"');
    put("sops", 'echo $$ >"$HOME/child.new"; mv "$HOME/child.new" "$HOME/child"; sleep 100; true');
    writeFileSync(join(home, "keys", "k.asc"), "key");
    writeFileSync(join(home, "in.yaml"), stream);
    writeFileSync(join(home, "config.yaml"), config(join(home, "keys")));
    const args = ["fold", "-c", join(home, "config.yaml"), join(home, "in.yaml")];
    const child = spawn(process.execPath, [program, ...args], { env: environment(), stdio: "ignore" });
    const ended = new Promise((resolve) => child.once("exit", (...how) => resolve(how)));
    await until(() => existsSync(join(home, "child")));
    expect(readdirSync(join(home, "tmp"))).toHaveLength(1);
    child.kill(signal);
    expect(await ended).toEqual([null, signal]);
    expect(readdirSync(join(home, "tmp"))).toEqual([]);
    expect(readFileSync(join(home, "gpgconf"), "utf8")).toBe("--kill gpg-agent\n");
    expect(isAlive(pidIn("child"))).toBe(false);
  });
});

const stream = `apiVersion: v1
kind: Secret
metadata: { name: a, namespace: org }
stringData: { values.yaml: "ENC[AES256_GCM,data:x]" }
sops: { pgp: [{ fp: A, enc: x }], mac: "ENC[AES256_GCM,data:m]" }
---
apiVersion: v1
kind: Secret
metadata: { name: b, namespace: org }
stringData: { values.yaml: "a: 1" }
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: shop, namespace: org }
spec: { valuesFrom: [{ kind: Secret, name: a }, { kind: Secret, name: b }] }
`;

function config(keys: string): string {
  return `apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nspec: { sops: { keys: ${keys}, allowPlaintext: true } }\n`;
}
