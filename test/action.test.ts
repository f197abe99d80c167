// The action's own steps, as GitHub's runner executes them, against a server that has a release and comments.
// @module-tag law
import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execaSync } from "execa";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Job, type Ran, readAction, runAction } from "./support/composite-action.ts";
import { bot, type GitHub, startGitHub } from "./support/github.ts";

const root = new URL("../", import.meta.url).pathname;
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
const target = process.arch === "arm64" ? "linux-arm64" : "linux-x64";
const archive = `valuefold-${version}-${target}.tar.gz`;
const releases = mkdtempSync(join(tmpdir(), "valuefold-releases-"));
let sum = "";
let github: GitHub;
let workspace: string;
let toolCache: string;

/** A release whose program is this clone's, under node: the tarball differs from a real one by that alone. */
function makeRelease(folder: string, name = archive): string {
  const inside = join(mkdtempSync(join(tmpdir(), "valuefold-tree-")), name.replace(/\.tar\.gz$/, ""));
  mkdirSync(inside);
  writeFileSync(
    join(inside, "valuefold"),
    `#!/bin/sh\nexec '${process.execPath}' '${root}dist/valuefold.cjs' "$@"\n`,
  );
  chmodSync(join(inside, "valuefold"), 0o755);
  mkdirSync(folder, { recursive: true });
  execaSync("tar", ["-czf", join(folder, name), "-C", join(inside, ".."), name.replace(/\.tar\.gz$/, "")]);
  return createHash("sha256")
    .update(readFileSync(join(folder, name)))
    .digest("hex");
}

beforeAll(async () => {
  sum = makeRelease(join(releases, "good"));
  for (const folder of ["good", `org/valuefold/releases/download/v${version}`, "tampered", "short"]) {
    mkdirSync(join(releases, folder), { recursive: true });
    // One tarball: two made in different seconds have different checksums.
    if (folder !== "good") cpSync(join(releases, "good", archive), join(releases, folder, archive));
    writeFileSync(
      join(releases, folder, "SHA256SUMS"),
      `${"0".repeat(64)}  other.tar.gz\n${sum}  ${archive}\n`,
    );
  }
  writeFileSync(join(releases, "tampered", "SHA256SUMS"), `${"0".repeat(64)}  ${archive}\n`);
  writeFileSync(join(releases, "short", "SHA256SUMS"), `${"0".repeat(64)}  other.tar.gz\n`);
  github = await startGitHub(releases);
});

afterAll(() => github.close());

beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), "valuefold-workspace-"));
  toolCache = mkdtempSync(join(tmpdir(), "valuefold-tools-"));
  github.requests.length = 0;
  github.comments.length = 0;
  github.refusal = undefined;
});

const pullRequest = {
  "github.repository": "org/shop",
  "github.token": "a-token",
  "github.event.pull_request.number": "7",
  "github.event.pull_request.head.repo.full_name": "org/shop",
};

async function run(inputs: { readonly [name: string]: string }, job: Partial<Job> = {}): Promise<Ran> {
  return await runAction(
    root,
    { releases: `file://${releases}/good`, ...inputs },
    {
      workspace,
      toolCache,
      contexts: pullRequest,
      ...job,
      env: { GITHUB_API_URL: `${github.url}/api`, ...job.env },
    },
  );
}

describe("action.yml", () => {
  const action = readAction(join(root, "action.yml"));

  test("no script holds an expression: what users write is never code", () => {
    for (const { run: script, shell } of action.runs.steps)
      expect([script.includes("${{"), shell]).toEqual([false, "bash"]);
    for (const file of readdirSync(join(root, "action")))
      expect(readFileSync(join(root, "action", file), "utf8")).not.toMatch(/\$\{\{|\beval\b/);
  });

  test("every input reaches a step, and every step's environment is one expression", () => {
    const all = action.runs.steps.flatMap(({ env = {} }) => Object.values(env));
    for (const text of all) expect(text).toMatch(/^\$\{\{ [\w.-]+ \}\}$/);
    const inputs = new Set(all.flatMap((text) => /inputs\.([\w-]+)/.exec(text)?.[1] ?? []));
    expect([...inputs, "comment"].toSorted()).toEqual(Object.keys(action.inputs).toSorted());
  });
});

describe("install", () => {
  test("puts the program on the PATH, by its checksum, and says where", async () => {
    const { failed, path, outputs } = await run({});
    const folder = join(toolCache, "valuefold", version, target);
    expect([failed, path, outputs]).toEqual([undefined, [folder], { version, path: folder, changed: "" }]);
    expect(execaSync(join(folder, "valuefold"), ["version"]).stdout).toBe(version);
  });

  test("takes the release of the action's own repository, at its version", async () => {
    const contexts = { "github.server_url": github.url, "github.action_repository": "org/valuefold" };
    const { failed, log } = await run({ releases: "", sha256: sum }, { contexts });
    expect(failed, log).toBeUndefined();
    const from = `/org/valuefold/releases/download/v${version}`;
    expect(github.requests.map(({ url }) => url)).toEqual([`${from}/SHA256SUMS`, `${from}/${archive}`]);
  });

  test("takes it from the tool cache afterwards, unless another place is asked for", async () => {
    const asked = { releases: `file://${releases}/good` };
    await run(asked);
    const cached = join(toolCache, "valuefold", version);
    const [folder = ""] = readdirSync(cached).filter((name) => !name.endsWith(".complete"));
    writeFileSync(join(cached, folder, "mark"), "");
    expect((await run(asked)).failed).toBeUndefined();
    expect(readdirSync(join(cached, folder))).toContain("mark");
    expect((await run({ releases: `file://${releases}/tampered` })).failed).toBe("Install valuefold");
  });

  test("what is pinned is not taken from the tool cache, which other jobs write to", async () => {
    const asked = { releases: `${github.url}/good`, sha256: `${"1".repeat(64)}\n  ${sum.toUpperCase()}` };
    await run(asked);
    const cached = join(toolCache, "valuefold", version);
    const [folder = ""] = readdirSync(cached).filter((name) => !name.endsWith(".complete"));
    writeFileSync(join(cached, folder, "valuefold"), `#!/bin/sh\necho ${version}; echo changed >&2\n`);
    const again = await run(asked);
    expect(again.failed).toBeUndefined();
    expect(readFileSync(join(cached, folder, "valuefold"), "utf8")).not.toContain("echo changed");
  });

  test.for([
    ["a checksum that does not fit", { releases: "tampered" }, /SHA256SUMS says 0{64}/],
    ["a release that does not list the tarball", { releases: "short" }, /does not list valuefold-/],
    ["a folder that is not there", { releases: "nowhere" }, /cannot get file:.*SHA256SUMS/],
    ["another checksum than the pinned one", { sha256: "1".repeat(64) }, /`sha256` does not list/],
    [
      "a pin that is no checksum",
      { sha256: `${"1".repeat(64)}\nabc` },
      /expected 64 hexadecimal digits, got `abc`/,
    ],
    ["a version that is none", { version: "1.2.3/../x" }, /expected a version such as 1\.2\.3/],
    ["http without a pin", { releases: "http://127.0.0.1:1/x" }, /over http the input `sha256` is needed/],
    ["no URL", { releases: "--help" }, /expected a URL with https, http or file/],
    ["neither a repository nor a URL", { releases: " " }, /expected a URL/],
    ["a command that there is not", { command: "explain" }, /expected install, fold, verify or diff/],
  ] as const)("%s fails, and nothing is on the PATH", async ([, inputs, message]) => {
    const named = "releases" in inputs && /^\w+$/.test(inputs.releases);
    const { failed, path, log } = await run({
      ...inputs,
      ...(named ? { releases: `file://${releases}/${inputs.releases}` } : {}),
    });
    expect([failed, path, readdirSync(toolCache)]).toEqual(["Install valuefold", [], []]);
    expect(log).toMatch(/^::error title=valuefold::/m);
    expect(log).toMatch(message);
  });

  test("used from a folder, it asks for a URL", async () => {
    const { failed, log } = await run({ releases: "" });
    expect([failed, log.includes("the action is used from a folder")]).toEqual(["Install valuefold", true]);
  });

  test.for([
    ["Windows", "X64"],
    ["Linux", "ARM"],
    ["macOS", "X86"],
  ] as const)("%s on %s: says what there is", async ([RUNNER_OS, RUNNER_ARCH]) => {
    const { failed, path, log } = await run({}, { env: { RUNNER_OS, RUNNER_ARCH } });
    expect([failed, path]).toEqual(["Install valuefold", []]);
    expect(log).toContain(`there is no executable for ${RUNNER_OS}/${RUNNER_ARCH}`);
  });

  test.for([
    ["macOS", "X64", "glibc", "darwin-x64"],
    ["macOS", "ARM64", "glibc", "darwin-arm64"],
    ["Linux", "ARM64", "glibc", "linux-arm64"],
    ["Linux", "X64", "musl libc (x86_64)", "linux-x64-musl"],
    ["Linux", "ARM64", "musl libc (aarch64)", "linux-arm64-musl"],
  ] as const)("%s on %s with %s takes %s", async ([RUNNER_OS, RUNNER_ARCH, libc, wanted]) => {
    const folder = mkdtempSync(join(tmpdir(), "valuefold-release-"));
    const name = `valuefold-${version}-${wanted}.tar.gz`;
    writeFileSync(join(folder, "SHA256SUMS"), `${makeRelease(folder, name)} *${name}\n`);
    const shims = mkdtempSync(join(tmpdir(), "valuefold-ldd-"));
    writeFileSync(join(shims, "ldd"), `#!/bin/sh\necho '${libc}' >&2\nexit 1\n`, { mode: 0o755 });
    const env = { RUNNER_OS, RUNNER_ARCH, PATH: `${shims}:${process.env["PATH"] ?? ""}` };
    const { failed, path } = await run({ releases: `file://${folder}` }, { env });
    expect([failed, path]).toEqual([undefined, [join(toolCache, "valuefold", version, wanted)]]);
  });
});

const layers = (replicas: string): string => `apiVersion: v1
kind: ConfigMap
metadata: { name: shop-values, namespace: org }
data:
  values: |
    replicas: 1
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: shop-prod
  namespace: org
  annotations: { valuefold.dev/into: App/shop, valuefold.dev/priority: "75" }
data:
  values: |
    replicas: ${replicas}
---
apiVersion: application.giantswarm.io/v1alpha1
kind: App
metadata: { name: shop, namespace: org }
spec:
  catalog: giantswarm
  config: { configMap: { name: shop-values, namespace: org } }
`;

function write(name: string, text: string): void {
  writeFileSync(join(workspace, name), text);
}

function read(name: string): string {
  return readFileSync(join(workspace, name), "utf8");
}

describe("fold", () => {
  test("writes the file as a whole, readable as any other", async () => {
    write("built.yaml", layers("3"));
    const { failed } = await run({ command: "fold", files: "built.yaml", output: "out/rendered.yaml" });
    expect([failed, readdirSync(join(workspace, "out"))]).toEqual([undefined, ["rendered.yaml"]]);
    expect(read("out/rendered.yaml")).toContain("name: shop-folded");
    expect(statSync(join(workspace, "out/rendered.yaml")).mode & 0o777).toBe(0o666 & ~process.umask());
  });

  test("takes settings", async () => {
    write("built.yaml", layers("3"));
    write("-fold.yaml", "apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nspec: {layers: keep}\n");
    const { failed } = await run({
      command: "fold",
      files: "built.yaml",
      config: "-fold.yaml",
      output: "rendered.yaml",
    });
    expect([failed, read("rendered.yaml").includes("name: shop-prod")]).toEqual([undefined, true]);
  });

  test("a failure leaves the file as it was, and is an annotation at its line", async () => {
    write("built.yaml", layers("[unclosed"));
    write("rendered.yaml", "as it was\n");
    const { failed, log } = await run({ command: "fold", files: "built.yaml", output: "rendered.yaml" });
    expect([failed, read("rendered.yaml")]).toEqual(["Fold", "as it was\n"]);
    expect(readdirSync(workspace).toSorted()).toEqual(["built.yaml", "rendered.yaml"]);
    expect(log).toMatch(/^::error file=built\.yaml,line=1\d,/m);
  });

  test("paths may hold anything, one on each line, and patterns", async () => {
    const [app = "", base = "", prod = ""] = [2, 0, 1].map((index) => layers("3").split("---\n")[index]);
    mkdirSync(join(workspace, "a folder"));
    write("a folder/base one.yaml", base);
    write("a folder/base two.yaml", "# nothing\n");
    write("-n 'quoted\".yaml", prod);
    write("[app].yaml", app);
    const files = "a folder/*.yaml\n-n 'quoted\".yaml\r\n\n[app].yaml";
    const { failed } = await run({ command: "fold", files, output: "-e out.yaml" });
    expect([failed, read("-e out.yaml").includes("name: shop-folded")]).toEqual([undefined, true]);
  });

  test.for([
    [{ files: "", output: "x.yaml" }, "`files`: expected what to fold"],
    [{ files: "built.yaml", output: "" }, "`output`: expected the file to write"],
    [{ files: "built.yaml", output: "." }, "is a directory"],
    [{ files: "*.json", output: "x.yaml" }, "nothing fits `*.json`"],
  ] as const)("%o fails", async ([inputs, message]) => {
    const { failed, log } = await run({ command: "fold", ...inputs });
    expect([failed, log.includes(message)]).toEqual(["Fold", true]);
  });
});

describe("verify", () => {
  test("passes what was folded", async () => {
    write("built.yaml", layers("3"));
    await run({ command: "fold", files: "built.yaml", output: "rendered.yaml" });
    expect((await run({ command: "verify", files: "rendered.yaml" })).failed).toBeUndefined();
  });

  test("fails on a layer that was left, at its line", async () => {
    write("built.yaml", layers("3"));
    const { failed, log } = await run({ command: "verify", files: "built.yaml" });
    expect(failed).toBe("Verify");
    expect(log).toMatch(/^::error file=built\.yaml,line=\d+,col=\d+,title=layer-left::/m);
  });

  test("checks what it finds in the checkout if no files are named", async () => {
    write("built.yaml", layers("[broken"));
    const { failed, log } = await run({ command: "verify" });
    expect(failed).toBe("Verify");
    expect(log).toMatch(/^::error file=built\.yaml,line=\d+/m);
  });

  test("is strict if asked to be", async () => {
    write("app.yaml", layers("3").split("---\n").at(-1) ?? "");
    expect((await run({ command: "verify", files: "app.yaml" })).failed).toBeUndefined();
    expect((await run({ command: "verify", files: "app.yaml", strict: "true" })).failed).toBe("Verify");
  });
});

function git(...args: string[]): void {
  const who = ["-c", "user.name=x", "-c", "user.email=x@registry.example", "-c", "commit.gpgsign=false"];
  execaSync("git", [...who, ...args], { cwd: workspace });
}

/** A repository whose last commit changes one value, or as many as there are. */
function commitTwice(before: string, after: string): void {
  git("init", "--quiet");
  for (const text of [before, after]) {
    write("built.yaml", text);
    git("add", "--all");
    git("commit", "--quiet", "--allow-empty", "--message", "x");
  }
}

describe("diff", () => {
  test("compares the last commit with the one before, in the summary of the job", async () => {
    commitTwice(layers("3"), layers("4"));
    const { failed, summary, outputs } = await run({ command: "diff", files: "built.yaml" });
    expect([failed, outputs["changed"], github.requests]).toEqual([undefined, "true", []]);
    expect(summary).toContain("### valuefold: 1 edit; 1 of 1 target changes\n");
    expect(summary).toContain("**`replicas`** `3` → `4`");
  });

  test("tells that nothing changes", async () => {
    commitTwice(layers("3"), layers("3"));
    const { summary, outputs } = await run({ command: "diff", files: "built.yaml", comment: "true" });
    expect([summary, outputs["changed"]]).toEqual([
      "### valuefold: no value changes: no build reads a changed file\n",
      "false",
    ]);
    expect(github.comments).toEqual([]);
  });

  test("what could not be compared may have changed", async () => {
    commitTwice(layers("3"), layers("3"));
    write("broken.yaml", "a: [\n");
    git("add", "--all");
    git("commit", "--quiet", "--message", "x");
    const { summary, outputs } = await run({ command: "diff", files: "." });
    expect(summary).toContain("not compared: broken.yaml");
    expect(outputs["changed"]).toBe("true");
  });

  test("compares two files, without any repository", async () => {
    write("a b.yaml", layers("3"));
    write("-c.yaml", layers("4"));
    const { outputs } = await run({ command: "diff", before: "a b.yaml", after: "-c.yaml" });
    expect(outputs["changed"]).toBe("true");
  });

  test("in a checkout of one commit it fails, and says what is missing", async () => {
    commitTwice(layers("3"), layers("4"));
    const full = workspace;
    workspace = mkdtempSync(join(tmpdir(), "valuefold-shallow-"));
    git("clone", "--quiet", "--depth", "1", `file://${full}`, ".");
    const { failed, log, summary } = await run({ command: "diff", files: "built.yaml", comment: "true" });
    expect([failed, summary, github.requests]).toEqual(["Compare", "", []]);
    expect(log).toContain("`HEAD^` is not in this clone, which is shallow");
    expect(log).toContain("actions/checkout: fetch-depth: 0");
  });
});

describe("comment", () => {
  const asked = { command: "diff", files: "built.yaml", comment: "true" };

  test("is written once, and then kept up to date", async () => {
    commitTwice(layers("3"), layers('"4 \\\\ \\" \\t|<!-- ä"'));
    const first = await run(asked);
    const [written] = github.comments;
    expect([first.failed, written?.body.split("\n").slice(1).join("\n")]).toEqual([undefined, first.summary]);
    expect(written?.body).toMatch(/^<!-- valuefold diff [\d-]+ -->\n### valuefold: 1 edit/);
    write("built.yaml", layers("3"));
    git("commit", "--quiet", "--all", "--amend", "--allow-empty", "--message", "x");
    const second = await run({ ...asked });
    expect([second.failed, github.comments.length]).toEqual([undefined, 1]);
    expect(github.comments[0]?.body).toMatch(
      /-->\n### valuefold: no value changes: no build reads a changed file\n$/,
    );
    expect(github.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "GET /api/repos/org/shop/issues/7/comments?per_page=100&page=1",
      "POST /api/repos/org/shop/issues/7/comments",
      "GET /api/repos/org/shop/issues/7/comments?per_page=100&page=1",
      `PATCH /api/repos/org/shop/issues/comments/${written?.id ?? 0}`,
    ]);
    expect(new Set(github.requests.map(({ authorization }) => authorization))).toEqual(
      new Set(["Bearer a-token"]),
    );
    expect(`${first.log}${second.log}`).not.toContain("a-token");
  });

  test("is found among others, whatever they quote, and is nobody else's", async () => {
    commitTwice(layers("3"), layers("4"));
    await run(asked);
    const [own] = github.comments.splice(0);
    const marked = `${own?.body.split("\n")[0] ?? ""}\n`;
    const person = { login: "mallory", id: 1, type: "User" } as const;
    const quoting = `"id": 5, \\"body\\": "${marked}", {"user": {"type": "Bot"}} \\`;
    github.comments.push({ id: 1, body: marked, user: person }, { id: 2, body: quoting, user: bot });
    for (let id = 3; id < 150; id++) github.comments.push({ id, body: `${id} [{`, user: person });
    github.comments.push({ id: 3_111_222_333, body: marked, user: bot });
    github.requests.length = 0;
    await run(asked);
    expect(github.requests.map(({ method, url }) => [method, url.split("/").at(-1)])).toEqual([
      ["GET", "comments?per_page=100&page=1"],
      ["GET", "comments?per_page=100&page=2"],
      ["PATCH", "3111222333"],
    ]);
  });

  test("of other files is another one", async () => {
    commitTwice(layers("3"), layers("4"));
    await run(asked);
    await run({ ...asked, files: "./built.yaml" });
    expect(new Set(github.comments.map(({ body }) => body.split("\n")[0])).size).toBe(2);
  });

  test("stays below what GitHub takes, cut at a whole change, and says so", async () => {
    const many = (from: number): string =>
      layers("1").replace(
        "    replicas: 1\n---",
        Array.from({ length: 2000 }, (_, index) => `    key${index}: ${index + from}\n`).join("") + "---",
      );
    commitTwice(many(0), many(1));
    const { failed } = await run(asked);
    const [{ body } = { body: "" }] = github.comments;
    expect([failed, body.length > 50_000, body.length <= 65_536]).toEqual([undefined, true, true]);
    expect(body).toMatch(
      /\|\n\n_\d+ more edits left out: the comment would be too long\. Run `valuefold diff` to see all\._\n$/,
    );
  });

  test.for([
    ["a fork", { "github.event.pull_request.head.repo.full_name": "mallory/shop" }, /from a fork/],
    ["a fork that is gone", { "github.event.pull_request.head.repo.full_name": "" }, /from a fork/],
    ["no token", { "github.token": "" }, /there is no token/],
  ] as const)("of %s is left out with a notice", async ([, contexts, message]) => {
    commitTwice(layers("3"), layers("4"));
    const { failed, log, summary } = await run(asked, { contexts: { ...pullRequest, ...contexts } });
    expect([failed, github.requests, summary === ""]).toEqual([undefined, [], false]);
    expect(log).toMatch(/^::notice title=valuefold::no comment: /m);
    expect(log).toMatch(message);
  });

  test("without a pull request is nothing", async () => {
    commitTwice(layers("3"), layers("4"));
    const contexts = { "github.repository": "org/shop", "github.token": "a-token" };
    expect([(await run(asked, { contexts })).failed, github.requests]).toEqual([undefined, []]);
  });

  test("that the token may not write is a notice, too; any other answer is a failure", async () => {
    commitTwice(layers("3"), layers("4"));
    github.refusal = 403;
    const refused = await run(asked);
    expect(refused.failed).toBeUndefined();
    expect(refused.log).toMatch(/^::notice .*GitHub answers 403\. .*pull-requests: write/m);
    github.refusal = 422;
    expect((await run(asked)).failed).toBe("Comment");
  });
});

describe("hostile inputs", () => {
  const hostile = [
    "$(touch pwned)`touch pwned`\"; touch pwned; '; touch pwned; ",
    "x\ntouch pwned\n::warning::pwned",
    "x%0A::warning::pwned",
    "--output=pwned",
    "${{ github.token }}",
  ];
  const commands: { readonly [input: string]: readonly string[] } = {
    files: ["fold", "verify", "diff"],
    config: ["fold", "verify", "diff"],
    output: ["fold"],
    strict: ["verify"],
    before: ["diff"],
    after: ["diff"],
    comment: ["diff"],
    token: ["diff"],
  };

  test.for(Object.keys(readAction(join(root, "action.yml")).inputs))("%s", async (input) => {
    commitTwice(layers("3"), layers("4"));
    for (const command of commands[input] ?? ["install"]) {
      for (const text of hostile) {
        const given = { command, files: "built.yaml", output: "out.yaml", comment: "true", [input]: text };
        const { log, path } = await run(given);
        expect(log).not.toMatch(/^::warning::/m);
        expect(path.every((folder) => folder.startsWith(toolCache))).toBe(true);
      }
    }
    expect(existsSync(join(workspace, "pwned"))).toBe(false);
  });
});
