// What is printed where the program kustomize fails.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { UsageError } from "../../src/sources/usage-error.ts";
import { runCommand } from "../../src/cli/commands.ts";
import { worldOf } from "../support/world.ts";

/** What is printed where it fails with these words. */
async function failing(files: { readonly [path: string]: string }, words: string): Promise<UsageError> {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-kustomize-"));
  for (const name of ["bin", "over"]) mkdirSync(join(folder, name));
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  const script = `#!${process.execPath}\nprocess.stderr.write(${JSON.stringify(words)});process.exit(1);\n`;
  writeFileSync(join(folder, "bin/kustomize"), script.replaceAll("FOLDER", folder), { mode: 0o755 });
  const world = worldOf("", { directory: folder, env: { PATH: join(folder, "bin") } });
  return runCommand(["explain", "--enable-exec", "over"], world).then(
    () => expect.unreachable(),
    (error: UsageError) => error,
  );
}

test("why kustomize fails is shown: the first lines, with paths as they were given", async () => {
  const words = "# Warning: old\n\nError: no FOLDER/over/a.yaml\u001b[31m\ntwo\nthree\nfour\n";
  const { message, reason, hint } = await failing(
    { "over/kustomization.yaml": "resources: [a.yaml]\n", "over/a.yaml": "kind: A\n" },
    words,
  );
  expect(message).toBe("kustomize cannot build `over`");
  expect(reason).toEqual(["no over/a.yaml\u001b[31m", "two", "three"]);
  expect(hint).toBe("correct this in the kustomization, or in what it names");
});
