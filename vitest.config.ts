import { defineConfig } from "vitest/config";
import { engineInTests } from "./scripts/engine.ts";
import { pageAssetsInTests } from "./scripts/page-assets.ts";
import { law } from "./test/support/law.ts";

export default defineConfig({
  plugins: [engineInTests("wasm"), pageAssetsInTests],
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/real/**", "test/cluster/**", "test/fuzz/**"],
    globalSetup: ["test/support/temporary-folder.ts", "test/support/shared-engine.ts"],
    setupFiles: ["test/support/seed.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    tags: [law],
    pool: "forks",
    // Files share what is loaded, which takes longer than most of their tests. So none mocks a module, and each restores what it sets.
    isolate: false,
    // By default one processor is left for other work: half of a machine with two.
    maxWorkers: "100%",
  },
});
