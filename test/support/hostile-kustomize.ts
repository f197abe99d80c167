// Kustomizations with fields that lead out of the checkout, and functions that would run.
import { join, relative } from "node:path";
import { type Draft, type Fields, push } from "./hostile-draft.ts";
import { generator, programText, release } from "./hostile-outside.ts";

/** One attack on a kustomization: it changes its fields, and writes what these name. */
type Attack = (own: Fields, directory: string) => void;

function attacksOn(draft: Draft): Readonly<Record<string, Attack>> {
  return {
    resources: (own, d) =>
      push(own, "resources", draft.out(d, draft.random.pick(["hr.yaml", "cm.yaml", "app"]))),
    bases: (own, d) => push(own, "bases", draft.out(d, "app")),
    components: (own, d) => push(own, "components", draft.out(d, "component")),
    patchPath: (own, d) =>
      push(own, "patches", { path: draft.out(d, "patch.yaml"), target: { kind: "HelmRelease" } }),
    opsPath: (own, d) =>
      push(own, "patches", { path: draft.out(d, "ops.yaml"), target: { kind: "HelmRelease" } }),
    strategic: (own, d) => push(own, "patchesStrategicMerge", draft.out(d, "patch.yaml")),
    json6902: (own, d) =>
      push(own, "patchesJson6902", {
        path: draft.out(d, "ops.yaml"),
        target: { group: "helm.toolkit.fluxcd.io", version: "v2", kind: "HelmRelease", name: "shop" },
      }),
    files: (own, d) =>
      (own["configMapGenerator"] = [
        { name: "v", files: [`values.yaml=${draft.out(d, "v.yaml")}`, `env=${draft.text(d)}`] },
      ]),
    oneFile: (own, d) =>
      (own["configMapGenerator"] = [
        { name: "v", files: [`env=${draft.text(d)}`], literals: ["values.yaml={}"] },
      ]),
    plainFile: (own, d) =>
      (own["configMapGenerator"] = [
        { name: "v", files: [draft.out(d, "values.yaml")], literals: ["env=x"] },
      ]),
    envs: (own, d) => (own["configMapGenerator"] = [{ name: "v", envs: [draft.out(d, "v.env")] }]),
    env: (own, d) => (own["configMapGenerator"] = [{ name: "v", env: draft.out(d, "v.env") }]),
    secretFiles: (own, d) =>
      push(own, "secretGenerator", {
        name: "s",
        files: [`values.yaml=${draft.out(d, "v.yaml")}`, `env=${draft.text(d)}`],
      }),
    generatorFile: (own, d) => push(own, "generators", draft.out(d, "gen.yaml")),
    generatorFolder: (own, d) => push(own, "generators", draft.out(d, "gens")),
    ownGenerator: (own, d) => {
      const file = draft.next("gen") + ".yaml";
      draft.change(
        join(d, file),
        generator([`values.yaml=${draft.out(d, "v.yaml")}`, `env=${draft.text(d)}`]),
      );
      push(own, "generators", file);
      delete own["configMapGenerator"];
    },
    inlineGenerator: (own, d) => {
      push(own, "generators", generator([`values.yaml=${draft.out(d, "v.yaml")}`, `env=${draft.text(d)}`]));
      delete own["configMapGenerator"];
    },
    transformers: (own, d) => {
      const file = draft.next("transformer") + ".yaml";
      const [kind, fields] = draft.random.pick<[string, () => object]>([
        ["PatchTransformer", () => ({ path: draft.out(d, "patch.yaml"), target: { kind: "HelmRelease" } })],
        ["PatchStrategicMergeTransformer", () => ({ paths: [draft.out(d, "patch.yaml")] })],
        [
          "PatchJson6902Transformer",
          () => ({ path: draft.out(d, "ops.yaml"), target: { kind: "HelmRelease", name: "shop" } }),
        ],
        ["ReplacementTransformer", () => ({ replacements: [{ path: draft.out(d, "replacement.yaml") }] })],
        ["ConfigMapGenerator", () => ({ files: [`env=${draft.text(d)}`] })],
      ]);
      draft.change(
        join(d, file),
        JSON.stringify({ apiVersion: "builtin", kind, metadata: { name: "t" }, ...fields() }),
      );
      push(own, draft.random.pick(["transformers", "transformers", "validators"]), file);
    },
    transformerFile: (own, d) =>
      push(own, draft.random.pick(["transformers", "validators"]), draft.out(d, "gen.yaml")),
    replacementPath: (own, d) => push(own, "replacements", { path: draft.out(d, "replacement.yaml") }),
    crds: (own, d) => push(own, "crds", draft.out(d, "openapi.json")),
    configurations: (own, d) => push(own, "configurations", draft.out(d, "config.yaml")),
    openapi: (own, d) => (own["openapi"] = { path: draft.out(d, "openapi.json") }),
    helmCharts: (own, d) => {
      push(own, "helmCharts", {
        name: draft.random.pick(["sub", "chart", draft.out(d, "chart")]),
        ...(draft.random.once(2) && {
          repo: draft.random.pick(["https://charts.example", draft.address("charts")]),
          version: "1",
        }),
        valuesFile: draft.random.pick([() => draft.out(d, "v.yaml"), () => draft.text(d)])(),
        additionalValuesFiles: [draft.out(d, "values.yaml")],
      });
      if (draft.random.once(2))
        own["helmGlobals"] = { chartHome: draft.out(d, "."), configHome: draft.out(d, ".") };
    },
    /** As of a file of the copy that a build is made of. */
    copied: (own, d) => {
      push(own, "resources", "https://git.example/other/base.yaml");
      own["configMapGenerator"] = [
        {
          name: "v",
          files: [
            `values.yaml=${draft.link(d, join(draft.outside.folder, "v.yaml"))}`,
            `env=${draft.link(d, "/proc/self/environ")}`,
          ],
        },
      ];
    },
    linkedRelease: (own, d) => {
      const file = draft.link(d, join(draft.outside.folder, "hr.yaml"));
      push(own, "resources", file);
    },
    linkedTop: (own, d) => {
      const folder = draft.next("top");
      draft.links.set(join(folder, "kustomization.yaml"), join(draft.outside.folder, "kustomization.yaml"));
      draft.both(join(folder, "hr.yaml"), release("top", { a: 1 }));
      draft.both(join(folder, "cm.yaml"), "{apiVersion: v1, kind: ConfigMap, metadata: {name: c}}");
      push(own, "resources", relative(d, folder));
    },
    linkedKustomization: (own, d) => {
      const folder = draft.next("base");
      draft.links.set(
        join(d, folder, "kustomization.yaml"),
        join(draft.outside.folder, "kustomization.yaml"),
      );
      draft.links.set(join(d, folder, "hr.yaml"), join(draft.outside.folder, "hr.yaml"));
      draft.links.set(join(d, folder, "cm.yaml"), join(draft.outside.folder, "cm.yaml"));
      push(own, "resources", folder);
    },
    container: (own, d) => {
      const image = {
        image: "evil.example/pwn:latest",
        envs: ["CI_TOKEN"],
        network: draft.random.once(3),
        mounts: [{ type: "bind", src: "./x", dst: "/host", rw: true }],
      };
      if (draft.random.once(2)) draft.links.set(join(d, "x"), "/");
      runs(draft, own, d, { container: image });
    },
    exec: (own, d) => {
      const file = program(draft, d);
      runs(draft, own, d, {
        exec: { path: draft.random.pick([`./${file}`, draft.outside.program, "evil"]) },
      });
    },
    starlark: (own, d) =>
      runs(draft, own, d, {
        starlark: { name: "s", path: draft.out(d, "text"), url: draft.address("s.star") },
      }),
    plugin: (own, d) => {
      const file = draft.next("plugin") + ".yaml";
      draft.change(
        join(d, file),
        JSON.stringify({ apiVersion: "evil.example/v1", kind: "Evil", metadata: { name: "e" } }),
      );
      for (const place of ["kustomize/plugin", ".config/kustomize/plugin"])
        for (const top of [d, "."]) {
          const path = join(top, place, "evil.example/v1/evil/Evil");
          draft.change(path, programText(draft.outside, "plugin"));
          draft.programs.add(path);
        }
      push(own, draft.random.pick(["generators", "transformers"]), file);
    },
    settings: (own, d) => {
      const file = draft.next("fold") + ".yaml";
      const schema = draft.random.pick<object>([
        { file: draft.out(d, "values.schema.json") },
        { schema: { $ref: `file://${draft.outside.folder}/values.schema.json` } },
        { schema: { $ref: draft.address("values.schema.json") } },
      ]);
      const sops = draft.random.pick<object>([
        {},
        { keys: draft.out(d, "keys") },
        { keys: draft.out(d, "keys"), allowPlaintext: true },
      ]);
      draft.change(
        join(d, file),
        JSON.stringify({
          apiVersion: "valuefold.dev/v1alpha1",
          kind: "ValueFold",
          metadata: {
            name: "fold",
            annotations: { "config.kubernetes.io/function": "exec: {path: valuefold}" },
          },
          spec: { ...(draft.random.once(2) && { schemas: [schema] }), ...(draft.random.once(2) && { sops }) },
        }),
      );
      push(own, "transformers", file);
      if (draft.random.once(2)) sealed(draft, own, d);
    },
  };
}

/** A sealed layer whose key only a server or another program has. */
function sealed(draft: Draft, own: Fields, d: string): void {
  const { port } = draft.outside;
  const file = draft.next("sealed") + ".yaml";
  const keys = draft.random.pick<object>([
    {
      hc_vault: [
        {
          vault_address: `http://127.0.0.1:${port}`,
          engine_path: "sops",
          key_name: "k",
          created_at: "2024-01-01T00:00:00Z",
          enc: "vault:v1:abcd",
        },
      ],
    },
    {
      azure_kv: [
        {
          vault_url: `http://127.0.0.1:${port}`,
          name: "k",
          version: "1",
          created_at: "2024-01-01T00:00:00Z",
          enc: "abcd",
        },
      ],
    },
    {
      kms: [
        {
          arn: "arn:aws:kms:eu-1:1:key/1",
          created_at: "2024-01-01T00:00:00Z",
          enc: "abcd",
          aws_profile: "evil",
        },
      ],
    },
    {
      age: [
        {
          recipient: "age1evil1qqqq",
          enc: "-----BEGIN AGE ENCRYPTED FILE-----\nYWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IGV2aWwK\n-----END AGE ENCRYPTED FILE-----\n",
        },
      ],
    },
    {
      pgp: [
        {
          fp: "0123456789ABCDEF0123456789ABCDEF01234567",
          created_at: "2024-01-01T00:00:00Z",
          enc: "-----BEGIN PGP MESSAGE-----\n\nabcd\n-----END PGP MESSAGE-----",
        },
      ],
    },
  ]);
  const text = {
    a: "ENC[AES256_GCM,data:YQ==,iv:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=,tag:AAAAAAAAAAAAAAAAAAAAAA==,type:str]",
    sops: {
      ...keys,
      lastmodified: "2024-01-01T00:00:00Z",
      mac: "ENC[AES256_GCM,data:YQ==,iv:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=,tag:AAAAAAAAAAAAAAAAAAAAAA==,type:str]",
      version: "3.9.0",
    },
  };
  const layer = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "sealed", annotations: { "valuefold.dev/into": "HelmRelease/shop" } },
    stringData: { "values.yaml": JSON.stringify(text) },
  };
  draft.change(join(d, file), JSON.stringify(layer));
  push(own, "resources", file);
  draft.note("sealed");
}

export function program(draft: Draft, directory: string): string {
  const name = draft.next("run") + ".sh";
  draft.change(join(directory, name), programText(draft.outside, "exec"));
  draft.programs.add(join(directory, name));
  return name;
}

/** A function of kustomize, as each field takes one. */
function runs(draft: Draft, own: Fields, directory: string, spec: object): void {
  const annotation = draft.random.pick(["config.kubernetes.io/function", "config.k8s.io/function"]);
  const text = JSON.stringify({
    apiVersion: "v1",
    kind: "Evil",
    metadata: { name: "e", annotations: { [annotation]: JSON.stringify(spec) } },
  });
  const field = draft.random.pick(["transformers", "generators", "validators"]);
  const file = draft.next("fn") + ".yaml";
  const folder = draft.next("fns");
  const ways = [
    () => text,
    () => (draft.change(join(directory, file), text), file),
    () => {
      draft.change(join(directory, folder, "fn.yaml"), text);
      draft.change(join(directory, folder, "kustomization.yaml"), JSON.stringify({ resources: ["fn.yaml"] }));
      return folder;
    },
    // A function that is made by a build.
    () => {
      draft.change(
        join(directory, folder, "fn.yaml"),
        text.replace("Evil", "Plain").replace(annotation, "a.b/c"),
      );
      const patch = JSON.stringify([
        { op: "add", path: "/metadata/annotations", value: { [annotation]: JSON.stringify(spec) } },
      ]);
      draft.change(
        join(directory, folder, "kustomization.yaml"),
        JSON.stringify({ resources: ["fn.yaml"], patches: [{ patch, target: { kind: "Plain" } }] }),
      );
      return folder;
    },
  ];
  push(own, field, draft.random.pick(ways)());
}

/** A directory with a kustomization, attacked in one or two fields. */
export function kustomized(draft: Draft, directory: string): void {
  const kinds = attacksOn(draft);
  const valuesFrom = [
    { kind: "ConfigMap", name: "v", optional: true },
    { kind: "ConfigMap", name: "v", valuesKey: "env", targetPath: "leak", optional: true },
    { kind: "Secret", name: "s", optional: true },
  ];
  draft.both(join(directory, "hr.yaml"), release("shop", { a: 1 }, valuesFrom));
  const sound: Fields = {
    resources: ["hr.yaml"],
    generatorOptions: { disableNameSuffixHash: true },
    configMapGenerator: [{ name: "v", literals: ["values.yaml={}", "env=x"] }],
  };
  const own: Fields = structuredClone(sound);
  for (let left = draft.random.pick([1, 1, 1, 2]); left > 0; left--) {
    const name = draft.attack("kustomize", kinds);
    kinds[name]?.(own, directory);
  }
  // A file beside, for which kustomize's own restriction is given up.
  if (draft.random.once(3)) {
    draft.both("shared/extra.yaml", release("extra", { a: 1 }));
    const path = relative(directory, "shared/extra.yaml");
    push(sound, "resources", path);
    push(own, "resources", path);
  }
  // What makes a copy of a directory needed.
  if (draft.random.once(3))
    push(own, "helmCharts", { name: "x", repo: "https://charts.example", version: "1" });
  draft.json(join(directory, "kustomization.yaml"), sound, own);
}

export function kustomization(draft: Draft): void {
  const directory = draft.place("app");
  kustomized(draft, directory);
  const question = draft.random.pick([directory, `./${directory}`, join(draft.outside.repo, directory)]);
  draft.commands.push(
    ["explain", "shop", "**", question],
    ["values", "shop", question],
    ["verify", question],
    ["doctor", question],
    ["init", "shop", question],
    ["diff", "HEAD^", "HEAD", question],
  );
  if (draft.random.once(3)) {
    const over = draft.next("overlay");
    draft.json(
      join(over, "kustomization.yaml"),
      { resources: [`../${directory}`] },
      { resources: [`../${directory}`], namePrefix: "o-" },
    );
    draft.commands.push(["compare", "*", directory, over], ["diff", directory, over]);
  }
}
