// The oracles once more, with every document read by the library.
import { defineConfig } from "vitest/config";
import { options } from "./vitest.config.ts";

const oracles = ["app", "flux", "keys"].map((name) => `test/real/${name}-oracle.test.ts`);

export default defineConfig({
  resolve: {
    alias: [
      {
        find: /^\.\/fast-reader\.ts$/,
        replacement: new URL("../support/no-fast-reader.ts", import.meta.url).pathname,
      },
    ],
  },
  test: { ...options, maxWorkers: "100%", include: oracles, env: { VALUEFOLD_ORACLE_RUNS: "600" } },
});
