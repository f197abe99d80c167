// Commands as a reader of the pages types them: one shell, the built program as `valuefold`, stdout and stderr as a terminal shows them.
import { spawnSync } from "node:child_process";

const environment = {
  ...process.env,
  NODE: process.execPath,
  PROGRAM: new URL("../../dist/valuefold.cjs", import.meta.url).pathname,
  NODE_OPTIONS: "",
  VALUEFOLD_ENGINE: process.env["SHARED_ENGINE"],
  GIT_CONFIG_GLOBAL: "/dev/null",
  // A git hook that runs the tests names its own repository here.
  GIT_DIR: undefined,
  GIT_INDEX_FILE: undefined,
  GIT_WORK_TREE: undefined,
  GIT_AUTHOR_NAME: "reader",
  GIT_AUTHOR_EMAIL: "reader@shop.example",
  GIT_COMMITTER_NAME: "reader",
  GIT_COMMITTER_EMAIL: "reader@shop.example",
};

export function typed(commands: string, directory: string): { output: string; status: number | null } {
  const script = `exec 2>&1; valuefold() { "$NODE" "$PROGRAM" "$@"; }\n${commands}`;
  const { stdout, status } = spawnSync("sh", ["-c", script], {
    cwd: directory,
    env: environment,
    encoding: "utf8",
    // A reader types at a terminal: nothing comes through a pipe.
    stdio: ["ignore", "pipe", "pipe"],
  });
  return { output: stdout, status };
}
