// docs/valuefold.svg, the moving picture of the README, is recorded here: scenes of commands that run on a Flux layout, Applications of Argo CD
// and layers, and what the built program prints. With `-u` it is drawn again.
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { typed } from "../support/reader-shell.ts";

interface Scene {
  readonly files: URL;
  readonly remote?: string;
  readonly commands: readonly string[];
}

const flux = new URL("../../examples/flux-checkout/", import.meta.url);
const applications = new URL("../../examples/argo-cd-applications/", import.meta.url);
const layers = new URL("picture/layers/", import.meta.url);
const remote = "https://git.example/shop/deploy.git";
const fleet = "https://git.example/platform/fleet.git";

const scenes: readonly Scene[] = [
  { files: flux, remote: fleet, commands: ["valuefold explain podinfo replicaCount"] },
  {
    files: flux,
    remote: fleet,
    commands: ["sed -i.bak 's/replicaCount: 2/replicaCount: 3/' apps/base/podinfo.yaml", "valuefold diff"],
  },
  {
    files: applications,
    remote,
    commands: ["valuefold explain shop-prod-us replicas", "valuefold compare 'shop-*'"],
  },
  {
    files: layers,
    commands: [
      "valuefold fold shop.yaml prod.yaml europe.yaml > rendered.yaml",
      "valuefold values HelmRelease/shop rendered.yaml",
    ],
  },
];
const seconds = 7;
const line = 18;
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

function run(directory: string, command: string): string {
  const { output, status } = typed(command, directory);
  expect([command, output, status]).toEqual([command, output, 0]);
  return output;
}

function recorded({ files, remote: url, commands }: Scene): string[] {
  const directory = mkdtempSync(join(tmpdir(), "valuefold-picture-"));
  try {
    cpSync(files, directory, { recursive: true });
    const named = url === undefined ? "true" : `git remote add origin ${url}`;
    run(directory, `git init -q -b main && ${named} && git add . && git commit -qm start`);
    return commands.flatMap((command) => [`$ ${command}`, ...run(directory, command).split("\n")]);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Without motion (a reader's wish) only the first scene is shown. */
function drawn(all: readonly (readonly string[])[]): string {
  const rows = Math.max(...all.map((lines) => lines.length));
  const width = Math.max(...all.flat().map(({ length }) => length)) * 7.25 + 32;
  const total = seconds * all.length;
  const shown = 100 / all.length;
  const groups = all.map((lines, scene) => {
    const texts = lines.map(
      (text, row) =>
        `<text x="16" y="${(row + 1) * line + 10}"${text.startsWith("$ ") ? ' class="command"' : ""}>${escaped(text)}</text>`,
    );
    return `<g class="scene" style="animation-delay: ${scene * seconds}s">\n${texts.join("\n")}\n</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" viewBox="0 0 ${Math.ceil(width)} ${rows * line + 16}" role="img" aria-label="A terminal: explain and diff in a Flux checkout, explain and compare of Argo CD Applications, and fold">
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
  const picture = drawn(scenes.map(recorded));
  await expect(picture).toMatchFileSnapshot(new URL("../../docs/valuefold.svg", import.meta.url).pathname);
});
