// The Go program → a wasm file and native ones, the same bytes on every machine.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { goEnvironment, home } from "./go.ts";
import { prepare } from "./prepare.ts";

/** What the files depend on, tests left out. */
function sourcesIn(folder: string): string[] {
  const isSource = (name: string): boolean =>
    /\.go$|(?:^|\/)go\.(?:mod|sum)$|^functions\.txt$|^(?:compile|edits|go|prepare)\.ts$/.test(name) &&
    !/_test\.go$|^third_party\//.test(name);
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names
    .map((name) => name.replaceAll("\\", "/"))
    .filter(isSource)
    .toSorted();
}

/** A digest of all sources, so that anybody sees without Go whether a file is made of them. */
export function digestOfSources(folder = home): string {
  const hash = createHash("sha256");
  for (const name of sourcesIn(folder)) {
    const bytes = readFileSync(join(folder, name));
    hash.update(`${name} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest("hex");
}

export interface Platform {
  readonly os: "linux" | "darwin" | "wasip1";
  readonly arch: "amd64" | "arm64" | "wasm";
}

/** As Node calls them → as Go does. */
export function platformOf(os: "linux" | "darwin", arch: string): Platform {
  return { os, arch: arch === "arm64" ? "arm64" : "amd64" };
}

/** What `prepare` makes is there once per process. */
let isPrepared = false;

/** @param more of go's environment */
export function compile({ os, arch }: Platform, file: string, more: NodeJS.ProcessEnv = {}): void {
  if (!isPrepared) prepare();
  isPrepared = true;
  mkdirSync(dirname(file), { recursive: true });
  // The wasm build is a library: its one thread is called.
  const mode = os === "wasip1" ? ["-buildmode=c-shared"] : [];
  const flags = `-ldflags=-s -w -buildid= -X main.sources=${digestOfSources()}`;
  const options = ["-trimpath", "-buildvcs=false", "-mod=readonly", flags, "-o", file];
  execFileSync("go", ["build", ...mode, ...options, "."], {
    cwd: home,
    env: { ...goEnvironment(), GOOS: os, GOARCH: arch, ...more },
    stdio: ["ignore", "inherit", "inherit"],
  });
}

/** The wasm build, with a bound on its memory. */
export function compileWasm(more: NodeJS.ProcessEnv = {}): Buffer {
  const work = mkdtempSync(join(tmpdir(), "valuefold-engine-"));
  const file = join(work, "engine.wasm");
  try {
    compile({ os: "wasip1", arch: "wasm" }, file, more);
    return bounded(readFileSync(file));
  } finally {
    rmSync(work, { recursive: true });
  }
}

const memorySection = 5;
/** 1 GiB, in pages of 64 KiB. Whoever runs the file cannot grow it further. */
const maxPages = 16_384;

/** The same module with a bound on its memory: Go's linker writes none. */
function bounded(module: Buffer): Buffer {
  let at = 8;
  while (module[at] !== memorySection) {
    const size = numberAt(module, at + 1);
    at = size.end + size.value;
  }
  const { value: length, end: start } = numberAt(module, at + 1);
  const [count, flags] = [module[start], module[start + 1]];
  if (count !== 1 || flags !== 0) throw new Error("expected one memory without a bound");
  const pages = module.subarray(start + 2, start + length);
  const section = Buffer.from([1, 1, ...pages, ...coded(maxPages)]);
  return Buffer.concat([
    module.subarray(0, at + 1),
    Buffer.from(coded(section.length)),
    section,
    module.subarray(start + length),
  ]);
}

/** Numbers as WASM writes them: LEB128, seven bits in a byte, the lowest first. */
function numberAt(bytes: Buffer, at: number): { value: number; end: number } {
  let value = 0;
  for (let end = at; ; end++) {
    const byte = bytes[end] ?? 0;
    value += (byte & 0x7f) * 2 ** (7 * (end - at));
    if (byte < 0x80) return { value, end: end + 1 };
  }
}

function coded(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...coded(value >> 7)];
}
