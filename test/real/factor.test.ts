// What `factor` writes, by the tools that read it: `helm template -f base.yaml -f …` sees the values of each file, and so does
// the fold of the kustomizations. VALUEFOLD_COPIED_VALUES may name a folder with more sets.
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { factor, type FactorOptions, type FactoredFile } from "../../src/factor/factor.ts";
import { type Failure, hunt } from "../fuzz/hunt.ts";
import { copiedSet } from "../support/copied-set.ts";
import { layersOf, plain, plainOf, sourcesOf } from "../support/factored.ts";
import { canonical } from "../support/list-model.ts";

const folder = mkdtempSync(join(tmpdir(), "valuefold-factor-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
mkdirSync(join(folder, "chart", "templates"), { recursive: true });
writeFileSync(join(folder, "chart", "Chart.yaml"), "apiVersion: v2\nname: chart\nversion: 1.0.0\n");
writeFileSync(join(folder, "chart", "templates", "values.yaml"), "values: {{ .Values | toJson }}\n");

/** The values that Helm sees; Go prints keys in their order. */
function byHelm(texts: readonly string[]): string {
  const files = texts.flatMap((text, index) => {
    const path = join(folder, `values-${index}.yaml`);
    writeFileSync(path, text);
    return ["-f", path];
  });
  const { stdout, stderr } = spawnSync("helm", ["template", "x", "chart", ...files], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  return /^values: (.*)$/m.exec(stdout)?.[1] ?? `refused: ${stderr}`;
}

const withoutRules: { readonly [mode: string]: FactorOptions } = {
  plain,
  middle: { ...plain, middle: true },
  "all files": { ...plain, shared: "all" },
};

/** Files that come back otherwise. */
function check(sources: readonly FactoredFile[]): Failure | undefined {
  for (const [mode, options] of Object.entries(withoutRules)) {
    const made = factor({ ...options, sources, below: [] });
    if (made.base.part === undefined && made.middles.length === 0) continue;
    for (const [index, { bytes }] of sources.entries()) {
      const [wanted, got] = [byHelm([Buffer.from(bytes).toString()]), byHelm(layersOf(made, index))];
      counts.files++;
      if (wanted !== got)
        return { kind: `${mode}: other values by Helm`, detail: `want ${wanted}\ngot  ${got}` };
    }
  }
  return undefined;
}

const counts = { files: 0 };

const example = new URL("../../examples/factor/", import.meta.url).pathname;
const more = process.env["VALUEFOLD_COPIED_VALUES"] ?? "";
const sets = [example, ...(existsSync(more) ? readdirSync(more).map((set) => join(more, set)) : [])];

test.for(sets)("helm sees the files of %s", (set) => {
  const names = readdirSync(set).filter((name) => /\.ya?ml$/.test(name));
  expect(check(sourcesOf(names.map((name) => readFileSync(join(set, name), "utf8"))))).toBeUndefined();
});

test("helm sees the files of random sets", async () => {
  await hunt({
    name: "factor-helm",
    cases: 60,
    make: copiedSet,
    check: (texts) => check(sourcesOf(texts)),
    isShrunk: false,
  });
  console.log(`${counts.files} files by Helm`);
  expect(counts.files).toBeGreaterThan(100);
});

describe("kustomize", () => {
  const names = readdirSync(example).filter((name) => name.endsWith(".yaml"));

  function run(program: string, args: readonly string[], input = ""): string {
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, input, encoding: "utf8" });
    expect([program, status, stderr.replaceAll(/^note: .*\n/gm, "")]).toEqual([program, 0, ""]);
    return stdout;
  }

  function valuesIn(overlay: string): string {
    const built = run("kustomize", ["build", overlay]);
    return canonical(plainOf(run("valuefold", ["values", "HelmRelease/shop/shop", "-"], built)));
  }

  test.for([[], ["--list-key", "auto"], ["--list-key", "auto", "--reorder", "--middle"]])(
    "overlays fold to the files with %j",
    (flags) => {
      rmSync(join(folder, "out"), { recursive: true, force: true });
      const files = names.map((name) => join(example, name));
      run("valuefold", ["factor", ...flags, "--kustomize", "--out", "out", ...files]);
      for (const name of names) {
        const overlay = join("out", "overlays", name.replace(/^values-(.*)\.yaml$/, "$1"));
        const built = run("kustomize", ["build", "--enable-alpha-plugins", "--enable-exec", overlay]);
        const { data } = plainOf(built) as { readonly data: { readonly [key: string]: string } };
        const wanted = readFileSync(join(example, name), "utf8");
        expect(canonical(plainOf(data["values.yaml"] ?? ""))).toBe(canonical(plainOf(wanted)));
      }
    },
  );

  test("a HelmRelease in overlays takes the layers in place of its values", () => {
    const release = (values: string): string =>
      `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: shop, namespace: shop}\nspec:\n  interval: 5m${values}`;
    const kustomization =
      "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [release.yaml]\n";
    const overlays = names.map((name) => ({
      name,
      folder: join(folder, "clusters", name.replace(".yaml", "")),
    }));
    for (const { name, folder: overlay } of overlays) {
      mkdirSync(overlay, { recursive: true });
      writeFileSync(join(overlay, "kustomization.yaml"), kustomization);
      const values = readFileSync(join(example, name), "utf8").replaceAll(/^(?=.)/gm, "    ");
      writeFileSync(join(overlay, "release.yaml"), release(`\n  values:\n${values}`));
    }
    // kustomize spells some values anew: what counts is what it built before.
    const before = overlays.map((each) => valuesIn(each.folder));
    run("valuefold", ["factor", "--kustomize", "--out", "factored", ...overlays.map((each) => each.folder)]);
    const made = join(folder, "factored", "helmrelease-shop");
    for (const [index, { name, folder: overlay }] of overlays.entries()) {
      const component = `../../factored/helmrelease-shop/overlays/${name.replace(".yaml", "")}`;
      writeFileSync(
        join(overlay, "kustomization.yaml"),
        `${kustomization}components: [${component}]\nnamespace: shop\n`,
      );
      writeFileSync(join(overlay, "release.yaml"), release("\n"));
      expect(valuesIn(overlay)).toBe(before[index]);
    }
    expect(readdirSync(made).toSorted()).toEqual(["base", "fold.yaml", "overlays"]);
  });
});
