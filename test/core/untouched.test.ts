// A rendered tree of many HelmReleases of every shape that folds nothing leaves as it came; one release that
// folds changes itself and nothing else.
import { expect, test } from "vitest";
import { foldText } from "../support/fold.ts";

const shapes = [
  (n: number) => `spec:\n  chart: {spec: {chart: c, version: "1.${n}"}}\n`,
  () => "spec:\n  values: {a: 1, yes: no, octal: 0755, long: 12345678901234567890}\n",
  (n: number) => `spec:\n  valuesFrom:\n  - kind: ConfigMap # one alone\n    name: values-${n}\n`,
  (n: number) =>
    `spec:\n  valuesFrom: [{kind: Secret, name: late-${n}}, {kind: ConfigMap, name: values-${n}}]\n`,
  (n: number) =>
    `spec:\n  valuesFrom:\n  - {kind: ConfigMap, name: values-${n}}\n  - {kind: Secret, name: secret-${n}}\n`,
  (n: number) =>
    `spec:\n  valuesFrom:\n    - kind: ConfigMap\n      name: values-${n}\n    - kind: Secret\n      name: secret-${n}\n      targetPath: a.b\n      valuesKey: pw\n    - kind: ConfigMap\n      name: values-${n}\n`,
  (n: number) =>
    `spec:\n  valuesFrom:\n  - &it {kind: ConfigMap, name: missing-${n}, optional: true}\n  - *it\n`,
  () => "spec:\n  valuesFrom: []\n",
  () => "spec:\n  valuesFrom:\n",
  () => "",
];
const versions = ["v2", "v2beta2", "v2beta1", "v2beta9"];

function tree(count: number): string {
  return Array.from({ length: count }, (_, n) => {
    const shape = shapes[n % shapes.length] as (n: number) => string;
    return [
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: values-${n}, namespace: ns}\ndata:\n  values.yaml: |\n    # ${n}\n    a: {b: ${n}}\n  file.json: '{"a": ${n}}'\n`,
      `kind: Secret\napiVersion: v1\nmetadata: {name: secret-${n}, namespace: ns}\ndata: {pw: cHc=, values.yaml: YTogMQo=}\n`,
      `# release ${n}\napiVersion: helm.toolkit.fluxcd.io/${versions[n % versions.length]}\nkind: HelmRelease\nmetadata: # of it\n  name: release-${n}\n  namespace: ns\n${shape(n)}`,
    ].join("---\n");
  }).join("---\n");
}

test("130 releases that fold nothing leave byte for byte, as a stream and as a list", () => {
  const stream = tree(130);
  const folded = foldText(stream);
  expect([folded.exitCode, folded.messages]).toEqual([0, ""]);
  expect(folded.output).toBe(stream);
  const items = stream.split(/^---\n/m).map(
    (item) =>
      `- ${item
        .replace(/^# .*\n/, "")
        .trimEnd()
        .split("\n")
        .join("\n  ")}\n`,
  );
  const list = `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${items.join("")}`;
  expect(foldText(list).output.startsWith(list)).toBe(true);
});

test("one that folds among them changes itself and brings one item", () => {
  const stream = tree(130);
  const extra = `---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: more\n  namespace: ns\n  annotations:\n    valuefold.dev/into: HelmRelease/release-2\ndata:\n  values.yaml: |\n    c: 1\n`;
  const before = stream.split(/^---\n/m);
  const after = foldText(stream + extra).output.split(/^---\n/m);
  const added = after.filter((item) => !before.includes(item));
  const gone = before.filter((item) => !after.includes(item));
  expect(gone.map((item) => /^ {2}name: (.*)$/m.exec(item)?.[1])).toEqual(["release-2"]);
  expect(added.map((item) => /^ {2}name: (.*)$/m.exec(item)?.[1])).toEqual(["release-2-folded", "release-2"]);
  expect(after.length).toBe(before.length + 1);
});

test("an item of kpt with very many scalars and a comment at its end comes through", { tags: "law" }, () => {
  const entries = Array.from({ length: 130_000 }, (_, n) => `  - a${n}\n`).join("");
  const annotations = "    annotations:\n      internal.config.kubernetes.io/id: '1'\n";
  const item = `- apiVersion: v1\n  kind: Foo\n  metadata:\n    name: a\n${annotations}  l:\n${entries}`;
  const list = `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${item}`;
  const { exitCode, output } = foldText(`${list}  # foot\n`);
  expect(exitCode).toBe(0);
  expect(output.startsWith(list)).toBe(true);
});
