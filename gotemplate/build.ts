// Makes the committed files anew: `gotemplate.wasm.br`, what it is made of (`origin.json`), and the licences of what is in it
// (`components.json`). Run by `npm run gotemplate` after a change of the Go program; needs Go.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { compile, digestOfSources, goVersion, home } from "./compile.ts";
import { componentsOf } from "./components.ts";

const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");
const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

const module = compile();
const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = constants;
const params = {
  [BROTLI_PARAM_QUALITY]: 11,
  [BROTLI_PARAM_LGWIN]: 24,
  [BROTLI_PARAM_SIZE_HINT]: module.length,
};
const packed = brotliCompressSync(module, { params });
const origin = {
  go: goVersion(),
  sources: digestOfSources(),
  "gotemplate.wasm": sha256(module),
  "gotemplate.wasm.br": sha256(packed),
};
writeFileSync(join(home, "gotemplate.wasm.br"), packed);
writeFileSync(join(home, "origin.json"), json(origin));
writeFileSync(join(home, "components.json"), json(componentsOf()));
process.stdout.write(json(origin));
