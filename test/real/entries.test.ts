// A checkout without a word about where things are: what is built by itself is found, and only what reads a changed file is built.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { runCommand } from "../../src/cli/commands.ts";
import { worldOf } from "../support/world.ts";
import { tools } from "./stamps.ts";

const release = (values: string): string =>
  `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: shop, namespace: apps}\nspec:\n  values: ${values}\n`;
const kustomization = (name: string, path: string, more = ""): string =>
  `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: ${name}, namespace: flux-system}\nspec:\n  sourceRef: {kind: GitRepository, name: flux-system}\n  path: ${path}\n${more}`;

/** Two clusters that build one base through overlays, variables included, and an overlay beside them. */
const files: Readonly<Record<string, string>> = {
  "base/kustomization.yaml": "resources: [shop.yaml]\n",
  "base/shop.yaml": release("{replicas: 1, domain: '${domain}', token: 'x-${TOKEN}', own: '${GONE:=none}'}"),
  "apps/prod/kustomization.yaml": "resources: [../../base]\npatches: [{path: shop.yaml}]\n",
  "apps/prod/shop.yaml": release("{replicas: 3}"),
  "apps/stage/kustomization.yaml": "resources: [../../base]\n",
  "clusters/prod/apps.yaml": kustomization(
    "apps",
    "./apps/prod",
    "  postBuild:\n    substitute: {domain: prod.example}\n    substituteFrom: [{kind: ConfigMap, name: vars}, {kind: Secret, name: secret-vars}]\n",
  ),
  "clusters/prod/vars.yaml":
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: vars, namespace: flux-system}\ndata: {domain: other.example}\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: secret-vars, namespace: flux-system}\nstringData: {TOKEN: canary}\n",
  "clusters/stage/apps.yaml":
    kustomization(
      "apps",
      "./apps/stage",
      "  postBuild:\n    substituteFrom: [{kind: ConfigMap, name: vars}]\n",
    ) + `---\n${kustomization("elsewhere", "./not/here")}`,
  "clusters/stage/vars.yaml":
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: vars, namespace: flux-system}\ndata:\n  domain: stage.example\n",
  "alone/kustomization.yaml": "resources: [../base]\nnamespace: alone\n",
};

let folder = "";
const git = (...args: readonly string[]): void =>
  void execFileSync("git", ["-C", folder, "-c", "user.name=a", "-c", "user.email=a@example.com", ...args]);

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "valuefold-checkout-"));
  for (const [name, text] of Object.entries(files)) write(name, text);
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("commit", "-qm", "all");
});

async function run(args: readonly string[], path = tools): Promise<string> {
  const env = { ...process.env, PATH: path };
  const terminal = { stdin: true, stdout: false };
  const before = process.cwd();
  process.chdir(folder);
  try {
    const world = worldOf("", { directory: folder, env, terminal });
    const { output, messages } = await runCommand([...args], world);
    return Buffer.concat(output).toString("utf8") + messages;
  } finally {
    process.chdir(before);
  }
}

test("the entries are listed, and nothing is built for it", async () => {
  const text = await run(["explain"], "");
  expect(text).toMatch(/^clusters\/prod +Flux\nclusters\/stage +Flux\nalone +kustomization\n/);
});

test("a short name and a path lead to the lines of patch, base and variable in each cluster", async () => {
  const text = await run(["explain", "shop", "domain"]);
  expect(text).toMatch(
    /^HelmRelease\/apps\/shop domain\n[^]*clusters\/prod +prod\.example +base\/shop\.yaml:5:\d+(?: +spec\.values)?\n +with domain of clusters\/prod\/apps\.yaml:8/,
  );
  expect(text).toMatch(
    /clusters\/stage +stage\.example +base\/shop\.yaml:5:\d+(?: +spec\.values)?\n +with domain of clusters\/stage\/vars\.yaml:5/,
  );
  expect(text).toMatch(/alone +\$\{domain\}/);
  expect(await run(["explain", "shop", "own"])).toMatch(/shop own\n[^]* none +/);
});

test("variables of Secrets stay names, and what is not here is said with its place", async () => {
  const text = await run(["explain", "shop", "."]);
  expect(text).toContain("x-${TOKEN}");
  expect(text).not.toContain("canary");
  expect(text).toContain("its path `./not/here` is not in this repository");
  expect(text).toContain("clusters/stage/apps.yaml:10");
});

// An object that is not here may override what the others have: then no value is guessed, and the reason is with the value.
test.for([
  [
    "an optional Secret over a ConfigMap",
    "{kind: ConfigMap, name: vars}, {kind: Secret, name: gone, optional: true}",
    "Secret/flux-system/gone (optional) is not here, and may override ConfigMap/flux-system/vars",
  ],
  [
    "a ConfigMap over a ConfigMap",
    "{kind: ConfigMap, name: vars}, {kind: ConfigMap, name: gone}",
    "ConfigMap/flux-system/gone is not here, and may override ConfigMap/flux-system/vars",
  ],
  [
    "two over a ConfigMap",
    "{kind: ConfigMap, name: vars}, {kind: Secret, name: b}, {kind: Secret, name: a}",
    "Secret/flux-system/a and Secret/flux-system/b are not here, and may override ConfigMap/flux-system/vars",
  ],
  ["nothing below it", "{kind: Secret, name: gone}", "Secret/flux-system/gone is not here, and may set it"],
  ["one that is here over it", "{kind: Secret, name: gone}, {kind: ConfigMap, name: vars}", undefined],
  [
    "a Secret that is here",
    "{kind: ConfigMap, name: vars}, {kind: Secret, name: secret-vars}",
    "it is that of Secret/flux-system/secret-vars",
  ],
  [
    "a Secret that is here without it",
    "{kind: ConfigMap, name: vars}, {kind: Secret, name: other-vars}",
    undefined,
  ],
] as const)("a variable with more than one source: %s", async ([, sources, reason]) => {
  write(
    "clusters/prod/apps.yaml",
    kustomization("apps", "./apps/prod", `  postBuild: {substituteFrom: [${sources}]}\n`),
  );
  const secrets = ["secret-vars", "other-vars"].map(
    (name) =>
      `---\napiVersion: v1\nkind: Secret\nmetadata: {name: ${name}, namespace: flux-system}\nstringData: {${name === "secret-vars" ? "domain" : "other"}: canary}\n`,
  );
  write("clusters/prod/vars.yaml", (files["clusters/stage/vars.yaml"] ?? "") + secrets.join(""));
  const text = await run(["explain", "clusters/prod", "shop", "domain"]);
  const values = await run(["values", "--strict", "clusters/prod", "shop"]);
  expect(text + values).not.toContain("canary");
  if (reason === undefined) {
    expect(text).toMatch(/^shop domain\n +stage\.example .*\n +with domain of clusters\/prod\/vars\.yaml:5/);
    expect(values).toContain("domain: stage.example");
    return expect(values).not.toContain("`${domain}`");
  }
  expect(text).toContain("shop domain\n        ${domain}  ");
  expect(text).toContain(`\${domain} stays: ${reason}\n`);
  expect(values).toMatch(/values-missing\]: .*`\$\{domain\}`/);
});

test("clusters are compared side by side", async () => {
  const text = await run(["compare", "shop"]);
  expect(text).toMatch(/replicas +1 +clusters\/stage, alone[^]*3 +clusters\/prod +apps\/prod\/shop\.yaml:5/);
});

const asked = vi.hoisted(() => ({ builds: 0 }));

vi.mock(import("../../src/engine/index.ts"), async (load) => {
  const engine = await load();
  const ask: typeof engine.ask = (request, ...rest) => {
    if (request.op === "build") asked.builds++;
    return engine.ask(request, ...rest);
  };
  return { ...engine, ask };
});

/** The output, and how many builds the engine was asked for. */
async function runs(args: readonly string[]): Promise<readonly [string, number]> {
  const before = asked.builds;
  return [await run(args), asked.builds - before];
}

test("what cannot have a target is not built for it; an unknown name is looked for everywhere", async () => {
  write("beside/kustomization.yaml", "resources: [cart.yaml]\nnamePrefix: my-\n");
  write("beside/cart.yaml", release("{a: 1}").replace("name: shop", "name: cart"));
  const [text, few] = await runs(["explain", "my-cart", "a"]);
  expect(text).toMatch(/^my-cart a\n[^]*1 +beside\/cart\.yaml:5:\d+/);
  const [none, many] = await runs(["explain", "trolley", "a"]);
  expect(none).toContain("no-target");
  expect(many).toBeGreaterThan(few);
});

test("diff builds what reads a changed file, on both sides", async () => {
  write("README.md", "nothing is built of it\n");
  expect(await runs(["diff", "main"])).toEqual([expect.stringContaining("no value changes"), 0]);
  write("apps/prod/shop.yaml", release("{replicas: 5}"));
  const [text, few] = await runs(["diff", "main"]);
  expect(text).toContain(
    "apps/prod/shop.yaml:5:22  replicas  3 → 5\n  changes  HelmRelease/apps/shop (clusters/prod)",
  );
  write("base/shop.yaml", release("{replicas: 2}"));
  const [all, many] = await runs(["diff", "main"]);
  expect(all).toMatch(
    /hidden +HelmRelease\/apps\/shop \(clusters\/prod\) +is now 5, apps\/prod\/shop\.yaml:5:22/,
  );
  expect(many).toBeGreaterThan(few);
});

test("diff builds what takes its variables from a changed object", async () => {
  write("clusters/stage/vars.yaml", (files["clusters/stage/vars.yaml"] ?? "").replace("stage", "other"));
  expect(await run(["diff", "main"])).toMatch(/domain +stage\.example → other\.example\n +with domain of/);
});

test("an entry that only the work tree can build is not said to be added, whatever word leads to it", async () => {
  write("over/late/kustomization.yaml", "resources: [../../new]\n");
  git("add", ".");
  git("commit", "-qm", "late");
  write("new/kustomization.yaml", "resources: [shop.yaml]\n");
  write("new/shop.yaml", release("{a: 1}"));
  for (const word of ["over", "ov*"])
    await expect(run(["diff", "main", word])).rejects.toThrow(/cannot build .* in revision `main`/);
});

test("an entry that is deleted or renamed is an edit", async () => {
  rmSync(join(folder, "alone"), { recursive: true });
  expect(await run(["diff", "main"])).toContain("HelmRelease/alone/shop (alone) is removed, with 4 values");
  git("mv", "clusters/stage", "clusters/test");
  const text = await run(["diff", "main"]);
  expect(text).toContain("(clusters/test) is added");
  expect(text).toContain("(clusters/stage) is removed");
});

test("a cluster that is deleted leaves directories that nothing builds: they are not added", async () => {
  git("rm", "-rq", "clusters/prod");
  const text = await run(["diff", "main"]);
  expect(text).toContain("HelmRelease/apps/shop (clusters/prod) is removed");
  expect(text).not.toContain("is added");
});

test("a base that moves with all that name it changes nothing", async () => {
  git("mv", "base", "common");
  for (const name of ["apps/prod", "apps/stage", "alone"]) {
    const file = join(folder, name, "kustomization.yaml");
    writeFileSync(file, readFileSync(file, "utf8").replace("/base", "/common"));
  }
  expect(await run(["diff", "main"])).toMatch(
    /^not compared: Kustomization\/flux-system\/elsewhere; nothing else changes\n/,
  );
});

test("a path that is in a folder, which nothing names: a base of it is not compared, other files are", async () => {
  write("part/not/here/kustomization.yaml", "resources: [../../base]\n");
  for (const name of ["part/base/shop.yaml", "other.yaml"]) write(name, release("{replicas: 1}"));
  write("part/base/kustomization.yaml", "resources: [shop.yaml]\n");
  git("add", ".");
  git("commit", "-qm", "an artifact");
  write("other.yaml", release("{replicas: 2}"));
  expect(await run(["diff", "HEAD", "clusters/stage"])).toMatch(/^no value changes: no build reads/);
  write("part/base/shop.yaml", release("{replicas: 2}"));
  expect(await run(["diff", "HEAD", "clusters/stage"])).toContain(
    "not compared: Kustomization/flux-system/elsewhere\n",
  );
});

test("what Flux cannot build is named with its reason, and the rest goes on", async () => {
  write(
    "clusters/odd/all.yaml",
    [
      kustomization("outside", "../../../etc"),
      kustomization("round", "./clusters/odd"),
      kustomization("refused", "./refused", "  postBuild: {substitute: {a: b}}\n"),
      kustomization("broken", "./broken"),
      kustomization("remote", "./remote"),
      kustomization("good", "./apps/stage"),
    ].join("---\n"),
  );
  write("refused/shop.yaml", release("{a: '${a'}").replace("name: shop", "name: refused"));
  write("broken/shop.yaml", "a: {\n");
  write("remote/kustomization.yaml", 'resources: [shop.yaml, "https://example.com/a/b?ref=v1"]\n');
  write("remote/shop.yaml", release("{a: 1}").replace("name: shop", "name: local"));
  const text = await run(["explain", "clusters/odd"]);
  expect(text).toContain("its path `../../../etc` is not in this repository");
  expect(text).toContain(
    "Flux cannot substitute variables in HelmRelease/apps/refused: missing closing brace in line",
  );
  expect(text).toContain("kustomize cannot build `broken`");
  expect(text).toContain("clusters/odd/all.yaml:23");
  expect(text).toContain("`https://example.com/a/b?ref=v1` is not fetched");
  expect(text).toContain("HelmRelease/apps/local");
  expect(text).toContain("HelmRelease/apps/shop");
  write("clusters/odd/again.yaml", kustomization("good", "./apps/prod"));
  await expect(run(["explain", "clusters/odd"])).rejects.toThrow(
    expect.objectContaining({ reason: [expect.stringContaining("already registered id")] }),
  );
});

test.for([
  ["a directory", "charts/shop"],
  ["a link to it", "link"],
  ["an archive", "shop-1.0.0.tgz"],
] as const)("the chart that `--chart` names is that of each revision: %s", async ([, path]) => {
  write("charts/shop/Chart.yaml", "apiVersion: v2\nname: shop\nversion: 1.0.0\n");
  write("charts/shop/values.yaml", "port: 80\n");
  symlinkSync("charts/shop", join(folder, "link"));
  const pack = (): void =>
    void execFileSync("tar", ["-czf", "../shop-1.0.0.tgz", "shop"], { cwd: join(folder, "charts") });
  pack();
  // An archive is the chart wherever it is unpacked.
  if (path.endsWith(".tgz")) write(".gitignore", "charts\n");
  git("add", ".");
  git("commit", "-qm", "a chart");
  write("charts/shop/values.yaml", "port: 81\n");
  pack();
  const chart = `HelmRelease/shop=${path}`;
  const edit = /values\.yaml:1:7 +port +80 → 81\n +changes +HelmRelease\/apps\/shop \(/;
  expect(await run(["diff", "HEAD", "--chart", chart])).toMatch(edit);
  git("commit", "-qam", "another port");
  expect(await run(["diff", "HEAD~1", "HEAD", "--chart", chart])).toMatch(edit);
  expect(await run(["diff", "HEAD", "--chart", chart])).not.toContain("port");
});

test("a chart that a revision lacks, or that is elsewhere, is what the user names", async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), "valuefold-chart-"));
  for (const place of ["pulled", elsewhere]) {
    write(".gitignore", "pulled\n");
    const at = place === "pulled" ? join(folder, place) : place;
    mkdirSync(at, { recursive: true });
    writeFileSync(join(at, "Chart.yaml"), "apiVersion: v2\nname: shop\nversion: 1.0.0\n");
    writeFileSync(join(at, "values.yaml"), "port: 80\nreplicas: 7\n");
    write("base/shop.yaml", release("{domain: x}"));
    const text = await run(["diff", "main", "--chart", `HelmRelease/shop=${place}`, "alone"]);
    expect(text).toMatch(/HelmRelease\/alone\/shop +1 → 7, .*values\.yaml:2:11/);
    expect(text).not.toContain("port");
  }
});
