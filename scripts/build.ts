// src → what the package ships: the program, the library in both module systems, its types, and the licences of
// what is bundled. One CommonJS file each is the fastest form to start; nothing else is needed at run time.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { build, type Metafile } from "esbuild";

const dist = "dist";
const types = `${dist}/types`;

async function bundle(entry: string, outfile: string, banner?: string): Promise<Metafile> {
  const { metafile } = await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "eof",
    metafile: true,
    ...(banner === undefined ? {} : { banner: { js: banner } }),
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
  execFileSync(
    process.execPath,
    ["node_modules/typescript/bin/tsc", "-p", "tsconfig.types.json", "--outDir", emitted],
    { stdio: "inherit" },
  );
  mkdirSync(types, { recursive: true });
  for (const name of ["index", "public", "diagnostic", "version"]) {
    const text = readFileSync(`${emitted}/src/${name}.d.ts`, "utf8");
    writeFileSync(`${types}/${name}.d.ts`, text.replaceAll(/(from "\.[^"]+)\.ts"/g, '$1.js"'));
    writeFileSync(`${types}/${name}.d.cts`, text.replaceAll(/(from "\.[^"]+)\.ts"/g, '$1.cjs"'));
  }
  rmSync(emitted, { recursive: true });
}

/** The licence texts of all packages whose code is in a bundle. */
function writeLicences(files: readonly Metafile[]): void {
  const packages = new Set(
    files.flatMap(({ inputs }) =>
      Object.keys(inputs).flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []),
    ),
  );
  const texts = [...packages].toSorted().map((name) => {
    const folder = `node_modules/${name}`;
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
    if (file === undefined) throw new Error(`${name}: no licence file`);
    return `${name}\n\n${readFileSync(`${folder}/${file}`, "utf8").trim()}\n`;
  });
  writeFileSync(`${dist}/THIRD-PARTY-LICENCES.txt`, texts.join(`\n${"-".repeat(80)}\n\n`));
}

if (existsSync(dist)) rmSync(dist, { recursive: true });
mkdirSync(dist);
const program = await bundle("src/cli/main.ts", `${dist}/valuefold.cjs`, "#!/usr/bin/env node");
chmodSync(`${dist}/valuefold.cjs`, 0o755);
const library = await bundle("src/index.ts", `${dist}/index.cjs`);
writeModule(["fold", "foldSync", "plan", "verify", "version"]);
writeTypes();
writeLicences([program, library]);
