// The Go program → a WASM file, the same bytes on every machine: by the Go that go.mod names, which go itself fetches where
// another one is installed, and without anything that this machine or its user adds.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const home = new URL("./", import.meta.url).pathname;

/** What the file depends on, the tests of the Go program left out. */
function sourcesIn(folder: string): string[] {
  const isSource = (name: string): boolean =>
    /\.go$|^go\.(?:mod|sum)$|^functions\.txt$/.test(name) && !name.endsWith("_test.go");
  return readdirSync(folder).filter(isSource).toSorted();
}

/** A digest of all sources, so that anybody sees without Go whether the committed file is made of them. */
export function digestOfSources(folder = home): string {
  const hash = createHash("sha256");
  for (const name of [...sourcesIn(folder), "compile.ts"]) {
    const bytes = readFileSync(join(folder, name));
    hash.update(`${name} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest("hex");
}

export function goVersion(folder = home): string {
  const [, version] = /^toolchain (go\S+)$/m.exec(readFileSync(join(folder, "go.mod"), "utf8")) ?? [];
  if (version === undefined) throw new Error("go.mod names no toolchain");
  return version;
}

/** Only what go needs to find its caches and its proxy is left of the environment. */
export function goEnvironment(folder = home): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(?:GO|CGO)/.test(name) || /^GO(?:CACHE|MODCACHE|PATH|PROXY|SUMDB|NOSUMDB)$/.test(name),
  );
  return {
    ...Object.fromEntries(kept),
    GOENV: "off",
    GOTOOLCHAIN: goVersion(folder),
    GOOS: "wasip1",
    GOARCH: "wasm",
    GOWORK: "off",
    CGO_ENABLED: "0",
  };
}

/** Compiles what is in `folder`. @param more of go's environment */
export function compile(folder = home, more: NodeJS.ProcessEnv = {}): Buffer {
  const work = mkdtempSync(join(tmpdir(), "valuefold-gotemplate-"));
  const file = join(work, "gotemplate.wasm");
  const options = ["-trimpath", "-buildvcs=false", "-mod=readonly", "-ldflags=-s -w -buildid=", "-o", file];
  try {
    execFileSync("go", ["build", ...options, "."], {
      cwd: folder,
      env: { ...goEnvironment(folder), ...more },
      stdio: ["ignore", "inherit", "inherit"],
    });
    return bounded(readFileSync(file));
  } finally {
    rmSync(work, { recursive: true });
  }
}

const memorySection = 5;
/** 256 MiB, in pages of 64 KiB. Whoever runs the file cannot grow it further. */
const maxPages = 4096;

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
