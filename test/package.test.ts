// The package as users install it: from its tarball, in an empty folder, with no other package and no network.
// @module-tag law
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";

const root = new URL("../", import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), "valuefold-package-"));
const list = readFileSync(join(root, "test/core/cases/config-and-user-config-in-a-resource-list/input.yaml"));

function run(program: string, args: readonly string[], input: string | Buffer = ""): string {
  return execFileSync(program, args, {
    cwd: folder,
    input,
    encoding: "utf8",
    stdio: ["pipe", "pipe", "pipe"],
  });
}

beforeAll(() => {
  run("npm", ["pack", root, "--ignore-scripts", "--silent"]);
  const [tarball = ""] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  writeFileSync(join(folder, "package.json"), '{"name": "user", "private": true}');
  run("npm", ["install", "--offline", "--no-audit", "--no-fund", `./${tarball}`]);
});

test("it holds the programs, the types, the words about it and nothing to be installed beside it", () => {
  const installed = join(folder, "node_modules");
  expect(readdirSync(installed).filter((name) => !name.startsWith("."))).toEqual(["valuefold"]);
  const files = readdirSync(join(installed, "valuefold"));
  expect(files.toSorted()).toEqual(
    ["LICENSE", "README.md", "config", "dist", "function.yaml", "package.json", "schema"].toSorted(),
  );
  const notices = readFileSync(join(installed, "valuefold/dist/THIRD-PARTY-LICENCES.txt"), "utf8");
  for (const name of ["yaml", "execa", "valibot", "go", "github.com/Masterminds/sprig/v3"])
    expect(notices).toMatch(new RegExp(`^${name}$`, "m"));
});

test.for([
  ["user.mjs", 'import { foldSync, version } from "valuefold";'],
  ["user.cjs", 'const { foldSync, version } = require("valuefold");'],
] as const)("%s folds", ([file, head]) => {
  const body = `
const { ok, output } = foldSync({ input: require("node:fs").readFileSync(0), form: "resource-list" });
console.log(JSON.stringify({ version, ok, folded: Buffer.from(output).toString().includes("-folded") }));`;
  const require = file.endsWith(".mjs")
    ? 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);'
    : "";
  writeFileSync(join(folder, file), head + require + body);
  expect(JSON.parse(run(process.execPath, [file], list))).toMatchObject({ ok: true, folded: true });
});

test.for(["mts", "cts"])("its types hold under `strict`, from a .%s file", (ending) => {
  const file = `user.${ending}`;
  writeFileSync(
    join(folder, file),
    `import { fold, foldSync, explain, verify } from "valuefold";
import type { Diagnostic, ExplainOutcome, FoldOutcome } from "valuefold";
const one: FoldOutcome = foldSync({ input: "", settings: { layers: "prune" } });
const codes: string[] = one.diagnostics.map((each: Diagnostic) => each.code);
const { explanation }: ExplainOutcome = explain({ input: "" });
const later: Promise<FoldOutcome> = fold({ input: "" }, { env: {} });
// @ts-expect-error: no such setting
foldSync({ input: "", settings: { layer: "prune" } });
export default [codes, explanation, later, verify({ input: "", strict: true }).ok];
`,
  );
  const options = [
    "--noEmit",
    "--strict",
    "--module",
    "nodenext",
    "--skipLibCheck",
    "false",
    "--types",
    "",
    "--ignoreConfig",
  ];
  expect(run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), ...options, file])).toBe("");
});

test("its engine renders a template", () => {
  writeFileSync(
    join(folder, "render.cjs"),
    `const { renderTemplates } = require("./node_modules/valuefold/dist/parts/templates.cjs")();
const templates = [{ file: "a", text: "{{ .a | upper }}", values: '{"a": "x"}' }];
renderTemplates({ includes: new Map(), templates }).then((all) => console.log(JSON.stringify(all)));`,
  );
  expect(run(process.execPath, ["render.cjs"])).toBe('[{"text":"X"}]\n');
});

test("its program answers, folds and verifies", () => {
  const program = join(folder, "node_modules/.bin/valuefold");
  expect(run(program, ["--version"])).toMatch(/^\d+\.\d+\.\d+\n$/);
  const folded = run(program, [], list);
  expect(folded).toContain("-folded");
  expect(run(program, ["verify", "-"], folded)).toBe("");
  expect(run(program, ["fold", "-"], run(program, ["fold", "-"], list))).toContain("-folded");
});
