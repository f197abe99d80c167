// The executable among what users have: slow pipes, readers that go, hostile folders, little memory, bare systems, SOPS.
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { confined, emulated, folderOf, native, root } from "./executable/forms.ts";
import { appList, fewAppsAmongStrangers } from "../support/large-lists.ts";

const script = `${root}dist/valuefold.cjs`;
const oneCase = `${root}test/core/cases/config-and-user-config-in-a-resource-list`;
const input = readFileSync(`${oneCase}/input.yaml`);
const output = readFileSync(`${oneCase}/output.yaml`, "utf8");

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run([program = "", ...args]: readonly string[], stdin: string | Buffer, cwd?: string): Ended {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    input: stdin,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    // podman leaves a file where it is called, if a container is killed for its memory.
    cwd: cwd ?? tmpdir(),
  });
  if (error !== undefined) throw error;
  return { status, stdout, stderr };
}

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), "valuefold-world-"));
}

describe("pipes", () => {
  const list = Buffer.from(appList(30_000_000));
  const expected = createHash("sha256")
    .update(spawnSync(process.execPath, [script], { input: list, maxBuffer: 2 ** 28 }).stdout)
    .digest("hex");

  /** Writes a piece, waits, and so on, as a builder does that is slower than we are. */
  async function feed(child: ChildProcess): Promise<void> {
    const step = 3_000_000;
    for (let at = 0; at < list.length; at += step) {
      if (child.stdin?.write(list.subarray(at, at + step)) === false) await once(child.stdin, "drain");
      await setTimeout(20);
    }
    child.stdin?.end();
  }

  test("30 MB come in slowly and go out slowly, whole", async () => {
    const child = spawn(native, [], { stdio: ["pipe", "pipe", "inherit"] });
    const hash = createHash("sha256");
    const ended = once(child, "close");
    const fed = feed(child);
    let taken = 0;
    for await (const piece of child.stdout as AsyncIterable<Buffer>) {
      hash.update(piece);
      taken += piece.length;
      if (taken % 40 === 0) await setTimeout(5);
    }
    await fed;
    expect(await ended).toEqual([0, null]);
    expect(taken).toBeGreaterThan(1_000_000);
    expect(hash.digest("hex")).toBe(expected);
  });

  test("a reader that goes early ends it, without a word", () => {
    const both = [native, `${process.execPath} ${script}`].map((command) =>
      run(
        ["bash", "-c", `${command} 2>errors | head -c 100 >/dev/null; echo "\${PIPESTATUS[0]}"; cat errors`],
        list,
        newFolder(),
      ),
    );
    expect(both[0]).toEqual(both[1]);
    expect(both[0]).toEqual({ status: 0, stdout: "141\n", stderr: "" });
  });
});

describe("a hostile working directory executes nothing", () => {
  /** Every file that a runtime reads by itself, each of which leaves a mark if it is executed. */
  function trap(): { folder: string; marks: string } {
    const [folder, marks] = [newFolder(), newFolder()];
    const mark = (name: string): string =>
      `require("node:fs").writeFileSync(${JSON.stringify(`${marks}/${name}`)}, "");\n`;
    writeFileSync(join(folder, "preload.cjs"), mark("preload"));
    writeFileSync(join(folder, "bunfig.toml"), 'preload = ["./preload.cjs"]\n');
    writeFileSync(
      join(folder, ".env"),
      `BUN_OPTIONS=--preload=${folder}/preload.cjs\nNODE_OPTIONS=--require=${folder}/preload.cjs\nVALUEFOLD_FAULTS=stdout\n`,
    );
    writeFileSync(
      join(folder, "tsconfig.json"),
      '{"compilerOptions": {"paths": {"*": ["./preload.cjs"]}}}\n',
    );
    writeFileSync(
      join(folder, "package.json"),
      '{"imports": {"#*": "./preload.cjs"}, "main": "preload.cjs"}\n',
    );
    for (const name of ["node_modules/yaml", "node_modules/execa", "parts"]) {
      mkdirSync(join(folder, name), { recursive: true });
      for (const file of ["index.js", "yaml.cjs", "commands.cjs", "config.cjs"])
        writeFileSync(join(folder, name, file), mark(file));
    }
    return { folder, marks };
  }

  test("the trap works: the bare runtime walks into it", () => {
    const { folder, marks } = trap();
    writeFileSync(join(folder, "nothing.js"), "");
    run([`${root}packaging/node_modules/@oven/bun-linux-x64-baseline/bin/bun`, "nothing.js"], "", folder);
    expect(readdirSync(marks)).toEqual(["preload"]);
  });

  test.for([[["fold", "-"]], [["verify", "-"]], [[]], [["fold", "-c", "settings.yaml", "-"]]] as const)(
    "%j",
    ([args]) => {
      const { folder, marks } = trap();
      writeFileSync(
        join(folder, "settings.yaml"),
        "apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nspec: {layers: prune}\n",
      );
      const stdin = args.length === 0 ? input : readFileSync(`${root}examples/quickstart/base/values.yaml`);
      const plain = newFolder();
      cpSync(join(folder, "settings.yaml"), join(plain, "settings.yaml"));
      expect(run([native, ...args], stdin, folder)).toEqual(
        run([process.execPath, script, ...args], stdin, plain),
      );
      expect(readdirSync(marks)).toEqual([]);
    },
  );
});

describe("bare systems: confined to 256 MiB, no home, no network, nothing to write to", () => {
  const images = {
    debian: "localhost/valuefold-debian:test",
    musl: "localhost/valuefold-musl:test",
    empty: "localhost/valuefold:test",
  };

  function inContainer(
    image: keyof typeof images,
    target: string,
    stdin: string | Buffer,
    ...args: readonly string[]
  ): Ended {
    const mount = image === "empty" ? [] : [`--volume=${folderOf(target)}:/opt/valuefold:ro`];
    const program = image === "empty" ? [] : ["/opt/valuefold/valuefold"];
    return run(["docker", ...confined, "--env=HOME=", ...mount, images[image], ...program, ...args], stdin);
  }

  test.for([
    ["debian", "linux-x64"],
    ["debian", "linux-x64-bare"],
    ["musl", "linux-x64-musl"],
    ["musl", "linux-x64-bare"],
    ["empty", "linux-x64-bare"],
  ] as const)("%s runs %s", ([image, target]) => {
    expect(inContainer(image, target, input)).toEqual({ status: 0, stdout: output, stderr: "" });
    const broken = "a: [\n";
    expect(inContainer(image, target, broken, "fold", "-")).toEqual(
      run([process.execPath, script, "fold", "-"], broken),
    );
  });

  test.for([
    ["debian", "linux-x64"],
    ["musl", "linux-x64-musl"],
    ["empty", "linux-x64-bare"],
  ] as const)("%s: 32 MB of which little is folded fits", ([image, target]) => {
    const list = fewAppsAmongStrangers(32_000_000);
    const { status, stdout, stderr } = inContainer(image, target, list);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout.length).toBeGreaterThan(31_000_000);
  });

  test("the limit is real: what needs more is killed", () => {
    const confinedMore = ["run", "--rm", "--interactive", "--memory=32m", "--memory-swap=32m", images.empty];
    const list = fewAppsAmongStrangers(32_000_000);
    expect(
      spawnSync("docker", confinedMore, { input: list, stdio: ["pipe", "ignore", "ignore"], cwd: tmpdir() })
        .status,
    ).toBe(137);
  });

  test("the form with a loader of its own runs emulated, too", () => {
    expect(run(emulated("linux-arm64-bare"), input)).toEqual({ status: 0, stdout: output, stderr: "" });
  });
});

describe("install DIR", () => {
  test("the image puts itself into a volume, and a system without Node or glibc runs it from there", () => {
    const shared = newFolder();
    execFileSync("chmod", ["777", shared]);
    const installed = run(
      ["docker", ...confined, `--volume=${shared}:/shared`, "localhost/valuefold:test", "install", "/shared"],
      "",
    );
    expect(installed).toEqual({
      status: 0,
      stdout: "",
      stderr: expect.stringMatching(
        /^installed valuefold \S+ into \/shared\n {2}note {2}this executable runs from \/opt\/valuefold only/,
      ),
    });
    const from = [
      "docker",
      ...confined,
      `--volume=${shared}:/opt/valuefold:ro`,
      "localhost/valuefold-musl:test",
      "/opt/valuefold/valuefold",
    ];
    expect(run(from, input)).toEqual({ status: 0, stdout: output, stderr: "" });
  });

  test("all forms take the engine along, that for musl its two libraries, too", () => {
    const [alone, shared] = [newFolder(), newFolder()];
    expect(run([native, "install", alone], "").stderr).toMatch(/^installed valuefold \S+ into \S+\n$/);
    expect(readdirSync(alone, { recursive: true, encoding: "utf8" }).toSorted()).toEqual([
      "lib",
      "lib/valuefold-engine",
      "valuefold",
    ]);
    execFileSync("chmod", ["777", shared]);
    const volumes = [`--volume=${folderOf("linux-x64-musl")}:/x:ro`, `--volume=${shared}:/shared`];
    run(
      [
        "docker",
        ...confined,
        ...volumes,
        "localhost/valuefold-musl:test",
        "/x/valuefold",
        "install",
        "/shared",
      ],
      "",
    );
    expect(readdirSync(shared, { recursive: true, encoding: "utf8" }).toSorted()).toEqual([
      "lib",
      "lib/libgcc_s.so.1",
      "lib/libstdc++.so.6",
      "lib/valuefold-engine",
      "valuefold",
    ]);
  });
});

describe("install DIR, where others are about", () => {
  const sizeOfNative = statSync(native).size;

  test("a link that somebody planted is not followed", () => {
    const [folder, victim] = [newFolder(), join(newFolder(), "victim")];
    writeFileSync(victim, "mine\n");
    for (const name of ["valuefold", "valuefold.part"]) symlinkSync(victim, join(folder, name));
    expect(run([native, "install", folder], "").status).toBe(0);
    expect(readFileSync(victim, "utf8")).toBe("mine\n");
    expect(lstatSync(join(folder, "valuefold")).isFile()).toBe(true);
  });

  test("several at once all end well, and leave nothing behind", async () => {
    const folder = newFolder();
    const all = Array.from({ length: 4 }, () => spawn(native, ["install", folder], { stdio: "ignore" }));
    expect(await Promise.all(all.map((child) => once(child, "close")))).toEqual(all.map(() => [0, null]));
    expect(readdirSync(folder)).toEqual(["lib", "valuefold"]);
    expect(readdirSync(join(folder, "lib"))).toEqual(["valuefold-engine"]);
    expect(statSync(join(folder, "valuefold")).size).toBe(sizeOfNative);
  });

  test("one that fails leaves nothing behind, and says what to do", () => {
    const folder = newFolder();
    mkdirSync(join(folder, "valuefold"));
    expect(run([native, "install", folder], "")).toEqual({
      status: 1,
      stdout: "",
      stderr: expect.stringMatching(
        /^error\[usage\]: cannot install into .*\n {2}hint {2}name a writable folder/,
      ),
    });
    expect(readdirSync(folder)).toEqual(["valuefold"]);
  });

  test("others can run it, whatever the umask", () => {
    const folder = newFolder();
    const volumes = [`--volume=${folderOf("linux-x64-musl")}:/x:ro`, `--volume=${folder}:/shared`];
    const image = "localhost/valuefold-musl:test";
    const install = ["sh", "-c", "umask 077; /x/valuefold install /shared"];
    run(["docker", "run", "--rm", ...volumes, image, ...install], "");
    execFileSync("chmod", ["755", folder]);
    const from = ["docker", ...confined, `--volume=${folder}:/v:ro`, image, "/v/valuefold"];
    expect(run(from, input)).toEqual({ status: 0, stdout: output, stderr: "" });
  });

  test("libraries never go where the system's are", () => {
    const image = "localhost/valuefold:test";
    const { status, stderr } = run(["docker", "run", "--rm", image, "install", "/usr/local"], "");
    expect([status, stderr]).toEqual([1, expect.stringContaining("with those of the system")]);
  });

  test("under Node it is refused", () => {
    const { status, stderr } = run([process.execPath, script, "install", newFolder()], "");
    expect([status, stderr]).toEqual([1, expect.stringContaining("only an executable copies itself")]);
  });
});

test("the bare form takes its own libc, whatever LD_LIBRARY_PATH names", () => {
  const mounts = ["--volume", `${folderOf("linux-x64-bare")}:/opt/valuefold:ro`];
  const env = ["--env", "LD_LIBRARY_PATH=/usr/lib/x86_64-linux-gnu"];
  const image = "localhost/valuefold-debian:test";
  const ended = run(["docker", ...confined, ...mounts, ...env, image, "/opt/valuefold/valuefold"], input);
  expect(ended).toEqual({ status: 0, stdout: output, stderr: "" });
});

describe("sealed layers: SOPS is run as under Node", () => {
  const env = { ...process.env, SOPS_AGE_KEY_FILE: `${root}examples/sops/throw-away.agekey` };
  const unfolded = ["build", "--enable-alpha-plugins", `${root}examples/sops/overlays/prod`];
  const built = execFileSync("kustomize", unfolded, { stdio: ["ignore", "pipe", "ignore"] });

  test.for(["{allowPlaintext: true}", "{}", "{mac: strict, allowPlaintext: true}"])("sops: %s", (sops) => {
    const config = join(newFolder(), "fold.yaml");
    writeFileSync(config, `apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nspec: {sops: ${sops}}\n`);
    const [alone, underNode] = [[native], [process.execPath, script]].map(([program = "", ...args]) => {
      const ended = spawnSync(program, [...args, "fold", "-c", config, "-"], {
        input: built,
        env,
        encoding: "utf8",
      });
      // Sealing draws a new key each time.
      const stdout = ended.stdout.replaceAll(/ENC\[.*?\]|lastmodified: .*|digest":"sha256:\w+|enc: .*/g, "");
      return { status: ended.status, stdout, stderr: ended.stderr };
    });
    expect(alone).toEqual(underNode);
    expect(alone?.stderr).toMatch(sops.startsWith("{mac") ? /sops-malformed/ : /folded/);
  });
});
