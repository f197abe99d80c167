// The same tests with every document read by the library: whatever a fold does must not depend on the reader.
import { defineConfig } from "vitest/config";
import { law } from "./test/support/law.ts";

const folding = [
  "core/cases",
  "core/merge",
  "core/laws",
  "core/in-place",
  "core/kyma",
  "core/refold",
  "core/sealing",
  "core/secrets",
  "explain/verify",
  "explain/flux-rows",
];

export default defineConfig({
  resolve: {
    alias: [
      {
        find: /^\.\/fast-reader\.ts$/,
        replacement: new URL("test/support/no-fast-reader.ts", import.meta.url).pathname,
      },
    ],
  },
  test: {
    include: [...folding.map((name) => `test/${name}.test.ts`), "test/library-reader.check.ts"],
    env: { VALUEFOLD_RUNS: process.env["VALUEFOLD_RUNS"] ?? "200" },
    globalSetup: ["test/support/temporary-folder.ts"],
    setupFiles: ["test/support/seed.ts"],
    testTimeout: 300_000,
    tags: [law],
    pool: "forks",
    isolate: false,
    // By default one processor is left for other work: half of a machine with two.
    maxWorkers: "100%",
  },
});
