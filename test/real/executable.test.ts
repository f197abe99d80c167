// Executables without Node: each form does what the script does under Node, byte for byte, for every case of the suite.
import { execFile } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { confined, emulated, folderOf, native, root } from "./executable/forms.ts";

const script = `${root}test/real/executable/run-cases.sh`;
const work = mkdtempSync(join(tmpdir(), "valuefold-executable-"));
const cases = join(work, "cases");
const underNode = join(work, "node");

/** Each case of the suite as a call: a list as a function gets it, a stream as `fold` does. */
function writeCases(): void {
  const suite = `${root}test/core/cases`;
  for (const name of readdirSync(suite)) {
    const [from, to] = [join(suite, name), join(cases, name)];
    mkdirSync(to, { recursive: true });
    const coded = join(from, "input.json");
    const input = existsSync(coded)
      ? Buffer.from((JSON.parse(readFileSync(coded, "utf8")) as { base64: string }).base64, "base64")
      : readFileSync(join(from, "input.yaml"));
    writeFileSync(join(to, "input"), input);
    const hasConfig = existsSync(join(from, "config.yaml"));
    if (hasConfig) cpSync(join(from, "config.yaml"), join(to, "config.yaml"));
    const words = input.includes("ResourceList") ? "" : `fold ${hasConfig ? "-c config.yaml " : ""}-`;
    writeFileSync(join(to, "words"), words);
  }
}

/** A folder that anybody may write to: the user of a container is nobody. */
function resultFolder(name: string): string {
  const folder = join(work, name);
  mkdirSync(folder);
  chmodSync(folder, 0o777);
  return folder;
}

async function runCases(folder: string, command: readonly string[], from = cases): Promise<void> {
  await promisify(execFile)("sh", [script, from, folder, ...command]);
}

/** What differs from Node's, by file. */
function differences(folder: string, from = cases): string[] {
  return readdirSync(underNode)
    .filter((file) => existsSync(join(from, file.replace(/\.\w+$/, ""))))
    .filter((file) => !readFileSync(join(underNode, file)).equals(readFileSync(join(folder, file))));
}

beforeAll(async () => {
  writeCases();
  chmodSync(work, 0o755);
  await runCases(resultFolder("node"), [process.execPath, `${root}dist/valuefold.cjs`]);
});

test("the cases say what they say in the suite", () => {
  const suite = `${root}test/core/cases`;
  const named = readdirSync(underNode).filter((file) => file.endsWith(".stdout"));
  expect(named.length).toBe(readdirSync(suite).length);
  const other = named.filter((file) => {
    const expected = readFileSync(join(suite, file.replace(".stdout", ""), "output.yaml"));
    return !expected.equals(readFileSync(join(underNode, file)));
  });
  // The suite compares texts, and bytes that are none are not in its files.
  expect(other).toEqual(["non-utf-8-bytes-elsewhere-are-kept.stdout"]);
});

describe("every case, byte for byte", () => {
  test("linux-x64", async () => {
    const folder = resultFolder("linux-x64");
    await runCases(folder, [native]);
    expect(differences(folder)).toEqual([]);
  });

  test.for(["linux-x64-musl", "linux-x64-bare"])("%s, confined, in a bare musl root", async (target) => {
    const folder = resultFolder(target);
    const volumes = [
      `${folderOf(target)}:/opt/valuefold:ro`,
      `${script}:/run-cases.sh:ro`,
      `${cases}:/cases:ro`,
      `${folder}:/results`,
    ].map((volume) => `--volume=${volume}`);
    const command = ["sh", "/run-cases.sh", "/cases", "/results", "/opt/valuefold/valuefold"];
    await promisify(execFile)("docker", [
      ...confined,
      ...volumes,
      "localhost/valuefold-musl:test",
      ...command,
    ]);
    expect(differences(folder)).toEqual([]);
  });

  test("linux-arm64 and linux-arm64-musl, emulated", async () => {
    const targets = ["linux-arm64", "linux-arm64-musl"];
    const folders = targets.map(resultFolder);
    // Emulated, a case takes seconds: one of 24 shows that these programs start, read and write.
    const some = join(work, "some-cases");
    for (const name of readdirSync(cases).filter((_, index) => index % 24 === 0))
      cpSync(join(cases, name), join(some, name), { recursive: true });
    await Promise.all(targets.map((target, index) => runCases(folders[index] ?? "", emulated(target), some)));
    expect(readdirSync(some).length).toBeGreaterThan(15);
    expect(folders.map((folder) => differences(folder, some))).toEqual([[], []]);
  });
});
