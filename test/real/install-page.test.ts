// What the pages say of installing, done as it stands there by somebody who has nothing: a home and a folder, both new.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { out, root, version } from "./executable/forms.ts";

/** The shell blocks of a section, in their order. */
function blocksOf(page: string, heading: string): string[] {
  const section =
    readFileSync(root + page, "utf8")
      .split(`\n## ${heading}\n`)[1]
      ?.split("\n## ")[0] ?? "";
  return [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => text);
}

function inNewHome(script: string, cwd = mkdtempSync(join(tmpdir(), "valuefold-user-"))): string {
  const home = mkdtempSync(join(tmpdir(), "valuefold-home-"));
  const path = [`${home}/.local/bin`, `${home}/npm/bin`, process.env["PATH"]].join(delimiter);
  const env = {
    ...process.env,
    HOME: home,
    PATH: path,
    RELEASES: `file://${out}`,
    npm_config_prefix: `${home}/npm`,
  };
  return execFileSync("bash", ["-euo", "pipefail", "-c", script], {
    cwd,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

const says = `${version}\n`;
const [executable = ""] = blocksOf("docs/install.md", "An executable");
const [npm = ""] = blocksOf("docs/install.md", "npm");
const [image = ""] = blocksOf("docs/install.md", "A container image").flatMap((block) =>
  block.split("\n").filter((line) => line.startsWith("docker build")),
);
const where = 'readlink -f "$(type -P valuefold)"; valuefold --version';

test("install: an executable", () => {
  expect(inNewHome(`${executable}\n${where}`)).toMatch(/: OK\n\/\S+\/\.local\/bin\/valuefold\n/);
  expect(inNewHome(`${executable}\nvaluefold --version`).endsWith(says)).toBe(true);
});

test("install: a download that was changed is not unpacked", () => {
  const archive = `valuefold-${version}-linux-x64.tar.gz`;
  const changed = executable.replace("grep", `printf x >> ${archive}; grep`);
  // As a shell at a terminal does: it goes on behind a line that failed.
  expect(inNewHome(`set +e\n${changed}\nls ~/.local/bin`)).toBe(`${archive}: FAILED\n`);
});

test("install: npm", () => {
  expect(inNewHome(`${npm}\n${where}`)).toMatch(
    /\/npm\/lib\/node_modules\/valuefold\/dist\/valuefold\.cjs\n/,
  );
});

test("install: an image", () => {
  const clone = mkdtempSync(join(tmpdir(), "valuefold-clone-"));
  execFileSync("git", ["clone", "--quiet", root, clone]);
  // What `npm ci` would install anew, and a name that no other test has.
  const built = image.replaceAll(`registry.example/valuefold:${version}`, "localhost/valuefold:from-readme");
  const lines = `npm run --silent package -- linux-x64-bare\n${built}`;
  mkdirSync(join(clone, "packaging"), { recursive: true });
  for (const name of ["node_modules", "packaging/node_modules"])
    symlinkSync(join(root, name), join(clone, name));
  expect(
    inNewHome(`${lines}\ndocker run --rm localhost/valuefold:from-readme --version`, clone).endsWith(says),
  ).toBe(true);
});

test("install: without installing it, by npx", () => {
  const npx = /`(npx --yes [^`]+)`/.exec(readFileSync(`${root}docs/install.md`, "utf8"))?.[1] ?? "";
  expect(inNewHome(npx)).toBe(says);
});
