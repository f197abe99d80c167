// A rendered Secret keeps the seal that it had, where what goes into it is the same; by a stand-in for SOPS that never seals
// twice the same.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { renderFunction, runRender } from "../../src/sources/run-render.ts";
import type { Need, Supply } from "../../src/core/sops/need.ts";
import { folderOf } from "../support/folder.ts";

const sealed = (plain: string): string =>
  `p: ENC[AES256_GCM,data:${Buffer.from(plain).toString("base64")},iv:x,tag:x,type:str]\nsops:\n  age:\n    - recipient: age1a\n      enc: x\n  lastmodified: "2026-01-01T00:00:00Z"\n  mac: ENC[AES256_GCM,data:x,iv:x,tag:x,type:str]\n  version: 3.9.0\n`;

class Sops {
  seals = 0;

  readonly supply = (need: Need): Promise<Supply> => {
    if ("open" in need)
      return Promise.resolve(
        need.open.map(({ text }) => {
          const [, data = ""] = /data:([^,]*)/.exec(Buffer.from(text).toString()) ?? [];
          return { text: Buffer.from(`p: ${Buffer.from(data, "base64").toString()}\n`) };
        }),
      );
    const key = "secret-values.yaml";
    return Promise.resolve(
      need.seal.map(() => {
        const value = `ENC[AES256_GCM,data:${this.seals++},iv:x,tag:x,type:str]`;
        return { text: Buffer.from(JSON.stringify({ data: { [key]: value }, sops: { mac: value } })) };
      }),
    );
  };
}

const template = {
  path: { directory: "<< app >>" },
  configMap: { name: "v.yaml" },
  secret: { name: "s.yaml" },
};
const layer = {
  id: "all",
  path: { directory: "" },
  templates: template,
  values: { path: { directory: "<< app >>" }, secret: { name: "values.yaml" } },
};
const include = { function: { name: "include" }, path: { directory: "includes" }, extension: ".t" };
const settings = {
  apiVersion: "valuefold.dev/v1alpha1",
  kind: "ValueFoldRender",
  metadata: { name: "test", namespace: "org" },
  spec: {
    directory: ".",
    schema: { variables: [{ name: "app", required: true }], layers: [layer], includes: [include] },
    instances: { cart: { app: "cart" }, shop: { app: "shop" } },
    destination: { namespace: "org" },
    sops: {},
  },
};

const files = {
  "render.yaml": JSON.stringify(settings),
  "cart/s.yaml": sealed("one"),
  "shop/v.yaml": "a: 1\n",
  "shop/values.yaml": sealed("two"),
  "shop/s.yaml": 'p: {{ .p }}\nq: {{ include "i" . }}\n',
  "includes/i.t": "1",
};

function write(folder: string, name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

async function render(folder: string, sops: Sops, previous?: string): Promise<string> {
  if (previous !== undefined) write(folder, "previous.yaml", previous);
  const invocation = {
    config: "render.yaml",
    into: undefined,
    strict: false,
    previous: previous === undefined ? undefined : "previous.yaml",
  };
  const edge = { directory: folder, stdin: () => Buffer.from(""), sops: sops.supply };
  const { exitCode, output, diagnostics } = await runRender(invocation, edge);
  expect([exitCode, diagnostics]).toEqual([0, []]);
  return Buffer.concat(output).toString("utf8");
}

/** The ciphertext of each Secret, by its name. */
function seals(text: string): Record<string, string> {
  const documents = text.split("---\n").filter((each) => each.includes("kind: Secret"));
  return Object.fromEntries(
    documents.map((each) => [
      /^  name: (.*)$/m.exec(each)?.[1] ?? "",
      /secret-values\.yaml: (.*)$/m.exec(each)?.[1] ?? "",
    ]),
  );
}

test("an equal render over an earlier one is that one, byte for byte", async () => {
  const [folder, sops] = [folderOf(files), new Sops()];
  const first = await render(folder, sops);
  expect(Object.keys(seals(first))).toEqual(["cart", "shop"]);
  expect(await render(folder, sops, first)).toBe(first);
  expect(sops.seals).toBe(2);
  expect(await render(folder, sops)).not.toBe(first);
});

test.for([
  ["a sealed file", "shop/values.yaml", sealed("three"), ["shop"]],
  ["its template", "shop/s.yaml", "p: {{ .p }}\n", ["shop"]],
  ["an include", "includes/i.t", "2", ["shop"]],
  ["a file of its ConfigMap", "shop/v.yaml", "a: 2\n", []],
  [
    "the recipients",
    "render.yaml",
    JSON.stringify({ ...settings, spec: { ...settings.spec, sops: { seal: { age: ["age1b"] } } } }),
    ["cart", "shop"],
  ],
] as const)("where %s changes, what it goes into is sealed anew", async ([, file, text, changed]) => {
  const [folder, sops] = [folderOf(files), new Sops()];
  const first = await render(folder, sops);
  write(folder, file, text);
  const [before, after] = [seals(first), seals(await render(folder, sops, first))];
  expect(Object.keys(before).filter((name) => before[name] !== after[name])).toEqual(changed);
});

test("a ciphertext that somebody edited is not kept, nor that of another name", async () => {
  const [folder, sops] = [folderOf(files), new Sops()];
  const first = await render(folder, sops);
  const edited = first.replace("data:0,", "data:9,");
  expect(seals(await render(folder, sops, edited))["cart"]).not.toBe(seals(edited)["cart"]);
  const renamed = first.replaceAll("name: shop", "name: shop2");
  expect(seals(await render(folder, sops, renamed))["shop"]).not.toBe(seals(first)["shop"]);
});

test("in a list that holds them from before, sealed Secrets stay as they are", async () => {
  const [folder, sops] = [folderOf(files), new Sops()];
  const list = `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\nfunctionConfig: ${files["render.yaml"]}\n`;
  const run = async (input: string): Promise<string> => {
    const outcome = await renderFunction(Buffer.from(input), { directory: folder, sops: sops.supply });
    return Buffer.concat(outcome?.output ?? []).toString("utf8");
  };
  const first = await run(list);
  const again = `${first}functionConfig: ${files["render.yaml"]}\n`;
  expect(await run(again)).toBe(again);
  expect(sops.seals).toBe(2);
});

describe("with plain secret values under the same seal", () => {
  const plainFiles = { ...files, "shop/s.yaml": sealed("{{ .pin }}"), "shop/values.yaml": "pin: 4711\n" };
  /** What it seals can be opened again; it counts what is asked of whole manifests. */
  class Opening extends Sops {
    opened = 0;
    override readonly supply = (need: Need): Promise<Supply> => {
      if ("seal" in need)
        return Promise.resolve(
          need.seal.map((manifest) => {
            const held = Buffer.from(manifest).toString("base64");
            const value = `ENC[AES256_GCM,data:${held}#${this.seals++},iv:x,tag:x,type:str]`;
            const sops = { age: [{ recipient: "age1a" }], mac: value };
            return { text: Buffer.from(JSON.stringify({ data: { "secret-values.yaml": value }, sops })) };
          }),
        );
      return Promise.resolve(
        need.open.map(({ text }) => {
          const source = Buffer.from(text).toString();
          const [, data = ""] = /data:([^,#]*)/.exec(source.slice(source.indexOf("ENC["))) ?? [];
          const held = Buffer.from(data, "base64").toString();
          if (!source.includes("kind: Secret")) return { text: Buffer.from(`p: ${held}\n`) };
          this.opened++;
          return { text: Buffer.from(held) };
        }),
      );
    };
  }

  test("no digest of them is written, and the seal is kept while it holds the same", async () => {
    const [folder, sops] = [folderOf(plainFiles), new Opening()];
    const first = await render(folder, sops);
    const [, shop = ""] = first.split("name: shop\n");
    expect(shop).not.toContain("inputs");
    expect([await render(folder, sops, first), sops.opened, sops.seals]).toEqual([first, 1, 2]);
    write(folder, "shop/values.yaml", "pin: 4712\n");
    const changed = await render(folder, sops, first);
    expect([seals(changed)["shop"] === seals(first)["shop"], sops.seals]).toEqual([false, 3]);
  });
});
