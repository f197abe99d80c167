// src → what the package ships: the program, the library in both module systems, its types, and the licences of
// what is bundled. The everyday path is one small CommonJS file, the fastest form to start; what few runs need lies in
// files beside it, read only when it is called.
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { build, type Metafile, type Plugin } from "esbuild";
import { componentsOf, licencesOf } from "./components.ts";
import { engine, engineComponents, goTemplate } from "./go-template.ts";
import { pageAssets } from "./page-assets.ts";

const dist = "dist";
const types = `${dist}/types`;

/** Modules that become files of their own, and what others call of them. */
const parts = {
  yaml: { module: "src/yaml/by-library.ts", names: ["readByLibrary", "decodeByLibrary"] },
  config: {
    module: "src/config/function-config.ts",
    names: ["parseFunctionConfig", "readFunctionConfig", "readSettings"],
  },
  repeat: { module: "src/repeat/repeat.ts", names: ["repeatAll"] },
  sops: { module: "src/sops/program.ts", names: ["sopsWith"] },
  schema: { module: "src/schema/check.ts", names: ["checkSchemas", "notesFor"] },
  patterns: { module: "src/schema/patterns.ts", names: ["compilePattern"] },
  verify: { module: "src/verify.ts", names: ["verify", "verifyingList"] },
  values: { module: "src/values.ts", names: ["finalValues"] },
  templates: { module: "src/render/go-template/engine.ts", names: ["renderTemplates"] },
  questions: { module: "src/cli/questions.ts", names: ["runDiff", "runExplain"] },
  page: { module: "src/page/write.ts", names: ["pageOf"] },
  render: { module: "src/cli/render.ts", names: ["runRender", "renderFunction"] },
  commands: { module: "src/cli/commands.ts", names: ["runCommand", "refusalAtTerminal"] },
} as const;

type Part = keyof typeof parts;

/** Whoever imports a part gets functions that load its file when they are first called. */
function lazily(folder: string, except?: Part): Plugin {
  const byPath = new Map(
    Object.entries(parts)
      .filter(([name]) => name !== except)
      .map(([name, { module, names }]) => [resolve(module), { name, names }]),
  );
  return {
    name: "lazily",
    setup(bundler) {
      bundler.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const part = byPath.get(path);
        if (part === undefined) return undefined;
        const lines = part.names.map(
          (name) =>
            `export const ${name} = (...all) => require("${folder}/${part.name}.cjs").${name}(...all);\n`,
        );
        return { contents: lines.join(""), loader: "js" };
      });
    },
  };
}

interface Output {
  readonly entry: string;
  readonly file: string;
  /** Where the parts are, seen from the file. */
  readonly folder: string;
  readonly part?: Part;
  readonly banner?: string;
}

async function bundle({ entry, file, folder, part, banner = "" }: Output): Promise<Metafile> {
  const { metafile } = await build({
    entryPoints: [entry],
    outfile: `${dist}/${file}`,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    minify: true,
    legalComments: "eof",
    metafile: true,
    external: [`${folder}/*.cjs`, `${folder}/*.br`],
    plugins: [pageAssets, goTemplate(folder), lazily(folder, part)],
    banner: { js: banner },
  });
  return metafile;
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
  for (const name of ["index", "public", "diagnostic", "difference", "explanation", "version"]) {
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
const shebang = "#!/usr/bin/env node";
const outputs: Output[] = [
  { entry: "src/cli/main.ts", file: "valuefold.cjs", folder: "./parts", banner: shebang },
  { entry: "src/index.ts", file: "index.cjs", folder: "./parts" },
  ...(Object.keys(parts) as Part[]).map((part) => {
    return { entry: parts[part].module, file: `parts/${part}.cjs`, folder: ".", part };
  }),
];
const metafiles = await Promise.all(outputs.map(bundle));
chmodSync(`${dist}/valuefold.cjs`, 0o755);
copyFileSync(engine, `${dist}/parts/gotemplate.wasm.br`);
writeModule(["diff", "explain", "fold", "foldSync", "plan", "verify", "version"]);
writeTypes();
writeComponents(metafiles);
