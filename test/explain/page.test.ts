// The page as text: what goes in comes out again, nothing in it acts, and it stays small.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Comparison } from "../../src/comparison.ts";
import type { ExplainedLayer, Explanation } from "../../src/explanation.ts";
import {
  claim,
  layerAddress,
  stackAddress,
  targetAddress,
  valueAddress,
} from "../../src/explain/page/client/addresses.ts";
import { Book } from "../../src/explain/page/client/book.ts";
import { looksIn } from "../../src/explain/page/client/looks.ts";
import { hrefsBy } from "../../src/explain/page/client/sources.ts";
import { spread } from "../../src/explain/page/client/spread.ts";
import { renderAnnotated } from "../../src/explain/annotate.ts";
import { renderText } from "../../src/explain/view.ts";
import { linesBy } from "../../src/explain/lines.ts";
import { pageOf } from "../../src/explain/page/write.ts";
import { explanationOf, meaning } from "../support/explain.ts";
import { bigExplanation, hostile, hostileTexts, small } from "../support/explanations.ts";
import { dataForm, dataOf, dataText } from "../support/page-data.ts";

function read(page: string): Explanation | Comparison {
  return dataOf(page).shown;
}

test.for([
  ["small", small],
  ["hostile", hostile],
  ["without targets", { ...small, targets: [] }],
  ["large", bigExplanation(30, 40)],
] as const)("what is %s comes out as it went in", ([, explanation]) => {
  expect(read(pageOf(explanation))).toEqual(explanation);
});

test("what settings say of values reads back, too", () => {
  const explanation = explanationOf(
    ["base", "prod"]
      .map((name) => readFileSync(new URL(`../../examples/lists/${name}.yaml`, import.meta.url), "utf8"))
      .join("---\n"),
    "{apiVersion: valuefold.dev/v1alpha1, kind: ValueFold, spec: {merge: [{path: env, key: name}, {path: hosts, list: set}], protect: [{path: hosts, above: 90}]}}",
  );
  expect(JSON.stringify(explanation)).toMatch(/"rule":"key name".*"elements":\[1\].*"protected"/);
  expect(read(pageOf(explanation))).toEqual(explanation);
});

test("what is in values is in the data only, and cannot leave it", () => {
  const page = pageOf(hostile);
  expect(dataText(page)).toContain("javascript:globalThis.hit=1");
  expect(page.replace(dataForm, "")).toBe(pageOf(small).replace(dataForm, ""));
});

test("its policy names its one script and its one style, and allows nothing else", () => {
  const page = pageOf(small);
  const hash = (form: RegExp): string => {
    const all = [...page.matchAll(form)];
    expect(all).toHaveLength(1);
    return `'sha256-${createHash("sha256")
      .update(all[0]?.[1] ?? "")
      .digest("base64")}'`;
  };
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1];
  expect(policy).toBe(
    `default-src 'none'; script-src ${hash(/<script>(.+?)<\/script>/gs)}; style-src ${hash(/<style>(.+?)<\/style>/gs)}; ` +
      "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  );
  expect(page).not.toMatch(/https?:|\bsrc=|<link|@import|url\(/);
});

test("a thousand targets of 200 values in three layers are at most 9 MB", { tags: "law" }, () => {
  const page = pageOf(bigExplanation(1000, 200));
  console.log(
    `page of 1,000 × 200 × 3: ${(page.length / 1e6).toFixed(2)} MB; of nothing: ${pageOf({ ...small, targets: [] }).length} bytes`,
  );
  expect(Buffer.byteLength(page)).toBeLessThanOrEqual(9e6);
});

test("which system wrote the page is not in it", () => {
  const bytes = Buffer.from(dataForm.exec(pageOf(small))?.[1] ?? "", "base64");
  expect([...bytes.subarray(0, 10)]).toEqual([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
});

test("an address is what one would write by hand", () => {
  const stack = stackAddress(targetAddress({ kind: "App", namespace: "org", name: "shop" }), {
    kind: "ConfigMap",
  });
  expect(valueAddress(stack, ["controller", "replicas"])).toBe("App/org/shop/ConfigMap/controller.replicas");
  expect(valueAddress(stack, ["example.org/owner"])).toBe("App/org/shop/ConfigMap/example%2Eorg%2Fowner");
  expect(targetAddress({ build: "clusters/eu-1", kind: "App", name: "shop" })).toBe(
    "App//shop@clusters%2Feu-1",
  );
  expect(layerAddress({ kind: "ConfigMap", name: "base", key: "values.yaml" })).toBe(
    "layer:ConfigMap//base/values.yaml",
  );
});

test("what another build adds to a page changes no address", () => {
  const addressesIn = (...builds: readonly string[]): Record<string, readonly string[]> => {
    const targets = builds.flatMap((build) => small.targets.map((target) => ({ build, ...target })));
    const book = new Book({ ...small, targets });
    return Object.fromEntries(
      book.targets.map(({ title, address, stacks }) => [title, [address, ...stacks]]),
    );
  };
  const both = addressesIn("clusters/eu-0", "clusters/eu-1");
  expect(both).toMatchObject(addressesIn("clusters/eu-1"));
  expect(both["clusters/eu-1: App/org/shop"]).toEqual([
    "App/org/shop@clusters%2Feu-1",
    "App/org/shop@clusters%2Feu-1/ConfigMap",
    "App/org/shop@clusters%2Feu-1/Secret",
  ]);
});

test("no two things have one address", () => {
  const keys = fc.array(fc.constantFrom("a", ".", "a.b", "/", "", "%2E", "~2", ...hostileTexts), {
    maxLength: 3,
  });
  fc.assert(
    fc.property(keys, keys, (one, other) => {
      const isSame = JSON.stringify(one) === JSON.stringify(other);
      expect(valueAddress("s", one) === valueAddress("s", other)).toBe(isSame);
    }),
  );
  const taken = new Set<string>();
  expect(["a", "a", "a~2", "a"].map((address) => claim(address, taken))).toEqual([
    "a",
    "a~2",
    "a~2~2",
    "a~3",
  ]);
});

test("a rendered value has the places that it overrides in the files of its render", () => {
  const rendered = readFileSync(
    new URL("../render/renders/overridden-values-leave-their-lines/output.yaml", import.meta.url),
    "utf8",
  );
  const release =
    "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: ingress, namespace: giantswarm}\nspec: {valuesFrom: [{kind: ConfigMap, name: ingress, valuesKey: configmap-values.yaml}]}\n";
  const explanation = explanationOf(`${release}---\n${rendered}`);
  const values = explanation.targets[0]?.stacks[0]?.values ?? [];
  const lines = values.map(({ path, rendered: over = [] }) => [
    path.join("."),
    ...over.map(({ file, line }) => `${file}:${line}`),
  ]);
  expect(lines).toEqual([
    ["replicas", "stage/values.yaml:2", "default/values.yaml:2"],
    ["image.tag", "default/values.yaml:4"],
    ["image.pull"],
    ["ingress.host"],
    ["metrics.port", "default/values.yaml:7"],
  ]);
  expect(renderText(explanation, { colour: false })).toMatch(
    /replicas: 3 +A installation\/values.yaml:1\n {2}over stage\/values.yaml:2, a value of its render\n/,
  );
  expect(read(pageOf(explanation))).toEqual(explanation);
});

describe("colours of layers", () => {
  const layer = (id: string, name: string, more: Partial<ExplainedLayer>): ExplainedLayer => ({
    id,
    kind: "ConfigMap",
    name,
    why: "annotation",
    state: "folded",
    ...more,
  });
  /** The look of each layer, target by target. */
  const looksOf = (...targets: readonly (readonly [string, ...ExplainedLayer[]])[]): string[][] => {
    const all = targets.map(([name, ...layers]) => ({
      kind: "App",
      name,
      stacks: [{ layers, runs: [], splits: [], values: [] }],
    }));
    const lookOf = looksIn(all);
    return targets.map(([, ...layers], target) =>
      layers.map((each, at) => `${each.id} ${lookOf(all[target]?.stacks[0]?.layers[at])}`),
    );
  };

  test("what binds a layer decides, whatever its letter and its name", () => {
    const base = { why: "reference", slot: "spec.config", priority: 50 } as const;
    expect(
      looksOf(
        [
          "shop",
          layer("A", "shop-base", base),
          layer("B", "shop-stage-prod", { priority: 60 }),
          layer("C", "shop-east", { priority: 70 }),
        ],
        [
          "web-front",
          layer("A", "giantswarm", { why: "catalog", state: "unseen", priority: 0 }),
          layer("B", "web-front-base", base),
          layer("C", "web-front-stage-dev", { priority: 60 }),
          layer("D", "web-front-west", { priority: 70 }),
        ],
      ),
    ).toEqual([
      ["A hue-0", "B hue-1", "C hue-2"],
      ["A hue-none", "B hue-0", "C hue-1", "D hue-2"],
    ]);
  });

  test("entries of a HelmRelease have their place, values files their folder", () => {
    const entry = (index: number): Partial<ExplainedLayer> => ({
      why: "reference",
      slot: `spec.valuesFrom[${index}]`,
      priority: 50,
    });
    const file = (name: string): Partial<ExplainedLayer> => ({ why: "file", at: { of: "file", file: name } });
    expect(
      looksOf(
        ["shop", layer("A", "shop", entry(0)), layer("B", "shop-limits", entry(1))],
        ["web", layer("A", "common", entry(0)), layer("B", "web-limits", entry(1))],
        [
          "merged",
          layer("A", "base.yaml", file("base.yaml")),
          layer("B", "stages/prod.yaml", file("stages/prod.yaml")),
        ],
        [
          "merged",
          layer("A", "base.yaml", file("base.yaml")),
          layer("B", "stages/dev.yaml", file("stages/dev.yaml")),
        ],
      ),
    ).toEqual([
      ["A hue-0", "B hue-1"],
      ["A hue-0", "B hue-1"],
      ["A hue-2", "B hue-3"],
      ["A hue-2", "B hue-3"],
    ]);
  });

  test("layers of one stack differ, even where one folder or priority holds all of them", () => {
    const file = (id: string, name: string): ExplainedLayer =>
      layer(id, name, { why: "file", at: { of: "file", file: name } });
    expect(
      looksOf(
        ["merged", file("A", "values/base.yaml"), file("B", "values/prod.yaml"), file("C", "east/prod.yaml")],
        ["web", layer("A", "web-a-b", { priority: 5 }), layer("B", "web-a-c", { priority: 5 })],
      ),
    ).toEqual([
      ["A hue-0", "B hue-1", "C hue-2"],
      ["A hue-3", "B hue-4"],
    ]);
  });

  test("sixteen looks are different", () => {
    const layers = Array.from({ length: 17 }, (_, index) =>
      layer(`L${index}`, `shop-${index}`, { priority: index }),
    );
    const looks = looksOf(["shop", ...layers]).flat();
    const hues = looks.map((each) => each.replace(/^\S+ /, ""));
    expect(new Set(hues.slice(0, 16)).size).toBe(16);
    expect(hues[16]).toBe(hues[0]);
  });
});

describe("the final YAML", () => {
  const yamlOf = (explanation: Explanation): string[] =>
    explanation.targets.flatMap(({ stacks }) =>
      stacks.map(({ values }) =>
        linesBy(spread, values)
          .map(({ text }) => `${text}\n`)
          .join(""),
      ),
    );

  test("long lists and texts go on below their key", () => {
    const long = "a text that is so long that the list does not fit one line";
    const lines = (text: string): string => spread(text).join("\n");
    expect(lines(`[1, "a, b", '${long}, it''s', {a: [b, "]"], c: it's}, !!str "x, y", []]`)).toBe(
      `\n- 1\n- "a, b"\n- '${long}, it''s'\n- {a: [b, "]"], c: it's}\n- !!str "x, y"\n- []`,
    );
    expect(lines('"two\\nlines\\n"')).toBe("|\ntwo\nlines");
    expect(lines('"two\\nlines"')).toBe("|-\ntwo\nlines");
    for (const text of ["[1, 2]", '"\\n x"', '"\\x41\\n"', '"a\\n\\n"', '"\\ud83d\\n"', "plain"])
      expect(lines(text)).toBe(text);
  });

  test("it says what the annotated values say", () => {
    const text = fc.oneof(fc.string(), fc.constantFrom("a, b", "it's", "x\ny\n", "]", ": ", ...hostileTexts));
    const leaf = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null));
    const list = fc.array(
      fc.oneof(leaf, fc.array(leaf), fc.dictionary(text, leaf, { noNullPrototype: true })),
      {
        maxLength: 8,
      },
    );
    const values = fc.dictionary(
      text,
      fc.oneof(leaf, list, fc.dictionary(text, leaf, { noNullPrototype: true })),
      {
        noNullPrototype: true,
      },
    );
    fc.assert(
      fc.property(values, (content) => {
        fc.pre(!JSON.stringify(content).includes("\\ud"));
        const explanation = explanationOf(
          [
            "apiVersion: application.giantswarm.io/v1alpha1\nkind: App\nmetadata: {name: shop, namespace: org}\nspec: {config: {configMap: {name: base, namespace: org}}}",
            `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: base, namespace: org}\ndata: {values: ${JSON.stringify(JSON.stringify(content))}}`,
          ].join("\n---\n"),
        );
        const annotated = renderAnnotated(explanation).split("---\n").map(meaning);
        expect(yamlOf(explanation).map(meaning)).toEqual(annotated);
      }),
    );
  });

  test("values of Secrets are not in it", () => {
    const secrets = small.targets[0]?.stacks[1];
    expect(
      yamlOf({ ...small, targets: [{ kind: "App", name: "x", stacks: secrets ? [secrets] : [] }] }),
    ).toEqual(["database:\n  password: (secret)\n  user: (secret)\n"]);
  });
});

describe("links to files", () => {
  const template = "https://git.example/shop/blob/main/{file}#L{line}";
  const linked = (file: string, more: object = {}, by = template): string | undefined =>
    hrefsBy({
      template: by,
      files: [
        ["base/values.yaml", "base/values.yaml"],
        ["/srv/a b.yaml", "a b.yaml"],
        ["../$&.yaml", "$&.yaml"],
      ],
    })({
      of: "file",
      file,
      ...more,
    });

  test("a file and its line take their places in the template", () => {
    expect(linked("base/values.yaml", { line: 9, column: 15 })).toBe(
      "https://git.example/shop/blob/main/base/values.yaml#L9",
    );
    expect(linked("/srv/a b.yaml", { line: 2 })).toBe("https://git.example/shop/blob/main/a%20b.yaml#L2");
    expect(linked("../$&.yaml", { line: 2 })).toBe("https://git.example/shop/blob/main/%24%26.yaml#L2");
    expect(linked("base/values.yaml")).toBe("https://git.example/shop/blob/main/base/values.yaml");
    expect(linked("base/values.yaml", { of: "text", line: 9 })).toBe(
      "https://git.example/shop/blob/main/base/values.yaml",
    );
    expect(linked("base/values.yaml", {}, "http://git.example/{file}?line={line}")).toBe(
      "http://git.example/base/values.yaml?line=1",
    );
  });

  test("other files have none, and no template of another kind gives any", () => {
    expect(linked("stages/prod.yaml", { line: 1 })).toBeUndefined();
    expect(linked("base/values.yaml", { line: 1 }, "javascript:alert(1)//{file}")).toBeUndefined();
    expect(hrefsBy(undefined)({ of: "file", file: "base/values.yaml" })).toBeUndefined();
  });

  test("the page names the files that have one, of values, layers and targets", () => {
    const pathOf = (file: string): string | undefined =>
      file.startsWith("base/") ? file : file === "apps/shop.yaml" ? "shop.yaml" : undefined;
    const { links } = dataOf(pageOf(small, { template, pathOf }));
    expect(links?.template).toBe(template);
    expect(links?.files.toSorted()).toEqual([
      ["apps/shop.yaml", "shop.yaml"],
      ["base/credentials.yaml", "base/credentials.yaml"],
      ["base/values.yaml", "base/values.yaml"],
    ]);
    expect(dataOf(pageOf(small)).links).toBeUndefined();
  });
});
