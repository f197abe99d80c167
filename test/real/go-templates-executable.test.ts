// The template engine in executables, made as `npm run package` makes them: it is inside each form, which renders what Node
// renders where there is no file but the executable and its libraries.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compile } from "../../packaging/executable.ts";
import { cache, installRuntimes, runtimeOf } from "../../packaging/registries.ts";
import { type Target, targetsNamed } from "../../packaging/targets.ts";
import { confined, folderOf, root } from "./executable/forms.ts";

const work = mkdtempSync(join(tmpdir(), "valuefold-go-templates-"));
const source = join(work, "source");
const forms = ["linux-x64", "linux-x64-musl", "linux-x64-bare"];

/** Renders, and loses a template that loops. What it says must be all that comes. */
const main = `const { renderTemplates } = require("./parts/templates.cjs")();
const texts = ['{{ include "a" .b | quote }} {{ sha256sum "x" }}', "{{ range 1000000000000 }}{{ end }}", "{{ .c }}"];
const templates = texts.map((text, index) => ({ file: String(index), text, values: '{"b": [1, "é"]}' }));
const includes = new Map([["a", "[{{ . }}]"]]);
renderTemplates({ includes, templates }, 5000).then((all) => console.log(JSON.stringify(all)));
`;

const expected = `[{"text":"\\"[[1 é]]\\" 2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"},{"fault":{"what":"too-long","file":"1"}},{"fault":{"what":"missing-key","line":1,"column":4,"name":"c","file":"2"}}]\n`;

/** With the libraries that its archive has beside it; only the runtimes of those forms are patched. */
function make(target: Target): void {
  const folder = join(work, target.name);
  mkdirSync(folder);
  const lib = join(folderOf(target.name), "lib");
  if (existsSync(lib)) cpSync(lib, join(folder, "lib"), { recursive: true });
  const runtime = target.libc === "system" ? runtimeOf(target) : join(cache, `runtime-${target.name}`);
  compile(target, runtime, join(folder, "valuefold"), join(source, "main.cjs"));
}

function ran(program: string, args: readonly string[]): string {
  return execFileSync(program, args, { cwd: tmpdir(), env: { PATH: process.env["PATH"] }, encoding: "utf8" });
}

beforeAll(() => {
  chmodSync(work, 0o755);
  cpSync(join(root, "dist/parts"), join(source, "parts"), { recursive: true });
  writeFileSync(join(source, "main.cjs"), main);
  installRuntimes();
  for (const target of targetsNamed(forms)) make(target);
});

afterAll(() => rmSync(work, { recursive: true }));

test("Node, from the parts that the package ships", () => {
  expect(ran(process.execPath, [join(source, "main.cjs")])).toBe(expected);
});

test("linux-x64, with its sources gone", () => {
  renameSync(source, join(work, "gone"));
  expect(ran(join(work, "linux-x64/valuefold"), [])).toBe(expected);
});

test.for(["linux-x64-musl", "linux-x64-bare"])("%s, confined, in a bare musl root", (form) => {
  const volume = `--volume=${join(work, form)}:/opt/valuefold:ro`;
  const image = "localhost/valuefold-musl:test";
  expect(ran("docker", [...confined, volume, image, "/opt/valuefold/valuefold"])).toBe(expected);
});
