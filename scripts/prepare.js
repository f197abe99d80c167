// Builds after an install from git. `npm install -g git+…` prepares a clone without its development
// dependencies, so they are installed here if they are missing. Plain JavaScript: nothing else may be there yet.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

const npm = (...args) => execFileSync("npm", args, { stdio: "inherit", shell: process.platform === "win32" });

if (!existsSync("node_modules/tsx"))
  npm("ci", "--no-global", "--include=dev", "--ignore-scripts", "--no-audit", "--no-fund");
npm("run", "build");
