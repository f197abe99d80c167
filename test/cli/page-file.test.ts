// Links to lines of files: which templates are taken, and which files get a link.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sourceLinks } from "../../src/cli/page-file.ts";

const template = "https://git.example/shop/blob/main/{file}#L{line}";

test.for([
  ["javascript:alert(1)//{file}", "expected an address of http or https"],
  ["data:text/html,{file}", "expected an address of http or https"],
  ["//git.example/{file}", "expected an address of http or https"],
  ["git.example/{file}", "expected an address of http or https"],
  [" javascript:https://git.example/{file}", "expected an address of http or https"],
  ["https://git.example/shop", "expected `{file}` after the name of the server"],
  ["https://{file}/shop", "expected `{file}` after the name of the server"],
  ["https://git.example{file}", "expected `{file}` after the name of the server"],
  ["https://me:t0ken@git.example/{file}", "expected no user: the page would show it"],
  ["https://git.example/{file}#L{number}", "`{number}` is neither `{file}` nor `{line}`"],
  ["https://git.example/{file}#L{line", "`{line` is neither `{file}` nor `{line}`"],
] as const)("no template: %s", ([url, reason]) => {
  expect(() => sourceLinks({ output: "html", "source-url": url }, "/")).toThrow(
    expect.objectContaining({
      message: `\`--source-url\`: ${reason}`,
      hint: "write it like `https://git.example/shop/blob/main/{file}#L{line}`",
    }),
  );
});

test("links are those of the page", () => {
  expect(() => sourceLinks({ "source-url": template }, "/")).toThrow("no effect without `-o html`");
  expect(sourceLinks({ output: "html" }, "/")).toBeUndefined();
});

describe("a file has a link if it is in the working directory", () => {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-links-"));
  const directory = join(folder, "here");
  mkdirSync(join(directory, "base"), { recursive: true });
  for (const file of ["here/base/values.yaml", "here/..odd.yaml", "beside.yaml"])
    writeFileSync(join(folder, file), "");
  const links = sourceLinks({ output: "html", "source-url": template }, directory);

  test.for([
    ["base/values.yaml", "base/values.yaml"],
    ["./base/../base/values.yaml", "base/values.yaml"],
    [join(directory, "base/values.yaml"), "base/values.yaml"],
    ["..odd.yaml", "..odd.yaml"],
    ["../beside.yaml", undefined],
    [join(folder, "beside.yaml"), undefined],
    ["gone.yaml", undefined],
    [".", undefined],
    ["base/values.yaml\0", undefined],
  ])("%j", ([file, path]) => {
    expect(links?.pathOf(file ?? "")).toBe(path);
  });
});
