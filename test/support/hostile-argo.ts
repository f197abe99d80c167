// Applications and ApplicationSets of Argo CD that lead out of the checkout.
import { join } from "node:path";
import { chartAt } from "./hostile-charts.ts";
import { type Draft, ownUrl } from "./hostile-draft.ts";
import { kustomized } from "./hostile-kustomize.ts";
import { release } from "./hostile-outside.ts";

export function argo(draft: Draft): void {
  const { turn } = draft;
  draft.turn = undefined;
  const apps = draft.place("argo");
  const chart = draft.next("charts/c");
  chartAt(draft, chart);
  const application = (source: object): string =>
    JSON.stringify({
      apiVersion: "argoproj.io/v1alpha1",
      kind: "Application",
      metadata: { name: "shop", namespace: "argocd" },
      spec: { ...source, destination: { server: "x", namespace: "shop" } },
    });
  const sound = { repoURL: ownUrl, path: chart, targetRevision: "HEAD" };
  const attacks: Readonly<Record<string, () => object>> = {
    valueFiles: () => ({
      source: {
        ...sound,
        helm: {
          valueFiles: [draft.out(chart, "v.yaml"), draft.text(chart)],
          ignoreMissingValueFiles: draft.random.once(2),
        },
      },
    }),
    patterns: () => ({
      source: {
        ...sound,
        helm: {
          valueFiles: [
            `${draft.link(chart, draft.outside.folder)}/*.yaml`,
            "../../**/*.yaml",
            `${draft.link(chart, "/proc/self")}/env*`,
          ],
        },
      },
    }),
    rooted: () => ({
      source: {
        ...sound,
        helm: {
          valueFiles: [`/${draft.deep(draft.outside.folder)}/v.yaml`, "/.git/config", "//proc/self/environ"],
        },
      },
    }),
    fileParameters: () => ({
      source: {
        ...sound,
        helm: {
          fileParameters: [
            { name: "leak", path: draft.text(chart) },
            { name: "more", path: draft.out(chart, "text") },
          ],
        },
      },
    }),
    argoPath: () => ({
      source: { ...sound, path: draft.out(".", draft.random.pick(["chart", "app", "."])) },
    }),
    multi: () => ({
      sources: [
        {
          repoURL: "https://charts.example",
          chart: "c",
          targetRevision: "1",
          helm: { valueFiles: [`$values/${draft.out(".", "v.yaml")}`, `$values/${draft.text(".")}`] },
        },
        { repoURL: ownUrl, ref: "values", targetRevision: "main" },
      ],
    }),
    multiPath: () => ({
      sources: [
        {
          ...sound,
          helm: {
            valueFiles: [`$v/${draft.text(".")}`],
            fileParameters: [{ name: "leak", path: `$v/${draft.text(".")}` }],
          },
        },
        { repoURL: ownUrl, ref: "v" },
      ],
    }),
    argoKustomize: () => {
      const directory = draft.place("app");
      kustomized(draft, directory);
      return {
        source: {
          ...sound,
          path: directory,
          kustomize: {
            components: [draft.out(directory, "component")],
            patches: [{ path: draft.out(directory, "patch.yaml"), target: { kind: "HelmRelease" } }],
          },
        },
      };
    },
    directory: () => {
      const directory = draft.place("plain");
      draft.change(`${directory}/a.yaml`, release("plain", { a: 1 }));
      draft.change(`${directory}/b.jsonnet`, `{ "a.yaml": importstr "${draft.text(directory)}" }\n`);
      draft.links.set(`${directory}/out.yaml`, join(draft.outside.folder, "application.yaml"));
      draft.links.set(`${directory}/folder`, draft.outside.folder);
      return {
        source: {
          ...sound,
          path: directory,
          directory: {
            recurse: true,
            include: draft.random.pick(["*", "{*.yaml,../../out/*.yaml}", `${draft.outside.folder}/*`]),
            jsonnet: { libs: [draft.out(directory, ".")] },
          },
        },
      };
    },
    argoPlugin: () => ({
      source: {
        ...sound,
        plugin: {
          name: draft.random.pick(["valuefold", "evil"]),
          env: [{ name: "A", value: "$CI_TOKEN" }],
          parameters: [{ name: "p", string: "x" }],
        },
      },
    }),
    environment: () => ({
      source: {
        ...sound,
        helm: {
          parameters: [{ name: "leak", value: "$CI_TOKEN ${CI_TOKEN} $HOME" }],
          values: "more: $CI_TOKEN",
        },
      },
    }),
    repoURL: () => ({
      source: {
        ...sound,
        repoURL: draft.random.pick([
          `file://${draft.outside.folder}`,
          draft.outside.folder,
          draft.address("r.git"),
        ]),
        path: "chart",
      },
    }),
    argocdSource: () => {
      draft.links.set(
        join(chart, draft.random.pick([".argocd-source.yaml", ".argocd-source-shop.yaml"])),
        join(draft.outside.folder, "v.yaml"),
      );
      return { source: sound };
    },
  };
  draft.turn = turn;
  const name = draft.attack("argo", attacks);
  draft.before.set(`${apps}/app.yaml`, application({ source: sound }));
  draft.change(`${apps}/app.yaml`, application(attacks[name]?.() ?? {}));
  if (draft.random.once(4)) {
    draft.note("linked application");
    draft.links.set(`${apps}/more.yaml`, join(draft.outside.folder, "application.yaml"));
  }
  draft.commands.push(["explain", "shop", "**", apps], ["values", "shop", apps], ["explain", "outer"]);
}

export function applicationSet(draft: Draft): void {
  const { turn } = draft;
  draft.turn = undefined;
  const sets = draft.place("sets");
  const chart = draft.next("charts/c");
  const conf = draft.next("conf");
  chartAt(draft, chart);
  draft.both(`${conf}/a/config.yaml`, "user: {token: x}\n");
  const git = (files: readonly object[], directories: readonly object[]): object => ({
    git: {
      repoURL: ownUrl,
      revision: "HEAD",
      ...(files.length > 0 && { files }),
      ...(directories.length > 0 && { directories }),
    },
  });
  const template = {
    metadata: { name: "a-{{.path.basenameNormalized}}" },
    spec: {
      source: {
        repoURL: ownUrl,
        path: chart,
        helm: {
          valuesObject: {
            got: '{{ .user | default "" | toString }}',
            leak: '{{ .leak | default "" | toString }}',
            path: "{{ .path.path }}",
          },
        },
      },
      destination: { server: "x", namespace: "n" },
    },
  };
  const set = (generators: readonly object[]): string =>
    JSON.stringify({
      apiVersion: "argoproj.io/v1alpha1",
      kind: "ApplicationSet",
      metadata: { name: "set", namespace: "argocd" },
      spec: { goTemplate: true, generators, template },
    });
  const attacks: Readonly<Record<string, () => readonly object[]>> = {
    linkedFile: () => {
      draft.links.set(`${conf}/b.yaml`, join(draft.outside.folder, "v.yaml"));
      return [git([{ path: `${conf}/*.yaml` }], [])];
    },
    linkedFolder: () => {
      draft.links.set(`${conf}/b`, draft.outside.folder);
      return [git([{ path: `${conf}/**/v.yaml` }, { path: `${conf}/*/v.json` }], [])];
    },
    named: () => [git([{ path: draft.out(".", "v.yaml") }, { path: draft.text(".") }], [])],
    dots: () => [
      git([{ path: "../out/*.yaml" }, { path: ".git/*" }, { path: `${draft.outside.folder}/*` }], []),
    ],
    directories: () => {
      draft.links.set(`${conf}/out`, draft.outside.folder);
      return [git([], [{ path: `${conf}/*` }, { path: `${conf}/out/*` }, { path: "../*" }])];
    },
    generatorPlugin: () => [
      { plugin: { configMapRef: { name: "p" } } },
      { scmProvider: { github: { api: draft.address("api"), organization: "o" } } },
    ],
    clusters: () => [{ clusters: {} }],
    go: () => [
      {
        list: {
          elements: [
            {
              path: {
                basenameNormalized: "x",
                path: '{{ env "CI_TOKEN" }}{{ .Files.Get "/proc/self/environ" }}',
              },
            },
          ],
        },
      },
    ],
  };
  draft.turn = turn;
  const name = draft.attack("set", attacks);
  draft.before.set(`${sets}/set.yaml`, set([git([{ path: `${conf}/*/config.yaml` }], [])]));
  draft.change(`${sets}/set.yaml`, set(attacks[name]?.() ?? []));
  draft.commands.push(["explain", "--json", `${sets}/set.yaml`], ["explain", "a-*", "**", sets]);
}
