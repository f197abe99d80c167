// The two layouts that konfigure's own cases have, legacy and stages, each of those cases made anew: equal values, or both
// refuse.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { legacySchema } from "../../src/render/legacy.ts";
import { RenderWorld, type Tree } from "./render-world.ts";
import { makeKey, seal, tools } from "./sops-world.ts";

const key = makeKey();
process.env["SOPS_AGE_KEY_FILE"] = key.file;
process.env["HOME"] = mkdtempSync(join(tmpdir(), "valuefold-home-"));
process.env["PATH"] = `${tools}:${process.env["PATH"] ?? ""}`;
const world = new RenderWorld();
afterAll(() => world.close());

type Texts = Readonly<Record<string, string>>;

/** What every legacy tree has. */
const base: Texts = {
  "default/config.yaml": "number: 42\nname: base\n",
  "installations/gauss/config.yaml.patch": "provider:\n  kind: aws\n  region: eu-west-1\n",
  "installations/gauss/secret.yaml": "key: hunter2\n",
};
const apps = "default/apps/ingress";
const own = "installations/gauss/apps/ingress";

function legacy(files: Texts): Tree {
  return {
    files: { ...base, ...files },
    schema: legacySchema,
    variables: { installation: "gauss", app: "ingress" },
  };
}

const all = { merge: { strategy: "SameTypeInLayerOrder" } };
const both = { merge: { strategy: "configmapsandsecretsinlayerorder" } };

function stageLayer(id: string, directory: string, folder: string, values: string, patches?: string): object {
  return {
    id,
    path: { directory, required: true },
    values: {
      path: { directory: values },
      configMap: { name: "values.yaml" },
      secret: { name: "secret.yaml" },
    },
    templates: {
      path: { directory: folder, required: id === "base" },
      configMap: { name: "configmap.yaml", required: id === "base", values: all },
      secret: { name: "secret-template.yaml", required: id === "base", values: both },
    },
    ...(patches === undefined
      ? {}
      : {
          patches: {
            path: { directory: folder },
            configMap: { name: `configmap-${patches}.yaml` },
            secret: { name: `secret-${patches}.yaml` },
          },
        }),
  };
}

const stages = {
  variables: ["stage", "cluster", "app"].map((name) => ({ name, required: true })),
  layers: [
    stageLayer("base", "0-base", "<< app >>", ""),
    stageLayer("stages", "1-stages", "apps/<< app >>", "stages/<< stage >>", "patches-<< stage >>"),
    stageLayer("clusters", "2-clusters/<< cluster >>", "<< app >>", "", "patches"),
  ],
  includes: [
    {
      id: "shared",
      function: { name: "importShared" },
      path: { directory: "shared", required: true },
      extension: "",
    },
  ],
};

function staged(files: Texts, variables = { stage: "dev", cluster: "mc-1", app: "shop" }): Tree {
  const kept = { "1-stages/kept": "", "2-clusters/mc-1/kept": "", "2-clusters/mc-2/kept": "" };
  const needed = { "0-base/shop/configmap.yaml": "", "0-base/shop/secret-template.yaml": "" };
  return { files: { ...kept, ...needed, ...files }, schema: stages, variables };
}

const cases: { readonly [name: string]: Tree } = {
  "legacy: values of both layers": legacy({
    [`${apps}/configmap-values.yaml.template`]: "answer: {{ .number }}\nregion: {{ .provider.region }}\n",
    [`${apps}/secret-values.yaml.template`]: "access: {{ .key }}\n",
  }),
  "legacy: an include": legacy({
    [`${apps}/configmap-values.yaml.template`]: 'sizes:\n{{- include "sizes" . | nindent 2 }}\n',
    "include/sizes.yaml.template": "- small\n- {{ .number }}\n",
  }),
  "legacy: one installation overrides a value": legacy({
    "installations/gauss/config.yaml.patch": "name: gauss\nnumber: null\n",
    [`${apps}/configmap-values.yaml.template`]: "name: {{ .name }}\nnumber: {{ .number }}\n",
  }),
  "legacy: kinds of values are kept": legacy({
    "default/config.yaml": 'text: "1"\nflag: true\nnumber: 1.50\nlist: [1, "1", no]\n',
    [`${apps}/configmap-values.yaml.template`]:
      "text: {{ .text | quote }}\nflag: {{ .flag }}\nnumber: {{ .number }}\nlist: {{ .list | toJson }}\n",
    [`${own}/configmap-values.yaml.patch`]: 'port: "8080"\nmode: 0755\n',
  }),
  "legacy: includes within a mapping": legacy({
    [`${apps}/configmap-values.yaml.template`]:
      'one:\n  {{- include "a" . | nindent 2 }}\n  two:\n    {{- include "b" . | nindent 4 }}\n  {{- include "c" . | nindent 2 }}\n',
    "include/a.yaml.template": "first: true",
    "include/b.yaml.template": "second: {{ .name }}",
    "include/c.yaml.template": "back: true",
  }),
  "legacy: no secrets": legacy({
    "installations/gauss/secret.yaml": "",
    [`${apps}/configmap-values.yaml.template`]: "a: 1\n",
  }),
  "legacy: both objects overridden": legacy({
    [`${apps}/configmap-values.yaml.template`]: "a: {b: 1, c: [1, 2]}\n",
    [`${own}/configmap-values.yaml.patch`]: "a: {c: [3], d: {{ .number }}}\n",
    [`${apps}/secret-values.yaml.template`]: "s: {p: {{ .key }}}\n",
    [`${own}/secret-values.yaml.patch`]: "s: {q: {{ .key }}-2}\n",
  }),
  "legacy: a missing key": legacy({
    [`${apps}/configmap-values.yaml.template`]: "a: {{ .this.is.missing }}\n",
  }),
  "legacy: included text is not encoded": legacy({
    [`${apps}/configmap-values.yaml.template`]: 'text: |\n  {{- include "text" . | nindent 2 }}\nz: 1\n',
    "include/text.yaml.template": "<a href=\"x\">'&amp;'</a>\n",
  }),
  "legacy: a sealed file of values": legacy({
    "installations/gauss/secret.yaml": seal("key: sealed\n", key, "yaml"),
    [`${apps}/configmap-values.yaml.template`]: "a: 1\n",
    [`${apps}/secret-values.yaml.template`]: "access: {{ .key }}\n",
  }),
  "legacy: a sealed template": legacy({
    [`${apps}/configmap-values.yaml.template`]: "a: 1\n",
    [`${own}/secret-values.yaml.patch`]: seal("access: sealed\n", key, "yaml"),
  }),
  "legacy: a key that is not there": legacy({
    "installations/gauss/secret.yaml": seal("key: sealed\n", makeKey(), "yaml"),
    [`${apps}/configmap-values.yaml.template`]: "a: 1\n",
    [`${apps}/secret-values.yaml.template`]: "access: {{ .key }}\n",
  }),
  "legacy: two functions that include": legacy({
    [`${apps}/configmap-values.yaml.template`]:
      'a:\n  {{- include "x" . | nindent 2 }}\nb:\n  {{- includeSelf "x" . | nindent 2 }}\n',
    "include/x.yaml.template": "from: include\n",
    "include-self/x.yaml.template": "from: self\nnumber: {{ .number }}\n",
  }),
  "legacy: no default for the app": legacy({ [`${own}/configmap-values.yaml.patch`]: "a: 1\n" }),
  "stages: nothing at all": staged({}),
  "stages: one layer": staged({
    "0-base/values.yaml": "e: 42\n",
    "0-base/secret.yaml": "s: hunter2\n",
    "0-base/shop/configmap.yaml": "e: {{ .e }}\n",
    "0-base/shop/secret-template.yaml": "e: {{ .e }}\ns: {{ .s }}\n",
  }),
  "stages: lists override, patches change mappings and lists": staged({
    "0-base/values.yaml": "e: 42\n",
    "0-base/shop/configmap.yaml":
      "a:\n  f: {g: [a, b]}\n  b: {c: {{ .c }}, d: hello}\n  h: [1st, 2nd]\n  e: {{ .e }}\n",
    "1-stages/stages/dev/values.yaml": "c: chicken\n",
    "1-stages/apps/shop/configmap-patches-dev.yaml":
      "- {op: remove, path: /a/b}\n- {op: add, path: /a/h/-, value: third}\n",
    "2-clusters/mc-1/values.yaml": "e: 999\n",
    "2-clusters/mc-1/shop/configmap.yaml": "a:\n  b: {j: 12 {{ .c }}}\n  f: {g: [d]}\n",
  }),
  "stages: another stage and cluster": staged(
    {
      "0-base/values.yaml": "e: 1\n",
      "0-base/shop/configmap.yaml": "e: {{ .e }}\n",
      "1-stages/stages/dev/values.yaml": "e: 2\n",
      "1-stages/stages/prod/values.yaml": "e: 3\n",
      "1-stages/apps/shop/configmap-patches-dev.yaml": "- {op: add, path: /dev, value: 1}\n",
      "1-stages/apps/shop/configmap-patches-prod.yaml": "- {op: add, path: /prod, value: 1}\n",
      "2-clusters/mc-2/shop/configmap.yaml": "cluster: mc-2\n",
    },
    { stage: "prod", cluster: "mc-2", app: "shop" },
  ),
  "stages: sealed values, and many patches": staged({
    "0-base/secret.yaml": seal("db: {user: app, password: hunter2}\n", key, "yaml"),
    "0-base/shop/secret-template.yaml": "db: {{ .db | toJson }}\nlist: [1, 2, 3]\n",
    "1-stages/apps/shop/secret-patches-dev.yaml":
      "- {op: move, from: /db/user, path: /user}\n- {op: replace, path: /list/1, value: {x: null}}\n- {op: test, path: /user, value: app}\n",
    "2-clusters/mc-1/shop/secret-patches.yaml":
      "- {op: copy, from: /list, path: /again}\n- {op: remove, path: /list/0}\n- {op: add, path: /again/0, value: [a]}\n",
  }),
  "stages: a function of its own": staged({
    "shared/todo.txt": "- item 1\n- {{ .extra }}\n",
    "0-base/values.yaml": "extra: of values\n",
    "0-base/shop/configmap.yaml": 'todo:\n  {{- importShared "todo.txt" . | nindent 2 }}\n',
  }),
  "stages: a function is called with a name that is made up": staged({
    "shared/dev.txt": "stage: dev\n",
    "0-base/values.yaml": "which: dev\n",
    "0-base/shop/configmap.yaml": '{{ importShared (printf "%s.txt" .which) . }}\n',
  }),
  "stages: what is required is not there": {
    ...staged({}),
    files: { "0-base/shop/secret-template.yaml": "", "1-stages/kept": "", "2-clusters/mc-1/kept": "" },
  },
};

test.for(Object.entries(cases))("%s", async ([name, tree]) => {
  const { konfigure, ours } = await world.render(tree);
  if (typeof konfigure === "string")
    expect([konfigure.startsWith("panic"), typeof ours]).toEqual([false, "string"]);
  else expect(ours).toEqual(konfigure);
  const refused = ["missing key", "not there", "no default"].some((word) => name.includes(word));
  expect(typeof konfigure === "string").toBe(refused);
});
