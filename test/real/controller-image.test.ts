// The image of the controller on the stand-in of valuefold's own image: both programs run in it as they do in a hardened pod.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";

const root = new URL("../../", import.meta.url).pathname;
const image = "localhost/valuefold-flux:test";
const hardened =
  "--rm --read-only --network=none --user=65534:65534 --cap-drop=all --security-opt=no-new-privileges";

function run(command: string, ...args: readonly string[]): readonly [number | null, string] {
  const env = {
    ...process.env,
    STORAGE_DRIVER: process.env["STORAGE_DRIVER"] ?? "vfs",
    BUILDAH_ISOLATION: "chroot",
  };
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: root, encoding: "utf8", env });
  if (error !== undefined) throw error;
  return [status, stdout + stderr];
}

const inImage = (options: readonly string[], ...words: readonly string[]): readonly [number | null, string] =>
  run("docker", "run", ...hardened.split(" "), ...options, image, ...words);

beforeAll(() => {
  const [made, why] = run("bash", "packaging/controller", "amd64");
  if (made !== 0) throw new Error(why);
  const sources = ["--build-arg=VALUEFOLD_IMAGE=localhost/valuefold:test", "--build-arg=TARGETARCH=amd64"];
  const [built, reason] = run(
    "buildah",
    "build",
    "-q",
    ...sources,
    "-t",
    image,
    "-f",
    "controller/Dockerfile",
    "packaging/out",
  );
  if (built !== 0) throw new Error(reason);
}, 300_000);

test("the manager starts, and has the flags that its Deployment gives", () => {
  const [status, text] = inImage([], "--help");
  expect(status).toBe(0);
  const deployment = readFileSync(join(root, "packaging/out/install.yaml"), "utf8");
  const given = [...deployment.matchAll(/^ +- --([a-z-]+)/gm)].map(([, flag = ""]) => flag);
  expect(given.length).toBeGreaterThan(2);
  expect(given.filter((flag) => !text.includes(`--${flag}`))).toEqual([]);
});

test("valuefold runs in it, where the manager looks for it", () => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  expect(inImage(["--entrypoint=valuefold"], "version")).toEqual([0, `${version}\n`]);
});

test("the confined build runs in it", () => {
  const source = mkdtempSync(join(tmpdir(), "valuefold-source-"));
  run("chmod", "755", source);
  writeFileSync(join(source, "kustomization.yaml"), "namespace: apps\nresources: [a.yaml]\n");
  writeFileSync(join(source, "a.yaml"), "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n");
  // A child reads requests line by line.
  const options = [
    "run",
    ...hardened.split(" "),
    "--interactive",
    `--volume=${source}:/src:ro`,
    image,
    "build",
  ];
  const input = `${JSON.stringify({ Root: "/src", Folder: "" })}\n`;
  const { status, stdout } = spawnSync("docker", options, { input, encoding: "utf8" });
  const { Text: text } = JSON.parse(stdout) as { readonly Text: string };
  expect([status, Buffer.from(text, "base64").toString()]).toEqual([
    0,
    expect.stringContaining("namespace: apps"),
  ]);
});
