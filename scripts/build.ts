// src → what the package ships: the program, the library in both module systems, its types, and the licences of
// what is bundled. The everyday path is one CommonJS file, the fastest form to start, and compiled for the Node that
// builds; what few runs need lies in files beside it, read only when it is called.
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { build, type BuildOptions, type Metafile, type Plugin } from "esbuild";
import { componentsOf, licencesOf } from "./components.ts";
import { throughDoors } from "./doors.ts";
import { engine, engineComponents, nativeEngine, wasmEngine } from "./engine.ts";
import { pageAssets } from "./page-assets.ts";
import {
  lazily,
  type Part,
  parts,
  type Shared,
  handedOver,
  sharedModules,
  sharing,
  wrapper,
} from "./parts.ts";

const dist = "dist";
const types = `${dist}/types`;

const options = {
  bundle: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  minify: true,
  // A script made from compiled code has no loader of modules of its own.
  supported: { "dynamic-import": false },
  legalComments: "eof",
} as const satisfies BuildOptions;

interface Output {
  readonly entry: string;
  readonly file: string;
  /** Where the parts are, seen from the file. */
  readonly folder: string;
  readonly part?: Part;
}

/** What the program says of itself: each start would make the rest in vain. */
const manifest: Plugin = {
  name: "manifest",
  setup(bundler) {
    bundler.onLoad({ filter: /\/package\.json$/ }, ({ path }) => {
      const { version, homepage } = JSON.parse(readFileSync(path, "utf8")) as Record<string, string>;
      return { contents: JSON.stringify({ version, homepage }), loader: "json" };
    });
  },
};

const stands = (folder: string) => [pageAssets, engine(folder), manifest];

async function bundle({ entry, file, folder, part }: Output, common: Shared): Promise<Metafile> {
  const { metafile } = await build({
    ...options,
    entryPoints: [entry],
    outfile: `${dist}/${file}`,
    metafile: true,
    external: [`${folder}/*.cjs`, `${folder}/*.br`],
    plugins: [
      ...stands(folder),
      lazily(folder, part),
      part === undefined ? sharing(common) : handedOver(common),
      throughDoors,
    ],
    ...(part === undefined ? {} : wrapper),
  });
  return metafile;
}

/** What starts the program, and what has it compiled. */
async function bundleStart(): Promise<void> {
  await build({
    ...options,
    entryPoints: { valuefold: "src/cli/start/start.ts", compile: "src/cli/start/compile.ts" },
    outdir: dist,
    outExtension: { ".js": ".cjs" },
    banner: { js: "#!/usr/bin/env node" },
    plugins: [throughDoors],
  });
  chmodSync(`${dist}/valuefold.cjs`, 0o755);
  execFileSync(process.execPath, [`${dist}/compile.cjs`], { stdio: "inherit" });
}

/** ESM callers get the same one file, so there is one library in a process. */
function writeModule(names: readonly string[]): void {
  const lines = names.map((name) => `export const ${name} = library.${name};\n`);
  writeFileSync(`${dist}/index.js`, `import library from "./index.cjs";\n${lines.join("")}`);
}

/** Declarations of the public files only, for both module systems. */
function writeTypes(): void {
  const emitted = `${dist}/declarations`;
  const compiler = ["node_modules/typescript/bin/tsc", "-p", "tsconfig.types.json", "--outDir", emitted];
  execFileSync(process.execPath, compiler, { stdio: "inherit" });
  mkdirSync(types, { recursive: true });
  for (const name of [
    "index",
    "public",
    "diagnostic",
    "fault-codes",
    "comparison",
    "difference",
    "explanation",
    "settings-input",
    "version",
  ]) {
    const text = readFileSync(`${emitted}/src/${name}.d.ts`, "utf8");
    writeFileSync(`${types}/${name}.d.ts`, text.replaceAll(/(from "\.[^"]+)\.ts"/g, '$1.js"'));
    writeFileSync(`${types}/${name}.d.cts`, text.replaceAll(/(from "\.[^"]+)\.ts"/g, '$1.cjs"'));
  }
  rmSync(emitted, { recursive: true });
}

/** What is bundled, for those who ask what a release is made of, and its licences. */
function writeComponents(bundles: readonly Metafile[]): void {
  const components = [...componentsOf(bundles), ...engineComponents()];
  const named = components.map(({ name, version, licence, purl }) => ({ name, version, licence, purl }));
  writeFileSync(`${dist}/components.json`, `${JSON.stringify(named, undefined, 2)}\n`);
  writeFileSync(`${dist}/THIRD-PARTY-LICENCES.txt`, licencesOf(components));
}

if (existsSync(dist)) rmSync(dist, { recursive: true });
mkdirSync(dist);
const programs: Output[] = [
  { entry: "src/cli/main.ts", file: "program.cjs", folder: "./parts" },
  { entry: "src/index.ts", file: "index.cjs", folder: "./parts" },
];
const beside = (Object.keys(parts) as Part[]).map((part): Output => {
  return { entry: parts[part].module, file: `parts/${part}.cjs`, folder: ".", part };
});
const common = await sharedModules(
  programs.map(({ entry }) => entry),
  stands("."),
);
const metafiles = await Promise.all([...programs, ...beside].map((each) => bundle(each, common)));
await bundleStart();
copyFileSync(wasmEngine, `${dist}/parts/engine.wasm.br`);
if (existsSync(nativeEngine)) copyFileSync(nativeEngine, `${dist}/parts/engine`);
writeModule([
  "compare",
  "diff",
  "entries",
  "explain",
  "fold",
  "foldSync",
  "merge",
  "plan",
  "verify",
  "version",
]);
writeTypes();
writeComponents(metafiles);
