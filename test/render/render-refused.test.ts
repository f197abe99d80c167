// What a render refuses rather than leave something out, tell a secret or run for ever.
import { chmodSync, closeSync, mkdirSync, openSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isOpenedInside } from "../../src/sources/disk.ts";
import { RenderFiles } from "../../src/sources/render-files.ts";
import { runRender } from "../../src/sources/run-render.ts";
import { folderOf } from "../support/folder.ts";
import { messagesOf } from "../support/fold.ts";

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
  const invocation = { config: "render.yaml", into: undefined, strict: false, previous: undefined };
  const { exitCode, output, diagnostics } = await runRender(invocation, {
    directory: folder,
    stdin: () => Buffer.from(""),
    sops,
  });
  return { exitCode, output: Buffer.concat(output).toString("utf8"), messages: messagesOf({ diagnostics }) };
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
    expect(messages).toContain("error[missing-path]: the folder `extr` of the scope does not exist");
  });

  test.for([
    ["a link that leads nowhere", "nowhere", "a link leads to a path that does not exist"],
    ["a link that leads round", "odd", "it cannot be read"],
  ])("with %s, unless it is excluded", async ([, target = "", message]) => {
    const folder = folderOf({ "a/shop/values.yaml": "a: 1\n", "render.yaml": settings() });
    symlinkSync(target === "odd" ? "no" : target, join(folder, "a/no"));
    expect((await run(folder)).exitCode).toBe(0);
    symlinkSync(target, join(folder, "a/odd"));
    const { exitCode, output, messages } = await run(folder);
    expect([exitCode, output]).toEqual([1, ""]);
    expect(messages).toContain(`error[file-refused]: ${message}\n  at    a/odd\n`);
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

describe("includes", () => {
  const sealed =
    "a: ENC[AES256_GCM,data:x,iv:x,tag:x,type:str]\nsops:\n  mac: ENC[AES256_GCM,data:x,iv:x,tag:x,type:str]\n  version: 3.9.0\n";

  test.for(['{{ include "../hunter2" . }}', '{{ include "hunter2" . }}', '{{ include "hunter2/broken" . }}'])(
    "of a sealed template are not named: %s",
    async (template) => {
      const folder = folderOf({
        "a/shop/values.yaml": "a: 1\n",
        "a/shop/secret.yaml": sealed,
        "include/hunter2.yaml": "\0",
        "include/hunter2/broken.yaml": "a: {{ .x.y.z }}\nb: {{ }}\n",
        "render.yaml": settings({ sops: {} }),
      });
      const { exitCode, output, messages } = await run(folder, `a: |\n  ${template}\n`);
      expect([exitCode, output]).toEqual([1, ""]);
      expect(messages).toContain("error[template-failed]");
      expect(messages).not.toContain("hunter2");
    },
  );

  const computed = (name: string): Record<string, string> => ({
    "a/shop/values.yaml": `a: {{ include (print "${name}" "") . }}\n`,
    "elsewhere/one.yaml": "one",
    "include/binary.yaml": "\0",
    "include/broken.yaml": "x\n{{ fail }}",
    "render.yaml": settings(),
  });

  test("whose name a template makes up are found behind links, and odd ones do not matter", async () => {
    const folder = folderOf(computed("linked/one"));
    symlinkSync("nowhere", join(folder, "include/dangling.yaml"));
    symlinkSync("..", join(folder, "include/round"));
    symlinkSync("/", join(folder, "include/out"));
    symlinkSync("../elsewhere", join(folder, "include/linked"));
    const { exitCode, output, messages } = await run(folder);
    expect([exitCode, messages]).toEqual([0, expect.not.stringContaining("warning")]);
    expect(output).toContain("a: one");
  });

  test("whose name a template makes up, and that are not read, are told", async () => {
    const { exitCode, messages } = await run(folderOf(computed("binary")));
    expect([exitCode, messages]).toEqual([1, expect.stringContaining("error[template-failed]")]);
    expect(messages).toContain("the file is not UTF-8 text\n  at    include/binary.yaml");
  });

  test("that fail are told by where they lie", async () => {
    const { messages } = await run(folderOf(computed("broken")));
    expect(messages).toContain("include/broken.yaml:2");
  });

  test("in a folder that cannot be listed are none", () => {
    const folder = folderOf({ "include/one.yaml": "", "include/locked/two.yaml": "" });
    chmodSync(folder, 0o755);
    chmodSync(join(folder, "include/locked"), 0);
    const ask = { root: ".", path: ["include"], wanted: "files" } as const;
    expect(asNobody(() => new RenderFiles(folder).list(ask))).toEqual({
      names: ["one.yaml"],
      odd: [{ name: "locked", refused: "unreadable" }],
    });
  });
});

describe("a folder that becomes a link while a file in it is opened", () => {
  const folder = folderOf({ "top/in/x.yaml": "a: 1\n", "out/x.yaml": "canary" });
  symlinkSync("../out", join(folder, "top/was"));
  const top = realpathSync(join(folder, "top"));

  test.for(["/proc/self/fd", "/nowhere"])("is seen by %s", (opened) => {
    const isInside = (name: string): boolean => {
      const path = join(top, name, "x.yaml");
      const fd = openSync(path, "r");
      try {
        return isOpenedInside(fd, path, top, opened);
      } finally {
        closeSync(fd);
      }
    };
    expect([isInside("in"), isInside("was")]).toEqual([true, false]);
  });

  test("is not read", () => {
    const files = new RenderFiles(top);
    expect(files["contentOf"](join(folder, "out/x.yaml"), top)).toEqual({ refused: "outside" });
  });

  test("is seen where it is another's again by then", () => {
    const fd = openSync(join(folder, "out/x.yaml"), "r");
    const path = join(top, "in/x.yaml");
    expect(["/proc/self/fd", "/nowhere"].map((opened) => isOpenedInside(fd, path, top, opened))).toEqual([
      false,
      false,
    ]);
    closeSync(fd);
  });
});

describe("patches", () => {
  const patched = (
    patch: readonly object[],
    values = "a: {a: {}}\n",
  ): Promise<Awaited<ReturnType<typeof run>>> =>
    run(
      folderOf({
        "a/shop/values.yaml": values,
        "a/shop/patch.yaml": JSON.stringify(patch),
        "render.yaml": settings(),
      }),
    );

  test("that copy a mapping into itself again and again end soon", async () => {
    const copies = Array.from({ length: 40 }, (_, index) => ({
      op: "copy",
      from: "/a",
      path: `/a/k${index}`,
    }));
    const { exitCode, output, messages } = await patched(copies);
    expect([exitCode, output]).toEqual([1, ""]);
    expect(messages).toContain("the copies hold more than 100000 values");
    expect(messages).toContain("a/shop/patch.yaml:1:");
  });

  const wide = (prefix: string): string =>
    Array.from({ length: 20_000 }, (_, index) => `  ${prefix}${index}: {a: 1}\n`).join("");
  const back = (index: number) => (index % 2 === 0 ? ["/b", "/c"] : ["/c", "/b"]);
  const moves = Array.from({ length: 1_000 }, (_, index) => {
    const [from, path] = back(index);
    return { op: "move", from, path };
  });

  test("that move a large mapping to and fro look at it once", { tags: "law" }, async () => {
    const { exitCode, messages } = await patched(moves, `b:\n${wide("k")}`);
    expect([exitCode, messages]).toEqual([0, ""]);
  });

  test("that look at too much in all are refused", { tags: "law" }, async () => {
    const adds = Array.from({ length: 20_000 }, () => ({ op: "add", path: "/b/0", value: 1 }));
    const { exitCode, messages } = await patched(adds, `b: [${"0, ".repeat(20_000)}]\n`);
    expect(exitCode).toBe(1);
    expect(messages).toContain("look at more than 10000000 values in all");
    const tests = Array.from({ length: 1_000 }, () => ({ op: "test", path: "", value: {} }));
    const failed = await patched(tests, `b:\n${wide("k")}`);
    expect(failed.messages).toContain('`test` of `""`: the test fails');
  });

  const nested = (levels: number): object => (levels === 0 ? {} : { a: nested(levels - 1) });
  const pathOf = (steps: number): string => "/a".repeat(steps);
  // What is at a path of n steps stands in n levels.
  test.for([
    ["added", (more: number) => [{ op: "add", path: pathOf(100), value: nested(99 + more) }]],
    ["replaced", (more: number) => [{ op: "replace", path: pathOf(99), value: nested(100 + more) }]],
    [
      "moved",
      (more: number) => [
        { op: "add", path: "/b", value: nested(99 + more) },
        { op: "move", from: "/b", path: pathOf(100) },
      ],
    ],
    ["copied", (more: number) => [{ op: "copy", from: pathOf(more), path: `${pathOf(99)}/b` }]],
  ] as const)("bound the levels of what is %s", async ([how, patch]) => {
    const values = `${JSON.stringify(nested(how === "copied" ? 100 : 99))}\n`;
    const fits = how === "copied" ? await patched(patch(1), values) : await patched(patch(0), values);
    expect([how, fits.messages]).toEqual([how, expect.not.stringContaining("error")]);
    const { exitCode, output, messages } =
      how === "copied"
        ? await patched([...patch(1), { op: "copy", from: "/a", path: `${pathOf(99)}/b/a` }], values)
        : await patched(patch(1), values);
    expect([exitCode, output]).toEqual([1, ""]);
    expect(messages).toContain("error[patch-failed]");
    expect(messages).toContain("nested deeper than 200 levels");
  });
});

test("a variable of the scope that the schema does not have is an error", async () => {
  const scope = { variable: "ap", directories: "a", includes: { regex: [".+"] } };
  const { exitCode, output, messages } = await run(
    folderOf({ "a/shop/values.yaml": "a: 1\n", "render.yaml": settings({ scope }) }),
  );
  expect([exitCode, output]).toEqual([1, ""]);
  expect(messages).toContain("error[unknown-variable]: the variable `ap` is set");
  expect(messages).toContain("did you mean `app`?");
});

test("a scope that finds files in place of folders names one", async () => {
  const { exitCode, messages } = await run(folderOf({ "a/shop.yaml": "a: 1\n", "render.yaml": settings() }));
  expect([exitCode, messages]).toEqual([1, expect.stringContaining("there are files here (`shop.yaml`)")]);
});

test("an object of more than 1 MiB is told, one of 1 MiB is not", async () => {
  const holding = (bytes: number): string =>
    folderOf({ "a/shop/values.yaml": `a: ${"x".repeat(bytes - 4)}\n`, "render.yaml": settings() });
  expect((await run(holding(1024 ** 2))).messages).not.toContain("warning");
  const { exitCode, messages } = await run(holding(1024 ** 2 + 1));
  expect(exitCode).toBe(0);
  expect(messages).toContain("warning[fold-too-large]: `ConfigMap/org/shop` holds more than 1 MiB");
});

describe("settings from stdin", () => {
  const from = (text: string, folder: string) =>
    runRender(
      { config: "-", into: undefined, strict: false, previous: undefined },
      { directory: folder, stdin: () => Buffer.from(text), sops: () => Promise.resolve([]) },
    );

  test("see their directory from where the render runs", async () => {
    const folder = folderOf({ "layers/a/shop/values.yaml": "a: 1\n" });
    const { exitCode, output } = await from(settings({ directory: "layers" }), folder);
    expect([exitCode, Buffer.concat(output).toString("utf8")]).toEqual([0, expect.stringContaining("a: 1")]);
  });

  test.for([
    ["", "error[invalid-setting]: the settings are empty\n  at    stdin:1:1\n"],
    ["kind: [\n", "  at    stdin:"],
  ] as const)("are named where %j is wrong with them", async ([text, told]) => {
    const { exitCode, diagnostics } = await from(text, folderOf({}));
    expect([exitCode, messagesOf({ diagnostics })]).toEqual([3, expect.stringContaining(told)]);
  });
});
