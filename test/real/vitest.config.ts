import { defineConfig } from "vitest/config";
import { engineInTests } from "../../scripts/engine.ts";
import { pageAssetsInTests } from "../../scripts/page-assets.ts";

export const options = {
  globalSetup: "test/support/temporary-folder.ts",
  setupFiles: "test/support/seed.ts",
  testTimeout: 1_500_000,
  // A browser on a busy machine takes longer than the second that is the default.
  expect: { poll: { timeout: 60_000 } },
  hookTimeout: 600_000,
  pool: "forks",
} as const;

/** These run containers, which share the images of the machine: one file at a time. */
const inContainers = [
  "argo-cd",
  "container",
  "controller-image",
  "executable",
  "executable-world",
  "flux-fork",
  "go-templates-executable",
  "install-page",
  "release",
].map((name) => `test/real/${name}.test.ts`);

export default defineConfig({
  plugins: [engineInTests("native"), pageAssetsInTests],
  test: {
    ...options,
    projects: [
      {
        extends: true,
        test: { name: "containers", include: inContainers, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
      {
        extends: true,
        test: {
          name: "programs",
          include: ["test/real/**/*.test.ts"],
          // The roots of images have a `proc` while they are made.
          exclude: ["**/.tools/**", ...inContainers],
          maxWorkers: "100%",
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
