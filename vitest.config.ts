import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { include: ["test/**/*.test.ts"], exclude: ["test/real/**"], testTimeout: 300_000, pool: "forks" },
});
