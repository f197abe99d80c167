// Directories of layers for the rendering oracle: random trees and konfigure's own layouts, written to disk, rendered by
// valuefold's own code at its edge, and by konfigure.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseAllDocuments, stringify } from "yaml";
import { runRender } from "../../src/cli/render.ts";
import type { Diagnostic } from "../../src/diagnostic.ts";
import { readValues } from "../../src/layer/values.ts";
import { leafOf } from "../../src/merge/tree.ts";
import { canonical, valueOfTree } from "../../src/render/patch-value.ts";
import { isFault, readDocument } from "../../src/yaml/read.ts";
import { Oracle } from "./oracle.ts";

export interface Tree {
  readonly files: Readonly<Record<string, string>>;
  readonly schema: object;
  readonly variables: Readonly<Record<string, string>>;
}

export interface Asked {
  readonly dir: string;
  readonly schema: string;
  readonly variables: readonly string[];
}

export interface Answer {
  /** JSON texts. */
  readonly configMap?: string;
  readonly secret?: string;
  readonly error?: string;
}

export interface Both {
  readonly konfigure: Answer;
  readonly ours: { readonly configMap: string; readonly secret: string } | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly messages: string;
}

export class RenderWorld {
  readonly folder = mkdtempSync(join(tmpdir(), "valuefold-render-"));
  private readonly oracle = new Oracle<Asked, Answer>("konfigure-oracle");
  private count = 0;

  close(): void {
    this.oracle.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** What both make of a tree. */
  async render({ files, schema, variables }: Tree): Promise<Both> {
    const home = join(this.folder, String(this.count++));
    const dir = join(home, "config");
    mkdirSync(dir, { recursive: true });
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), text);
    }
    writeFileSync(join(home, "schema.yaml"), stringify(schema));
    const config = {
      apiVersion: "valuefold.dev/v1alpha1",
      kind: "ValueFoldRender",
      metadata: { name: "oracle" },
      spec: { directory: "config", schema, instances: { one: variables }, sops: { allowPlaintext: true } },
    };
    writeFileSync(join(home, "render.yaml"), stringify(config));
    const named = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
    const konfigure = await this.oracle.ask({ dir, schema: join(home, "schema.yaml"), variables: named });
    const outcome = await runRender(
      { config: "render.yaml", into: undefined, strict: false },
      { directory: home, sops: () => Promise.reject(new Error("nothing is sealed")) },
    );
    rmSync(home, { recursive: true });
    const ours =
      outcome.exitCode === 0 ? valuesIn(Buffer.concat(outcome.output).toString("utf8")) : undefined;
    return { konfigure, ours, diagnostics: outcome.diagnostics, messages: outcome.messages };
  }
}

interface Rendered {
  readonly kind: string;
  readonly data: Readonly<Record<string, string>>;
}

/** The values of both objects, in one spelling. */
function valuesIn(stream: string): { configMap: string; secret: string } {
  const objects = parseAllDocuments(stream).map((doc) => doc.toJS() as Rendered);
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
  if (root !== undefined) return canonical(valueOfTree(leafOf(root)));
  return text.trim() === "{}" ? "{}" : "null";
}

/** JSON of the oracle in the same spelling. */
export function canonicalJson(text: string | undefined): string {
  const doc = readDocument(Buffer.from(text ?? "null", "utf8"));
  if (isFault(doc)) throw new Error(doc.message);
  return canonical(valueOfTree(leafOf({ doc, row: 0 })));
}
