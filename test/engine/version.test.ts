// An engine of another version than the program is not asked: its answers may have another form.
// @module-tag law
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { digestOfSources } from "../../engine/compile.ts";
import { nativeEngine, type ProgramInTests } from "../../scripts/engine.ts";
import * as built from "../../src/engine/built.ts";
import { ask, useEngine, whyNotNative } from "../../src/engine/index.ts";

const { program } = built as unknown as { readonly program: ProgramInTests };

const own = digestOfSources();
const another = "0".repeat(64);
const about = (): Promise<unknown> => ask({ op: "about" });
const folder = mkdtempSync(join(tmpdir(), "valuefold-engine-version-"));

beforeEach(() => {
  useEngine("native");
  useEngine(undefined);
  Object.assign(program, { sources: own, natives: [] });
});
const usual = { ...program };
afterAll(() => {
  useEngine("native");
  useEngine(undefined);
  Object.assign(program, usual);
  rmSync(folder, { recursive: true });
});

test("the wasm build is refused by name", async () => {
  await expect(about()).resolves.toMatchObject({ sources: own, runs: "wasip1/wasm" });
  useEngine("wasm");
  program.sources = another;
  const fault = {
    message: "the engine is of another version than the program",
    hint: "install valuefold again: its files are of two versions",
  };
  await expect(about()).rejects.toMatchObject(fault);
  // Each question is refused, and not only the first.
  await expect(Promise.all([about(), about()])).rejects.toMatchObject(fault);
  program.sources = own;
  await expect(about()).resolves.toMatchObject({ sources: own });
});

describe.skipIf(!existsSync(nativeEngine))("a native build", () => {
  /** The same code with a digest of other sources. */
  const file = join(folder, "engine");
  beforeAll(() => {
    const bytes = readFileSync(nativeEngine, "latin1").replaceAll(own, another);
    writeFileSync(file, Buffer.from(bytes, "latin1"), { mode: 0o755 });
  });

  test("that the user names is refused by name", async () => {
    useEngine(file);
    await expect(about()).rejects.toMatchObject({
      message: `the engine \`${file}\` is of another version than the program`,
      hint: "unset `VALUEFOLD_ENGINE`, or set it to a build of this version",
    });
    expect(whyNotNative()).toBeUndefined();
  });

  test("that is beside the program is passed over, and that is known", async () => {
    program.natives = [file];
    await expect(about()).resolves.toMatchObject({ sources: own, runs: "wasip1/wasm" });
    expect(whyNotNative()).toBe(`the engine \`${file}\` is of another version than the program`);
  });
});

test("what does not start is passed over, and that is known", async () => {
  const file = join(folder, "no-program");
  writeFileSync(file, "no program");
  program.natives = [file];
  await expect(about()).resolves.toMatchObject({ runs: "wasip1/wasm" });
  expect(whyNotNative()).toBe(`the engine \`${file}\` could not be started`);
});
