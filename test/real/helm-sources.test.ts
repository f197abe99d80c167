// HelmCharts of k3s, and the charts that kustomizations give to Helm: values are what Helm gets, and each names its line. Real
// kustomize and Helm compute them.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { runCommand } from "../../src/cli/commands.ts";
import type { Explanation } from "../../src/explanation.ts";
import { counted } from "../fuzz/tally.ts";
import { seededRandom, writeTree } from "../support/stamped-tree.ts";
import { addValues, StampedFile } from "../support/stamped-values.ts";
import { worldOf } from "../support/world.ts";

const runs = Number(process.env["VALUEFOLD_RUNS"] ?? 60);
const seed = Number(process.env["VALUEFOLD_SEED"] ?? 20261126);

type Files = Map<string, string>;
type Random = (below: number) => number;

function numbers(from: number): Random {
  const random = seededRandom(from);
  return (below) => Math.floor(random() * below);
}

/** A chart that prints its values. */
function addChart(files: Files, folder: string, values: string): void {
  files.set(`${folder}/Chart.yaml`, "apiVersion: v2\nname: shop\nversion: 1.0.0\n");
  files.set(`${folder}/values.yaml`, values);
  files.set(
    `${folder}/templates/values.yaml`,
    "apiVersion: v1\nkind: Values\nmetadata: {name: values}\nvalues: {{ toJson .Values }}\n",
  );
}

function printed(output: string): unknown {
  const found = parseAllDocuments(output)
    .map((each) => each.toJS() as { kind?: string; values?: unknown } | null)
    .find((each) => each?.kind === "Values");
  return withoutNulls(found?.values);
}

/** A null of a user is no value, or removes one: the chart decides, and its values are a matter of another test. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).flatMap(([key, each]) =>
    each === null ? [] : [[key, withoutNulls(each)] as const],
  );
  return Object.fromEntries(members);
}

function tried(directory: string, ...words: readonly string[]): ReturnType<typeof runCommand> {
  return runCommand(words, worldOf("", { directory, env: { PATH: process.env["PATH"] } }));
}

async function ran(directory: string, ...words: readonly string[]): Promise<string> {
  const { output, exitCode, messages } = await tried(directory, ...words);
  expect(exitCode, messages).toBe(0);
  return Buffer.concat(output).toString("utf8");
}

/** Each stamp is at its line. */
async function judgeOrigins(folder: string, target: string, words: readonly string[]): Promise<number> {
  const text = await ran(folder, "explain", "--json", target, ...words);
  const [found] = (JSON.parse(text) as Explanation).targets;
  let right = 0;
  for (const value of found?.stacks.flatMap(({ values }) => values) ?? [])
    for (const each of [value, ...value.over]) {
      const [, file, line] = /^"([^"#{]+)#(\d+)"$/.exec(each.text ?? "") ?? [];
      if (file === undefined) continue;
      expect([each.at?.file, each.at?.line], each.text).toEqual([file, Number(line)]);
      right++;
    }
  return right;
}

function helmChart(random: Random): { files: Files; set: readonly string[]; layers: readonly string[] } {
  const files: Files = new Map();
  addChart(files, "chart", "");
  const file = new StampedFile("app.yaml");
  const layers: string[] = [];
  const parts = ["HelmChart", "HelmChartConfig"].filter((kind) => kind === "HelmChart" || random(2) === 0);
  const set: string[] = [];
  for (const kind of parts) {
    file.add(() => `apiVersion: helm.cattle.io/v1`);
    file.add(() => `kind: ${kind}`);
    file.add(() => `metadata: {name: shop, namespace: kube-system}`);
    file.add(() => `spec:`);
    file.add(() => `  chart: shop`);
    if (random(3) > 0) {
      file.add(() => `  valuesContent: |-`);
      addValues(file, random, { indent: "    " });
      layers.push(`${kind} valuesContent`);
    }
    if (random(3) > 0) {
      file.add(() => `  values:`);
      addValues(file, random, { indent: "    " });
      layers.push(`${kind} values`);
    }
    if (kind === "HelmChart" && random(2) === 0) {
      file.add(() => `  set:`);
      for (const key of ["new.x", "new.y", "other", "z[0]"].filter(() => random(2) === 0)) {
        const written = ["true", "5", "null", "a\\,b", "c,d"][random(8)];
        file.add((stamp) => {
          const value = written ?? stamp;
          const isTyped = /^(?:true|null)$/.test(value);
          const plain = value === "c,d" ? "c\\,d" : value;
          set.push(isTyped ? "--set" : "--set-string", `${key}=${plain}`);
          return `    ${key}: '${value}'`;
        });
      }
    }
    file.add(() => `---`);
  }
  files.set("app.yaml", file.text());
  return { files, set, layers };
}

/** In the order of its pod: files by their names, then `set` by its keys. */
function givenToHelm({ files, set, layers }: ReturnType<typeof helmChart>, folder: string): string[] {
  const objects = parseAllDocuments(files.get("app.yaml") ?? "").map(
    (each) => each.toJS() as { kind: string; spec: Record<string, unknown> } | null,
  );
  const args = layers.flatMap((layer, index) => {
    const [kind, field = ""] = layer.split(" ");
    const value = objects.find((each) => each?.kind === kind)?.spec[field];
    const name = join(folder, `layer-${index}.yaml`);
    writeTree(
      {
        files: new Map([[`layer-${index}.yaml`, typeof value === "string" ? value : JSON.stringify(value)]]),
      },
      folder,
    );
    return ["-f", name];
  });
  return [...args, ...set];
}

test(`${runs} HelmCharts have the values that Helm gets, and say where they stand`, async () => {
  let right = 0;
  for (let index = 0; index < runs; index++) {
    const made = helmChart(numbers(seed + index));
    const folder = mkdtempSync(join(tmpdir(), "valuefold-k3s-"));
    try {
      writeTree(made, folder);
      const args = ["template", "shop", "chart", ...givenToHelm(made, folder)];
      const expected = printed(execFileSync("helm", args, { cwd: folder, encoding: "utf8" }));
      const values: unknown = parse(await ran(folder, "values", "HelmChart/shop", "app.yaml"));
      expect(withoutNulls(values ?? {})).toEqual(expected ?? {});
      right += await judgeOrigins(folder, "HelmChart/shop", ["app.yaml"]);
    } catch (error) {
      throw new Error(`seed ${seed + index}\n${made.files.get("app.yaml")}`, { cause: error });
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
  console.log(JSON.stringify({ right }));
  counted(runs);
  expect(right).toBeGreaterThan(runs);
});

function kustomizeChart(random: Random): Files {
  const files: Files = new Map();
  const defaults = new StampedFile("charts/shop/values.yaml");
  addValues(defaults, random, { nulls: false });
  addChart(files, "charts/shop", defaults.text());
  const file = new StampedFile("kustomization.yaml");
  file.add(() => "helmCharts:");
  file.add(() => "- name: shop");
  file.add(() => "  releaseName: shop");
  const own = new StampedFile("own.yaml");
  if (random(2) === 0) {
    addValues(own, random);
    files.set("own.yaml", own.text());
    file.add(() => "  valuesFile: own.yaml");
  }
  if (random(3) > 0) {
    file.add(() => "  valuesInline:");
    addValues(file, random, { indent: "    " });
    const merge = ["merge", "override", "replace"][random(4)];
    if (merge !== undefined) file.add(() => `  valuesMerge: ${merge}`);
  }
  if (random(2) === 0) {
    const more = new StampedFile("more.yaml");
    addValues(more, random);
    files.set("more.yaml", more.text());
    file.add(() => "  additionalValuesFiles: [more.yaml]");
  }
  files.set("kustomization.yaml", file.text());
  return files;
}

test(`${runs} charts of kustomizations have the values that Helm gets, and say where they stand`, async () => {
  let right = 0;
  let refused = 0;
  for (let index = 0; index < runs; index++) {
    const files = kustomizeChart(numbers(seed + index));
    const folder = mkdtempSync(join(tmpdir(), "valuefold-charts-"));
    try {
      writeTree({ files }, folder);
      const built = spawnSync("kustomize", ["build", "--enable-helm", "."], {
        cwd: folder,
        encoding: "utf8",
      });
      if (built.status !== 0) {
        expect((await tried(folder, "values", "Chart/shop", ".")).exitCode, built.stderr).toBe(1);
        refused++;
        continue;
      }
      const values: unknown = parse(await ran(folder, "values", "Chart/shop", "."));
      expect(withoutNulls(values ?? {})).toEqual(printed(built.stdout) ?? {});
      right += await judgeOrigins(folder, "Chart/shop", ["."]);
    } catch (error) {
      const texts = [...files].map(([name, text]) => `# ${name}\n${text}`).join("");
      throw new Error(`seed ${seed + index}\n${texts}`, { cause: error });
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
  console.log(JSON.stringify({ right, refused }));
  counted(runs);
  expect(refused).toBeLessThan(runs * 0.7);
  expect(right).toBeGreaterThan(runs);
});
