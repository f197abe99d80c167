// npm packages with the native build of the engine, one for each kind of machine: npm installs the one that fits, as optional
// dependencies of the program's own package. Without one the program runs the wasm build.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compile, platformOf } from "../engine/compile.ts";
import { type Target, targets } from "./targets.ts";

const root = new URL("../", import.meta.url).pathname;
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Readonly<
  Record<string, unknown>
>;
const version = String(manifest["version"]);

type Machine = Pick<Target, "os" | "arch">;

const nameOf = ({ os, arch }: Machine): string => `valuefold-engine-${os}-${arch}`;

/** Each once: executables of one kind of machine differ in their C library, which the engine has none of. */
export function machinesOf(all: readonly Target[]): readonly Machine[] {
  return [...new Map(all.map((each) => [nameOf(each), each])).values()];
}

/** Puts the package into `out`. @returns the name of its file */
export function enginePackage({ os, arch }: Machine, folders: string, out: string): string {
  const name = nameOf({ os, arch });
  const folder = join(folders, name);
  mkdirSync(folder, { recursive: true });
  compile(platformOf(os, arch), join(folder, "engine"));
  copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  copyFileSync(join(root, "dist/THIRD-PARTY-LICENCES.txt"), join(folder, "THIRD-PARTY-LICENCES.txt"));
  const { license, homepage, repository, publishConfig } = manifest;
  const own = {
    name,
    version,
    description: `The engine of valuefold for ${os} on ${arch}`,
    license,
    homepage,
    repository,
    publishConfig,
    os: [os],
    cpu: [arch],
    preferUnplugged: true,
  };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(own, undefined, 2)}\n`);
  pack(folder, out);
  return `${name}-${version}.tgz`;
}

/** The program's own package names them all; a clone, whose lock file does not, needs none of them. */
export function packProgram(out: string): void {
  const file = join(root, "package.json");
  const before = readFileSync(file);
  const engines = machinesOf(targets).map((each) => [nameOf(each), version]);
  // Who installs the package from a folder builds nothing: what `prepare` needs is not in it.
  const { prepare: _, ...scripts } = manifest["scripts"] as Readonly<Record<string, string>>;
  const named = { ...manifest, scripts, optionalDependencies: Object.fromEntries(engines) as object };
  writeFileSync(file, `${JSON.stringify(named, undefined, 2)}\n`);
  try {
    pack(root, out);
  } finally {
    writeFileSync(file, before);
  }
}

function pack(folder: string, out: string): void {
  const options = ["--ignore-scripts", "--silent", "--pack-destination", out];
  execFileSync("npm", ["pack", ...options], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
}
