import { defineConfig } from "vitest/config";
import { engineInTests } from "../../scripts/engine.ts";
import { pageAssetsInTests } from "../../scripts/page-assets.ts";

export default defineConfig({
  plugins: [engineInTests("native"), pageAssetsInTests],
  test: {
    include: ["test/real/**/*.test.ts"],
    // The roots of images have a `proc` while they are made.
    exclude: ["**/.tools/**"],
    setupFiles: ["test/support/seed.ts"],
    testTimeout: 1_500_000,
    // A browser on a busy machine takes longer than the second that is the default.
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 600_000,
    pool: "forks",
    fileParallelism: false,
  },
});
