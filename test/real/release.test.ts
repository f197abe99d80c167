// What a release holds, as somebody else reads it, and the script that makes it. `test/real/run` has run that before.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { folderOf, out, root, version } from "./executable/forms.ts";

const targets = [
  "darwin-arm64",
  "darwin-x64",
  "linux-arm64",
  "linux-arm64-bare",
  "linux-arm64-musl",
  "linux-x64",
  "linux-x64-bare",
  "linux-x64-musl",
];

function succeed(command: string, args: readonly string[], cwd = out, env = process.env): string {
  return execFileSync(command, args, {
    cwd,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 2 ** 26,
  });
}

test("SHA256SUMS fits, and lists every file", () => {
  succeed("sha256sum", ["--quiet", "--check", "SHA256SUMS"]);
  const listed = succeed("cut", ["-c67-", "SHA256SUMS"]).trim().split("\n");
  expect(listed).toEqual(
    [
      "install.yaml",
      ...targets.flatMap((target) => [
        `valuefold-${version}-${target}.spdx.json`,
        `valuefold-${version}-${target}.tar.gz`,
      ]),
      ...["darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64"].flatMap((machine) => [
        `valuefold-engine-${machine}-${version}.spdx.json`,
        `valuefold-engine-${machine}-${version}.tgz`,
      ]),
      `valuefold-${version}.spdx.json`,
      `valuefold-${version}.tgz`,
    ].toSorted(),
  );
  expect(
    readdirSync(out)
      .filter((name) => name.startsWith("valuefold-") || name === "install.yaml")
      .toSorted(),
  ).toEqual(listed);
});

test.for([
  ["linux-x64", ["lib/", "lib/valuefold-engine"]],
  ["linux-x64-musl", ["lib/", "lib/libgcc_s.so.1", "lib/libstdc++.so.6", "lib/valuefold-engine"]],
  [
    "linux-arm64-bare",
    [
      "lib/",
      "lib/ld-linux-aarch64.so.1",
      "lib/libc.so.6",
      "lib/libdl.so.2",
      "lib/libm.so.6",
      "lib/libpthread.so.0",
      "lib/valuefold-engine",
    ],
  ],
] as const)("the archive %s: whose files they are and when they were made tells nothing", ([target, lib]) => {
  const name = `valuefold-${version}-${target}`;
  const lines = succeed("tar", ["--utc", "--numeric-owner", "-tvf", `${name}.tar.gz`])
    .trim()
    .split("\n");
  const entries = lines.map((line) => /^(\S+) 0\/0 +\d+ 1970-01-01 00:00 (.*)$/.exec(line)?.slice(1));
  const file = "-rw-r--r--";
  expect(entries).toEqual([
    ["drwxr-xr-x", `${name}/`],
    [file, `${name}/LICENSE`],
    [file, `${name}/THIRD-PARTY-LICENCES.txt`],
    ["drwxr-xr-x", `${name}/config/`],
    [file, `${name}/config/name-reference.yaml`],
    ...lib.map((each) => [
      each.endsWith("/") ? "drwxr-xr-x" : expect.stringMatching(/^-rw/),
      `${name}/${each}`,
    ]),
    ...(target === "linux-x64" ? [[file, `${name}/plugin.yaml`]] : []),
    ["-rwxr-xr-x", `${name}/valuefold`],
  ]);
});

test("what other installers read names every archive that runs on a usual system, with its checksum", () => {
  const sums = new Map(
    readFileSync(`${out}/SHA256SUMS`, "utf8")
      .trim()
      .split("\n")
      .map((line) => [line.slice(66), line.slice(0, 64)]),
  );
  const channel = (name: string): string => readFileSync(`${out}/channels/${name}`, "utf8");
  const usual = targets.filter((target) => !/-(musl|bare)$/.test(target));
  const sumsIn = (text: string): string[] =>
    [...text.matchAll(/[0-9a-f]{64}/g)].map(([sum]) => sum).toSorted();
  const expected = usual.map((target) => sums.get(`valuefold-${version}-${target}.tar.gz`) ?? "").toSorted();
  const formula = channel("valuefold.rb");
  const manifest = channel("flux-plugin.yaml");
  for (const text of [formula, manifest]) {
    expect(sumsIn(text)).toEqual(expected);
    for (const target of usual) expect(text).toContain(`/v${version}/valuefold-${version}-${target}.tar.gz`);
  }
  const plugin = parse(manifest) as { versions: { version: string; platforms: object[] }[] };
  expect(plugin.versions).toHaveLength(1);
  expect(plugin.versions[0]?.platforms[0]).toMatchObject({ os: "linux", arch: "amd64" });
  const { packages } = parse(channel("aqua-registry.yaml")) as { packages: { asset: string }[] };
  const asset = packages[0]?.asset.replace("{{trimV .Version}}", version);
  for (const os of ["linux", "darwin"])
    for (const arch of ["x64", "arm64"])
      expect(sums.has(asset?.replace("{{.OS}}", os).replace("{{.Arch}}", arch) ?? "")).toBe(true);
});

test("Helm takes an archive for a plugin", () => {
  const home = mkdtempSync(join(tmpdir(), "valuefold-plugin-"));
  const env = { ...process.env, HELM_DATA_HOME: home, HELM_CACHE_HOME: home };
  const helm = (...args: string[]): string => succeed("helm", args, out, env);
  helm("plugin", "install", folderOf("linux-x64"));
  expect(helm("plugin", "list")).toContain("valuefold");
  expect(helm("valuefold", "--version").trim()).toBe(version);
  expect(helm("valuefold", "fold", "--help")).toContain("valuefold fold");
});

test("the npm package builds nothing where it is installed", () => {
  const text = succeed("tar", ["-xOzf", `valuefold-${version}.tgz`, "package/package.json"]);
  const { scripts } = JSON.parse(text) as { scripts: object };
  expect(scripts).not.toHaveProperty("prepare");
  expect(scripts).not.toHaveProperty("postinstall");
});

test("made again, in another folder, it is the same bytes", () => {
  const copy = mkdtempSync(join(tmpdir(), "valuefold-again-"));
  mkdirSync(join(copy, "packaging"));
  for (const name of [
    "dist",
    "package.json",
    "LICENSE",
    "README.md",
    "function.yaml",
    "config",
    "schema",
    "tsconfig.json",
    "engine",
  ])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  cpSync(join(root, "packaging/licences"), join(copy, "packaging/licences"), { recursive: true });
  const sources = readdirSync(join(root, "packaging")).filter((name) => /\.(?:ts|txt|json)$/.test(name));
  for (const name of sources) cpSync(join(root, "packaging", name), join(copy, "packaging", name));
  for (const name of ["node_modules", "packaging/node_modules"])
    symlinkSync(join(root, name), join(copy, name));
  const epoch = succeed("git", ["log", "-1", "--format=%ct"], root).trim();
  const again = ["linux-x64-musl", "linux-arm64-bare", "darwin-x64"];
  const env = { ...process.env, SOURCE_DATE_EPOCH: epoch };
  // By somebody who keeps files to themselves: what is shipped is for everybody all the same.
  const script = 'umask 077; exec node_modules/.bin/tsx packaging/package.ts "$@"';
  const sums = succeed("bash", ["-c", script, "package", ...again], copy, env)
    .trim()
    .split("\n");
  // And the packages for npm: the program, and an engine for each kind of machine.
  expect(sums.length).toBe(2 * (again.length + 1 + again.length));
  const first = readFileSync(`${out}/SHA256SUMS`, "utf8").trim().split("\n");
  expect(sums.filter((line) => !first.includes(line))).toEqual([]);
  const closed = ["-not", "-type", "l", "-not", "-perm", "-o+r", "-o", "-type", "d", "-not", "-perm", "-o+x"];
  expect(succeed("find", [`${copy}/packaging/out/image`, ...closed])).toBe("");
});

describe("bills of materials", () => {
  const bills = readdirSync(out).filter((name) => name.endsWith(".spdx.json"));

  test.for(bills)("%s is valid SPDX", (name) => {
    const reader = ["-m", "spdx_tools.spdx.clitools.pyspdxtools", "--infile", name];
    succeed("python3", reader, out, { ...process.env, PYTHONPATH: `${root}test/real/.tools/spdx` });
  });

  test("they name what is in the archive", () => {
    const bill = JSON.parse(readFileSync(`${out}/valuefold-${version}-linux-x64-musl.spdx.json`, "utf8")) as {
      packages: { name: string; licenseDeclared: string; checksums?: { checksumValue: string }[] }[];
    };
    const licences = Object.fromEntries(
      bill.packages.map(({ name, licenseDeclared }) => [name, licenseDeclared]),
    );
    expect(licences).toMatchObject({
      valuefold: "Apache-2.0",
      yaml: "ISC",
      execa: "MIT",
      valibot: "MIT",
      go: "BSD-3-Clause",
      "github.com/Masterminds/sprig/v3": "MIT",
      bun: "MIT AND LGPL-2.0-or-later AND LGPL-2.1-or-later",
      "libstdc++": "GPL-3.0-or-later WITH GCC-exception-3.1",
    });
    const archive = readFileSync(`${out}/valuefold-${version}-linux-x64-musl.tar.gz`);
    expect(bill.packages[0]?.checksums?.[0]?.checksumValue).toBe(
      createHash("sha256").update(archive).digest("hex"),
    );
    const notices = readFileSync(`${folderOf("linux-x64-musl")}/THIRD-PARTY-LICENCES.txt`, "utf8");
    const texts = [
      ...Object.keys(licences).filter((each) => each !== "valuefold"),
      "GNU LIBRARY GENERAL PUBLIC LICENSE",
      "GNU LESSER GENERAL PUBLIC LICENSE",
      "GNU GENERAL PUBLIC LICENSE",
      "GCC RUNTIME LIBRARY EXCEPTION",
      "Permission is hereby granted, free of charge",
    ];
    expect(texts.filter((each) => !notices.includes(each))).toEqual([]);
    const bare = readFileSync(`${folderOf("linux-arm64-bare")}/THIRD-PARTY-LICENCES.txt`, "utf8");
    expect(bare).toContain("Debian prepackaged version of the GNU C Library");
  });
});

test.for(["darwin-x64", "darwin-arm64"])("%s has a signature that fits every page", (target) => {
  const code = readFileSync(`${folderOf(target)}/valuefold`);
  const commands = Array.from({ length: code.readUInt32LE(16) }).reduce<number[]>(
    (at) => [...at, (at.at(-1) ?? 0) + code.readUInt32LE((at.at(-1) ?? 0) + 4)],
    [32],
  );
  const at = commands.find((each) => code.readUInt32LE(each) === 0x1d) ?? 0;
  const [start, bytes] = [code.readUInt32LE(at + 8), code.readUInt32LE(at + 12)];
  expect(start + bytes).toBe(code.length);
  const directory = start + code.readUInt32BE(start + 16);
  const [flags, hashes, slots, limit] = [12, 16, 28, 32].map((field) => code.readUInt32BE(directory + field));
  expect([code.readUInt32BE(directory), limit, (flags ?? 0) & 2]).toEqual([0xfade0c02, start, 2]);
  expect(slots).toBe(Math.ceil(start / 4096));
  for (let page = 0; page < (slots ?? 0); page++) {
    const hash = createHash("sha256")
      .update(code.subarray(page * 4096, Math.min((page + 1) * 4096, start)))
      .digest();
    const told = directory + (hashes ?? 0) + 32 * page;
    if (!code.subarray(told, told + 32).equals(hash)) throw new Error(`page ${page} has another hash`);
  }
});

describe("the image", () => {
  const inspected = (name: string) =>
    (
      JSON.parse(succeed("docker", ["image", "inspect", name])) as [
        { Architecture: string; Config: Record<string, unknown> },
      ]
    )[0];

  test.for([
    ["localhost/valuefold:test", "amd64"],
    ["localhost/valuefold:test-arm64", "arm64"],
  ] as const)("%s is for %s, and says what it is", ([name, architecture]) => {
    const { Architecture, Config } = inspected(name);
    expect([Architecture, Config["User"], Config["Entrypoint"]]).toEqual([
      architecture,
      "65534:65534",
      ["/usr/local/bin/valuefold"],
    ]);
    expect(Config["Labels"]).toMatchObject({
      "org.opencontainers.image.title": "valuefold",
      "org.opencontainers.image.licenses": "Apache-2.0",
      "org.opencontainers.image.version": version,
      "org.opencontainers.image.revision": "test",
    });
  });

  test("it holds the program, its libraries, its licences, a name for its user, and nothing else", () => {
    const container = succeed("docker", ["create", "localhost/valuefold:test"]).trim();
    const listing = execFileSync("bash", ["-o", "pipefail", "-c", `docker export ${container} | tar -t`], {
      encoding: "utf8",
    });
    succeed("docker", ["rm", container]);
    const files = listing
      .trim()
      .split("\n")
      .filter((line) => !line.endsWith("/"))
      .toSorted();
    expect(files.filter((file) => !/^(?:dev|proc|sys|run)\//.test(file))).toEqual(
      [
        "etc/group",
        "etc/passwd",
        "opt/valuefold/LICENSE",
        "opt/valuefold/THIRD-PARTY-LICENCES.txt",
        ...[
          "ld-linux-x86-64.so.2",
          "libc.so.6",
          "libdl.so.2",
          "libm.so.6",
          "libpthread.so.0",
          "valuefold-engine",
        ].map((name) => `opt/valuefold/lib/${name}`),
        "opt/valuefold/valuefold",
        "usr/local/bin/valuefold",
      ].toSorted(),
    );
  });

  test("function.yaml and kpt's metadata name it, at this version", () => {
    const named = `registry.example/valuefold:${version}`;
    for (const file of ["function.yaml", "metadata.yaml"])
      expect(readFileSync(root + file, "utf8")).toContain(`image: ${named}\n`);
  });
});

describe("packaging/release", () => {
  /** A clone in which a file says something else. */
  function cloneWith(file: string, from: string, to: string): string {
    const clone = mkdtempSync(join(tmpdir(), "valuefold-clone-"));
    succeed("git", ["clone", "--quiet", root, clone]);
    writeFileSync(join(clone, file), readFileSync(join(clone, file), "utf8").replaceAll(from, to));
    return clone;
  }

  test.for([
    [
      "examples/flux-oci/.gitlab-ci.yml",
      `valuefold-${version}-`,
      "valuefold-9.9.9-",
      [],
      "another version is named in\nexamples/flux-oci/.gitlab-ci.yml:",
    ],
    [
      "package.json",
      `"version": "${version}"`,
      '"version": "9.9.9"',
      [],
      "package-lock.json has another version",
    ],
    ["CHANGELOG.md", `## [${version}]`, "## [0.0.0]", ["--publish"], "CHANGELOG.md has no heading for"],
    ["README.md", "# valuefold", "# valuefold", ["--pubish"], "expected nothing or --publish"],
  ] as const)("%s: %s → %s is refused before anything is built", ([file, from, to, args, why]) => {
    const clone = cloneWith(file, from, to);
    const { status, stdout, stderr } = spawnSync("packaging/release", args, { cwd: clone, encoding: "utf8" });
    expect([status, stderr]).toEqual([1, expect.stringContaining(why)]);
    expect(stdout).not.toContain("== build");
  });

  /** A clone with a tag that is signed, and what signs. */
  function taggedClone(): {
    publish: () => string;
    git: (...args: readonly string[]) => void;
    clone: string;
  } {
    const [clone, home] = ["clone", "gnupg"].map((name) =>
      mkdtempSync(join(tmpdir(), `valuefold-${name}-`)),
    ) as [string, string];
    const env = { ...process.env, GNUPGHOME: home };
    const who = ["-c", "user.name=Release", "-c", "user.email=release@example.org"];
    const git = (...args: readonly string[]): void => void succeed("git", [...who, ...args], clone, env);
    succeed(
      "gpg",
      ["--batch", "--passphrase", "", "--quick-generate-key", "release@example.org", "ed25519", "sign"],
      clone,
      env,
    );
    succeed("git", ["clone", "--quiet", root, clone]);
    git("tag", "-u", "release@example.org", `v${version}`, "-m", "Release");
    const publish = (): string =>
      spawnSync("packaging/release", ["--publish"], { cwd: clone, env, encoding: "utf8" }).stderr;
    return { publish, git, clone };
  }

  test("--publish refuses changes, a tag elsewhere, and a project without a home, in this order", () => {
    const { publish, git, clone } = taggedClone();
    // Signed and at HEAD: what is missing next is the home of the image.
    expect(publish()).toMatch(/^release: IMAGE names no image of yours/);
    git("commit", "--quiet", "--allow-empty", "-m", "Later");
    expect(publish()).toBe(`release: the tag v${version} is not at HEAD\n`);
    writeFileSync(join(clone, "new-file"), "");
    expect(publish()).toBe("release: the tree has changes\n");
  });
});
