// How go is called for the engine: the Go that go.mod names, which go itself fetches where another one is installed, and without
// anything that this machine or its user adds.
import { readFileSync } from "node:fs";
import { join } from "node:path";

export const home = new URL("./", import.meta.url).pathname;

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
    GOWORK: "off",
    CGO_ENABLED: "0",
  };
}
