// What `init` writes works at once with the tools it is for; what `doctor` says of them is so.
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";

const program = new URL("../../dist/valuefold.cjs", import.meta.url).pathname;
const tools = new URL(".tools/", import.meta.url).pathname;
const path = `${tools}bin:${tools}:${process.env["PATH"] ?? ""}`;

interface Ran {
  readonly status: number | null;
  readonly text: string;
}

function ran(cwd: string, PATH: string, command: string, ...args: string[]): Ran {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    env: { ...process.env, PATH },
    encoding: "utf8",
  });
  return { status, text: stdout + stderr };
}

function valuefold(cwd: string, ...args: string[]): Ran {
  return ran(cwd, path, process.execPath, program, ...args);
}

function folderWith(files: { readonly [path: string]: string } = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-first-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

describe("init", () => {
  test("for kustomize: the build is folded, and another overlay renames all of it", () => {
    const folder = folderWith();
    expect(valuefold(folder, "init", "--for", "kustomize", "shop").status).toBe(0);
    const flags = ["build", "--enable-alpha-plugins", "--enable-exec"];
    const { status, text } = ran(folder, path, "kustomize", ...flags, "shop");
    expect([status, text]).toEqual([0, expect.stringContaining("replicas: 3")]);
    expect(text).toContain("name: shop-folded");
    mkdirSync(join(folder, "eu"));
    writeFileSync(
      join(folder, "eu/kustomization.yaml"),
      "namePrefix: eu-\nresources: [../shop]\nconfigurations: [../shop/name-reference.yaml]\n",
    );
    const renamed = ran(
      folder,
      path,
      "kustomize",
      "build",
      "--load-restrictor=LoadRestrictionsNone",
      ...flags.slice(1),
      "eu",
    );
    expect(renamed.text).toMatch(/valuesFrom:\n {2}- kind: ConfigMap\n {4}name: eu-shop-folded/);
  });

  test("for kpt: the package renders, as often as one likes", () => {
    const folder = folderWith();
    expect(valuefold(folder, "init", "--for", "kpt").status).toBe(0);
    for (const time of ["once", "again"])
      expect([time, ran(folder, path, "kpt", "fn", "render", "--allow-exec").status]).toEqual([time, 0]);
    const files = readdirSync(folder).filter((name) => name.endsWith(".yaml") && name !== "fold.yaml");
    expect(valuefold(folder, "values", "HelmRelease/shop", ...files).text).toContain("replicas: 3");
  });

  test("in a kustomization that is there: the lines that it prints make it fold", () => {
    const release =
      "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: cart, namespace: shop}\nspec: {}\n";
    const folder = folderWith({
      "base/kustomization.yaml": "resources: [cart.yaml]\n",
      "base/cart.yaml": release,
      "prod/kustomization.yaml": "resources: [../base]\n",
    });
    const { text } = valuefold(folder, "init", "prod");
    expect(text).toContain("a layer of HelmRelease/cart");
    const added = text.match(/^ {2}\w+: \[.*\]$/gm) ?? [];
    expect(added.length).toBe(3);
    writeFileSync(
      join(folder, "prod/kustomization.yaml"),
      `resources: [../base, layer.yaml]\n${added.slice(1).join("\n").replaceAll(/^ +/gm, "")}\n`,
    );
    writeFileSync(
      join(folder, "prod/layer.yaml"),
      readFileSync(join(folder, "prod/layer.yaml"), "utf8").replace("# replicas", "replicas"),
    );
    const built = ran(folder, path, "kustomize", "build", "--enable-alpha-plugins", "--enable-exec", "prod");
    expect(built.text).toContain("name: cart-folded");
  });

  const base = {
    "base/kustomization.yaml":
      "namespace: apps\nresources: [cart.yaml]\nconfigMapGenerator: [{name: cart-values, files: [values.yaml]}]\n",
    "base/cart.yaml":
      "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: cart}\nspec:\n  valuesFrom: [{kind: ConfigMap, name: cart-values}]\n",
    "base/values.yaml": "replicas: 1\n",
    "prod/kustomization.yaml": "resources: [../base]\n",
  };

  /** What `init` prints is added, and the layer says something. */
  function takeOver(folder: string, replicas: number, others: string): void {
    writeFileSync(
      join(folder, "kustomization.yaml"),
      `resources: [${others}, layer.yaml]\nconfigurations: [name-reference.yaml]\ntransformers: [fold.yaml]\n`,
    );
    const layer = readFileSync(join(folder, "layer.yaml"), "utf8");
    writeFileSync(join(folder, "layer.yaml"), layer.replace("# replicas: 3", `replicas: ${replicas}`));
  }

  test("in an overlay: the layer has the namespace that the base sets", () => {
    const folder = folderWith(base);
    valuefold(folder, "init", "prod");
    takeOver(join(folder, "prod"), 3, "../base");
    const built = ran(folder, path, "kustomize", "build", "--enable-alpha-plugins", "--enable-exec", "prod");
    expect(built).toMatchObject({ status: 0, text: expect.stringContaining("replicas: 3") as string });
    expect(valuefold(folder, "doctor", "prod").text).toContain("found nothing wrong in prod");
  });

  test("over a base with a layer: no two layers have one name", () => {
    const folder = folderWith(base);
    valuefold(folder, "init", "base");
    valuefold(folder, "init", "prod");
    takeOver(join(folder, "prod"), 3, "../base");
    writeFileSync(
      join(folder, "base/kustomization.yaml"),
      `${base["base/kustomization.yaml"].replace("cart.yaml", "cart.yaml, layer.yaml")}transformers: [fold.yaml]\n`,
    );
    // Without the program of the function all layers are in the list.
    const built = ran(folder, path, "kustomize", "build", "--enable-alpha-plugins", "prod");
    expect(built.status).toBe(0);
    expect(built.text).toContain("name: cart-layer\n");
    expect(built.text).toContain("name: cart-layer-2\n");
  });

  test("for another target: its layer gets a file of its own, and an earlier one is kept", () => {
    const release = (name: string): string =>
      `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: ${name}, namespace: apps}\nspec: {values: {}}\n`;
    const folder = folderWith({ "all.yaml": `${release("a")}---\n${release("b")}` });
    valuefold(folder, "init");
    const first = readFileSync(join(folder, "layer.yaml"), "utf8");
    for (const said of ["wrote  b-layer.yaml", "kept   b-layer.yaml"])
      expect(valuefold(folder, "init", "HelmRelease/b").text).toContain(said);
    expect(valuefold(folder, "init", "HelmRelease/a").text).toContain("kept   layer.yaml");
    expect(readFileSync(join(folder, "layer.yaml"), "utf8")).toBe(first);
    expect(readFileSync(join(folder, "b-layer.yaml"), "utf8")).toContain(
      "valuefold.dev/into: HelmRelease/b\n",
    );
    const folded = valuefold(folder, "fold", "-c", "fold.yaml", "all.yaml", "layer.yaml", "b-layer.yaml");
    expect(folded.status).toBe(0);
  });
});

describe("doctor", () => {
  test("lists the programs with their versions, and what a function needs", () => {
    const folder = folderWith();
    valuefold(folder, "init", "--for", "kustomize");
    const { status, text } = valuefold(folder, "doctor");
    expect(status).toBe(0);
    const version = (name: string, ...words: string[]): string =>
      /\d+\.\d+[\w.+-]*/.exec(
        execFileSync(name, words, { encoding: "utf8", env: { ...process.env, PATH: path } }),
      )?.[0] ?? "?";
    expect(text).toMatch(
      new RegExp(`^  kustomize +${version("kustomize", "version")} +${tools}kustomize$`, "m"),
    );
    expect(text).toMatch(new RegExp(`^  git +${version("git", "--version")} `, "m"));
    expect(text).toContain("kustomize needs --enable-alpha-plugins --enable-exec to run `ValueFold/fold`");
  });

  test("a function whose program is not there is an error, with its file", () => {
    const folder = folderWith();
    valuefold(folder, "init", "--for", "kustomize");
    const bin = folderWith();
    for (const name of ["kustomize"]) symlinkSync(join(tools, name), join(bin, name));
    const { status, text } = ran(folder, bin, process.execPath, program, "doctor");
    expect([status, text]).toEqual([
      1,
      expect.stringContaining("error[not-built]: kustomize cannot run `ValueFold/fold`\n  at    fold.yaml\n"),
    ]);
    expect(text).toContain("  why   `valuefold` is not on the PATH\n");
    expect(text).toMatch(/^ {2}sops +- +not on the PATH; needed for encrypted layers$/m);
  });

  test("a function in a container needs docker", () => {
    const fold = `apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nmetadata:\n  name: fold\n  annotations:\n    config.kubernetes.io/function: "container: {image: registry.example/valuefold:1}"\n`;
    const folder = folderWith({ "kustomization.yaml": "transformers: [fold.yaml]\n", "fold.yaml": fold });
    const bin = folderWith();
    symlinkSync(join(tools, "kustomize"), join(bin, "kustomize"));
    expect(ran(folder, bin, process.execPath, program, "doctor").text).toContain(
      "`docker` is not on the PATH",
    );
  });

  test("a reference that kustomize did not rename is found, with its cure", () => {
    const release =
      "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: cart}\nspec:\n  valuesFrom: [{kind: ConfigMap, name: cart-values}]\n";
    const kustomization =
      "resources: [cart.yaml]\nconfigMapGenerator: [{name: cart-values, files: [values.yaml]}]\n";
    const folder = folderWith({
      "kustomization.yaml": kustomization,
      "cart.yaml": release,
      "values.yaml": "a: 1\n",
    });
    const before = valuefold(folder, "doctor");
    expect(before.text).toContain("warning[unresolved-reference]");
    expect(before.text.replaceAll(/\s+/g, " ")).toContain("`valuefold print name-reference`");
    valuefold(folder, "print", "name-reference", "--output-file", "name-reference.yaml");
    writeFileSync(
      join(folder, "kustomization.yaml"),
      `${kustomization}configurations: [name-reference.yaml]\n`,
    );
    expect(valuefold(folder, "doctor").text).toContain("found nothing wrong in .");
  });

  test("a kpt package: exec needs a flag, and its program", () => {
    const folder = folderWith();
    valuefold(folder, "init", "--for", "kpt");
    expect(valuefold(folder, "doctor")).toMatchObject({
      status: 0,
      text: expect.stringContaining("kpt needs --allow-exec to run `valuefold`") as string,
    });
    expect(ran(folder, "/nowhere", process.execPath, program, "doctor")).toMatchObject({
      status: 1,
      text: expect.stringContaining("kpt cannot run `valuefold`") as string,
    });
  });

  const release =
    "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: h, namespace: apps}\nspec: {values: {a: 1}}\n";
  const fold = (annotation: string, spec = "{}"): string =>
    `apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nmetadata:\n  name: fold\n  annotations:\n    config.kubernetes.io/function: ${JSON.stringify(annotation)}\nspec: ${spec}\n`;
  const exec = "exec: {path: valuefold}";

  test.for([
    [fold(exec, "{layer: x}"), "error[unknown-setting]", "fold.yaml:7:8"],
    [fold(exec, "{merge: [{path: env, key: 1}]}"), "error[invalid-setting]", "fold.yaml:7:"],
    [fold(exec, "{schemas: [{file: s.json}]}"), "error[invalid-schema]", "a function reads no files"],
    [fold("exec: {path: valuefold, args: [--nope]}"), "error[not-built]", "it passes `--nope`"],
    [fold("starlark: {path: x.star}"), "error[not-built]", "names no program"],
    [fold("exec: [oops"), "error[not-built]", "names no program"],
    [fold(""), "error[not-built]", "names no program"],
    [fold("exec: {path: valuefold, argz: [a]}"), "error[not-built]", "names no program"],
  ] as const)("kustomize cannot fold with %j", ([text, ...wanted]) => {
    const folder = folderWith({
      "kustomization.yaml": "resources: [h.yaml]\ntransformers: [fold.yaml]\n",
      "h.yaml": release,
      "fold.yaml": text,
    });
    const built = ran(folder, path, "kustomize", "build", "--enable-alpha-plugins", "--enable-exec", ".");
    const { status, text: said } = valuefold(folder, "doctor");
    expect([built.status, status]).toEqual([1, 1]);
    for (const each of wanted) expect(said.replaceAll(/\s+/g, " ")).toContain(each);
    expect(said).not.toContain("nothing wrong");
  });

  test.for([
    ["mutators: [{exec: valuefold, configPath: nope.yaml}]", "`configPath` is not in the package"],
    ["mutators: [{exec: valuefold, configPath: ../h.yaml}]", "`configPath` is not in the package"],
    [
      "mutators: [{exec: valuefold, configPath: h.yaml, configMap: {a: b}}]",
      "both `configPath` and `configMap`",
    ],
    ["mutators: [{exec: valuefold, configPath: h.yaml}]", "error[invalid-setting]"],
    ["mutators: [{exec: valuefold, configMap: {layer: x}}]", "unknown setting `layer`"],
    ["mutators: [{exek: valuefold}]", "did you mean `exec`?"],
    ["mutators: [{name: x}]", "needs either `exec` or `image`"],
    ["mutators: [{exec: valuefold --nope}]", "it passes `--nope`"],
    ["mutatorz: [{exec: valuefold}]", "did you mean `mutators`?"],
  ] as const)("kpt cannot render with %s", ([pipeline, wanted]) => {
    const folder = folderWith({
      Kptfile: `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\npipeline: {${pipeline}}\n`,
      "h.yaml": release,
    });
    const { status, text } = valuefold(folder, "doctor");
    expect([ran(folder, path, "kpt", "fn", "render", "--allow-exec").status, status]).toEqual([1, 1]);
    expect(text.replaceAll(/\s+/g, " ")).toContain(wanted);
  });

  test("a container needs docker's daemon", () => {
    const folder = folderWith({
      "kustomization.yaml": "resources: [h.yaml]\ntransformers: [fold.yaml]\n",
      "h.yaml": release,
      "fold.yaml": fold("container: {image: registry.example/valuefold:1}"),
    });
    const bin = folderWith({ docker: "#!/bin/sh\necho no daemon >&2\nexit 1\n" });
    chmodSync(join(bin, "docker"), 0o755);
    const { status, text } = ran(folder, `${bin}:${path}`, process.execPath, program, "doctor");
    expect([status, text]).toEqual([1, expect.stringContaining("its daemon does not answer")]);
  });

  test("of a tree above several builds each is looked at; a reference to a generated object may be wrong in a letter", () => {
    const folder = folderWith({
      "base/kustomization.yaml":
        "resources: [h.yaml]\nconfigMapGenerator: [{name: shop-values, files: [values.yaml]}]\n",
      "base/h.yaml": release.replace(
        "{values: {a: 1}}",
        "{valuesFrom: [{kind: ConfigMap, name: shop-valuez}]}",
      ),
      "base/values.yaml": "a: 1\n",
      "overlays/dev/kustomization.yaml": "resources: [../../base]\n",
      "overlays/prod/kustomization.yaml": "resources: [../../base]\n",
    });
    for (const words of [[], ["overlays/prod"]]) {
      const { text } = valuefold(folder, "doctor", ...words);
      expect(text).not.toContain("nothing wrong");
      expect(text).toContain("`ConfigMap/shop-values-");
    }
  });

  test("where nothing is built, only the programs are listed", () => {
    expect(valuefold(folderWith(), "doctor").text).toContain("nothing is built in .\n");
    expect(valuefold(folderWith({ "values.yaml": "a: 1\n" }), "doctor").text).toContain(
      "nothing is built in .\n",
    );
  });

  test("a build that fails is an error, with kustomize's reason", () => {
    const folder = folderWith({ "kustomization.yaml": "resources: [nope.yaml]\n" });
    const { status, text } = valuefold(folder, "doctor");
    expect([status, text]).toEqual([1, expect.stringContaining("kustomize cannot build")]);
  });
});
