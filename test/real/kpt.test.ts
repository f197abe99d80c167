// Real kpt: a package full of comments, rendered again and again.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commit, git, render } from "./kpt-package.ts";

const example = new URL("../../examples/kpt/", import.meta.url).pathname;
const targets = new URL("trees/kpt-targets/", import.meta.url).pathname;

/** A copy of a package under git, changed as the test wants. */
function packageWith(change: (folder: string) => void = () => undefined, source = example): string {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-kpt-"));
  cpSync(source, folder, { recursive: true, filter: (path) => !/(expected.diff|README.md)$/.test(path) });
  change(folder);
  git(folder, "init", "-q");
  commit(folder);
  return folder;
}

function changes(folder: string): string {
  git(folder, "add", "-A");
  return git(folder, "diff", "--cached").replaceAll(/^index .*\n/gm, "");
}

describe("kpt fn render", () => {
  test("changes just what folding means, and nothing the second time", async () => {
    const folder = packageWith();
    expect(render(folder).status).toBe(0);
    await expect(changes(folder)).toMatchFileSnapshot(join(example, "expected.diff"));
    commit(folder);
    expect(render(folder).status).toBe(0);
    expect(changes(folder)).toBe("");
  });

  test("three mutators in a row lose and double no comment", () => {
    const once = packageWith();
    render(once);
    const thrice = packageWith((folder) => {
      const kptfile = readFileSync(join(folder, "Kptfile"), "utf8");
      const mutator = "  - exec: valuefold\n    configPath: fold.yaml\n";
      writeFileSync(join(folder, "Kptfile"), kptfile.replace(mutator, mutator + mutator + mutator));
    });
    expect(render(thrice).status).toBe(0);
    for (const file of ["app.yaml", "values.yaml", "deployment.yaml", "configmap_shop-folded.yaml"]) {
      expect(readFileSync(join(thrice, file), "utf8")).toBe(readFileSync(join(once, file), "utf8"));
    }
    commit(thrice);
    expect(render(thrice).status).toBe(0);
    expect(changes(thrice)).toBe("");
  });

  test("lists by rule are no longer the second time, nor after an edit", () => {
    const folder = packageWith((copy) => {
      const values = readFileSync(join(copy, "values.yaml"), "utf8");
      const [base, ...rest] = values.split("---\n");
      const lists =
        "    args: [--a]\n    env:\n      - name: LOG # one of debug, info\n        value: info\n";
      const more = "    args: [--b]\n    env:\n      - {name: LOG, value: debug}\n      - {name: NEW}\n";
      writeFileSync(join(copy, "values.yaml"), [base + lists, ...rest].join("---\n") + more);
      const fold = readFileSync(join(copy, "fold.yaml"), "utf8");
      const rules = "spec: {merge: [{path: env, key: name}, {path: args, list: append}]}";
      writeFileSync(join(copy, "fold.yaml"), fold.replace(/spec: .*/, rules));
    });
    expect(render(folder)).toMatchObject({ status: 0 });
    const folded = (): string => readFileSync(join(folder, "configmap_shop-folded.yaml"), "utf8");
    const lists =
      "    args:\n      - --a\n      - --b\n    env:\n      - name: LOG\n        value: debug\n      - {name: NEW}\n";
    expect(folded()).toContain(lists);
    commit(folder);
    expect(render(folder).status).toBe(0);
    expect(changes(folder)).toBe("");
    const values = readFileSync(join(folder, "values.yaml"), "utf8");
    writeFileSync(join(folder, "values.yaml"), values.replace("[--b]", "[--c]"));
    // Rules of the last fold hold though the settings lose them.
    writeFileSync(
      join(folder, "fold.yaml"),
      readFileSync(join(folder, "fold.yaml"), "utf8").replace(/spec: .*/, "spec: {}"),
    );
    expect(render(folder).status).toBe(0);
    expect(folded()).toContain(lists.replace("--b", "--c"));
  });

  test("a deleted layer goes out of the fold", () => {
    const folder = packageWith();
    render(folder);
    const values = readFileSync(join(folder, "values.yaml"), "utf8");
    writeFileSync(join(folder, "values.yaml"), `${values.split("---\n")[0]}`);
    commit(folder);
    expect(render(folder).status).toBe(0);
    expect(readFileSync(join(folder, "app.yaml"), "utf8")).toContain("name: shop-values # in values.yaml");
    expect(changes(folder)).toContain("deleted file mode");
  });

  test("an edited layer is folded anew; an edited folded item is an error, and nothing is written", () => {
    const folder = packageWith();
    render(folder);
    const values = readFileSync(join(folder, "values.yaml"), "utf8");
    writeFileSync(join(folder, "values.yaml"), values.replace("replicas: 3", "replicas: 5"));
    expect(render(folder).status).toBe(0);
    const folded = join(folder, "configmap_shop-folded.yaml");
    expect(readFileSync(folded, "utf8")).toContain("replicas: 5");
    writeFileSync(folded, readFileSync(folded, "utf8").replace("replicas: 5", "replicas: 6"));
    commit(folder);
    const { status, stderr } = render(folder);
    expect(status).not.toBe(0);
    expect(stderr).toContain("error[folded-edited]");
    expect(changes(folder)).toBe("");
  });

  test("a failing function writes nothing, and kpt shows why", async () => {
    const folder = packageWith((copy) => {
      const values = readFileSync(join(copy, "values.yaml"), "utf8");
      writeFileSync(join(copy, "values.yaml"), values.replace("replicas: 3", "replicas: [3"));
    });
    const { status, stderr } = render(folder);
    expect(status).not.toBe(0);
    expect(changes(folder)).toBe("");
    const shown = stderr.replaceAll(/in [\d.]+m?s/g, "in 0s").replaceAll(/valuefold-kpt-\w+/g, "package");
    await expect(shown).toMatchFileSnapshot(new URL("kpt-failure.txt", import.meta.url).pathname);
  });
});

describe("kpt fn render of HelmReleases, ConfigMaps and Kyma overrides", () => {
  const rendered = (): string => {
    const folder = packageWith(undefined, targets);
    const { status, stderr } = render(folder);
    expect([status, stderr.includes("error[")]).toEqual([0, false]);
    return folder;
  };

  test("changes just what folding means, and nothing the second time", async () => {
    const folder = rendered();
    await expect(changes(folder)).toMatchFileSnapshot(join(targets, "expected.diff"));
    commit(folder);
    expect(render(folder).status).toBe(0);
    expect(changes(folder)).toBe("");
  });

  test("a deleted layer goes out of the target, and with the last one its keys", () => {
    const folder = rendered();
    commit(folder);
    rmSync(join(folder, "config-prod.yaml"));
    expect(render(folder).status).toBe(0);
    const config = readFileSync(join(folder, "config.yaml"), "utf8");
    expect(config).toContain("pool: {min: 1}");
    expect(config).not.toContain("extra.json");
    rmSync(join(folder, "config-base.yaml"));
    expect(render(folder).status).toBe(0);
    const bare = readFileSync(join(folder, "config.yaml"), "utf8");
    expect(bare).toContain("notes: written here # stays");
    expect(bare).not.toContain("application.yaml");
    commit(folder);
    expect(render(folder).status).toBe(0);
    expect(changes(folder)).toBe("");
  });

  test("an edited layer is folded anew; an edited folded key is an error, and nothing is written", () => {
    const folder = rendered();
    const prod = join(folder, "config-prod.yaml");
    writeFileSync(prod, readFileSync(prod, "utf8").replace("max: 5", "max: 6"));
    expect(render(folder).status).toBe(0);
    const config = join(folder, "config.yaml");
    expect(readFileSync(config, "utf8")).toContain("max: 6");
    writeFileSync(config, readFileSync(config, "utf8").replace("max: 6", "max: 7"));
    commit(folder);
    const { status, stderr } = render(folder);
    expect([status === 0, stderr.includes("error[folded-edited]")]).toEqual([false, true]);
    expect(changes(folder)).toBe("");
  });

  test("a base of the target's own is refused: it would be lost", () => {
    const folder = packageWith((copy) => {
      const config = join(copy, "config.yaml");
      writeFileSync(config, `${readFileSync(config, "utf8")}  application.yaml: "port: 1"\n`);
    }, targets);
    const { status, stderr } = render(folder);
    expect([status === 0, stderr.includes("error[base-lost]")]).toEqual([false, true]);
    expect(changes(folder)).toBe("");
  });

  test("a layer that goes leaves the HelmRelease's own entries as they were", () => {
    const folder = rendered();
    commit(folder);
    const values = join(folder, "values.yaml");
    writeFileSync(values, readFileSync(values, "utf8").split("---\n")[0] ?? "");
    expect(render(folder).status).toBe(0);
    const release = readFileSync(join(folder, "release.yaml"), "utf8");
    expect(release).toMatch(
      /name: shop-values # first\n {2}- kind: Secret # in between\n {4}name: shop-credentials\n/,
    );
    expect(release).not.toContain("folded");
  });
});
