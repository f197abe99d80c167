import { defineConfig } from "vitest/config";
import { pageAssetsInTests } from "./scripts/page-assets.ts";

export default defineConfig({
  plugins: [pageAssetsInTests],
  test: { include: ["test/**/*.test.ts"], exclude: ["test/real/**"], testTimeout: 300_000, pool: "forks" },
});
