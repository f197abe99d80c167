// What a render refuses rather than leave something out, tell a secret or run for ever.
import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { RenderFiles } from "../src/cli/render-files.ts";
import { runRender } from "../src/cli/render.ts";
import { folderOf } from "./support/folder.ts";

const layer = {
  id: "all",
  path: { directory: "" },
  templates: {
    path: { directory: "a/<< app >>" },
    configMap: { name: "values.yaml" },
    secret: { name: "secret.yaml" },
  },
  patches: { path: { directory: "a/<< app >>" }, configMap: { name: "patch.yaml" } },
};
const include = {
  id: "include",
  function: { name: "include" },
  path: { directory: "include" },
  extension: ".yaml",
};

function settings(spec: object = {}): string {
  return JSON.stringify({
    apiVersion: "valuefold.dev/v1alpha1",
    kind: "ValueFoldRender",
    metadata: { name: "test", namespace: "org" },
    spec: {
      directory: ".",
      schema: { variables: [{ name: "app", required: true }], layers: [layer], includes: [include] },
      scope: {
        variable: "app",
        directories: ["a"],
        includes: { regex: [".+"] },
        excludes: { exact: ["no"] },
      },
      destination: { namespace: "org" },
      ...spec,
    },
  });
}

async function run(
  folder: string,
  open?: string,
): Promise<{ readonly exitCode: number; readonly output: string; readonly messages: string }> {
  const sops = () => Promise.resolve(open === undefined ? [] : [{ text: Buffer.from(open, "utf8") }]);
  const invocation = { config: "render.yaml", into: undefined, strict: false };
  const { exitCode, output, messages } = await runRender(invocation, { directory: folder, sops });
  return { exitCode, output: Buffer.concat(output).toString("utf8"), messages };
}

/** Root may read everything. */
function asNobody<T>(work: () => T): T {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid?.(65_534);
  try {
    return work();
  } finally {
    process.seteuid?.(0);
  }
}

describe("folders of a scope", () => {
  const scope = { variable: "app", directories: ["a", "extr"], includes: { regex: [".+"] } };

  test("that are not there", async () => {
    const folder = folderOf({ "a/shop/values.yaml": "a: 1\n", "render.yaml": settings({ scope }) });
    const { exitCode, output, messages } = await run(folder);
    expect([exitCode, output]).toEqual([1, ""]);
    expect(messages).toContain("error[missing-path]: the folder `extr` of the scope is not there");
  });

  test.for([
    ["a link that leads nowhere", "nowhere", "a link leads to what is not there"],
    ["a link that leads round", "odd", "it cannot be read"],
  ])("with %s, unless it is excluded", async ([, target = "", message]) => {
    const folder = folderOf({ "a/shop/values.yaml": "a: 1\n", "render.yaml": settings() });
    symlinkSync(target === "odd" ? "no" : target, join(folder, "a/no"));
    expect((await run(folder)).exitCode).toBe(0);
    symlinkSync(target, join(folder, "a/odd"));
    const { exitCode, output, messages } = await run(folder);
    expect([exitCode, output]).toEqual([1, ""]);
    expect(messages).toContain(`error[file-refused]: ${message}\n   at    a/odd\n`);
  });

  test("with a name that is no UTF-8", async () => {
    const folder = folderOf({ "a/shop/values.yaml": "a: 1\n", "render.yaml": settings() });
    mkdirSync(Buffer.concat([Buffer.from(`${folder}/a/`), Buffer.from([0xff])]));
    const { exitCode, messages } = await run(folder);
    expect([exitCode, messages]).toEqual([1, expect.stringContaining("the name is not UTF-8")]);
  });

  test("that cannot be listed", () => {
    const folder = folderOf({ "a/shop/values.yaml": "a: 1\n" });
    chmodSync(folder, 0o755);
    chmodSync(join(folder, "a"), 0o311);
    const ask = { root: ".", path: ["a"] };
    const list = (wanted: "files" | "folders") => new RenderFiles(folder).list({ ...ask, wanted });
    expect(asNobody(() => [list("folders"), list("files")])).toEqual([
      { refused: "unreadable" },
      { refused: "unreadable" },
    ]);
  });
});
