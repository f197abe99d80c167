// Renders in real pipelines: kustomize runs valuefold as a generator, sops opens and seals, kpt renders in place, and what
// is rendered folds and is explained.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { run, succeed } from "./sops-world.ts";

const root = new URL("../../", import.meta.url).pathname;
const example = join(root, "examples/render");
const env = { SOPS_AGE_KEY_FILE: join(root, "examples/sops/throw-away.agekey"), HOME: tmpdir() };
const flags = ["build", "--enable-alpha-plugins", "--enable-exec"];

/** What SOPS makes new each time, taken out. */
function withoutSeals(stream: string): string {
  return stream
    .replaceAll(/ENC\[[^\]]*\]/g, "(sealed)")
    .replaceAll(/"digest":"sha256:[^"]*"/g, '"digest":"(of the seal)"')
    .replaceAll(/- enc: .*\n(?: {6}.*\n)*/g, "- enc: (for the recipient)\n")
    .replaceAll(/lastmodified: .*/g, "lastmodified: (now)")
    .replaceAll(/^ {2}version: .*/gm, "  version: (of sops)");
}

interface Written {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data: Readonly<Record<string, string>>;
  readonly sops?: object;
}

function objectsIn(stream: string): Written[] {
  return parseAllDocuments(stream).map((doc) => doc.toJS() as Written);
}

describe("the example", () => {
  test.for(["gauss", "fermi"])("%s, by kustomize", async (installation) => {
    const built = succeed("kustomize", [...flags, join(example, installation)], { env });
    await expect(withoutSeals(built)).toMatchFileSnapshot(join(example, `expected/${installation}.yaml`));
  });

  test.for(["gauss", "fermi"])(
    "%s, as a stream: the same objects, and what is sealed opens",
    (installation) => {
      const stream = succeed("valuefold", ["render", "-c", `${installation}/render.yaml`], {
        env,
        cwd: example,
      });
      const built = objectsIn(succeed("kustomize", [...flags, installation], { env, cwd: example }));
      for (const object of objectsIn(stream)) {
        const { kind, metadata, data, sops } = object;
        const same = built.find((each) => each.kind === kind && each.metadata.name === metadata.name);
        if (sops === undefined) expect(same?.data).toEqual(data);
        else
          expect(openedData(object)).toEqual({
            "secret-values.yaml": expect.stringContaining("-pass") as string,
          });
      }
      expect(stream).not.toContain("-pass");
    },
  );

  test("over its own output it is the same, byte for byte", () => {
    const folder = mkdtempSync(join(tmpdir(), "valuefold-previous-"));
    const args = ["render", "-c", "gauss/render.yaml"];
    const first = succeed("valuefold", args, { env, cwd: example });
    writeFileSync(join(folder, "previous.yaml"), first);
    const again = [...args, "--previous", join(folder, "previous.yaml")];
    expect(first).toContain("ENC[");
    expect(succeed("valuefold", again, { env, cwd: example })).toBe(first);
  });

  test("a value is followed to its file", () => {
    const stream = succeed("valuefold", ["render", "-c", "gauss/render.yaml"], { env, cwd: example });
    const told = succeed("valuefold", ["explain", "App/prometheus", "gauss/app.yaml", "-"], {
      env,
      cwd: example,
      input: stream,
    });
    expect(told).toMatch(/^retention: 30d +\w+ installations\/gauss\/apps\/prometheus\/values\.yaml:1$/m);
    expect(told).toMatch(/^ {2}requests: *$/m);
    expect(told).toMatch(/^ {4}memory: 2Gi +\w+ default\/apps\/prometheus\/values\.yaml:4$/m);
  });

  test("what is rendered folds with what mounts it, and verifies", () => {
    const stream = succeed("valuefold", ["render", "-c", "gauss/render.yaml"], { env, cwd: example });
    const layer =
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: more, namespace: giantswarm, annotations: {valuefold.dev/into: App/prometheus}}\ndata: {values: 'retention: 60d'}\n";
    const folded = succeed("valuefold", ["fold", "-c", "unseen.yaml", "gauss/app.yaml", "-"], {
      env,
      cwd: folderWith({
        "unseen.yaml": "apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nspec: {app: {unseen: []}}\n",
        "gauss/app.yaml": readFileSync(join(example, "gauss/app.yaml"), "utf8"),
      }),
      input: `${stream}---\n${layer}`,
    });
    expect(folded).toContain("name: prometheus-folded");
    expect(run("valuefold", ["verify", "-"], { input: folded }).status).toBe(0);
  });
});

function openedData({ data, sops }: Written): Record<string, string> {
  const manifest = JSON.stringify({ data, sops });
  const args = ["decrypt", "--ignore-mac", "--input-type", "json", "--output-type", "json"];
  const opened = JSON.parse(succeed("sops", args, { env, input: manifest })) as Written;
  return Object.fromEntries(
    Object.entries(opened.data).map(([key, text]) => [key, Buffer.from(text, "base64").toString("utf8")]),
  );
}

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-render-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const schema =
  "variables: [{name: app, required: true}]\nlayers: [{id: a, templates: {path: {directory: apps/<< app >>}, configMap: {name: values.yaml, required: true}, secret: {name: secret.yaml}}}]\n";
const settings = (directory: string, more = ""): string =>
  `apiVersion: valuefold.dev/v1alpha1\nkind: ValueFoldRender\nmetadata:\n  name: gauss\n  namespace: org\n  annotations:\n    config.kubernetes.io/function: "exec: {path: valuefold}"\nspec:\n  directory: ${directory}\n  schema: schema.yaml\n  scope: {variable: app, directories: apps, includes: {regex: [shop]}}\n  destination: {namespace: org}\n${more}`;

function treeOf(directory: string): string {
  return folderWith({
    "config/schema.yaml": schema,
    "config/apps/shop/values.yaml": "a: 1 # one\n",
    "base/render.yaml": settings(directory),
    "base/kustomization.yaml": "generators: [render.yaml]\n",
    "overlay/deep/kustomization.yaml": "resources: [../../base]\nnamePrefix: pre-\n",
  });
}

describe("kustomize", () => {
  test("`directory` is seen from the kustomization that lists the generator, below an overlay, too", () => {
    const tree = treeOf("../config");
    for (const [folder, name] of [
      ["base", "shop"],
      ["overlay/deep", "pre-shop"],
    ] as const) {
      const built = objectsIn(succeed("kustomize", [...flags, join(tree, folder)], { cwd: "/" }));
      expect(built.map(({ kind, metadata, data }) => [kind, metadata.name, data])).toEqual([
        ["ConfigMap", name, { "configmap-values.yaml": "a: 1 # one\n" }],
        ["Secret", name, { "secret-values.yaml": "" }],
      ]);
    }
  });

  test("what fails is told on stderr, and nothing is built", () => {
    const tree = treeOf("../config");
    symlinkSync("/etc/passwd", join(tree, "config/apps/shop/secret.yaml"));
    const { status, stdout, stderr } = run("kustomize", [...flags, join(tree, "base")]);
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("error[file-refused]: a link leads out of the directory");
    expect(stderr).toContain("apps/shop/secret.yaml (instance shop, layer a)");
    expect(stderr).not.toContain("root:");
  });

  test("as a transformer it adds to what is there, and an object of that name is a conflict", () => {
    const tree = treeOf("../config");
    const other = (name: string): string =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: org}\ndata: {a: b}\n`;
    writeFileSync(
      join(tree, "base/kustomization.yaml"),
      "resources: [cm.yaml]\ntransformers: [render.yaml]\n",
    );
    writeFileSync(join(tree, "base/cm.yaml"), other("other"));
    const built = objectsIn(succeed("kustomize", [...flags, join(tree, "base")]));
    expect(built.map(({ metadata }) => metadata.name).toSorted()).toEqual(["other", "shop", "shop"]);
    writeFileSync(join(tree, "base/cm.yaml"), other("shop"));
    const { status, stderr } = run("kustomize", [...flags, join(tree, "base")]);
    expect([status, stderr.includes("error[owner-conflict]")]).toEqual([1, true]);
  });
});

describe("kpt", () => {
  test("renders in place: again without a change, and anew where a layer changes", () => {
    const tree = treeOf("config");
    const folder = join(tree, "package");
    mkdirSync(folder);
    cpSync(join(tree, "config"), join(tree, "layers"), { recursive: true });
    writeFileSync(
      join(folder, "Kptfile"),
      "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: package}\npipeline:\n  mutators:\n    - {exec: valuefold, configPath: render.yaml}\n",
    );
    const config = settings(join(tree, "layers")).replace(
      / {2}annotations:\n.*\n/,
      '  annotations: {config.kubernetes.io/local-config: "true"}\n',
    );
    writeFileSync(join(folder, "render.yaml"), config);
    const files = (): string => succeed("sh", ["-c", "cat $(find . -name '*.yaml' | sort)"], { cwd: folder });
    succeed("kpt", ["fn", "render", "--allow-exec", folder]);
    const once = files();
    expect(once).toContain("a: 1 # one");
    succeed("kpt", ["fn", "render", "--allow-exec", folder]);
    expect(files()).toBe(once);
    writeFileSync(join(tree, "layers/apps/shop/values.yaml"), "a: 2\n");
    succeed("kpt", ["fn", "render", "--allow-exec", folder]);
    expect(files()).toContain("a: 2\n");
    expect(files().match(/^kind: ConfigMap$/gm)).toHaveLength(1);
  });
});
