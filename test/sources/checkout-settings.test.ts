// `.valuefold.yaml` at the top of a repository: what each setting does, which of several wins, and what is wrong with one.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { runCommand } from "../../src/cli/commands.ts";
import { entriesIn } from "../../src/entries.ts";
import { folderOf } from "../support/folder.ts";
import { worldOf } from "../support/world.ts";

type Files = Readonly<Record<string, string>>;

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A repository with the files. */
function checkoutOf(files: Files): string {
  const folder = folderOf(files, mkdtempSync(join(tmpdir(), "valuefold-settings-")));
  folders.push(folder);
  execFileSync("git", ["-C", folder, "init", "-q", "-b", "main"]);
  return folder;
}

function commit(folder: string, files: Files = {}): void {
  folderOf(files, folder);
  execFileSync("git", ["-C", folder, "add", "-A"]);
  execFileSync("git", [
    "-C",
    folder,
    "-c",
    "user.name=a",
    "-c",
    "user.email=a@b.example",
    "commit",
    "-qm",
    "x",
  ]);
}

/** Flags name files from where the process runs: `@a.yaml` is one of the checkout. */
async function runIn(directory: string, ...words: readonly string[]): Promise<string> {
  const { PATH = "" } = process.env;
  const world = worldOf("", { directory, env: { PATH }, terminal: { stdin: true, stdout: false } });
  const { output, messages, exitCode } = await runCommand(
    words.map((word) => word.replace(/^@/, `${directory}/`)),
    world,
  );
  return `${Buffer.concat(output).toString("utf8")}${messages}status ${exitCode}\n`;
}

const run = (files: Files, ...words: readonly string[]): Promise<string> =>
  runIn(checkoutOf(files), ...words);

const config = (spec: string): string =>
  `apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nspec:\n${spec.replaceAll(/^(?=.)/gm, "  ")}\n`;
const settings = (spec: string): Files => ({ ".valuefold.yaml": config(spec) });
const checkout = (fields: string): Files => settings(`checkout: {${fields}}`);

const release = (name: string, values = "{a: 1}", chart = "shop"): string =>
  `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: ${name}}\nspec:\n  chart: {spec: {chart: ${chart}, sourceRef: {kind: HelmRepository, name: charts}}}\n  values: ${values}\n`;
const build = (directory: string, name: string, values?: string): Files => ({
  [`${directory}/kustomization.yaml`]: "resources: [release.yaml]\n",
  [`${directory}/release.yaml`]: release(name, values),
});
const chart = (directory: string, name: string, defaults: string): Files => ({
  [`${directory}/Chart.yaml`]: `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`,
  [`${directory}/values.yaml`]: defaults,
});
const two: Files = { ...build("prod", "web"), ...build("archive/old", "web") };
const note = "the settings of the checkout are used\n  at    .valuefold.yaml\n";

describe("ignore", () => {
  test.for([
    ["archive/**"],
    ["archive"],
    ["./archive/"],
    ["archive/old"],
    ["**/old"],
    ["a*/**"],
    ["{archive,attic}/**"],
  ])("%s: a list is without it", async ([pattern]) => {
    const list = await run(
      { ...two, ...build("dev", "web"), ...checkout(`ignore: ["${pattern}"]`) },
      "explain",
    );
    expect(list).toContain("dev   kustomization\nprod  kustomization\n");
    expect(list).not.toContain("archive");
  });

  test.for([["old"], ["archive/*/*/*"], ["rchive"], ["archive/older"]])(
    "%s: nothing fits",
    async ([pattern]) => {
      expect(await run({ ...two, ...checkout(`ignore: ["${pattern}"]`) }, "explain")).toContain(
        "archive/old",
      );
    },
  );

  test.for([
    [["verify"], "info[not-built]: ignored: 1 path: archive\n  at    .valuefold.yaml\n"],
    [["doctor"], "info[not-built]: ignored: 1 path: archive\n  at    .valuefold.yaml\n"],
    [["explain", "-v"], `info[fold-summary]: ${note}info[fold-summary]: ignored: 1 path: archive\n`],
    [["values", "web", "-v"], "info[fold-summary]: ignored: 1 path: archive\n"],
  ] as const)("%j reports what is ignored", async ([words, expected]) => {
    expect(await run({ ...two, ...checkout("ignore: [archive]") }, ...words)).toContain(expected);
  });

  test("explain reports it with -v only, and verify nothing where nothing is ignored", async () => {
    expect(await run({ ...two, ...checkout("ignore: [archive]") }, "explain")).not.toContain("info");
    expect(await run({ ...two, ...checkout("ignore: [attic]") }, "verify")).not.toContain("ignored");
  });

  test("what the user names is read, and checked", async () => {
    const files = { ...build("archive/old", "web"), ...checkout("ignore: [archive]") };
    expect(await run(files, "explain", "archive/old", "a")).toContain("archive/old/release.yaml:6:15");
    expect(await run(files, "verify", "archive/old")).not.toContain("ignored");
  });

  test.for([["prod"], ["prod/**"], ["**"], ["{prod,archive}"]])(
    "%j: where nothing that is built is left, the rest is no list",
    async ([pattern]) => {
      const files = { ...build("prod", "web"), "archive/release.yaml": release("old") };
      const folder = checkoutOf(files);
      commit(folder);
      folderOf(checkout(`ignore: ["${pattern}"]`), folder);
      const fault =
        "error[invalid-setting]: `spec.checkout.ignore`: all that is built in `.` is ignored\n" +
        "  at    .valuefold.yaml\n  hint  correct it, or name what you mean: prod\n";
      for (const words of [["explain"], ["values", "old"], ["verify"], ["diff", "HEAD"]])
        expect(await runIn(folder, ...words)).toContain(fault);
      expect(entriesIn(folder, {}).map(({ kind }) => kind)).toEqual(["unreadable"]);
      expect(await runIn(folder, "explain", "prod", "a")).toContain("prod/release.yaml:6:15");
      expect(await runIn(folder, "explain", "archive", "old")).toContain("archive/release.yaml");
    },
  );

  test("another directory builds what is ignored as before", async () => {
    const files = { ...build("base", "web", "{a: 7}"), "prod/kustomization.yaml": "resources: [../base]\n" };
    expect(await run({ ...files, ...checkout("ignore: [base]") }, "values", "web", "prod")).toContain("a: 7");
  });

  test("manifests without a kustomization are left out, too; those of a kpt package are not", async () => {
    const files = {
      "a.yaml": release("web"),
      "attic/b.yaml": release("old"),
      ...checkout("ignore: [attic]"),
    };
    expect(await run(files, "explain", "**")).not.toMatch(/^old a$/m);
    const kptfile = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: x}\n";
    expect(await run({ ...files, Kptfile: kptfile }, "explain", "**")).toMatch(/^old a$/m);
  });

  describe("of findings", () => {
    /** A patch of a base that reaches nothing. */
    const base: Files = {
      ...build("vendor/base", "web"),
      "vendor/base/kustomization.yaml":
        "resources: [release.yaml]\npatches: [{target: {kind: HelmRelease, name: none}, patch: '- {op: add, path: /spec/x, value: 1}'}]\n",
      "prod/kustomization.yaml": "resources: [../vendor/base]\n",
    };

    test("a finding in an ignored file is left out, and the file is reported", async () => {
      expect(await run(base, "verify", "prod")).toContain("warning[patch-without-target]");
      const text = await run({ ...base, ...checkout("ignore: [vendor/**]") }, "verify", "-q", "prod");
      expect(text).toBe(
        "info[not-built]: keys not checked: chart shop is not here (--chart)\ninfo[not-built]: ignored: 1 path: vendor/base/kustomization.yaml\n  at    .valuefold.yaml\nstatus 0\n",
      );
    });

    test("it fails no run", async () => {
      const error = { ".valuefold.yaml": config("verify: {lints: {patch-without-target: error}}") };
      expect(await run({ ...base, ...error }, "verify", "prod")).toMatch(/status 1\n$/);
      const ignored = config("verify: {lints: {patch-without-target: error}}\ncheckout: {ignore: [vendor]}");
      expect(await run({ ...base, ".valuefold.yaml": ignored }, "verify", "prod")).toMatch(/status 0\n$/);
    });

    test("what is wrong with values is reported, wherever it is", async () => {
      const orphan = `${release("web")}---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, annotations: {valuefold.dev/into: HelmRelease/none}}\ndata: {values.yaml: "a: 1"}\n`;
      const wrong = {
        ...base,
        "vendor/base/release.yaml": orphan,
        ...checkout("ignore: [vendor]"),
      };
      expect(await run(wrong, "verify", "--strict", "prod")).toMatch(
        /error\[orphan-layer\][\s\S]*status 1\n$/,
      );
    });
  });
});

describe("charts", () => {
  const shop = chart("charts/shop", "shop", "a: 0\nb: 2\n");
  const forked = chart("charts/fork", "shop", "b: 3\n");

  test.for([
    ["the chart that targets name", "shop", "b: 2"],
    ["a target", "web", "b: 2"],
    ["a target with its kind", "HelmRelease/web", "b: 2"],
    ["neither", "api", "a: 1\nstatus"],
  ])("named by %s", async ([, name, expected]) => {
    const files = {
      ...build("prod", "web"),
      ...shop,
      ...checkout(`charts: [{name: ${name}, path: charts/shop}]`),
    };
    expect(await run(files, "values", "web", "prod")).toContain(expected);
  });

  test.for([[["--chart", "charts/fork"]], [["--chart", "web=charts/fork"]]] as const)(
    "%j wins",
    async ([flags]) => {
      const own = checkout("charts: [{name: web, path: charts/shop}]");
      const text = await run(
        { ...build("prod", "web"), ...shop, ...forked, ...own },
        "values",
        "web",
        "prod",
        ...flags,
      );
      expect(text).toContain("b: 3");
    },
  );

  test("one of a target wins over that of a chart", async () => {
    const own = checkout("charts: [{name: shop, path: charts/shop}, {name: web, path: charts/fork}]");
    expect(
      await run({ ...build("prod", "web"), ...shop, ...forked, ...own }, "values", "web", "prod"),
    ).toContain("b: 3");
  });

  test("paths start from the top, wherever the command runs", async () => {
    const own = checkout("charts: [{name: shop, path: charts/shop}]");
    const folder = checkoutOf({ ...build("prod", "web"), ...shop, ...own });
    const text = await runIn(join(folder, "prod"), "explain", "web", "b", "-v");
    expect(text).toContain("b: 2  A ../charts/shop/values.yaml:2:4");
    expect(text).toContain("at    ../.valuefold.yaml");
  });

  test("bare values files are over none of them", async () => {
    const own = checkout("charts: [{name: shop, path: charts/shop}]");
    expect(await run({ "v.yaml": "a: 1\n", ...shop, ...own }, "values", "v.yaml")).toBe("a: 1\nstatus 0\n");
  });
});

test("clusters: an ApplicationSet has those of the file, and `--clusters` wins", async () => {
  const files = {
    "sets/set.yaml":
      "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: web, namespace: argocd}\nspec:\n  generators: [{clusters: {}}]\n  template:\n    metadata: {name: '{{name}}-web'}\n    spec: {source: {repoURL: https://charts.example, chart: web, helm: {valuesObject: {a: 1}}}}\n",
    "argo/clusters.yaml": "- {name: eu, server: https://eu.example}\n",
    "others.yaml": "- {name: us, server: https://us.example}\n",
    ...checkout("clusters: argo/clusters.yaml"),
  };
  expect(await run(files, "explain", "**")).toMatch(/^eu-web a$/m);
  const flagged = await run(files, "explain", "**", "--clusters", "others.yaml");
  expect(flagged).toMatch(/^us-web a$/m);
  expect(flagged).not.toContain("eu-web");
});

test("helm: its rules for nulls hold, and `--helm` wins", async () => {
  const files = (version: number): Files => ({
    ...build("prod", "web", "{a: 1}"),
    ...chart("charts/shop", "shop", "db: {port: null}\n"),
    ...chart("charts/shop/charts/db", "db", "port: 5432\n"),
    ...checkout(`helm: ${version}, charts: [{name: shop, path: charts/shop}]`),
  });
  expect(await run(files(4), "values", "web", "prod")).toContain("port: 5432");
  expect(await run(files(3), "values", "web", "prod")).not.toContain("port: 5432");
  expect(await run(files(3), "values", "web", "prod", "--helm", "4")).toContain("port: 5432");
});

test("sources: a source is a folder of this repository", async () => {
  const url = "oci://registry.example/fleet";
  const files: Files = {
    "kubernetes/clusters/prod/sync.yaml": `apiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository\nmetadata: {name: fleet, namespace: flux-system}\nspec: {url: ${url}}\n---\napiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps, namespace: flux-system}\nspec: {path: ./apps, sourceRef: {kind: OCIRepository, name: fleet}}\n`,
    "kubernetes/apps/release.yaml": release("web", "{a: 1}"),
    "apps/release.yaml": release("web", "{a: 2}"),
  };
  for (const [folder, value] of [
    ["kubernetes", "1"],
    [".", "2"],
  ] as const) {
    const own = checkout(`sources: [{url: ${url}, folder: ${folder}}]`);
    expect(await run({ ...files, ...own }, "values", "web", "kubernetes/clusters/prod")).toContain(
      `a: ${value}\n`,
    );
  }
});

describe("settings that judge", () => {
  const one = build("prod", "web");
  const judged = {
    "protect: [{path: a, above: 50}]": "error[protected-path]",
    "schemas: [{schema: {properties: {a: {type: string}}}}]": "error[schema]",
    "schemas: [{file: schemas/web.json}]": "error[schema]",
    "verify: {lints: {unknown-key: error}}": "error[unknown-key]",
  };

  test.for(Object.entries(judged))("%s", async ([spec, expected]) => {
    const files = {
      ...build("prod", "web", "{a: 1, replicaCont: 2}"),
      ...chart("charts/shop", "shop", "a: 0\nreplicaCount: 1\n"),
      "schemas/web.json": '{"properties": {"a": {"type": "string"}}}',
      ".valuefold.yaml": config(`${spec}\ncheckout: {charts: [{name: shop, path: charts/shop}]}`),
    };
    expect(await run(files, "verify")).toContain(expected);
    expect(await runIn(join(checkoutOf(files), "prod"), "verify", ".")).toContain(expected);
    // `-c` wins.
    const folder = checkoutOf({ ...files, "other.yaml": config("layers: keep") });
    const other = await runIn(folder, "verify", "-c", "@other.yaml", "prod");
    expect(other).not.toContain(expected);
  });

  test("merge: lists merge by it", async () => {
    const own = settings("merge: [{path: l, list: append}]");
    const files = { "a.yaml": "l: [1]\n", "b.yaml": "l: [2]\n", ...own };
    expect(await run(files, "values", "a.yaml", "b.yaml")).toContain("l:\n  - 1\n  - 2\n");
  });

  test("a build's own fold decides how values merge, and both check", async () => {
    const layers = ["base", "prod"].map(
      (name, index) =>
        `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, annotations: {valuefold.dev/into: HelmRelease/web, valuefold.dev/priority: "${index + 1}"}}\ndata: {values.yaml: 'l: [${index}]'}\n`,
    );
    const files: Files = {
      "prod/all.yaml": [release("web", "{}"), ...layers].join("---\n"),
      "prod/kustomization.yaml": "resources: [all.yaml]\n",
      ...settings("merge: [{path: l, list: append}]"),
    };
    expect(await run(files, "values", "web", "prod")).toContain("l:\n  - 0\n  - 1\n");
    const folded = {
      ...files,
      "prod/kustomization.yaml": "resources: [all.yaml]\ntransformers: [fold.yaml]\n",
      "prod/fold.yaml": config("layers: keep").replace(
        "kind: ValueFold",
        "kind: ValueFold\nmetadata: {name: f, annotations: {config.kubernetes.io/function: 'exec: {path: valuefold}'}}",
      ),
    };
    expect(await run(folded, "values", "web", "prod")).toContain("l: [1]");
    const guarded = { ...folded, ...settings("protect: [{path: l, above: 1}]") };
    expect(await run(guarded, "verify", "prod")).toContain("error[protected-path]");
  });

  test.for([
    ["protect: [{path: a, above: 150}]"],
    ["merge: [{path: a, mapping: replace}]"],
    ["schemas: [{schema: {}, targets: [{kind: HelmRelease, name: web}]}]"],
  ] as const)("%s: it matches in one of the builds, and that is enough", async ([spec]) => {
    const files = { ...one, ...build("dev", "api", "{b: 1}"), ...settings(spec) };
    for (const words of [["verify"], ["verify", "dev"], ["explain", "**"], ["compare", "api", "dev", "prod"]])
      expect(await run(files, ...words)).not.toContain("unmatched-selector");
    const misspelt = {
      ...files,
      ...settings(spec.replace("name: web", "name: wbe").replace("path: a,", "path: c,")),
    };
    expect(await run(misspelt, "verify")).toContain("warning[unmatched-selector]");
    expect(await run(misspelt, "verify", "dev")).not.toContain("unmatched-selector");
  });

  test("the same of `-c`", async () => {
    const files = {
      ...one,
      ...build("dev", "api", "{b: 1}"),
      "team.yaml": config("merge: [{path: a, mapping: replace}]"),
    };
    expect(await run(files, "verify", "-c", "@team.yaml")).not.toContain("unmatched-selector");
    expect(await run(files, "verify", "-c", "@team.yaml", "dev")).toContain("unmatched-selector");
  });
});

describe("what it does not apply to", () => {
  const broken = { ".valuefold.yaml": "a: [" };

  test("a fold", async () => {
    expect(await run({ "a.yaml": release("web"), ...broken }, "fold", "@a.yaml")).toContain("status 0");
  });

  test("stdin", async () => {
    const world = worldOf(release("web"), { directory: checkoutOf(broken) });
    expect((await runCommand(["explain", "-"], world)).exitCode).toBe(0);
  });

  test("a repository below, which has its own", async () => {
    const folder = checkoutOf({ ...build("own/prod", "web"), ...broken });
    execFileSync("git", ["-C", join(folder, "own"), "init", "-q"]);
    expect(await runIn(folder, "explain", "own/prod", "a")).toContain("status 0");
  });

  test("a file that a link leads to, outside of the repository", async () => {
    const folder = checkoutOf(build("prod", "web"));
    symlinkSync(join(checkoutOf(broken), ".valuefold.yaml"), join(folder, ".valuefold.yaml"));
    expect(await runIn(folder, "explain", "-v", "web")).not.toContain(".valuefold.yaml");
  });
});

test("as `-c` it is a function config: a fold has no use for `checkout`", async () => {
  const own = settings("layers: keep\ncheckout: {ignore: [a]}");
  expect(
    await run({ "a.yaml": release("web"), ...own }, "fold", "-c", "@.valuefold.yaml", "@a.yaml"),
  ).toContain(".valuefold.yaml:4:3\n");
  const file = settings("verify: {strict: true}\ncheckout: {ignore: [a]}");
  expect(
    await run({ "a.yaml": release("web"), ...file }, "fold", "-c", "@.valuefold.yaml", "@a.yaml"),
  ).toContain("status 0");
});

describe("wrong settings", () => {
  test.for([
    [
      "checkout: {ignored: [a]}",
      "unknown-setting]: unknown setting `checkout.ignored`",
      "4:14",
      "`checkout.ignore`",
    ],
    ["checkot: {}", "unknown-setting]: unknown setting `checkot`", "4:3", "`checkout`"],
    ["sops: {}", "unknown-setting]: unknown setting `sops`", "4:3", ""],
    [
      "checkout:\n  sources:\n    - {uri: a}",
      "unknown-setting]: unknown setting `checkout.sources[0].uri`",
      "6:10",
      "`checkout.sources[0].url`",
    ],
    ["checkout: {helm: 5}", "invalid-setting]: `spec.checkout.helm`: expected 3 or 4, got 5", "4:14", ""],
    ["checkout: {ignore: a}", "invalid-setting]: `spec.checkout.ignore`: expected a list, got", "4:14", ""],
    [
      "checkout: {ignore: ['!a']}",
      "invalid-setting]: `spec.checkout.ignore[0]`: expected a pattern",
      "4:",
      "",
    ],
    [
      `checkout: {ignore: ['${"{a,b}".repeat(12)}']}`,
      "invalid-setting]: `spec.checkout.ignore`: expected fewer alternatives",
      "4:14",
      "",
    ],
    [
      "checkout: {charts: [{name: a}]}",
      "invalid-setting]: `spec.checkout.charts[0].path` is missing",
      "4:",
      "",
    ],
    [
      "checkout: {charts: [{name: a, path: ../a}]}",
      "invalid-setting]: `spec.checkout.charts[0].path`: `../a` leads out",
      "4:",
      "",
    ],
    [
      "checkout: {clusters: /etc/passwd}",
      "invalid-setting]: `spec.checkout.clusters`: `/etc/passwd` leads out",
      "4:14",
      "",
    ],
    [
      "checkout: {clusters: .git/config}",
      "invalid-setting]: `spec.checkout.clusters`: `.git/config` does not exist",
      "4:14",
      "",
    ],
    [
      "checkout: {clusters: out}",
      "invalid-setting]: `spec.checkout.clusters`: `out` does not exist",
      "4:14",
      "",
    ],
    [
      "checkout: {clusters: chart}",
      "invalid-setting]: `spec.checkout.clusters`: `chart` does not exist",
      "4:14",
      "",
    ],
    [
      "checkout: {charts: [{name: a, path: chrt}]}",
      "invalid-setting]: `spec.checkout.charts[0].path`: `chrt` does not exist",
      "4:",
      "`chart`",
    ],
    [
      "checkout: {sources: [{url: a, folder: out}]}",
      "invalid-setting]: `spec.checkout.sources[0].folder`: `out` does not exist",
      "4:",
      "",
    ],
    [
      "schemas: [{file: none.json}]",
      "invalid-setting]: `spec.schemas[0].file`: `none.json` does not exist",
      "4:",
      "",
    ],
    [
      "schemas: [{file: ../a.json}]",
      "invalid-setting]: `spec.schemas[0].file`: `../a.json` leads out",
      "4:",
      "",
    ],
  ] as const)("%s", async ([spec, message, place, near]) => {
    const folder = checkoutOf({ ...build("prod", "web"), ...chart("chart", "a", ""), ...settings(spec) });
    symlinkSync("/etc/passwd", join(folder, "out"));
    for (const words of [["explain"], ["verify"], ["doctor"], ["init"], ["values", "web"], ["compare"]]) {
      const text = await runIn(folder, ...words);
      expect(text).toContain(`error[${message}`);
      expect(text).toContain(`.valuefold.yaml:${place}`);
      expect(text).toContain(near === "" ? "hint" : `did you mean ${near}?`);
      expect(text).toMatch(/status 3\n$/);
    }
  });

  test("a setting of a checkout at the top of the file, or in a function config, has its place in the hint", async () => {
    const top = `${config("verify: {}")}checkout: {ignore: [a]}\n`;
    expect(await run({ ".valuefold.yaml": top }, "explain")).toContain("hint  settings belong under `spec`");
    const own = { "a.yaml": release("web"), "c.yaml": config("checkout: {ignore: [a]}") };
    expect(await run(own, "explain", "-c", "@c.yaml", "a.yaml")).toContain(
      "c.yaml:4:3\n  hint  it belongs in `.valuefold.yaml`, at the top of a repository",
    );
  });

  test("they are a report of `verify`, and nothing that `diff` compares", async () => {
    const files = { ...two, ...checkout("helm: 5") };
    expect(await run(files, "verify", "--format", "json")).toMatch(
      /^\{\n {2}"version": 1,[\s\S]*invalid-setting/,
    );
    const folder = checkoutOf(files);
    commit(folder);
    expect(await runIn(folder, "diff", "HEAD", "--exit-code")).toMatch(
      /at {4}HEAD:\.valuefold\.yaml:4:14\n[\s\S]*status 2\n$/,
    );
  });

  test("the library has one entry that cannot be read", async () => {
    const [entry, ...others] = entriesIn(checkoutOf({ ...two, ...checkout("helm: 5") }), {});
    expect([entry?.name, entry?.kind, others]).toEqual([".", "unreadable", []]);
    const outcome = await entry?.explain();
    expect([outcome?.ok, outcome?.diagnostics[0]?.code]).toEqual([false, "invalid-setting"]);
  });
});

test("the library reads what the command line does", async () => {
  const own = checkout("ignore: [archive], charts: [{name: shop, path: charts/shop}]");
  const all = entriesIn(checkoutOf({ ...two, ...chart("charts/shop", "shop", "b: 2\n"), ...own }), {});
  expect(all.map(({ name }) => name)).toEqual(["prod"]);
  const { explanation } = (await all[0]?.explain({ path: "b" })) ?? {};
  expect(explanation?.targets[0]?.stacks[0]?.values[0]?.at).toMatchObject({
    file: "charts/shop/values.yaml",
  });
});

describe("diff", () => {
  const files = {
    ...build("prod", "web"),
    ...chart("charts/shop", "shop", "b: 2\n"),
    ...chart("charts/fork", "shop", "b: 3\n"),
  };
  const at = (name: string): Files => checkout(`charts: [{name: shop, path: charts/${name}}]`);

  test("each side has its own settings", async () => {
    const folder = checkoutOf(files);
    commit(folder);
    commit(folder, at("shop"));
    folderOf(at("fork"), folder);
    expect(await runIn(folder, "diff", "HEAD~1", "HEAD")).toMatch(/b {2}\(unset\) → 2/);
    expect(await runIn(folder, "diff", "HEAD")).toMatch(/b {2}2 → 3/);
    expect(await runIn(folder, "compare", "web", "b", "HEAD:prod", "prod")).toMatch(/\b2\b[\s\S]*\b3\b/);
  });

  test("what is ignored on a side is reported", async () => {
    const folder = checkoutOf({ ...two, ...checkout("ignore: [archive]") });
    commit(folder);
    folderOf(build("archive/old", "web", "{a: 9}"), folder);
    expect(await runIn(folder, "diff", "HEAD")).toContain(
      "info[not-built]: ignored: 1 path: archive\n  at    HEAD:.valuefold.yaml\n  at    .valuefold.yaml\n",
    );
  });
});

test("the example", async () => {
  const example = new URL("../../examples/checkout-settings/", import.meta.url);
  const folder = checkoutOf({});
  cpSync(example, folder, { recursive: true });
  const page = readFileSync(new URL("README.md", example), "utf8");
  const blocks = [...page.matchAll(/^\$ valuefold (.*)\n([^`]*)/gm)];
  expect(blocks.length).toBe(2);
  for (const [, words = "", printed] of blocks)
    expect(await runIn(folder, ...words.split(" "))).toBe(`${printed}status 0\n`);
});
