// Every directory in test/render/renders is one case: render.yaml (the settings), config (the layers), perhaps options.txt (words of
// the command line), and what comes out: output.yaml, stderr.txt. The first line of stderr.txt is the exit status. Run with
// `-u` to write what is missing.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runCommand } from "../../src/cli/commands.ts";
import { worldOf } from "../support/world.ts";

const folder = new URL("renders/", import.meta.url);
const names = readdirSync(folder);

async function render(name: string): Promise<{ exitCode: number; output: string; messages: string }> {
  const options = new URL(`${name}/options.txt`, folder);
  const words = existsSync(options) ? readFileSync(options, "utf8").trim().split(/\s+/) : [];
  const world = worldOf("", { directory: new URL(`${name}/`, folder).pathname });
  const { exitCode, output, messages } = await runCommand(["render", "-c", "render.yaml", ...words], world);
  return { exitCode, output: Buffer.concat(output).toString("utf8"), messages };
}

test("there are cases", () => {
  expect(names.length).toBeGreaterThan(20);
});

test.for(names)("render %s", async (name) => {
  const { exitCode, output, messages } = await render(name);
  await expect(output).toMatchFileSnapshot(`renders/${name}/output.yaml`);
  await expect(`exit ${exitCode}\n${messages}`).toMatchFileSnapshot(`renders/${name}/stderr.txt`);
  if (exitCode !== 0) expect(output).toBe("");
});
