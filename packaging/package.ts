// Makes all that a release holds, into `packaging/out`: an archive per target, the npm packages, their bills of materials and
// SHA256SUMS. `npm run package -- TARGET...` makes those alone.
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { archive, checksums, sha256 } from "./archive.ts";
import { type Archive, billOfMaterials } from "./bill-of-materials.ts";
import { helmPlugin, writeChannels } from "./channels.ts";
import { compile as compileEngine, platformOf } from "../engine/compile.ts";
import { enginePackage, machinesOf, packProgram } from "./engines.ts";
import { compile } from "./executable.ts";
import { writeImageRoot } from "./image-root.ts";
import { prepare } from "./libraries.ts";
import { noticesOf } from "./notices.ts";
import { installRuntimes, runtimeVersion } from "./registries.ts";
import { type Target, targetsNamed, Unmade } from "./targets.ts";

const root = new URL("../", import.meta.url).pathname;
const out = join(root, "packaging/out");
const folders = join(out, "folders");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };

/** A folder with all that the archive of a target holds. */
function fill(target: Target): Omit<Archive, "sha256"> {
  const name = `valuefold-${version}-${target.name}`;
  const folder = join(folders, name);
  mkdirSync(folder, { recursive: true });
  const { runtime, libraries, copyright } = prepare(target, join(folder, "lib"));
  compile(target, runtime, join(folder, "valuefold"));
  compileEngine(platformOf(target.os, target.arch), join(folder, "lib/valuefold-engine"));
  copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  writeFileSync(join(folder, "THIRD-PARTY-LICENCES.txt"), noticesOf(runtimeVersion(), libraries, copyright));
  if (target.libc === "bare") writeImageRoot(target, folder, join(out, "image"));
  if (target.libc === "system") writeFileSync(join(folder, "plugin.yaml"), helmPlugin());
  // An image runs as a function, and needs none of these.
  cpSync(join(root, "config"), join(folder, "config"), { recursive: true });
  return { file: `${name}.tar.gz`, version, libraries, runtime: runtimeVersion() };
}

/** Without compiled code: it fits one Node on one kind of machine, and is never the same twice. */
function npmPackage(): Omit<Archive, "sha256"> {
  rmSync(join(root, "dist/code"), { recursive: true, force: true });
  packProgram(out);
  execFileSync(process.execPath, [join(root, "dist/compile.cjs")]);
  return { file: `valuefold-${version}.tgz`, version, libraries: [] };
}

async function finished(made: Omit<Archive, "sha256">): Promise<string[]> {
  const path = join(out, made.file);
  if (made.file.endsWith(".tar.gz")) await archive(folders, made.file.replace(/\.tar\.gz$/, ""), path);
  const bill = `${made.file.replace(/(\.tar\.gz|\.tgz)$/, "")}.spdx.json`;
  writeFileSync(join(out, bill), billOfMaterials({ ...made, sha256: await sha256(path) }));
  return [made.file, bill];
}

/** What is missing here is told before anything is made, or thrown away. */
function missing(targets: readonly Target[]): string | undefined {
  const runs = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0;
  const patched = targets.find(({ libc }) => libc !== "system");
  const bare = targets.find(({ libc }) => libc === "bare");
  if (!runs("tar", "--sort=name", "--version")) return "GNU tar is not there";
  if (patched !== undefined && !runs("python3", "-m", "pip", "--version"))
    return `${patched.name} needs Python with pip`;
  if (!runs("go", "version")) return "Go is not there, for the engine";
  return bare !== undefined && !runs("apt-get", "--version")
    ? `${bare.name} needs Debian, for its glibc`
    : undefined;
}

async function main(): Promise<void> {
  const targets = targetsNamed(process.argv.slice(2));
  const reason = missing(targets);
  if (reason !== undefined)
    throw new Unmade(`${reason}; \`npm run package -- TARGET...\` makes others alone`);
  // What the image holds is for everybody, whatever this shell keeps to itself.
  process.umask(0o022);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(folders, { recursive: true });
  installRuntimes();
  const engines = machinesOf(targets).map((machine) => enginePackage(machine, folders, out));
  const made = [
    ...targets.map(fill),
    npmPackage(),
    ...engines.map((file) => ({ file, version, libraries: [] })),
  ];
  const files = (await Promise.all(made.map(finished))).flat().toSorted();
  // What is only half there is never taken for a release.
  const sums = await checksums(out, files);
  writeChannels(out, sums);
  writeFileSync(join(out, "SHA256SUMS.part"), sums);
  renameSync(join(out, "SHA256SUMS.part"), join(out, "SHA256SUMS"));
  process.stdout.write(readFileSync(join(out, "SHA256SUMS")));
}

try {
  await main();
} catch (error) {
  if (!(error instanceof Unmade)) throw error;
  console.error(`package: ${error.message}`);
  process.exitCode = 1;
}
