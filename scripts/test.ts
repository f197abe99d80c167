// `npm test` is what a developer waits for: it leaves out what `npm run laws` runs. `npm cit` runs all of it, once.
import { spawnSync } from "node:child_process";

const isWhole = process.env["npm_command"] === "install-ci-test";

function vitest(...args: readonly string[]): void {
  const { status } = spawnSync("vitest", ["run", ...args], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

vitest(...(isWhole ? [] : ["--tags-filter", "!law"]), ...process.argv.slice(2));
if (isWhole) vitest("--config", "vitest.library.config.ts");
