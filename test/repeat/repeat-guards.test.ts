// Repeats that would leak, lose or mangle something: each is refused, and says how it is meant.
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { foldText, itemsOnly } from "../support/fold.ts";
import { buildOf, folded, listOf, refusal, repeatIn, streamOf } from "../support/repeat-texts.ts";

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
      /^repeat-path: .* says what the clone is, and stays as its template has it; clone a template/,
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

describe("elements of others in a list of clones", () => {
  const first = folded(listOf(repeatIn(one, element, other), serviceIn(), config));
  const withFront = first.replace("    ports:\n", "    ports:\n    - name: front\n      port: 3\n");

  test("stay when the entry goes", () => {
    expect(names(first)).toEqual(["a", "b", "keep"]);
    const released = folded(withFront.replace(/ +- .*spec\.ports.*\n/, ""));
    expect(names(released)).toEqual(["front", "tpl", "keep"]);
  });

  test("and edited ones are refused", () => {
    const edited = withFront.replace(/ +- .*spec\.ports.*\n/, "").replace("port: 12", "port: 99");
    expect(refusal(edited)).toMatch(/^repeat-edited: `spec.clone`: elements of `spec.ports\[0\]`/);
  });

  const patched = withFront.replace("port: 12", "port: 12\n      nodePort: 99");

  test("stay, and so does a clone that a user patched, while the instances are the same", () => {
    expect(patched).not.toBe(withFront);
    expect(folded(patched)).toBe(patched);
    const without = patched.replace(/ {4}- name: "?b"?\n {6}port: 12\n {6}nodePort: 99\n/, "");
    expect(names(without)).toEqual(["front", "a", "keep"]);
    expect(folded(without)).toBe(without);
  });

  test.for([
    ["whose instance changes", one.replace("12", "13")],
    ["whose instance goes", "{a: {p: 11}}"],
    ["beside which an instance comes", one.replace("}}", "}, c: {p: 14}}")],
  ] as const)("a patched one %s is refused", ([, instances]) => {
    expect(refusal(patched.replace(one, instances))).toMatch(/^repeat-edited: /);
    expect(folded(withFront.replace(one, instances))).toContain("front");
  });

  test("one between clones is never taken for one of them", () => {
    const between = withFront.replace(/( {4}- name: "?b"?\n)/, "    - name: between\n      port: 5\n$1");
    expect(names(folded(between))).toEqual(["front", "a", "between", "b", "keep"]);
    expect(refusal(between.replace(one, "{a: {p: 11}}"))).toMatch(/^repeat-edited: /);
  });
});

describe("clones that a user changed", () => {
  const entry = '{kind: ConfigMap, name: tpl, as: "c-{name}", set: {data.port: "{value.p}"}}';
  const made = folded(listOf(repeatIn(one, entry), config));
  const edited = made.replace('"12"', '"99"');

  test("stay while their inputs are the same, whatever becomes of others", () => {
    expect(edited).not.toBe(made);
    expect(folded(edited)).toBe(edited);
    const otherwise = folded(edited.replace("p: 11", "p: 15"));
    expect(otherwise).toContain('"99"');
    expect(otherwise).toContain('"15"');
  });

  test.for([
    ["its instance changes", "p: 12", "p: 15"],
    ["its template changes", /a: b(?![^]*a: b)/, "a: c"],
  ] as const)("are refused where %s", ([, from, to]) => {
    expect(edited.replace(from, to)).not.toBe(edited);
    expect(refusal(edited.replace(from, to))).toMatch(
      /^repeat-edited: `spec.clone\[0\]`: `ConfigMap\/c-b` was edited, and its template or its instance `b` changed since/,
    );
  });

  test("are refused before they go", () => {
    expect(folded(made.replace(one, "{a: {p: 11}}"))).not.toContain("c-b");
    expect(refusal(edited.replace(one, "{a: {p: 11}}"))).toMatch(
      /^repeat-edited: `spec`: `ConfigMap\/c-b` was edited since it was made for instance `b`, which is gone/,
    );
  });

  test("an own layer stays edited, too, and is folded as it is", () => {
    const release =
      "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: h}\nspec: {interval: 1m}\n";
    const layered = '{kind: HelmRelease, name: h, as: "h-{name}", values: "{value}"}';
    const list = folded(listOf(repeatIn(one, layered), release));
    const own = list.replace(/p: 12\}(?=\n(?![^]*p: 12\}\n {2}clone))/, "p: 12, mine: 1}");
    expect(own).not.toBe(list);
    expect(folded(folded(own))).toContain("mine: 1");
  });
});

describe("in a stream and in a kustomize build", () => {
  const kustomize = (text: string): string =>
    text.replace(/metadata: \{(.*)\}/, "metadata: {$1, annotations: {kustomize.config.k8s.io/id: '1'}}");
  const release =
    "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: h}\nspec: {interval: 1m}\n";
  const built = folded(
    buildOf(
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
        `items:\n${buildOf(repeatIn("{x: {}}", `{kind: ConfigMap, name: c-a, as: "${as}"}`)).split("items:\n")[1]}`,
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
    expect(told).toMatch(/^repeat-path: /);
    expect(told).toContain(`write \`${cure}\``);
  });
});

describe("what instances are read from", () => {
  const instances = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: inst}\ndata:\n  i.yaml: 'a: {}'\n";
  const layer =
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: lay, annotations: {valuefold.dev/into: ConfigMap/inst}}\ndata: {i.yaml: 'tpl: {}'}\n";

  test("takes no clones as layers", () => {
    const clone = `{kind: ConfigMap, name: lay, as: "lay-{name}"}`;
    const input = streamOf("from: {kind: ConfigMap, name: inst}", clone, instances, layer);
    expect(refusal(input)).toMatch(
      /^repeat-target: `spec.from`: `ConfigMap\/lay`, a layer of `ConfigMap\/inst`, is a template or a clone/,
    );
  });

  test("takes none through layers between", () => {
    const between = layer.replace("name: lay,", "name: mid,");
    const lower = layer.replace("ConfigMap/inst", "ConfigMap/mid");
    const clone = `{kind: ConfigMap, name: lay, as: "lay-{name}"}`;
    const input = streamOf("from: {kind: ConfigMap, name: inst}", clone, instances, between, lower);
    expect(refusal(input)).toMatch(/^repeat-target: `spec.from`: `ConfigMap\/lay`, a layer of/);
  });

  test.for(["valuefold.dev/into", "valuefold.dev/{value.in}"])(
    "takes no clones that `set` makes layers: %s",
    (key) => {
      const clone = `{kind: ConfigMap, name: tpl, as: "c-{name}", set: {'metadata.annotations["${key}"]': "ConfigMap/{value.of}"}}`;
      const made = instances.replace(
        "'a: {}'",
        "'a: {in: into, of: other}\n\n\n    b: {in: into, of: inst}'",
      );
      const input = streamOf("from: {kind: ConfigMap, name: inst}", clone, made, config);
      expect(refusal(input)).toMatch(
        /^repeat-target: `spec.clone\[0\].set\[.*\]`: it makes layers of clones that reach `ConfigMap\/inst`/,
      );
    },
  );
});

describe("a template that is one no more", () => {
  test.for([
    ["its own", "config.kubernetes.io/local-config: 'true'"],
    ["ours", "x: y"],
  ] as const)("keeps a mark of %s as it was", ([, note]) => {
    const template = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: tpl\n  annotations:\n    ${note}\ndata: {a: b}\n`;
    const second = template.replace("name: tpl", "name: two");
    const entries = [other, '{kind: ConfigMap, name: two, as: "d-{name}"}'] as const;
    const first = folded(listOf(repeatIn("{a: {}}", ...entries), template, second));
    const later = folded(
      folded(first)
        .replace(/ +- .*name: two, as.*\n/, "")
        .replace(/- apiVersion: v1\n {2}kind: ConfigMap\n {2}metadata:\n {4}name: d-a[^]*?(?=- api)/, ""),
    );
    const two = later.slice(later.indexOf("name: two\n"));
    expect(two).not.toContain("template-of");
    expect(two.includes("local-config")).toBe(note.includes("local-config"));
  });
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

describe("references of others in a clone", () => {
  const release =
    "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: tpl}\nspec:\n  interval: 1m\n  valuesFrom:\n  - kind: ConfigMap\n    name: base\n";
  const layers = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: base}\ndata: {values.yaml: 'x: 1'}\n";
  const clone = '{kind: HelmRelease, name: tpl, as: "h-{name}", values: "{value}"}';
  const first = folded(listOf(repeatIn("{a: {y: 2}}", clone), release, layers));
  const changed = (list: string): string => list.replace(/interval: 1m(?![^]*interval: 1m)/, "interval: 5m");

  test("are told from what the fold wrote", () => {
    const again = folded(changed(first));
    expect(again.match(/interval: 5m/g)).toHaveLength(2);
  });

  test("are refused where they would be lost", () => {
    const added = first.replace(
      "    valuesFrom:\n",
      "    valuesFrom:\n    - kind: Secret\n      name: mine\n      optional: true\n",
    );
    expect(refusal(changed(added))).toMatch(
      /^repeat-edited: `spec.clone\[0\]`: `HelmRelease\/h-a` was edited/,
    );
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

test("a list may hold more elements than a call takes arguments", () => {
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
