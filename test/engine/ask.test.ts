// Questions to the engine: what it answers, what it reaches, and what happens to the others where one ends it.
import { existsSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { nativeEngine } from "../../scripts/engine.ts";
import {
  ask,
  type EngineAnswer,
  type EngineCut,
  type EngineRequest,
  useEngine,
} from "../../src/engine/index.ts";

const configMap = (name: string, data: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: ${data}\n`;

const base: readonly (readonly [string, string])[] = [
  ["/shop/base/kustomization.yaml", "resources: [a.yaml]\n"],
  ["/shop/base/a.yaml", configMap("a", "{k: v}")],
];
const builtBase = "apiVersion: v1\ndata:\n  k: v\nkind: ConfigMap\nmetadata:\n  name: a\n";

/** A directory over the base. */
function over(kustomization: string, ...more: readonly (readonly [string, string])[]): EngineRequest {
  const files = new Map([...base, ["/shop/prod/kustomization.yaml", kustomization] as const, ...more]);
  return { op: "build", dir: "/shop/prod", files };
}

function rendering(...texts: readonly string[]): EngineRequest {
  return { op: "template", includes: {}, templates: texts.map((text) => ({ text, values: "{}" })) };
}

function outcomeOf(answer: EngineAnswer | EngineCut): string {
  if (answer.cut !== undefined) return `cut: ${answer.cut}`;
  return answer.error ?? Buffer.from(answer.files.get("") ?? []).toString("utf8");
}

const built = async (request: EngineRequest): Promise<string> => outcomeOf(await ask(request));

describe.each(existsSync(nativeEngine) ? [["wasm"], [nativeEngine]] : [["wasm"]])("%s", (build) => {
  beforeAll(() => useEngine(build));

  describe("builds", () => {
    test("a base", async () => {
      expect(await built(over("resources: [../base]\n"))).toBe(builtBase);
    });

    test("names that no disk forbids", async () => {
      const names = ["a+b.yaml", "a b.yaml", "ü.yaml"];
      const files = names.map((name, index) => [`/shop/prod/${name}`, configMap(`c${index}`, "{}")] as const);
      const text = await built(over(`resources: [../base, "${names.join('", "')}"]\n`, ...files));
      expect(text.match(/^ {2}name: \w+$/gm)).toEqual([
        "  name: a",
        "  name: c0",
        "  name: c1",
        "  name: c2",
      ]);
    });

    test("a file outside of the kustomization, as Flux does", async () => {
      const request = over("configMapGenerator: [{name: c, files: [../base/a.yaml]}]\n");
      expect(await built(request)).toContain("kind: ConfigMap");
    });

    test("a schema of one build is none of the next", async () => {
      const crd = (list: string): string =>
        `apiVersion: example.com/v1\nkind: Shop\nmetadata: {name: s}\nspec: {a: [{name: ${list}}]}\n`;
      const patched = "resources: [s.yaml]\npatches: [{path: p.yaml}]\n";
      const schema = JSON.stringify({
        definitions: {
          "v1.Shop": {
            properties: {
              spec: {
                properties: {
                  a: {
                    type: "array",
                    items: { type: "object", properties: { name: { type: "string" } } },
                    "x-kubernetes-patch-merge-key": "name",
                    "x-kubernetes-patch-strategy": "merge",
                  },
                },
              },
            },
            "x-kubernetes-group-version-kind": [{ group: "example.com", kind: "Shop", version: "v1" }],
          },
        },
      });
      const files = [
        ["/shop/prod/s.yaml", crd("one")],
        ["/shop/prod/p.yaml", crd("two")],
        ["/shop/prod/schema.json", schema],
      ] as const;
      const plain = over(patched, ...files);
      const withSchema = over(`${patched}openapi: {path: schema.json}\n`, ...files);
      const first = await built(plain);
      const merged = await built(withSchema);
      expect([first, merged].map((text) => text.match(/name: (?:one|two)/g))).toEqual([
        ["name: two"],
        ["name: two", "name: one"],
      ]);
      expect(await built(plain)).toBe(first);
      expect(await built(withSchema)).toBe(merged);
      // Resources are read before a component names a schema.
      const component = [
        [
          "/shop/part/kustomization.yaml",
          `kind: Component\napiVersion: kustomize.config.k8s.io/v1alpha1\nopenapi: {path: ../prod/schema.json}\npatches: [{path: ../prod/p.yaml}]\n`,
        ],
        ...files,
      ] as const;
      const inComponent = over("resources: [s.yaml]\ncomponents: [../part]\n", ...component);
      expect(await built(inComponent)).toBe(merged);
    });
  });

  describe("reaches nothing", () => {
    const generated = (envs: string): string => `configMapGenerator: [{name: c, envs: [${envs}]}]\n`;
    const withFunction = (annotation: string): string =>
      `apiVersion: v1\nkind: F\nmetadata:\n  name: f\n  annotations:\n    config.kubernetes.io/function: |\n      ${annotation}\n`;

    test.for([
      ["a file of this machine", "resources: [/etc/passwd]\n", "/etc/passwd"],
      ["a process' environment", "configMapGenerator: [{name: c, files: [/proc/self/environ]}]\n", "environ"],
      ["an address", "resources: ['https://127.0.0.1:1/a.yaml']\n", "nothing is fetched here"],
      ["a repository", "resources: ['https://example.com/a//b?ref=main']\n", "no program is started here"],
      ["a chart", "helmCharts: [{name: c}]\n", "must specify --enable-helm"],
    ] as const)("%s", async ([, kustomization, words]) => {
      const answer = await ask(over(kustomization));
      expect(answer).toMatchObject({ error: expect.stringContaining(words) as unknown });
    });

    test("a variable of the environment", async () => {
      const request = over(generated("a.env"), ["/shop/prod/a.env", "PATH\nHOME\n"]);
      expect(await built(request)).toContain('data:\n  HOME: ""\n  PATH: ""\n');
    });

    test.for(["exec: {path: /bin/true}", "container: {image: example.com/f}"])("%s", async (words) => {
      const request = over("resources: [../base]\ntransformers: [f.yaml]\n", [
        "/shop/prod/f.yaml",
        withFunction(words),
      ]);
      expect(await ask(request)).toMatchObject({ error: expect.any(String) as unknown });
    });
  });

  test.for([
    ["a: ${x:=1} ${y}", "a: 2 ", ["x", "y"]],
    ["$$${x} $${x} $x $", "$2 ${x} $x $", ["x"]],
    ["${z} ${x} ${y:=${z}} $$ ${z/}/a}", "${z} 2 ${y:=${z}} $ ${z/}/a}", ["x", "y", "z"]],
    ["${x:=${z}}", "${x:=${z}}", ["x", "z"]],
    ["a\nb: ${x", "missing closing brace in line 2 of the object", undefined],
    ["a\nb: ${x:1:-2}\n${z}", "bad substitution in line 2 of the object", undefined],
  ] as const)("substitutes %s", async ([text, made, names]) => {
    const files = new Map([["a", text]]);
    const answer = await ask({ op: "substitute", vars: { x: "2" }, stays: ["z"], files });
    if (names === undefined) expect(answer).toMatchObject({ refused: { a: made }, asked: {} });
    else expect(answer).toMatchObject({ refused: {}, asked: { a: names } });
    if (names !== undefined && answer.cut === undefined)
      expect(Buffer.from(answer.files.get("a") ?? []).toString("utf8")).toBe(made);
  });

  describe("the next question is answered after one that", { tags: "law" }, () => {
    const merging =
      "resources: [../base]\nconfigMapGenerator: [{name: a, behavior: merge, literals: [x=y]}]\n";
    const ending = (data: string): EngineRequest =>
      over(merging, ["/shop/base/a.yaml", configMap("a", data)]);

    test.for<readonly [string, EngineRequest, string]>([
      ["runs into its deadline", rendering("{{ range 1000000000000 }}{{ end }}"), "cut: too-long"],
      ["needs too much memory", rendering("{{ range until 1000000000 }}{{ end }}"), "cut: too-large"],
      ["overflows the stack", ending("&x {k: *x}"), "cut: too-large"],
      ["would end the program kustomize", ending("{? {a: b} : c}"), "wrong node kind"],
      ["panics", { ...over("{}"), op: "none" }, 'no operation "none"'],
    ])("%s", async ([, request, outcome]) => {
      const plain = over("resources: [../base]\n");
      const deadlineMs = outcome === "cut: too-long" ? 1000 : 120_000;
      const all = await Promise.all([ask(plain), ask(request, deadlineMs), ask(plain), ask(plain)]);
      const [before, found, ...after] = all.map(outcomeOf);
      expect(found).toContain(outcome);
      expect([before, ...after]).toEqual([builtBase, builtBase, builtBase]);
    });
  });
});

test("what cannot be started is an error, and another engine then answers", async () => {
  useEngine("/no/such/engine");
  await expect(ask(over("resources: [../base]\n"))).rejects.toMatchObject({
    message: "the engine `/no/such/engine` could not be started",
    hint: expect.stringContaining("unset `VALUEFOLD_ENGINE`") as unknown,
  });
  useEngine("wasm");
  expect(await built(over("resources: [../base]\n"))).toBe(builtBase);
});
