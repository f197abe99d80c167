// `explain` and `diff` with the real tools: the values that explain prints are those that the consumers compute, kustomize
// tells whose files they are in, kpt's packages are looked through, and the reach of an edit is what two builds show.
import { execFileSync, spawn } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { renderAnnotated } from "../../src/explain/annotate.ts";
import type { Explanation } from "../../src/explanation.ts";
import type { Difference } from "../../src/difference.ts";
import { itemsOf, listOf, readItems } from "../support/app-list.ts";
import { explainText, meaning } from "../support/explain.ts";
import { type AppCase, arbitraryApp, type LayerObject } from "../support/generate-app.ts";
import { arbitraryText } from "../support/generate-values.ts";
import { type HelmWorld, worldOfStream } from "../support/helm-list.ts";
import { Random } from "../support/nasty-yaml.ts";
import { dataText } from "../support/page-data.ts";
import { type World, worldOf } from "./app-world.ts";
import { Oracle } from "./oracle.ts";

const program = new URL("../../dist/valuefold.cjs", import.meta.url).pathname;
const tools = new URL(".tools/", import.meta.url).pathname;
const env = { ...process.env, PATH: `${tools}bin:${tools}:${process.env["PATH"] ?? ""}` };

function run(folder: string, command: string, ...args: string[]): string {
  return execFileSync(command, args, {
    cwd: folder,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

const valuefold = (folder: string, ...args: string[]): string =>
  run(folder, process.execPath, program, ...args);

describe("the values it prints are those that are computed", () => {
  const numRuns = Number(process.env["VALUEFOLD_EXPLAIN_RUNS"] ?? 500);
  const app = new Oracle<World, { readonly configMap: object | null; readonly error?: string }>(
    `${tools}app-oracle`,
  );
  const flux = new Oracle<HelmWorld, { readonly values: object | null; readonly error?: string }>(
    `${tools}flux-oracle`,
  );
  afterAll(() => {
    app.close();
    flux.close();
  });

  test(`by app-operator (${numRuns} cases)`, async () => {
    let explained = 0;
    const property = fc.asyncProperty(arbitraryApp, async (drawn) => {
      const known = knownOnly(drawn);
      const values = annotatedOf(itemsOf(known).join("---\n"));
      if (values === undefined) return;
      explained++;
      const only: LayerObject = { ...sample, text: values };
      const ask = async (one: AppCase): Promise<object> => {
        const { configMap, error } = await app.ask(worldOf(one, readItems(listOf(itemsOf(one), "")), true));
        return { configMap: configMap ?? {}, error };
      };
      const alone = { ...known, config: [only], userConfig: [], extras: [], annotated: [] };
      expect(await ask(alone)).toEqual(await ask(known));
    });
    await fc.assert(property, { numRuns });
    expect(explained).toBeGreaterThan(numRuns / 2);
  });

  test(`by Flux (${numRuns} cases)`, async () => {
    const texts = fc.array(arbitraryText(), { minLength: 2, maxLength: 4 });
    let explained = 0;
    const property = fc.asyncProperty(texts, fc.boolean(), async (layers, isInline) => {
      const [last = "", ...rest] = layers.toReversed();
      const inline = isInline ? (meaning(last) as object) : undefined;
      const input = releaseOf(isInline ? rest.toReversed() : layers, inline);
      const values = annotatedOf(input);
      if (values === undefined) return;
      explained++;
      expect(await flux.ask(worldOfStream(releaseOf([values])))).toEqual(
        await flux.ask(worldOfStream(input)),
      );
    });
    await fc.assert(property, { numRuns });
    expect(explained).toBeGreaterThan(numRuns / 2);
  });
});

const sample: LayerObject = {
  kind: "ConfigMap",
  name: "sample",
  namespace: "org",
  text: "",
  state: "present",
  form: "data",
  annotated: undefined,
  local: false,
  unsubstituted: false,
  label: "x",
};

/** ConfigMaps that are in the list, and nothing that anybody else binds. */
function knownOnly(one: AppCase): AppCase {
  const plainly = (objects: readonly LayerObject[]): LayerObject[] =>
    objects
      .filter(({ kind, text }) => kind === "ConfigMap" && !text.includes("${"))
      .map((object) => ({ ...object, state: "present" as const }));
  return {
    ...one,
    catalog: "giantswarm",
    unseen: [],
    catalogLayers: undefined,
    config: plainly(one.config),
    userConfig: plainly(one.userConfig),
    extras: one.extras.flatMap((extra) =>
      plainly([extra.object]).map((object): AppCase["extras"][number] => ({ ...extra, object })),
    ),
    annotated: plainly(one.annotated),
  };
}

function annotatedOf(input: string): string | undefined {
  const config =
    "apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nspec: {app: {unseen: []}, layers: keep}\n";
  const { explanation, outcome } = explainText(input, config);
  return explanation === undefined || outcome.exitCode !== 0 || explanation.targets.length === 0
    ? undefined
    : renderAnnotated(explanation);
}

function releaseOf(texts: readonly string[], inline?: object): string {
  const layers = texts.map(
    (text, index) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: layer${index}, namespace: org}\ndata:\n  values.yaml: ${JSON.stringify(text)}\n`,
  );
  const entries = texts.map((_, index) => `  - {kind: ConfigMap, name: layer${index}}\n`).join("");
  const own = inline === undefined ? "" : `  values: ${JSON.stringify(inline)}\n`;
  const release = `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: shop, namespace: org}\nspec:\n  valuesFrom:\n${entries}${own}`;
  return [...layers, release].join("---\n");
}

const overlays = ["east", "west", "north"];

/** A base and three overlays under git, with generated layers, secrets and names with hashes. */
function tree(): string {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-tree-"));
  const write = (path: string, text: string): void => {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const references = readFileSync(new URL("../../config/name-reference.yaml", import.meta.url), "utf8");
  write("base/name-reference.yaml", references);
  write(
    "base/kustomization.yaml",
    "resources: [app.yaml]\nconfigurations: [name-reference.yaml]\nconfigMapGenerator:\n- {name: shop-base, namespace: org, files: [values=values.yaml]}\n",
  );
  write(
    "base/app.yaml",
    "apiVersion: application.giantswarm.io/v1alpha1\nkind: App\nmetadata: {name: shop, namespace: org}\nspec:\n  catalog: giantswarm\n  config: {configMap: {name: shop-base, namespace: org}}\n",
  );
  write("base/values.yaml", "replicas: 1\nimage:\n  tag: '1.0'\n  pull: Always\nargs: [a]\n");
  for (const name of overlays) {
    write(`overlays/${name}/name-reference.yaml`, references);
    write(
      `overlays/${name}/kustomization.yaml`,
      `resources: [../../base, layer.yaml]\nconfigurations: [name-reference.yaml]\nsecretGenerator:\n- name: shop-secret\n  namespace: org\n  files: [values=secret.yaml]\n  options: {annotations: {valuefold.dev/into: App/shop}}\n`,
    );
    write(`overlays/${name}/secret.yaml`, `password: c4n4ry-${name}\n`);
    write(`overlays/${name}/layer.yaml`, layerOf(`host: ${name}\n`));
  }
  write("overlays/east/layer.yaml", layerOf("replicas: 3\nhost: east\n"));
  run(folder, "git", "init", "-q");
  commit(folder);
  return folder;
}

function layerOf(values: string, priority = 75): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: shop-layer\n  namespace: org\n  annotations:\n    valuefold.dev/into: App/shop\n    valuefold.dev/priority: "${priority}"\ndata:\n  values: |\n${values.replaceAll(/^(?=.)/gm, "    ")}`;
}

function commit(folder: string): void {
  run(folder, "git", "add", "-A");
  run(
    folder,
    "git",
    "-c",
    "user.name=t",
    "-c",
    "user.email=t@example.com",
    "commit",
    "-qm",
    "x",
    "--allow-empty",
  );
}

describe("a directory that kustomize builds", () => {
  test("places are lines of the user's own files, generated ones too, and nothing of it is left behind", () => {
    const folder = tree();
    const explanation = JSON.parse(valuefold(folder, "explain", "--json", "overlays/east")) as Explanation;
    const places = explanation.targets[0]?.stacks.flatMap(({ values }) =>
      values.map(({ path, at }) => `${path.join(".")} ${at?.file}:${at?.line}:${at?.column}`),
    );
    expect(places).toEqual([
      "replicas overlays/east/layer.yaml:11:15",
      "image.tag base/values.yaml:3:8",
      "image.pull base/values.yaml:4:9",
      "args base/values.yaml:5:7",
      "host overlays/east/layer.yaml:12:11",
      "password overlays/east/secret.yaml:1:undefined",
    ]);
    expect(run(folder, "git", "status", "--short")).toBe("");
    expect(JSON.stringify(explanation)).not.toContain("c4n4ry");
  });

  test("a function that is a program does not run, so its layers are there to be explained", () => {
    const example = new URL("../../examples/kustomize-exec/", import.meta.url).pathname;
    const text = valuefold(example, "explain", "overlays/prod", "replicas");
    expect(text).toContain(
      "        3  overlays/prod/stage.yaml:3:11  ConfigMap/org-demo/shop-stage-prod\n  over  1  base/values.yaml:3:11          ConfigMap/org-demo/shop-values\n",
    );
  });

  test("a build that fails says why", () => {
    const folder = tree();
    writeFileSync(join(folder, "overlays/east/kustomization.yaml"), "resources: [missing]\n");
    const failed = (): string => valuefold(folder, "explain", "overlays/east");
    expect(failed).toThrow(
      /kustomize cannot build `overlays\/east`[^]*`missing` does not exist[^]*correct this/,
    );
  });
});

test("a package that kpt has rendered is looked through to what was folded", () => {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-kpt-"));
  cpSync(new URL("../../examples/kpt/", import.meta.url).pathname, folder, { recursive: true });
  const ask = (): Explanation => JSON.parse(valuefold(folder, "explain", "--json", ".")) as Explanation;
  const valuesOf = ({ targets }: Explanation): object =>
    targets.flatMap(({ stacks }) =>
      stacks.flatMap(({ values }) => values.map(({ path, text, over }) => [path, text, over.length])),
    );
  const before = ask();
  run(folder, "kpt", "fn", "render", "--allow-exec");
  expect(readFileSync(join(folder, "app.yaml"), "utf8")).toContain("shop-folded");
  expect(valuesOf(ask())).toEqual(valuesOf(before));
});

/** Leaves of what a target gets in a build, by what is rendered. */
function leavesOf(folder: string, overlay: string): Map<string, string> {
  const stream = run(folder, "kustomize", "build", `overlays/${overlay}`);
  writeFileSync(join(folder, "..", "stream.yaml"), stream);
  const values = valuefold(folder, "values", "--secrets", "App/shop", join(folder, "..", "stream.yaml"));
  const leaves = new Map<string, string>();
  const visit = (value: unknown, path: readonly string[]): void => {
    const isMapping = typeof value === "object" && value !== null && !Array.isArray(value);
    if (!isMapping) leaves.set(path.join("."), JSON.stringify(value));
    else for (const [key, inner] of Object.entries(value)) visit(inner, [...path, key]);
  };
  visit(meaning(values), []);
  return leaves;
}

const edits: readonly ((folder: string, random: Random) => void)[] = [
  (folder, random) =>
    writeFileSync(
      join(folder, "base/values.yaml"),
      `replicas: ${random.below(3)}\nimage:\n  tag: '1.${random.below(3)}'\n  pull: Always\nargs: [a]\n`,
    ),
  (folder, random) => {
    const name = overlays[random.below(3)] ?? "";
    writeFileSync(
      join(folder, `overlays/${name}/layer.yaml`),
      layerOf(`replicas: ${random.below(4)}\nhost: h${random.below(2)}\n`),
    );
  },
  (folder, random) => {
    const name = overlays[random.below(3)] ?? "";
    writeFileSync(
      join(folder, `overlays/${name}/layer.yaml`),
      layerOf("replicas: 7\n", random.below(2) === 0 ? 40 : 90),
    );
  },
  (folder, random) =>
    writeFileSync(
      join(folder, `overlays/${overlays[random.below(3)] ?? ""}/secret.yaml`),
      `password: c4n4ry-${random.below(9)}\n`,
    ),
];

test("the reach of a commit is what two builds show", { timeout: 600_000 }, () => {
  const folder = tree();
  const random = new Random(7);
  let changes = 0;
  for (let round = 0; round < 12; round++) {
    const before = new Map(overlays.map((name) => [name, leavesOf(folder, name)]));
    edits[round % edits.length]?.(folder, random);
    commit(folder);
    const expected = overlays.flatMap((name) => {
      const [old, now] = [before.get(name) ?? new Map(), leavesOf(folder, name)];
      const paths = [...new Set([...old.keys(), ...now.keys()])].filter(
        (path) => old.get(path) !== now.get(path),
      );
      return paths.map((path) => `overlays/${name} ${path}`);
    });
    const json = valuefold(
      folder,
      "diff",
      "--json",
      "HEAD~1",
      "HEAD",
      ...overlays.map((name) => `overlays/${name}`),
    );
    expect(json).not.toContain("c4n4ry");
    const { edits: found } = JSON.parse(json) as Difference;
    const told = found.flatMap(({ effects }) =>
      effects
        .filter(({ what }) => what === "changes")
        .map(({ build, path }) => `${build ?? ""} ${path.join(".")}`),
    );
    expect(told.toSorted()).toEqual(expected.toSorted());
    changes += expected.length;
  }
  expect(changes).toBeGreaterThan(8);
  expect(run(folder, "git", "status", "--short")).toBe("");
});

test("kpt runs it as a validator: what is folded passes, what was left fails the render", () => {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-validator-"));
  cpSync(new URL("../../examples/kpt/", import.meta.url).pathname, folder, { recursive: true });
  const kptfile = readFileSync(join(folder, "Kptfile"), "utf8").trimEnd();
  const validators = "  validators:\n    - exec: valuefold\n      configMap: {verify.only: 'true'}\n";
  writeFileSync(join(folder, "Kptfile"), `${kptfile}\n${validators}`);
  run(folder, "kpt", "fn", "render", "--allow-exec");
  const folded = readFileSync(join(folder, "app.yaml"), "utf8");
  expect(folded).toContain("shop-folded");
  const bare = kptfile.slice(0, kptfile.indexOf("pipeline:"));
  cpSync(new URL("../../examples/kpt/", import.meta.url).pathname, folder, { recursive: true });
  writeFileSync(join(folder, "Kptfile"), `${bare}pipeline:\n${validators}`);
  const before = readFileSync(join(folder, "values.yaml"), "utf8");
  expect(() => run(folder, "kpt", "fn", "render", "--allow-exec")).toThrow(
    /layer-left|a layer of `App\/shop` was left/,
  );
  expect(readFileSync(join(folder, "values.yaml"), "utf8")).toBe(before);
});

describe("what kustomize renames", () => {
  /** Generated with a hash, and under a prefix: no reference of an App follows, as kustomize does not know Apps. */
  function renamed(folds = "transformers: [fold.yaml]\n"): string {
    const folder = tree();
    for (const name of ["base", "overlays/east"])
      writeFileSync(
        join(folder, name, "kustomization.yaml"),
        readFileSync(join(folder, name, "kustomization.yaml"), "utf8").replace(/configurations:.*\n/, "") +
          (name === "base" ? "" : `namePrefix: pre-\n${folds}`),
      );
    writeFileSync(
      join(folder, "overlays/east/fold.yaml"),
      "apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nmetadata:\n  name: fold\n  annotations:\n    config.kubernetes.io/function: |\n      container: {image: x/valuefold:0.1.0}\n",
    );
    commit(folder);
    return folder;
  }

  test("is found again by the names in the files, as a function in the build finds it", () => {
    const explanation = JSON.parse(valuefold(renamed(), "explain", "--json", "overlays/east")) as Explanation;
    const layers = explanation.targets.flatMap(({ name, stacks }) =>
      stacks.flatMap((stack) =>
        stack.layers.flatMap((layer) =>
          layer.kind === undefined ? [] : [`${name} ${layer.name} ${layer.state}`],
        ),
      ),
    );
    expect(layers.map((each) => each.replace(/-[0-9a-z]{10} /, " "))).toEqual([
      "pre-shop pre-shop-base folded",
      "pre-shop pre-shop-layer folded",
      "pre-shop pre-shop-secret folded",
    ]);
  });

  test("is not bound where no function folds, as the cluster binds no former name", () => {
    const folder = renamed("");
    expect(() => valuefold(folder, "values", "App/pre-shop", "overlays/east")).toThrow(
      /did not\s+follow this reference/,
    );
  });

  test("does not hide an edit", () => {
    const folder = renamed();
    writeFileSync(
      join(folder, "base/values.yaml"),
      "replicas: 1\nimage:\n  tag: '2.0'\n  pull: Always\nargs: [a]\n",
    );
    commit(folder);
    const text = valuefold(folder, "diff", "HEAD~1", "HEAD", "overlays/east");
    expect(text).toBe(
      "base/values.yaml:3:8  image.tag  '1.0' → '2.0'\n  changes  App/org/pre-shop\n\n1 edit; 1 of 1 target changes\n",
    );
  });
});

describe("what is refused", () => {
  const refusal = (folder: string, ...args: string[]): string => {
    try {
      return `${valuefold(folder, ...args)} was not refused`;
    } catch (error) {
      return String((error as { stderr?: string }).stderr);
    }
  };

  test("a page over a file that is none, and directories that are on neither side", () => {
    const folder = tree();
    const before = readFileSync(join(folder, "base/app.yaml"), "utf8");
    expect(refusal(folder, "explain", "--html", "base/app.yaml", "overlays/east")).toContain(
      "is not a page of valuefold",
    );
    expect(readFileSync(join(folder, "base/app.yaml"), "utf8")).toBe(before);
    expect(refusal(folder, "explain", "--html", "none/page.html", "overlays/east")).toContain("cannot write");
    valuefold(folder, "explain", "--html", "page.html", "overlays/east");
    valuefold(folder, "explain", "--html", "page.html", "overlays/west");
    expect(dataText(readFileSync(join(folder, "page.html"), "utf8"))).not.toContain("c4n4ry");
    expect(refusal(folder, "diff", "HEAD~0", "HEAD", "overlays/esat")).toContain(
      "`overlays/esat` is on neither side",
    );
    expect(refusal(folder, "diff", "no-such-revision", "HEAD")).toContain(
      "neither a file nor a git revision",
    );
    expect(refusal(tmpdir(), "diff", "main", "HEAD")).toContain("not a git work tree");
    writeFileSync(join(folder, "overlays/west/kustomization.yaml"), "resources: [missing]\n");
    commit(folder);
    const inRevision = refusal(folder, "diff", "HEAD~1", "HEAD", "overlays/west");
    expect(inRevision).toContain("kustomize cannot build `overlays/west`, in revision `HEAD`");
    expect(inRevision).not.toContain("HEAD~1");
    const inWorkTree = refusal(folder, "diff", "HEAD~1", "overlays/west");
    expect(inWorkTree).toContain("kustomize cannot build `overlays/west`\n");
    expect(inRevision).not.toContain("c4n4ry");
  });
});

test.for(["SIGTERM", "SIGINT"] as const)(
  "%s while the program kustomize runs leaves no temporary folder behind",
  async (signal) => {
    const folder = tree();
    const [bin, own] = [join(folder, "bin"), join(folder, "tmp")];
    for (const each of [bin, own]) mkdirSync(each);
    writeFileSync(join(bin, "kustomize"), '#!/bin/sh\ntouch "${0%/*}/../tmp/started"\nsleep 2\n', {
      mode: 0o755,
    });
    // Only what changed is built.
    appendFileSync(join(folder, "overlays/east/kustomization.yaml"), "# changed\n");
    const child = spawn(process.execPath, [program, "diff", "--enable-exec", "HEAD", "overlays/east"], {
      cwd: folder,
      env: { ...env, PATH: `${bin}:${env.PATH}`, TMPDIR: own },
      stdio: "ignore",
    });
    const ended = new Promise((resolve) => child.on("close", (_, by) => resolve(by)));
    // Without kustomize it ends by itself.
    while (!existsSync(join(own, "started")) && child.exitCode === null)
      await new Promise((resolve) => setTimeout(resolve, 50));
    child.kill(signal);
    expect(await ended).toBe(signal);
    expect(readdirSync(own)).toEqual(["started"]);
  },
);
