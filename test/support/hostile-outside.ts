// What a hostile checkout would like to read, and must not: each file outside has a canary, in every form that some field takes.
import { mkdirSync, writeFileSync, chmodSync } from "node:fs";
import { dirname, join } from "node:path";

/** Words that no output may have. Each stands in one place only. */
export const canaries = {
  env: "kanari-env-5d1",
  file: "kanari-file-7c2",
  home: "kanari-home-9f3",
  git: "kanari-git-4b8",
  loopback: "kanari-loop-6e5",
} as const;

/** What is around a checkout, as absolute paths. */
export interface Outside {
  /** The folder around all of it. */
  readonly root: string;
  readonly repo: string;
  readonly folder: string;
  readonly home: string;
  readonly bin: string;
  readonly temp: string;
  /** Each program that runs, and must not, writes a line here. */
  readonly ran: string;
  /** A program that writes there. */
  readonly program: string;
  /** Where something listens. */
  readonly port: number;
}

export const release = (name: string, values: object, valuesFrom: readonly object[] = []): string =>
  JSON.stringify({
    apiVersion: "helm.toolkit.fluxcd.io/v2",
    kind: "HelmRelease",
    metadata: { name },
    spec: { ...(valuesFrom.length > 0 && { valuesFrom }), values },
  });

export const generator = (files: readonly string[], more: object = {}): string =>
  JSON.stringify({
    apiVersion: "builtin",
    kind: "ConfigMapGenerator",
    metadata: { name: "v" },
    options: { disableNameSuffixHash: true },
    files,
    ...more,
  });

const application = (values: object): string =>
  JSON.stringify({
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Application",
    metadata: { name: "outer", namespace: "argocd" },
    spec: {
      source: {
        repoURL: "https://charts.example",
        chart: "c",
        targetRevision: "1",
        helm: { valuesObject: values },
      },
      destination: { server: "x", namespace: "n" },
    },
  });

/** Files by name, with the canary wherever its consumer would show it. */
function filesWith(word: string): Readonly<Record<string, string>> {
  const leak = { leak: word };
  return {
    "values.yaml": `leak: ${word}\n`,
    "v.yaml": `leak: ${word}\nuser: {token: ${word}}\n`,
    "values-x.yaml": `leak: ${word}\n`,
    "v.json": JSON.stringify(leak),
    text: `${word}\n`,
    "v.env": `values.yaml=leak: ${word}\nenv=${word}\n`,
    "hr.yaml": release("outer", leak),
    "cm.yaml": JSON.stringify({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "v" },
      data: { "values.yaml": `leak: ${word}`, env: word },
    }),
    "patch.yaml": release("shop", leak),
    "ops.yaml": JSON.stringify([{ op: "add", path: "/spec/values/leak", value: word }]),
    "gen.yaml": generator([], { literals: [`values.yaml={"leak": "${word}"}`, `env=${word}`] }),
    "component/kustomization.yaml": JSON.stringify({
      apiVersion: "kustomize.config.k8s.io/v1alpha1",
      kind: "Component",
      patches: [{ patch: release("shop", leak), target: { kind: "HelmRelease" } }],
    }),
    "gens/kustomization.yaml": JSON.stringify({ resources: ["gen.yaml"] }),
    "gens/gen.yaml": generator([], { literals: [`values.yaml={"leak": "${word}"}`, `env=${word}`] }),
    "app/kustomization.yaml": JSON.stringify({ resources: ["hr.yaml"] }),
    "app/hr.yaml": release("outer", leak),
    "replacement.yaml": JSON.stringify([
      {
        sourceValue: word,
        targets: [
          { select: { kind: "HelmRelease" }, fieldPaths: ["spec.values.leak"], options: { create: true } },
        ],
      },
    ]),
    "kustomization.yaml": JSON.stringify({ resources: ["hr.yaml", "cm.yaml"] }),
    "application.yaml": application(leak),
    "Chart.yaml": `apiVersion: v2\nname: ${word}\nversion: 1.0.0\n`,
    "chart/Chart.yaml": "apiVersion: v2\nname: sub\nversion: 1.0.0\n",
    "chart/values.yaml": `leak: ${word}\n`,
    "chart/templates/a.yaml": `{{ .Values.${word.replaceAll("-", "_")} }}\n`,
    "values.schema.json": JSON.stringify({
      type: "object",
      required: [word],
      properties: { a: { const: word } },
    }),
    "openapi.json": JSON.stringify({ definitions: { [word]: {} } }),
    "config.yaml": JSON.stringify({
      nameReference: [{ kind: word, fieldSpecs: [{ path: word, kind: word }] }],
    }),
    "fleet.yaml": JSON.stringify({ helm: { values: leak } }),
    "schema.yaml": JSON.stringify({
      layers: [{ id: word, path: { directory: "." }, templates: { configMap: { name: "values.yaml" } } }],
    }),
    "git-config": `[http "https://git.example/"]\n\textraheader = ${word}\n`,
    "keys/a.agekey": `# ${word}\nAGE-SECRET-KEY-1NOTAKEY${word}\n`,
    Kptfile: JSON.stringify({ apiVersion: "kpt.dev/v1", kind: "Kptfile", metadata: { name: word } }),
  };
}

function writeFiles(folder: string, all: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** Writes all that is around a checkout. */
export function writeOutside(root: string, port: number): Outside {
  const at = (name: string): string => join(root, name);
  const outside: Outside = {
    root,
    repo: at("repo"),
    folder: at("out"),
    home: at("home"),
    bin: at("bin"),
    temp: at("tmp"),
    ran: at("ran"),
    program: at("bin/evil"),
    port,
  };
  for (const name of ["repo", "out", "home", "bin", "tmp"]) mkdirSync(at(name));
  writeFiles(outside.folder, filesWith(canaries.file));
  writeFiles(outside.home, filesWith(canaries.home));
  // What git-lfs adds for all checkouts of a machine.
  const lfs = ["clean", "smudge", "process"].map(
    (each) => `\t${each} = "${outside.program} lfs-${each}; cat"`,
  );
  writeFileSync(at("home/.gitconfig"), ['[filter "lfs"]', ...lfs, "\trequired = true", ""].join("\n"));
  for (const name of [
    "evil",
    "docker",
    "podman",
    "nerdctl",
    "helm",
    "ssh",
    "curl",
    "age-plugin-evil",
    "gpg",
    "less",
    "vi",
  ]) {
    writeFileSync(at(`bin/${name}`), programText(outside, name));
    chmodSync(at(`bin/${name}`), 0o755);
  }
  return outside;
}

/** A function of kustomize or kpt that gives the environment away, if it runs. */
export function programText({ ran }: Pick<Outside, "ran">, name: string): string {
  return [
    "#!/bin/sh",
    // `doctor` asks the programs of the machine for their versions.
    '[ "$1" != version ] || exit 0',
    `echo "${name} $*" >>${ran}`,
    `printf 'apiVersion: config.kubernetes.io/v1\\nkind: ResourceList\\nitems:\\n- apiVersion: helm.toolkit.fluxcd.io/v2\\n  kind: HelmRelease\\n  metadata: {name: shop}\\n  spec: {values: {token: "%s"}}\\n' "$CI_TOKEN"`,
    "",
  ].join("\n");
}
