// docs/valuefold.svg, the moving picture of the README, is recorded here: three scenes, each with commands that run on the files in test/cli/picture and what
// the built program prints. With `-u` it is drawn again.
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { typed } from "../support/reader-shell.ts";

const scenes = [
  ["valuefold explain HelmRelease/shop ."],
  [
    "sed -i.bak 's/replicas: 1/replicas: 2/; s/repository: shop/repository: store/' shop.yaml",
    "valuefold diff HEAD .",
  ],
  [
    "valuefold fold -o rendered.yaml shop.yaml prod.yaml europe.yaml",
    "valuefold values HelmRelease/shop rendered.yaml",
  ],
];
const seconds = 7;
const line = 18;
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

function run(directory: string, command: string): string {
  const { output, status } = typed(command, directory);
  expect([command, output, status]).toEqual([command, output, 0]);
  return output;
}

function record(directory: string): string[][] {
  run(directory, "git init -q && git add . && git commit -qm layers");
  return scenes.map((commands) =>
    commands.flatMap((command) => [`$ ${command}`, ...run(directory, command).split("\n")]),
  );
}

/** Without motion (a reader's wish) only the first scene is shown. */
function drawn(recorded: readonly (readonly string[])[]): string {
  const rows = Math.max(...recorded.map((lines) => lines.length));
  const width = Math.max(...recorded.flat().map(({ length }) => length)) * 7.25 + 32;
  const total = seconds * recorded.length;
  const shown = 100 / recorded.length;
  const groups = recorded.map((lines, scene) => {
    const texts = lines.map(
      (text, row) =>
        `<text x="16" y="${(row + 1) * line + 10}"${text.startsWith("$ ") ? ' class="command"' : ""}>${escaped(text)}</text>`,
    );
    return `<g class="scene" style="animation-delay: ${scene * seconds}s">\n${texts.join("\n")}\n</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" viewBox="0 0 ${Math.ceil(width)} ${rows * line + 16}" role="img" aria-label="A terminal: explain, diff and fold">
<style>
text { font: 12px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #d7dce2; white-space: pre; }
.command { fill: #8fd18f; font-weight: bold; }
.scene { opacity: 0; animation: scene ${total}s step-end infinite; }
@keyframes scene { 0% { opacity: 1 } ${shown.toFixed(2)}% { opacity: 0 } }
@media (prefers-reduced-motion: reduce) { .scene { animation: none } .scene:first-of-type { opacity: 1 } }
</style>
<rect width="100%" height="100%" rx="6" fill="#1d2229"/>
${groups.join("\n")}
</svg>
`;
}

test("the picture in the README is what the program prints", async () => {
  const directory = mkdtempSync(join(tmpdir(), "valuefold-picture-"));
  try {
    cpSync(new URL("picture", import.meta.url), directory, { recursive: true });
    const picture = drawn(record(directory));
    await expect(picture).toMatchFileSnapshot(new URL("../../docs/valuefold.svg", import.meta.url).pathname);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
