// What `npm run fuzz` runs: the properties of `npm test` and the Go oracles, seeded and counted.
import { defineConfig } from "vitest/config";
import { engineInTests } from "./scripts/engine.ts";
import { pageAssetsInTests } from "./scripts/page-assets.ts";
import { law } from "./test/support/law.ts";

export default defineConfig({
  plugins: [engineInTests("wasm"), pageAssetsInTests],
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/temporary-folder.ts"],
    setupFiles: ["test/fuzz/seeded.ts"],
    testTimeout: 36_000_000,
    tags: [law],
    pool: "forks",
    fileParallelism: false,
  },
});
