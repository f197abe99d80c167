// Copies the modules that the engine changes out of Go's cache to `third_party/`, and edits the copies (edits.ts). Go takes no
// overlay for files in its cache. Nothing of these modules lies in the repository: their names, versions and sums do.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { type Change, changed, type ChangedModule } from "./edits.ts";
import { goEnvironment, home } from "./go.ts";

/** Where the copy of a module is, as go.mod names it. */
function folderOf({ module }: ChangedModule): string {
  return join(home, "third_party", module.replaceAll("/", "-"));
}

/** Makes all copies anew. Throws if a module is another one than was looked at, or an edit does not apply exactly once. */
export function prepare(): void {
  rmSync(join(home, "third_party"), { recursive: true, force: true });
  const required = readFileSync(join(home, "go.mod"), "utf8");
  for (const module of changed) {
    if (
      !required.includes(`\t${module.module} ${module.version}\n`) &&
      !required.includes(`\t${module.module} ${module.version} // indirect\n`)
    )
      throw new Error(`go.mod does not require ${module.module} ${module.version}`);
    copy(module);
    for (const change of module.changes) apply(change, folderOf(module));
  }
  writeSchema();
}

function copy(module: ChangedModule): void {
  const from = sourceOf(module);
  const isKept = (path: string): boolean => !/_test\.go$|\/testdata(?:\/|$)/.test(path.slice(from.length));
  for (const part of module.parts ?? ["."])
    cpSync(join(from, part), join(folderOf(module), part), { recursive: true, filter: isKept });
  execFileSync("chmod", ["-R", "u+w", folderOf(module)]);
}

/** In Go's cache, fetched if it is not there, and compared with the sum. */
function sourceOf({ module, version, sum }: ChangedModule): string {
  const output = execFileSync("go", ["mod", "download", "-json", `${module}@${version}`], {
    cwd: tmpdir(),
    env: goEnvironment(),
    encoding: "utf8",
  });
  const { Dir: folder, Sum: found } = JSON.parse(output) as { Dir: string; Sum: string };
  if (found !== sum) throw new Error(`${module} ${version} has the sum ${found}`);
  return folder;
}

function apply(change: Change, folder: string): void {
  const file = join(folder, change.file);
  if ("remove" in change) {
    rmSync(file);
    return;
  }
  const text = readFileSync(file, "utf8");
  const old = "from" in change ? rangeIn(text, change.from, change.upTo) : change.old;
  const count = old === undefined ? 0 : text.split(old).length - 1;
  if (old === undefined || count !== 1) throw new Error(`${file}: ${count} times: ${JSON.stringify(change)}`);
  writeFileSync(
    file,
    text.replace(old, () => change.new),
  );
}

/** From one text up to another, which stays; to the end of the file if none is named. */
function rangeIn(text: string, from: string, upTo: string | undefined): string | undefined {
  const start = text.indexOf(from);
  const end = upTo === undefined ? text.length : text.indexOf(upTo, start + from.length);
  return start === -1 || end === -1 ? undefined : text.slice(start, end);
}

/** In place of the schema that kyaml embeds as protocol buffers: the same definitions as JSON, printed by kyaml itself. */
function writeSchema(): void {
  const text = execFileSync("go", ["run", "."], {
    cwd: join(home, "schema"),
    env: goEnvironment(),
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  const file = join(
    home,
    "third_party/sigs.k8s.io-kustomize-kyaml/openapi/kubernetesapi/v1_21_2/schema.json.gz",
  );
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, gzipSync(text, { level: 9 }));
}
