// Repeats that would leak, lose or mangle something: each is refused, and says how it is meant.
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { foldText, itemsOnly } from "../support/fold.ts";
import { folded, listOf, refusal, repeatIn, streamOf } from "../support/repeat-texts.ts";

const source =
  "apiVersion: v1\nkind: Secret\nmetadata: {name: inst}\nstringData:\n  i.yaml: 'a: {pw: hunter2, k: kind}'\n";
const secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: tpl}\n";
const fromSecret = "from: {kind: Secret, name: inst}";

describe("what an item is stays as its template has it", () => {
  test.for([
    "kind: ConfigMap",
    "'[\"kind\"]': ConfigMap",
    "apiVersion: v2",
    "metadata: '{value}'",
    "'[\"{name}kind\"]': ConfigMap",
  ])("%s", (set) => {
    const instances = set.includes("{name}") ? "from: {kind: Secret, name: inst, key: j.yaml}" : fromSecret;
    const named = source.replace("i.yaml: 'a:", 'j.yaml: \'"":');
    const clone = `{kind: Secret, name: tpl, as: "t-a", set: {${set}, stringData.pw: "{value.pw}"}}`;
    expect(refusal(streamOf(instances, clone, set.includes("{name}") ? named : source, secret))).toMatch(
      /^repeat-invalid: .* says what the clone is, and stays as its template has it; clone a template/,
    );
  });
});

const config = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: tpl}\ndata: {a: b}\n";
const aClone = '{kind: ConfigMap, name: tpl, as: "c-{name}"}';

describe("instances are a mapping", () => {
  test.for([
    ["[a, b]", /^invalid-setting: `spec.instances`: expected a mapping, got a sequence/],
    ["{a: {}, a: {b: 1}}", /^invalid-setting: `spec.instances.a`: it is written twice in one mapping/],
    ["{a: {x: {k: 1, k: 2}}}", /^invalid-setting: `spec.instances.a.x.k`: it is written twice/],
  ] as const)("%s", ([instances, told]) => {
    expect(refusal(streamOf(`instances: ${instances}`, aClone, config))).toMatch(told);
  });
});

function serviceIn(): string {
  return `apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec:\n  ports:\n  - name: tpl\n    port: 1\n  - name: keep\n    port: 2\n`;
}

const element = '{kind: Service, name: s, path: "spec.ports[0]", set: {name: "{name}", port: "{value.p}"}}';
const other = '{kind: ConfigMap, name: tpl, as: "c-{name}"}';
const one = "{a: {p: 11}, b: {p: 12}}";

function names(list: string): string[] {
  const service = list.slice(list.indexOf("kind: Service"));
  return [...service.matchAll(/^ +(?:- )?name: (\S+)$/gm)]
    .map(([, name]) => name ?? "")
    .filter((name) => name !== "s");
}

describe("in a stream and in a kustomize build", () => {
  const kustomize = (text: string): string =>
    text.replace(/metadata: \{(.*)\}/, "metadata: {$1, annotations: {kustomize.config.k8s.io/id: '1'}}");
  const release =
    "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: h}\nspec: {interval: 1m}\n";
  const built = folded(
    listOf(
      ...[
        repeatIn(one, other, '{kind: HelmRelease, name: h, as: "h-{name}", values: "{value}"}', element),
        config,
        release,
        serviceIn(),
      ].map(kustomize),
    ),
  );

  test("clones are items like any other: an overlay patches and deletes them", () => {
    expect(built).not.toMatch(/kind: Repeat|template-of|repeated-lists|name: tpl/);
    expect(names(built)).toEqual(["a", "b", "keep"]);
    const patched = built.replace("port: 12\n", "port: 99\n").replace(/a: b/, "a: mine");
    expect(foldText(patched).diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(itemsOnly(foldText(patched).output)).toBe(patched);
  });

  test("a Repeat of the overlay clones a clone of the base, and takes no name of it", () => {
    const again = (as: string): string =>
      built.replace(
        "items:\n",
        `items:\n${listOf(repeatIn("{x: {}}", `{kind: ConfigMap, name: c-a, as: "${as}"}`)).split("items:\n")[1]}`,
      );
    const twice = folded(again("d-{name}"));
    expect(twice).toContain("d-x");
    expect(twice).not.toMatch(/name: "?c-a"?,/);
    expect(refusal(again("c-b"))).toMatch(
      /^name-taken: .*`ConfigMap\/c-b`, a name that `ConfigMap\/c-b` of the list has/,
    );
  });
});

describe("paths", () => {
  test.for([
    ["ConfigMap", "metadata.labels.app.kubernetes.io/name", 'metadata.labels["app.kubernetes.io/name"]'],
    ["ConfigMap", "data.app.conf", 'data["app.conf"]'],
    ["Secret", "stringData.app.conf", 'stringData["app.conf"]'],
    ["Secret", "data.pw", "stringData"],
  ] as const)("of a %s: %s", ([kind, path, cure]) => {
    const clone = `{kind: ${kind}, name: tpl, as: "c-{name}", set: {'${path}': x}}`;
    const told = refusal(streamOf("instances: {a: {}}", clone, kind === "Secret" ? secret : config));
    expect(told).toMatch(/^repeat-invalid: /);
    expect(told).toContain(`write \`${cure}\``);
  });
});

test("instances are read before anything is cloned: clones that fold into their item add none", () => {
  const instances = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: inst}\ndata:\n  i.yaml: 'a: {}'\n";
  const clone = `{kind: ConfigMap, name: tpl, as: "c-{name}", set: {'metadata.annotations["valuefold.dev/into"]': ConfigMap/inst, 'data["i.yaml"]': "of-{name}: {}"}}`;
  const input = streamOf("from: {kind: ConfigMap, name: inst}", clone, instances, config.replace("a: b", "i.yaml: ''"));
  const { exitCode, output } = foldText(input);
  expect([exitCode, output.match(/of-\w+/g), output.match(/^kind: .*$/gm)]).toEqual([0, ["of-a"], ["kind: ConfigMap"]]);
});

describe("blank lines below a block that keeps them", () => {
  const fooIn = (output: string): { readonly spec: { readonly l: unknown[] } } | undefined =>
    (parse(output) as { items: { kind: string; spec: { l: unknown[] } }[] }).items.find(
      ({ kind }) => kind === "Foo",
    );

  const list =
    "apiVersion: a/v1\nkind: Foo\nmetadata: {name: f}\nspec:\n  l:\n  - text: |+\n      keep\n\n  - tpl\n\n\n  - third\n";

  test.for([["{}"], ["{a: {}}"], ["{a: {}, b: {}}"]] as const)("with instances %s", ([instances]) => {
    const clone = '{kind: Foo, name: f, path: "spec.l[1]", set: "{name}"}';
    const output = folded(listOf(repeatIn(instances, clone), list));
    const item = fooIn(output);
    const made = Object.keys(parse(instances) as object);
    expect(item?.spec.l).toEqual([{ text: "keep\n\n" }, ...made, "third"]);
  });

  test("a text with empty lines at its end stays as long as it is", () => {
    const clone = '{kind: Foo, name: f, path: "spec.l[0]", set: {text: "{value}"}}';
    const kept = list.replace("|+", "|");
    const output = folded(listOf(repeatIn('{a: "x\\n\\n"}', clone), kept));
    expect(fooIn(output)?.spec.l[0]).toEqual({
      text: "x\n\n",
    });
  });
});

describe("layers into clones that are yet to be made", () => {
  const release =
    "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: h}\nspec: {interval: 1m}\n";
  const layerInto = (name: string, target: string, text: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, annotations: {valuefold.dev/into: ${target}}}\ndata: ${text}\n`;

  test("are no orphans while it is found out what instances are", () => {
    const input = streamOf(
      "from: {kind: ConfigMap, name: inst}",
      '{kind: HelmRelease, name: h, as: "h-{name}", values: "{value}"}',
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: inst}\ndata:\n  i.yaml: 'a: {x: 1}'\n",
      release,
      layerInto("more", "ConfigMap/inst", "{i.yaml: 'b: {x: 2}'}"),
      layerInto("own", "HelmRelease/h-b", "{values.yaml: 'y: 3'}"),
    );
    expect(foldText(input).output).toContain("y: 3\n    x: 2\n");
    const orphan = foldText(input.replace("h-b", "h-c"));
    expect(orphan.diagnostics.map(({ code }) => code)).toEqual(["orphan-layer"]);
  });
});

describe("a list without instances", () => {
  test.for([
    ["ports: # behind the key\n    # of the template\n    - name: tpl # name\n      port: 1\n    # foot"],
    ["ports: !ports # behind the key\n    - name: tpl"],
    ["ports: [ # in brackets\n    {name: tpl} ]"],
    ["ports: [{name: tpl}] # behind brackets"],
  ] as const)("keeps comments and tags: %s", ([ports]) => {
    const foo = `apiVersion: a/v1\nkind: Foo\nmetadata: {name: f}\nspec:\n  ${ports}\n  type: x\n`;
    const none = folded(listOf(repeatIn("{}", '{kind: Foo, name: f, path: "spec.ports[0]"}'), foo));
    for (const [comment] of ports.matchAll(/!ports|# (?:behind|in) .*/g)) expect(none).toContain(comment);
    const { items } = parse(none) as { items: { spec: unknown }[] };
    expect(items.map(({ spec }) => spec)).toEqual([{ ports: [], type: "x" }]);
  });

  test("loses an element that shares its line with another dash", () => {
    const rows =
      "apiVersion: a/v1\nkind: Foo\nmetadata: {name: f}\nspec:\n  rows:\n  - - tpl\n    - b\n  - - c\n";
    const entry = '{kind: Foo, name: f, path: "spec.rows[0][0]", set: "{name}"}';
    expect(folded(listOf(repeatIn("{}", entry), rows))).toContain("    - - b\n    - - c\n");
    const both = folded(listOf(repeatIn("{x: {}, z: {}}", entry), rows));
    expect(both).toContain("    - - x\n      - z\n      - b\n    - - c\n");
  });
});

describe("what instances will be", () => {
  test("follows the setting `targets`, as the fold does", () => {
    const instances = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: inst}\ndata:\n  i.yaml: 'a: {}'\n";
    const layer =
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: lay, annotations: {valuefold.dev/into: ConfigMap/inst}}\ndata: {i.yaml: 'b: {}'}\n";
    const input = streamOf(
      "from: {kind: ConfigMap, name: inst}",
      '{kind: ConfigMap, name: tpl, as: "c-{name}"}',
      instances,
      layer,
      config,
    );
    const settings =
      "apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nmetadata: {name: f}\nspec: {targets: [{kind: HelmRelease}]}\n";
    expect(foldText(input).output).toContain("c-b");
    expect(foldText(input, settings).output).not.toContain("c-b");
  });
});

test("a list may hold more elements than a call takes arguments", { tags: "law" }, () => {
  const count = 150_000;
  const elements = Array.from({ length: count }, (_, index) => `  - e${index}\n`).join("");
  const clone = (index: number): string => `{kind: Foo, name: f, path: "spec.l[${index}]", set: "{name}"}`;
  const list = `apiVersion: a/v1\nkind: Foo\nmetadata: {name: f}\nspec:\n  l:\n${elements}`;
  const { exitCode, output } = foldText(`${repeatIn("{a: {}}", clone(0), clone(count - 1))}---\n${list}`);
  expect([exitCode, output.match(/^ +- /gm)?.length]).toEqual([0, count]);
});

test("what is wrong for every instance is told of a few", () => {
  const many = Array.from({ length: 9 }, (_, index) => `i${index}: {}`).join(", ");
  const clone = '{kind: ConfigMap, name: tpl, as: "c-{name}", set: {data.a: "{value.port}"}}';
  const told = refusal(streamOf(`instances: {${many}}`, clone, config)).split("\n");
  expect(told).toHaveLength(3);
  expect(told[2]).toMatch(/instance `i2` has nothing at `value.port` \(and 6 more like it\); /);
});
