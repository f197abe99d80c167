// src → one CommonJS file that runs on a bare Node: the fastest form to start, and the simplest to ship.
import { chmodSync, mkdirSync } from "node:fs";
import { build } from "esbuild";

mkdirSync("dist", { recursive: true });
await build({
  entryPoints: ["src/cli/main.ts"],
  outfile: "dist/valuefold.cjs",
  bundle: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "eof",
  banner: { js: "#!/usr/bin/env node" },
});
chmodSync("dist/valuefold.cjs", 0o755);
