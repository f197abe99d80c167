// What a render may read, what it costs, how it stands in a list, and what it never tells.
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RenderFiles } from "../../src/sources/render-files.ts";
import { renderFunction, runRender } from "../../src/sources/run-render.ts";
import type { RenderNeed, RenderSteps, RenderSupply } from "../../src/render/need.ts";
import { renderStream } from "../../src/render/run.ts";
import { inScope } from "../../src/render/scope.ts";
import { cpuClock } from "../support/cpu.ts";
import { foldText, messagesOf } from "../support/fold.ts";
import { folderOf } from "../support/folder.ts";

function sops(): never {
  throw new Error("nothing is sealed");
}

describe("scope", () => {
  const all = ["app-operator", "chart-operator", "kvm-operator", "loki", "trivy", "trivy-operator"];
  const operators = ["app-operator", "chart-operator", "kvm-operator", "trivy-operator"];
  // Includes and excludes, exact and by pattern; what is in scope, and what was missed.
  test.for([
    [["loki"], [], [], [], ["loki"], []],
    [[], ["trivy.*"], [], [], ["trivy", "trivy-operator"], []],
    [["loki"], ["^trivy$"], [], [], ["loki", "trivy"], []],
    [[], [".+"], ["kvm-operator"], ["trivy.*"], ["app-operator", "chart-operator", "loki"], []],
    [["app-operator", "no-such"], [], [], [], ["app-operator"], ["no-such"]],
    [["no-such", "nor-this"], ["loki"], ["no-such"], ["^nor"], ["loki"], []],
    [["loki"], [], ["loki"], [], [], []],
    // A pattern matches anywhere, as RE2 does; one that finds nothing is no miss.
    [[], ["operator", "nothing"], [], [], operators, []],
    [["loki", "loki"], ["l.k."], [], [], ["loki"], []],
    [["LOKI"], ["(?i)LOKI"], [], [], ["loki"], ["LOKI"]],
  ] as const)("%j", ([exact, regex, noExact, noRegex, names, misses]) => {
    const lists = (one: readonly string[], other: readonly string[]) => ({
      exact: [...one],
      regex: [...other],
    });
    const found = inScope(all, { includes: lists(exact, regex), excludes: lists(noExact, noRegex) });
    expect(found).toEqual({ names, misses });
  });
});

describe("a directory", () => {
  const outside = folderOf({ "secret.yaml": "password: canary\n", "folder/x.yaml": "a: 1\n" });
  const folder = folderOf({ "a/values.yaml": "a: 1\n", "b/values.yaml": "b: 1\n", "many/0/x": "" });
  symlinkSync(join(outside, "secret.yaml"), join(folder, "a/link.yaml"));
  symlinkSync(join(outside, "folder"), join(folder, "out"));
  symlinkSync("../b", join(folder, "a/inside"));
  symlinkSync("nowhere", join(folder, "a/dangling.yaml"));
  symlinkSync("loop", join(folder, "a/loop"));
  execFileSync("mkfifo", [join(folder, "a/pipe")]);
  writeFileSync(join(folder, "a/huge.yaml"), "");
  truncateSync(join(folder, "a/huge.yaml"), 1024 ** 3);
  writeFileSync(join(folder, "a/binary"), Buffer.from([0x61, 0, 0x62]));
  writeFileSync(join(folder, "a/latin1"), Buffer.from([0x61, 0xff]));
  const files = new RenderFiles(folder);
  const read = (...pieces: string[]): object =>
    files.read({ root: ".", pieces: pieces.map((piece) => piece.split("/")) });

  test.for([
    [["a", "values.yaml"], { bytes: Buffer.from("a: 1\n") }],
    [["a/inside", "values.yaml"], { bytes: Buffer.from("b: 1\n") }],
    [["a", "link.yaml"], { refused: "outside" }],
    [["out", "x.yaml"], { refused: "outside" }],
    [["..", "x"], { missing: 1 }],
    [["..", outside.split("/").at(-1) ?? "", "secret.yaml"], { refused: "outside" }],
    [["a", "huge.yaml"], { refused: "too-large" }],
    [["a", "binary"], { refused: "binary" }],
    [["a", "latin1"], { refused: "binary" }],
    [["a", "pipe"], { refused: "not-a-file" }],
    [["a"], { refused: "not-a-file" }],
    [["a", "dangling.yaml"], { missing: 1 }],
    [["a", "loop"], { refused: "unreadable" }],
    [["a", "values.yaml", "x"], { refused: "not-a-folder" }],
    [["c", "values.yaml"], { missing: 0 }],
    [["a", "c", "values.yaml"], { missing: 1 }],
  ] as const)("%j", ([pieces, expected]) => {
    expect(read(...pieces)).toEqual(expected);
  });

  test("that is not there, or is a file", () => {
    const ask = { pieces: [["a"]] };
    expect(files.read({ ...ask, root: "nowhere" })).toEqual({ refused: "no-directory" });
    expect(files.read({ ...ask, root: "a/values.yaml" })).toEqual({ refused: "no-directory" });
    expect(new RenderFiles("/").read({ ...ask, root: folder })).toEqual({ refused: "not-a-file" });
  });

  test("10,000 folders and files are listed, in order, and hidden ones are not", { tags: "law" }, () => {
    for (let index = 1; index < 10_000; index++) {
      mkdirSync(join(folder, `many/${index}`));
      writeFileSync(join(folder, `many/${index}/x`), "");
    }
    mkdirSync(join(folder, "many/.git"));
    const folders = files.list({ root: ".", path: ["many"], wanted: "folders" });
    expect("names" in folders && folders.names.length).toBe(10_000);
    const inside = files.list({ root: ".", path: ["many"], wanted: "files" });
    expect("names" in inside && inside.names.slice(0, 2)).toEqual(["0/x", "1/x"]);
    expect(files.list({ root: ".", path: ["out"], wanted: "files" })).toEqual({ refused: "outside" });
    expect(files.list({ root: ".", path: ["nowhere"], wanted: "files" })).toEqual({ missing: true });
  });
});

const layers = Array.from({ length: 5 }, (_, index) => `layer-${index}`);
const schema = {
  variables: [{ name: "app", required: true }],
  layers: layers.map((id) => ({
    id,
    path: { directory: id },
    values: { configMap: { name: "config.yaml" } },
    templates: {
      path: { directory: "apps/<< app >>" },
      configMap: { name: "values.yaml", values: { merge: { strategy: "ConfigMapsInLayerOrder" } } },
      secret: { name: "secret.yaml" },
    },
  })),
};

function configOf(spec: object): Buffer {
  const config = {
    apiVersion: "valuefold.dev/v1alpha1",
    kind: "ValueFoldRender",
    metadata: { name: "test", namespace: "org" },
    spec: { directory: ".", schema, destination: { namespace: "org" }, ...spec },
  };
  return Buffer.from(JSON.stringify(config), "utf8");
}

const everything = { scope: { variable: "app", directories: "layer-0/apps", includes: { regex: [".*"] } } };

function manyApps(count: number, textOf: (layer: string, app: number) => string): Record<string, string> {
  const files: Record<string, string> = { "layer-0/config.yaml": "domain: example\nreplicas: 2\n" };
  for (let app = 0; app < count; app++)
    for (const layer of layers) files[`${layer}/apps/app-${app}/values.yaml`] = textOf(layer, app);
  return files;
}

/** Runs a render, and counts what it asks for. */
function asked<T>(
  steps: RenderSteps<T>,
  folder: string,
): { readonly result: T; readonly needs: readonly RenderNeed[] } {
  const files = new RenderFiles(folder);
  const needs: RenderNeed[] = [];
  let step = steps.next();
  while (step.done !== true) {
    needs.push(step.value);
    step = steps.next(answer(step.value, files));
  }
  return { result: step.value, needs };
}

function answer(need: RenderNeed, files: RenderFiles): RenderSupply {
  if ("files" in need) return { files: need.files.map((ask) => files.read(ask)) };
  if ("lists" in need) return { lists: need.lists.map((ask) => files.list(ask)) };
  if ("templates" in need) return { templates: need.templates.templates.map(() => ({ text: "a: 1\n" })) };
  return sops();
}

describe("1,000 apps of five layers", { tags: "law" }, () => {
  const plain = (layer: string, app: number): string =>
    `name: app-${app}\n${layer}:\n  replicas: ${app}\nimage:\n  tag: "1.${app}"\n  from: ${layer}\n`;
  const folder = folderOf(manyApps(1_000, plain));
  const few = folderOf(manyApps(250, plain));
  const timed = (where: string): number => {
    const elapsed = cpuClock();
    const { result } = asked(
      renderStream({ config: configOf(everything), name: "render.yaml", isStrict: false }),
      where,
    );
    expect(messagesOf(result)).toContain("idle-values");
    expect(result.exitCode).toBe(0);
    return elapsed();
  };

  test("cost as much as four times 250", () => {
    timed(few);
    const ratios = [1, 2, 3].map(() => timed(folder) / timed(few));
    expect(Math.min(...ratios)).toBeLessThan(6);
  });

  test("need no engine without templates, and one batch with them", () => {
    const start = asked(
      renderStream({ config: configOf(everything), name: "render.yaml", isStrict: false }),
      folder,
    );
    expect(start.needs.filter((need) => "templates" in need)).toEqual([]);
    const templates = folderOf(manyApps(1_000, () => "a: {{ .replicas }}\n"));
    const { needs } = asked(
      renderStream({ config: configOf(everything), name: "render.yaml", isStrict: false }),
      templates,
    );
    const batches = needs.flatMap((need) => ("templates" in need ? [need.templates] : []));
    expect(batches.map((batch) => batch.templates.length)).toEqual([5_000]);
    // Texts are shared, not copied.
    expect(new Set(batches[0]?.templates.map(({ values }) => values)).size).toBe(1);
  });
});

describe("in a resource list", () => {
  const folder = folderOf({
    "layer-0/apps/shop/values.yaml": "a: 1 # one\n",
    "layer-0/apps/shop/secret.yaml": "p: x\n",
    ...Object.fromEntries(layers.slice(1).map((layer) => [`${layer}/apps/cart/notes.md`, ""])),
  });
  const spec = JSON.stringify({
    ...JSON.parse(configOf(everything).toString()),
    metadata: { name: "test", namespace: "org" },
  });
  const listOf = (items: string): Buffer =>
    Buffer.from(
      `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:${items}functionConfig: ${spec}\n`,
    );
  const run = async (input: Uint8Array): Promise<{ exitCode: number; text: string; messages: string }> => {
    const outcome = await renderFunction(input, { directory: folder, sops });
    if (outcome === undefined) throw new Error("no render");
    const { exitCode, output } = outcome;
    return { exitCode, text: Buffer.concat(output).toString("utf8"), messages: messagesOf(outcome) };
  };
  const other =
    "\n- apiVersion: v1 # mine\n  kind: ConfigMap\n  metadata: {name: other, namespace: org}\n  data: {a: 0755}\n";

  test("that is empty, objects are its items", async () => {
    const { exitCode, text, messages } = await run(listOf(" []\n"));
    expect([exitCode, messages]).toEqual([0, ""]);
    expect(text).toMatch(
      /^apiVersion: config.kubernetes.io\/v1\nkind: ResourceList\nitems:\n- apiVersion: v1\n/,
    );
    expect(text.match(/^ {2}kind: (?:ConfigMap|Secret)$/gm)).toHaveLength(2);
    expect(text).toContain("    configmap-values.yaml: |\n      a: 1 # one\n");
  });

  test("others stay as they are, and rendering again changes nothing", async () => {
    const once = await run(listOf(other));
    expect(once.text).toContain(other.slice(1));
    expect((await run(Buffer.from(once.text))).text).toBe(once.text);
  });

  test("an object keeps what others put on it, and gets what it should hold", async () => {
    const once = (await run(listOf(other))).text;
    const edited = once
      .replace("a: 1 # one", "a: 2")
      .replace("  annotations:\n", "  annotations:\n      example/mine: kept\n");
    const { text } = await run(Buffer.from(edited));
    expect(text).toContain("a: 1 # one");
    expect(text).toContain("example/mine: kept");
    expect((await run(Buffer.from(text))).text).toBe(text);
  });

  test("what is somebody else's, or nobody's, is a conflict, and nothing is written", async () => {
    for (const text of [
      other.replace("other", "shop"),
      (await run(listOf(other))).text
        .replace(/[\s\S]*items:/, "")
        .replace(/functionConfig[\s\S]*/, "")
        .replaceAll("owner-name: test", "owner-name: else"),
    ]) {
      const input = listOf(text);
      const { exitCode, text: output, messages } = await run(input);
      expect([exitCode, messages.includes("error[owner-conflict]")]).toEqual([1, true]);
      expect(output.replace(/results:[\s\S]*/, "")).toBe(input.toString());
    }
  });

  test("an object of this render that is not rendered any more stays, and is reported", async () => {
    const once = await run(listOf(other));
    const left = once.text.replaceAll("name: shop\n", "name: cart\n");
    const { exitCode, text, messages } = await run(Buffer.from(left));
    expect(exitCode).toBe(0);
    expect(text.split("\nresults:")[0]?.match(/^ {4}name: cart$/gm)).toHaveLength(2);
    expect(
      messages.match(/^warning\[render-stale\]: `(?:ConfigMap|Secret)\/org\/cart` is of/gm),
    ).toHaveLength(2);
    const foreign = left.replaceAll("owner-namespace: org", "owner-namespace: other");
    expect((await run(Buffer.from(foreign))).messages).toBe("");
  });

  test("what is folded of objects is not the render's own", () => {
    const layer = (name: string, value: number): string =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: org, labels: {team: a, valuefold.dev/owner-name: test}, annotations: {valuefold.dev/into: App/shop}}\ndata: {values: "a: ${value}\\n"}\n---\n`;
    const app =
      "apiVersion: application.giantswarm.io/v1alpha1\nkind: App\nmetadata: {name: shop, namespace: org}\nspec: {}\n";
    const { output } = foldText(layer("one", 1) + layer("two", 2) + app);
    const [folded = ""] = output.split("---\n");
    expect(folded).toContain("name: shop-folded");
    expect(folded).toContain("    team: a\n");
    expect(folded).not.toContain("owner-name");
  });

  test("of another function config there is no render", async () => {
    const input = listOf(other).toString().replace("ValueFoldRender", "ValueFold");
    expect(await renderFunction(Buffer.from(input), { directory: folder, sops })).toBeUndefined();
  });
});

describe("secrets", () => {
  const canary = "canary7f3a";

  test("no message holds a value, whatever is wrong with it", { tags: "law" }, async () => {
    const broken = fc.constantFrom(
      `p: "${canary}\n`,
      `- ${canary}\n`,
      canary,
      `p: ${canary}\n\tq: 1\n`,
      `p: [${canary}\n`,
      `p: *${canary}\n`,
      `? {${canary}: 1}\n: 2\n`,
      `null: ${canary}\n`,
      `p: ${canary}: x\n`,
      `p: !!int ${canary}\n`,
      `%${canary}\n---\np: 1\n`,
      `p: ${canary}\np: ${canary}2\n`,
      `p: ${canary}\n---\nq: ${canary}\n`,
      `p: .inf # ${canary}\n`,
      `p: 99999999999999999999 # ${canary}\n`,
      `p: ${canary}\n\u0007`,
      `null # ${canary}\n`,
      `{{ .${canary}`,
      `p: ENC[${canary}]\nsops:\n  mac: ENC[${canary}]\n`,
    );
    const property = fc.asyncProperty(broken, broken, broken, async (one, two, three) => {
      const folder = folderOf({
        "layer-0/apps/shop/secret.yaml": one,
        "layer-1/apps/shop/secret.yaml": two,
        "layer-1/secret-config.yaml": three,
        "render.yaml": configOf({
          ...everything,
          schema: {
            ...schema,
            layers: schema.layers.map((layer) => ({
              ...layer,
              values: { secret: { name: "secret-config.yaml" } },
            })),
          },
        }).toString(),
      });
      const invocation = { config: "render.yaml", into: undefined, strict: false, previous: undefined };
      const { exitCode, output, diagnostics } = await runRender(invocation, {
        directory: folder,
        stdin: () => Buffer.from(""),
        sops,
      });
      expect(messagesOf({ diagnostics }) + JSON.stringify(diagnostics)).not.toContain(canary);
      const text = Buffer.concat(output).toString("utf8");
      if (exitCode === 0) expect(text.replaceAll(/secret-values\.yaml: .*/g, "")).not.toContain(canary);
      else expect(text).toBe("");
    });
    await fc.assert(property, { numRuns: 150 });
  });
});
