// The committed engine without Go: it is made of the sources, and reaches nothing.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { digestOfSources } from "../../engine/compile.ts";
import { goVersion, home } from "../../engine/go.ts";
import { wasiOf } from "../../src/engine/wasi.ts";
import { wasmFile } from "../../src/engine/built.ts";

test("it is made of the sources: else run `npm run engine -- --wasm`", () => {
  const origin = JSON.parse(readFileSync(`${home}origin.json`, "utf8")) as Record<string, string>;
  const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
  expect(origin["go"]).toBe(goVersion());
  expect(origin["sources"]).toBe(digestOfSources());
  const packed = readFileSync(wasmFile());
  expect(origin["engine.wasm.br"]).toBe(sha256(packed));
  expect(origin["engine.wasm"]).toBe(sha256(brotliDecompressSync(packed)));
});

test("it reaches no file, no network, no environment, no clock", () => {
  const memory = { buffer: new ArrayBuffer(256) };
  const names = [
    "path_open",
    "sock_accept",
    "fd_read",
    "fd_prestat_get",
    "environ_sizes_get",
    "random_get",
    "clock_time_get",
    "poll_oneoff",
  ];
  const answers = (): unknown[] => {
    new Uint8Array(memory.buffer).fill(0xff);
    const calls = wasiOf(names, () => memory);
    const statuses = names.map((name) => calls[name]?.(0, 8, 1, 64));
    return [statuses, Buffer.from(memory.buffer).toString("hex")];
  };
  const [statuses] = answers();
  expect(statuses).toEqual([8, 8, 8, 8, 0, 0, 0, 0]);
  expect(answers()).toEqual(answers());
});
