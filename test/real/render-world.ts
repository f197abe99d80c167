// Directories of layers for the rendering oracle, rendered by valuefold's own code and by konfigure's. Many trees are one
// batch of templates: starting the engine takes longer than rendering a thousand of them.
import { Node } from "../../src/yaml/index.ts";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseAllDocuments, stringify } from "yaml";
import { RenderFiles } from "../../src/sources/render-files.ts";
import type { Diagnostic } from "../../src/diagnostic.ts";
import { readValues } from "../../src/layers/values.ts";
import { leafOf } from "../../src/merge/tree.ts";
import { type Rendered, renderTemplates, type TemplateBatch } from "../../src/engine/go-templates.ts";
import type { RenderNeed, RenderSteps, RenderSupply } from "../../src/render/need.ts";
import { jsonOf, plain } from "../../src/render/plain-values.ts";
import { renderStream } from "../../src/render/run.ts";
import type { Outcome } from "../../src/report/outcome.ts";
import { sopsWith } from "../../src/core/sops/program.ts";
import { isFault, readDocument } from "../../src/yaml/read.ts";
import { Oracle } from "./oracle.ts";
import { messagesOf } from "../support/fold.ts";

export interface Tree {
  readonly files: Readonly<Record<string, string>>;
  readonly schema: object;
  readonly variables: Readonly<Record<string, string>>;
}

interface Asked {
  readonly dir: string;
  readonly schema: string;
  readonly variables: readonly string[];
}

interface Answer {
  /** JSON texts. */
  readonly configMap?: string;
  readonly secret?: string;
  readonly error?: string;
}

interface Values {
  readonly configMap: string;
  readonly secret: string;
}

export interface Both {
  /** Values in one spelling, or why there are none. */
  readonly konfigure: Values | string;
  readonly ours: Values | string;
  /** Codes of what ours tells. */
  readonly told: readonly string[];
}

export class RenderWorld {
  private readonly folder = mkdtempSync(join(tmpdir(), "valuefold-render-"));
  private readonly oracle = new Oracle<Asked, Answer>("konfigure-oracle");
  private count = 0;

  close(): void {
    this.oracle.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async render(tree: Tree): Promise<Both> {
    const [both] = await this.renderAll([tree]);
    if (both === undefined) throw new Error("nothing was rendered");
    return both;
  }

  /** What both make of each tree. */
  async renderAll(trees: readonly Tree[]): Promise<readonly Both[]> {
    const homes = trees.map((tree) => this.written(tree));
    const outcomes = await together(
      homes.map((home, index) => ({
        home,
        steps: renderStream({ config: configOf(trees[index]), name: "render.yaml", isStrict: false }),
      })),
    );
    const konfigure: Answer[] = [];
    for (const [index, home] of homes.entries())
      konfigure.push(
        await this.oracle.ask({
          dir: join(home, "config"),
          schema: join(home, "schema.yaml"),
          variables: Object.entries(trees[index]?.variables ?? {}).map(([name, value]) => `${name}=${value}`),
        }),
      );
    for (const home of homes) rmSync(home, { recursive: true });
    return outcomes.map((outcome, index) => ({
      konfigure: valuesOfAnswer(konfigure[index] ?? {}),
      ours:
        outcome.exitCode === 0
          ? valuesIn(Buffer.concat(outcome.output).toString("utf8"))
          : messagesOf(outcome),
      told: outcome.diagnostics.map(({ code, severity }: Diagnostic) => `${severity} ${code}`),
    }));
  }

  private written({ files, schema }: Tree): string {
    const home = join(this.folder, String(this.count++));
    for (const [path, text] of Object.entries({ "kept/file": "", ...files })) {
      const file = join(home, "config", path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    writeFileSync(join(home, "schema.yaml"), stringify(schema));
    return home;
  }
}

function configOf(tree: Tree | undefined): Uint8Array {
  const { schema = {}, variables = {} } = tree ?? {};
  const config = {
    apiVersion: "valuefold.dev/v1alpha1",
    kind: "ValueFoldRender",
    metadata: { name: "oracle" },
    spec: { directory: "config", schema, instances: { one: variables }, sops: { allowPlaintext: true } },
  };
  return Buffer.from(stringify(config), "utf8");
}

interface Running {
  readonly home: string;
  readonly steps: RenderSteps<Outcome>;
}

/** All to their end, with the templates of all in one batch. */
async function together(all: readonly Running[]): Promise<readonly Outcome[]> {
  const outcomes = new Map<Running, Outcome>();
  const waiting = new Map<Running, TemplateBatch>();
  const go = async (running: Running, supply?: RenderSupply): Promise<void> => {
    const { home, steps } = running;
    const files = new RenderFiles(home);
    let step = supply === undefined ? steps.next() : steps.next(supply);
    while (step.done !== true) {
      const need: RenderNeed = step.value;
      if ("templates" in need) return void waiting.set(running, need.templates);
      step = steps.next(await answered(need, files));
    }
    outcomes.set(running, step.value);
  };
  for (const running of all) await go(running);
  const batches = [...waiting];
  const rendered = await inOne(batches.map(([, batch]) => batch));
  for (const [index, [running]] of batches.entries()) await go(running, { templates: rendered[index] ?? [] });
  return all.map((running) => outcomes.get(running) ?? { exitCode: 1, output: [], diagnostics: [] });
}

async function answered(need: RenderNeed, files: RenderFiles): Promise<RenderSupply> {
  if ("files" in need) return { files: need.files.map((ask) => files.read(ask)) };
  if ("lists" in need) return { lists: need.lists.map((ask) => files.list(ask)) };
  if ("sops" in need && "open" in need.sops)
    return { sops: await sopsWith(process.env).open(need.sops.open) };
  throw new Error("nobody asked to seal");
}

/** Trees of one batch have the same includes, or none. */
async function inOne(batches: readonly TemplateBatch[]): Promise<readonly (readonly Rendered[])[]> {
  const [first] = batches;
  if (first === undefined) return [];
  const results = await renderTemplates({
    ...first,
    templates: batches.flatMap(({ templates }) => templates),
  });
  let at = 0;
  return batches.map(({ templates }) => results.slice(at, (at += templates.length)));
}

interface Written {
  readonly kind: string;
  readonly data: Readonly<Record<string, string>>;
}

function valuesIn(stream: string): Values {
  const objects = parseAllDocuments(stream).map((doc) => doc.toJS() as Written);
  const textOf = (kind: string): string =>
    Object.values(objects.find((each) => each.kind === kind)?.data ?? {})[0] ?? "";
  return {
    configMap: spelled(textOf("ConfigMap")),
    secret: spelled(Buffer.from(textOf("Secret"), "base64").toString("utf8")),
  };
}

function spelled(text: string): string {
  const { root, faults } = readValues(Buffer.from(text, "utf8"));
  if (faults.length > 0) throw new Error(`rendered what does not read: ${faults[0]?.message}`);
  if (root !== undefined) return jsonOf(plain(leafOf(root)));
  return text.trim() === "{}" ? "{}" : "null";
}

function valuesOfAnswer({ error, configMap, secret }: Answer): Values | string {
  return error ?? { configMap: canonicalJson(configMap), secret: canonicalJson(secret) };
}

/** JSON of the oracle in the same spelling; numbers in it are exact. */
function canonicalJson(text: string | undefined): string {
  const doc = readDocument(Buffer.from(text ?? "null", "utf8"));
  if (isFault(doc)) throw new Error(doc.message);
  return jsonOf(plain(leafOf(new Node(doc))));
}
