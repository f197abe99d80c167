// `--output-file FILE`: the file is replaced whole, or not at all.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeOutput } from "../../src/cli/output-file.ts";

const program = new URL("../../dist/valuefold.cjs", import.meta.url).pathname;
const layers = `apiVersion: v1
kind: ConfigMap
metadata: {name: prod, annotations: {valuefold.dev/into: HelmRelease/shop}}
data: {values.yaml: "a: 2\\n"}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: shop}
spec: {}
`;

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "valuefold-output-"));
  writeFileSync(join(made, "in.yaml"), layers);
  return made;
}

function run(cwd: string, ...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [program, ...args], { cwd, encoding: "utf8" });
}

test("what stdout would get is in the file, and stdout is empty", () => {
  const at = folder();
  const { stdout: expected } = run(at, "fold", "-q", "in.yaml");
  expect(run(at, "fold", "-q", "in.yaml", "--output-file", "out.yaml")).toMatchObject({
    status: 0,
    stdout: "",
    stderr: "",
  });
  expect(readFileSync(join(at, "out.yaml"), "utf8")).toBe(expected);
  expect(run(at, "fold", "-q", "in.yaml", "--output-file", "-").stdout).toBe(expected);
});

test("`-o` with the name of a file is the same, with a warning", () => {
  const at = folder();
  expect(run(at, "fold", "-q", "in.yaml", "-o", "out.yaml")).toMatchObject({
    status: 0,
    stdout: "",
    stderr:
      "warning[usage]: `-o out.yaml` names a file: the next release takes `-o` for a form only\n" +
      "  hint  write --output-file out.yaml\n",
  });
  expect(readFileSync(join(at, "out.yaml"), "utf8")).toContain("HelmRelease");
});

test("a Repeat is not used up by an output over its own input, unless it says so", () => {
  const at = folder();
  const repeat = `apiVersion: valuefold.dev/v1alpha1
kind: Repeat
metadata: { name: shops }
spec:
  instances: { a: {}, b: {} }
  clone: [{ kind: ConfigMap, name: prod, as: "prod-{name}" }]
`;
  const text = `${repeat}---\n${layers}`;
  writeFileSync(join(at, "in.yaml"), text);
  symlinkSync("in.yaml", join(at, "link.yaml"));
  for (const output of ["in.yaml", "./in.yaml", "link.yaml"]) {
    const { status, stderr } = run(at, "fold", "-q", "in.yaml", "--output-file", output);
    expect([status, stderr.split("\n")[0]]).toEqual([
      1,
      "error[repeat-in-place]: `Repeat/shops` would be used up: the output is the next input",
    ]);
    expect(readFileSync(join(at, "in.yaml"), "utf8")).toBe(text);
  }
  expect(run(at, "fold", "-q", "in.yaml", "--output-file", "out.yaml").status).toBe(0);
  writeFileSync(join(at, "in.yaml"), text.replace("spec:\n", "spec:\n  once: true\n"));
  expect(run(at, "fold", "-q", "in.yaml", "--output-file", "in.yaml").status).toBe(0);
  expect(readFileSync(join(at, "in.yaml"), "utf8")).toBe(readFileSync(join(at, "out.yaml"), "utf8"));
});

test("a file can be folded into itself, and keeps its mode; a link leads to the same file", () => {
  const at = folder();
  chmodSync(join(at, "in.yaml"), 0o640);
  symlinkSync("in.yaml", join(at, "link.yaml"));
  expect(run(at, "fold", "-q", "in.yaml", "--output-file", "link.yaml").status).toBe(0);
  expect(readFileSync(join(at, "in.yaml"), "utf8")).toContain("name: shop-folded");
  expect(statSync(join(at, "in.yaml")).mode & 0o777).toBe(0o640);
  expect(readdirSync(at).toSorted()).toEqual(["in.yaml", "link.yaml"]);
});

test("a failure leaves the file as it was, and nothing beside it", () => {
  const at = folder();
  writeFileSync(join(at, "out.yaml"), "earlier\n");
  writeFileSync(join(at, "broken.yaml"), layers.replace("a: 2", "a: [2"));
  expect(run(at, "fold", "broken.yaml", "--output-file", "out.yaml").status).toBe(1);
  expect(readFileSync(join(at, "out.yaml"), "utf8")).toBe("earlier\n");
  expect(readdirSync(at).toSorted()).toEqual(["broken.yaml", "in.yaml", "out.yaml"]);
});

test("writing that fails half-way leaves the file as it was", () => {
  const at = folder();
  writeFileSync(join(at, "out.yaml"), "earlier\n");
  const parts = [Buffer.from("new\n"), undefined as unknown as Uint8Array];
  expect(() => writeOutput(at, "out.yaml", parts)).toThrow();
  expect(readFileSync(join(at, "out.yaml"), "utf8")).toBe("earlier\n");
  expect(readdirSync(at).toSorted()).toEqual(["in.yaml", "out.yaml"]);
});

test("a link to nothing stays a link, and what it leads to is made; without its directory that fails", () => {
  const at = folder();
  symlinkSync("made.yaml", join(at, "link.yaml"));
  symlinkSync("gone/made.yaml", join(at, "lost.yaml"));
  expect(run(at, "fold", "-q", "in.yaml", "--output-file", "link.yaml").status).toBe(0);
  expect(readFileSync(join(at, "made.yaml"), "utf8")).toContain("name: shop-folded");
  expect(lstatSync(join(at, "link.yaml")).isSymbolicLink()).toBe(true);
  expect(run(at, "fold", "-q", "in.yaml", "--output-file", "lost.yaml").stderr).toBe(
    "error[usage]: cannot write `lost.yaml`: its directory does not exist\n" +
      "  hint  make the directory, or name a file in one that exists\n",
  );
});

test("a page is not written over a device, which may have no end", () => {
  const { status, stderr } = run(folder(), "explain", "--html", "/dev/zero", "in.yaml");
  expect([status, stderr]).toEqual([1, expect.stringContaining("is not a page of valuefold")]);
});

test("a device is written to, and not replaced", () => {
  const at = folder();
  expect(run(at, "fold", "-q", "in.yaml", "--output-file", "/dev/null")).toMatchObject({
    status: 0,
    stdout: "",
  });
  expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
});

test.each(["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/dev/fd/3 3>>log.yaml"])(
  "%s is what stdout is: a file is added to",
  (name) => {
    const at = folder();
    writeFileSync(join(at, "log.yaml"), "earlier: 1\n---\n");
    const command = `"$0" "$1" fold -q in.yaml -o ${name} >> log.yaml; echo "# later" >> log.yaml`;
    spawnSync("sh", ["-c", command, process.execPath, program], { cwd: at });
    const text = readFileSync(join(at, "log.yaml"), "utf8");
    expect(text).toMatch(/^earlier: 1\n---\n/);
    expect(text).toContain("name: shop-folded");
    expect(text).toMatch(/# later\n$/);
    expect(readdirSync(at).toSorted()).toEqual(["in.yaml", "log.yaml"]);
  },
);

test.each([
  [["verify", "--format", "json"], '"diagnostics"'],
  [["explain", "HelmRelease/shop"], "a: 2"],
  [["values", "HelmRelease/shop"], "a: 2"],
  [["compare", "--json", "in.yaml"], '"Comparison"'],
] as const)("%j has it, too", (args, text) => {
  const at = folder();
  writeFileSync(join(at, "other.yaml"), layers);
  const words = args[0] === "compare" ? [...args, "other.yaml"] : [...args, "in.yaml"];
  run(at, ...words, "--output-file", "out");
  expect(readFileSync(join(at, "out"), "utf8")).toContain(text);
});

test("text in a file has no colours, unless they are forced", () => {
  const at = folder();
  run(at, "explain", "HelmRelease/shop", "in.yaml", "--output-file", "out");
  expect(readFileSync(join(at, "out"), "utf8")).not.toContain("\u001b");
  spawnSync(process.execPath, [program, "explain", "HelmRelease/shop", "in.yaml", "--output-file", "out"], {
    cwd: at,
    env: { ...process.env, FORCE_COLOR: "1" },
  });
  expect(readFileSync(join(at, "out"), "utf8")).toContain("\u001b");
  expect(existsSync(join(at, "out"))).toBe(true);
});
