// Schemas from files, and what commands say by them: the same path as any other rule.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCommand } from "../../src/cli/commands.ts";
import { foldSync } from "../../src/index.ts";
import { worldOf } from "../support/world.ts";

const folder = mkdtempSync(join(tmpdir(), "valuefold-schemas-"));
const at = (name: string): string => join(folder, name);
mkdirSync(at("charts"));

const schema = {
  type: "object",
  required: ["name"],
  properties: {
    name: { type: "string" },
    replicas: { type: "integer", description: "How many pods run\r\nAt least." },
    image: { $ref: "#/$defs/image" },
    labels: { type: "object", patternProperties: { "^x-": { type: ["string", "null"] } } },
  },
  $defs: { image: { required: ["tag"], properties: { tag: { type: "string", title: "Tag" } } } },
};
writeFileSync(at("charts/shop.json"), JSON.stringify(schema));
writeFileSync(at("charts/any.json"), "{}");
writeFileSync(
  at("fold.yaml"),
  "apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nspec:\n  schemas:\n    - targets: [{ kind: HelmRelease, name: shop }]\n      file: charts/shop.json\n",
);

const layer = (name: string, values: string, into = "HelmRelease/shop"): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: org, annotations: {valuefold.dev/into: ${into}}}\ndata:\n  values.yaml: ${JSON.stringify(values)}\n`;
const release = (name: string): string =>
  `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: ${name}, namespace: org}\nspec: {}\n`;

async function ran(args: readonly string[], ...items: readonly string[]) {
  const { exitCode, output, messages } = await runCommand(args, worldOf(items.join("---\n")));
  return { exitCode, output: Buffer.concat(output).toString("utf8"), messages };
}

const broken = [layer("l", "replicas: x\n"), release("shop")];

describe("files", () => {
  test.for([
    ["of a function config, seen from where that lies", ["-c", at("fold.yaml")]],
    ["by option", ["--schema", at("charts/shop.json")]],
    ["by option, for a target", ["--schema", `HelmRelease/shop=${at("charts/shop.json")}`]],
    [
      "by option, for a target in a namespace",
      ["--schema", `HelmRelease/org/shop=${at("charts/shop.json")}`],
    ],
    ["several", ["--schema", at("charts/any.json"), "--schema", at("charts/shop.json")]],
  ] as const)("%s", async ([, options]) => {
    const folded = await ran(["fold", ...options], ...broken);
    expect([folded.exitCode, folded.output]).toEqual([1, ""]);
    expect(folded.messages).toContain("error[schema]: `replicas`: expected an integer, got a string\n");
    expect(folded.messages).toContain(`  also  ${at("charts/shop.json")}:1:`);
    const verified = await ran(["verify", "--unfolded", ...options], ...broken);
    expect(verified.messages).toContain("error[schema]: `replicas`");
    expect((await ran(["fold", ...options], layer("l", "replicas: 1\n"), release("shop"))).exitCode).toBe(0);
  });

  test("for another target: nothing, and a warning", async () => {
    const { exitCode, messages } = await ran(
      ["fold", "--schema", `App/shop=${at("charts/shop.json")}`],
      ...broken,
    );
    expect(exitCode).toBe(0);
    expect(messages).toMatch(
      /^warning\[unmatched-selector\]: `--schema [^]*shop.json`: no\s+target\s+that\s+has\s+values\s+matches\s+`App\/shop`[^]*hint {2}correct the target before `=`\n/,
    );
  });

  test.for([
    ["Deployment/shop=x.json", /a target before `=`/],
    ["HelmRelease/a/b/c=x.json", /ENOENT|a target before/],
    ["HelmRelease/shop=", /expected a file after `=`/],
    [at("charts"), /is a directory/],
  ] as const)("--schema %s", async ([word, message]) => {
    await expect(ran(["fold", "--schema", word], ...broken)).rejects.toThrow(message);
  });

  test.for(["diff", "values", "install"])("%s takes none", async (command) => {
    await expect(ran([command, "--schema", "x"])).rejects.toThrow(
      "`--schema` is an option of `explain`, `verify`, `fold`, `merge`",
    );
  });
});

test("what was folded is verified by the same schema", async () => {
  const folded = await ran(["fold"], ...broken);
  const { exitCode, messages } = await ran(["verify", "-c", at("fold.yaml")], folded.output);
  expect(exitCode).toBe(1);
  expect(messages).toMatch(
    /error\[schema\]: `replicas`: .*\n {2}at {4}ConfigMap\/org\/shop-folded values.yaml:1:1/,
  );
});

test("a ConfigMap that is named is judged, whether anything folds into it or not", async () => {
  const config = (text: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: conf, namespace: org}\ndata: {other: x, values.yaml: ${JSON.stringify(text)}}\n`;
  const options = ["--schema", `ConfigMap/conf=${at("charts/shop.json")}`];
  const verified = await ran(["verify", ...options], config("replicas: 1\n"));
  expect(verified.messages).toContain("error[schema]: `name`: the schema requires it");
  expect((await ran(["verify", ...options], config("name: x\n"))).exitCode).toBe(0);
  expect((await ran(["verify", ...options], config("a: [\n"))).messages).toMatch(
    /^error\[schema\]: no schema can judge what cannot be read: .*\n(?: {2}\w.*\n)? {2}at {4}ConfigMap\/org\/conf values.yaml:/,
  );
  // One schema for all targets does not apply to their layers.
  expect((await ran(["verify", "--schema", at("charts/shop.json")], config("replicas: x\n"))).exitCode).toBe(
    0,
  );
});

test("of a ConfigMap that something folds into, a key that nothing folds into is judged as well", async () => {
  writeFileSync(
    at("keys.yaml"),
    "apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nspec: {schemas: [{targets: [{kind: ConfigMap, name: conf}], key: b.yaml, file: charts/shop.json}, {targets: [{kind: ConfigMap, name: conf}], key: c.yaml, file: charts/shop.json}]}\n",
  );
  const conf =
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: conf, namespace: org}\ndata: {a.yaml: 'x: 1', b.yaml: 'name: 1'}\n";
  const over = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: over, namespace: org, annotations: {valuefold.dev/into: ConfigMap/conf}}\ndata: {a.yaml: 'x: 2'}\n`;
  const { messages } = await ran(["fold", "-c", at("keys.yaml")], conf, over);
  expect(messages).toMatch(
    /^error\[schema\]: `name`: expected a string, got an integer\n {2}at {4}ConfigMap\/org\/conf b.yaml:1:1/m,
  );
  expect(messages).toContain("warning[unmatched-selector]: `ConfigMap/org/conf` has no key `c.yaml`\n");
});

test("explain shows what a schema says about a path", async () => {
  const values = "replicas: 1\nname: x\nimage: {tag: a}\nlabels: {x-a: b, z: c}\nother: 1\n";
  const items = [layer("l", values), release("shop")];
  const { output } = await ran(["explain", "--json", "-c", at("fold.yaml")], ...items);
  const told = JSON.parse(output) as {
    targets: { stacks: { values: { path: string[]; schema?: object[] }[] }[] }[];
  };
  const from = at("charts/shop.json");
  const found = told.targets[0]?.stacks[0]?.values.map(({ path, schema: said }) => [path.join("."), said]);
  expect(found).toEqual([
    ["replicas", [{ from, type: "integer", description: "How many pods run" }]],
    ["name", [{ from, type: "string", required: true }]],
    ["image.tag", [{ from, type: "string", required: true, description: "Tag" }]],
    ["labels.x-a", [{ from, type: "string or null" }]],
    ["labels.z", undefined],
    ["other", undefined],
  ]);
  const text = await ran(["explain", "HelmRelease/shop", "image.tag", "-c", at("fold.yaml")], ...items);
  expect(text.output).toContain(`  schema ${from}: string, required: Tag\n`);
});

test("the library takes a schema as an object, and reads no file", () => {
  const input = broken.join("---\n");
  const { ok, diagnostics } = foldSync({ input, settings: { schemas: [{ schema }] } });
  expect([ok, diagnostics.map(({ code }) => code)]).toEqual([false, ["schema"]]);
  const none = foldSync({ input, settings: { schemas: [{ file: at("charts/shop.json") }] } });
  expect(none.diagnostics[0]?.message).toBe("`spec.schemas[0].file`: a function reads no files");
});

test("the function takes it from its own config", () => {
  const spec = { schemas: [{ schema: { properties: { replicas: { enum: [null, 3] } } } }] };
  const list = {
    apiVersion: "config.kubernetes.io/v1",
    kind: "ResourceList",
    functionConfig: { apiVersion: "valuefold.dev/v1alpha1", kind: "ValueFold", spec },
    items: [
      { apiVersion: "helm.toolkit.fluxcd.io/v2", kind: "HelmRelease", metadata: { name: "shop" }, spec: {} },
      {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "l", annotations: { "valuefold.dev/into": "HelmRelease/shop" } },
        data: { values: "replicas: 4\n" },
      },
    ],
  };
  const codes = (functionConfig: object): string[] =>
    foldSync({ input: JSON.stringify({ ...list, functionConfig }), form: "resource-list" }).diagnostics.map(
      ({ code }) => code,
    );
  expect(codes(list.functionConfig)).toEqual(["schema"]);
  const data = { schemas: JSON.stringify(spec.schemas) };
  expect(codes({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" }, data })).toEqual(["schema"]);
});

test("a function's results name the layer, the schema's ConfigMap, or the place in the settings", () => {
  const configMap = (name: string, annotations: object, data: object): object => {
    return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, annotations }, data };
  };
  const results = (rule: object, schemaText = "{}"): string => {
    const items = [
      { apiVersion: "helm.toolkit.fluxcd.io/v2", kind: "HelmRelease", metadata: { name: "shop" }, spec: {} },
      configMap("l", { "valuefold.dev/into": "HelmRelease/shop" }, { values: "replicas: x\n" }),
      configMap("s", {}, { "s.json": schemaText }),
    ];
    const spec = { schemas: [rule] };
    const functionConfig = { apiVersion: "valuefold.dev/v1alpha1", kind: "ValueFold", spec };
    const list = { apiVersion: "config.kubernetes.io/v1", kind: "ResourceList", functionConfig, items };
    const { output } = foldSync({ input: JSON.stringify(list), form: "resource-list" });
    const { results: told } = JSON.parse(Buffer.from(output).toString("utf8")) as {
      results: readonly object[];
    };
    return JSON.stringify(told);
  };
  expect(results({ schema: { properties: { replicas: { type: "integer" } } } })).toMatch(
    /"resourceRef":\{"apiVersion":"v1","kind":"ConfigMap","name":"l"/,
  );
  expect(results({ schema: { properties: { a: { type: 1 } } } })).toContain(
    '"message":"`spec.schemas[0].schema.properties.a',
  );
  const from = { kind: "ConfigMap", name: "s" };
  for (const text of ['{"type": 1}', '{"$ref": "#/nowhere"}', "{"])
    expect(results({ from }, text)).toMatch(
      /"resourceRef":\{"apiVersion":"v1","kind":"ConfigMap","name":"s"/,
    );
});

describe("a ConfigMap that is named and nothing folds into", () => {
  const config = (name: string, entries: object, namespace = "org"): string =>
    `${JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, data: entries })}\n`;
  const options = ["--schema", `ConfigMap/app=${at("charts/shop.json")}`];
  const bad = "name: 1\n";
  const verified = async (...items: readonly string[]): Promise<string> =>
    (await ran(["verify", ...options], ...items)).messages;
  const fault = (key: string, name = "app"): string => `  at    ConfigMap/org/${name} ${key}:1:1`;

  test("is judged in each key that is called like values", async () => {
    const found = await verified(
      config("app", { "a.yaml": bad, "b.json": '{"name": 1}', c: bad, values: bad }),
    );
    expect(found).toContain(fault("a.yaml"));
    expect(found).toContain("app b.json:1:2");
    expect(found).toContain(fault("values"));
    expect(found).not.toContain("app c:");
  });

  test("is judged under the name that kustomize made of it", async () => {
    const name = "app-8k2mf9h7t5";
    expect(await verified(config(name, { "a.yaml": bad }))).toContain(fault("a.yaml", name));
  });

  test("is reported each time that no key fits", async () => {
    const found = await verified(config("app", { config: bad }, "p"), config("app", { "a.yaml": bad }));
    expect(found).toContain(fault("a.yaml"));
    expect(found).toContain(
      "warning[unmatched-selector]: `ConfigMap/p/app` has no key like `values` or `*.yaml`\n",
    );
    expect(found).toContain("it has `config`: name one under `key` of a rule in the setting `schemas`");
    expect(found).not.toContain("no target");
  });

  test("is reported if it cannot be read, with its own hint", async () => {
    expect(await verified(config("app", { "a.yaml": "- 1\n" }))).toMatch(
      /no schema can judge what cannot be read: [^]*\n {2}hint {2}correct it, or name under `key` what the schema is for/,
    );
  });
});

test("explain is silent about a schema that says nothing of a path", async () => {
  const items = [layer("l", "replicas: 1\n"), release("shop")];
  writeFileSync(at("charts/bare.json"), '{"properties": {"replicas": {"minimum": 0}}}');
  const args = ["explain", "HelmRelease/shop", "replicas", "--schema", at("charts/bare.json")];
  expect((await ran(args, ...items)).output).not.toContain("schema");
});

test.for([
  ["true", []],
  ["false", ["the values: the schema does not allow it"]],
  ["[1, 2]", ["the schema cannot be read: expected a mapping, or true or false"]],
  ["x", ["the schema cannot be read: expected a mapping, or true or false"]],
] as const)("a schema that is %s", async ([text, messages]) => {
  writeFileSync(at("whole.yaml"), text);
  const told = await ran(["fold", "--schema", at("whole.yaml")], ...broken);
  const errors = told.messages.split("\n").flatMap((line) => /^error\[[a-z-]+\]: (.*)/.exec(line)?.[1] ?? []);
  expect(errors).toEqual(messages);
});

test.for([
  ["#/$defs/none", "correct the schema at this place"],
  ["urn:x:other", /^give the schema that it means/],
] as const)("the cure of a lost reference to %s", ([$ref, hint]) => {
  const { diagnostics } = foldSync({
    input: broken.join("---\n"),
    settings: { schemas: [{ schema: { $ref } }] },
  });
  expect(diagnostics[0]?.hint).toMatch(hint);
});

test("a key of a letter or two is like any other, so none is suggested", () => {
  const schemaOfOne = { properties: { a: true }, additionalProperties: false };
  const { diagnostics } = foldSync({
    input: [layer("l", "b: 1\n"), release("shop")].join("---\n"),
    settings: { schemas: [{ schema: schemaOfOne }] },
  });
  expect(diagnostics[0]?.hint).toBe("take it out, or add it to the schema");
});

test("annotations of a workflow name the schema's file and line", async () => {
  writeFileSync(at("odd.json"), '{"properties":\n  {"a": {"type": 1}}}');
  const args = ["fold", "--schema", at("odd.json"), "--format", "github"];
  const { output, messages } = await ran(args, ...broken);
  expect(output + messages).toContain(`::error file=${at("odd.json")},line=2,col=10,title=invalid-schema::`);
});
