// What other installers read of a release: a Homebrew formula, the entry of aqua (which mise reads, too), the manifest of a Flux
// plugin. All are made from the checksums and the addresses that the release will have.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Target, targets } from "./targets.ts";

const root = new URL("../", import.meta.url).pathname;
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly version: string;
  readonly description: string;
  readonly homepage: string;
  readonly license: string;
};
const { version, description, homepage, license } = manifest;
const releases = `${homepage}/releases/download/v${version}`;

/** The forms that run on a usual system. */
const usual = targets.filter(({ libc }) => libc === "system");
const fileOf = ({ name }: Target): string => `valuefold-${version}-${name}.tar.gz`;
const goArch = { x64: "amd64", arm64: "arm64" } as const;

/** The `plugin.yaml` of Helm 4, which makes the folder of an archive a plugin, and which Artifact Hub reads. */
export function helmPlugin(): string {
  return `apiVersion: v1
type: cli/v1
name: valuefold
version: ${version}
runtime: subprocess
sourceURL: ${homepage}
config:
  usage: valuefold COMMAND [ARGUMENT...]
  shortHelp: ${description}
  longHelp: ${description}
runtimeConfig:
  platformCommand:
    - command: \${HELM_PLUGIN_DIR}/valuefold
`;
}

/** Writes `out/channels` for the archives in `out`. @param checksums as `SHA256SUMS` has them */
export function writeChannels(out: string, checksums: string): void {
  const folder = join(out, "channels");
  const sums = new Map(
    checksums
      .trim()
      .split("\n")
      .map((line) => [line.slice(66), line.slice(0, 64)]),
  );
  // A part of a release has no archive for each of them.
  if (!usual.every((target) => sums.has(fileOf(target)))) return;
  const sumOf = (target: Target): string => sums.get(fileOf(target)) ?? "";
  mkdirSync(folder, { recursive: true });
  const files = {
    "valuefold.rb": formula(sumOf),
    "aqua-registry.yaml": aquaEntry(),
    "flux-plugin.yaml": fluxPlugin(sumOf),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

function formula(sumOf: (target: Target) => string): string {
  const systems = (["darwin", "linux"] as const).map((os) => {
    const own = usual.filter((target) => target.os === os);
    const parts = own.map(
      (target) => `    on_${target.arch === "x64" ? "intel" : "arm"} do
      url "${releases}/${fileOf(target)}"
      sha256 "${sumOf(target)}"
    end
`,
    );
    return `  on_${os === "darwin" ? "macos" : "linux"} do\n${parts.join("")}  end\n`;
  });
  return `class Valuefold < Formula
  desc "${description.replace(/\.$/, "")}"
  homepage "${homepage}"
  version "${version}"
  license "${license}"

${systems.join("")}
  # The engine is looked for next to the program.
  def install
    libexec.install Dir["*"]
    bin.install_symlink libexec/"valuefold"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/valuefold --version")
  end
end
`;
}

function aquaEntry(): string {
  const [, owner, name] = /^https:\/\/[^/]+\/([^/]+)\/([^/]+)$/.exec(homepage) ?? [];
  const archive = "valuefold-{{trimV .Version}}-{{.OS}}-{{.Arch}}";
  return `packages:
  - type: github_release
    repo_owner: ${owner}
    repo_name: ${name}
    description: ${description}
    asset: ${archive}.tar.gz
    format: tar.gz
    replacements:
      amd64: x64
    files:
      - name: valuefold
        src: ${archive}/valuefold
    checksum:
      type: github_release
      asset: SHA256SUMS
      algorithm: sha256
    supported_envs: [darwin, linux]
`;
}

function fluxPlugin(sumOf: (target: Target) => string): string {
  const platforms = usual.map(
    (target) => `      - os: ${target.os}
        arch: ${goArch[target.arch]}
        url: ${releases}/${fileOf(target)}
        checksum: sha256:${sumOf(target)}
`,
  );
  return `apiVersion: cli.fluxcd.io/v1beta1
kind: Plugin
name: valuefold
description: ${description}
homepage: ${homepage}
source: ${homepage}
bin: valuefold
versions:
  - version: ${version}
    platforms:
${platforms.join("")}`;
}
