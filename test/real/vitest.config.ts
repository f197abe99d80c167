import { defineConfig } from "vitest/config";
import { pageAssetsInTests } from "../../scripts/page-assets.ts";

export default defineConfig({
  plugins: [pageAssetsInTests],
  test: {
    include: ["test/real/**/*.test.ts"],
    testTimeout: 3_600_000,
    hookTimeout: 600_000,
    pool: "forks",
    fileParallelism: false,
  },
});
