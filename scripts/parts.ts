// Which modules lie in files beside the program, read only when they are called, and how those files reach what the
// program has already. A part holds nothing that program and library both have: they hand it over. What only some parts use is in each of them.
import { readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { build, type Plugin } from "esbuild";
import { throughDoors, withoutDoors } from "./doors.ts";

/** Modules that become files of their own, and what others call of them. */
export const parts = {
  yaml: { module: "src/yaml/by-library.ts", names: ["readByLibrary", "decodeByLibrary"] },
  config: {
    module: "src/settings/function-config.ts",
    names: ["parseFunctionConfig", "readCheckoutSettings", "readFunctionConfig", "readSettings"],
  },
  repeat: { module: "src/repeat/repeat.ts", names: ["repeatAll"] },
  sops: { module: "src/core/sops/program.ts", names: ["sopsWith"] },
  schema: { module: "src/schema/check.ts", names: ["checkSchemas", "notesFor"] },
  patterns: { module: "src/schema/patterns.ts", names: ["compilePattern"] },
  verify: { module: "src/explain/verify.ts", names: ["verify", "verifying", "verifyingList"] },
  values: { module: "src/explain/final-values.ts", names: ["finalValues"] },
  templates: { module: "src/engine/go-templates.ts", names: ["renderTemplates"] },
  engine: { module: "src/engine/ask.ts", names: ["ask", "useEngine", "whyNotNative"] },
  questions: {
    module: "src/cli/questions.ts",
    names: [
      "doctor",
      "init",
      "runCompare",
      "runDiff",
      "runExplain",
      "runMerge",
      "runUpgrade",
      "runValues",
      "runVerify",
    ],
  },
  files: {
    module: "src/explain/values-files.ts",
    names: ["contentsOf", "explainingFiles", "mergingFiles", "verifyingFiles"],
  },
  factor: { module: "src/cli/factor.ts", names: ["runFactor"] },
  entries: { module: "src/entries.ts", names: ["entriesIn"] },
  page: { module: "src/explain/page/write.ts", names: ["pageOf", "comparisonPage"] },
  render: { module: "src/sources/run-render.ts", names: ["runRender", "renderFunction"] },
  "sarif-rule": { module: "src/cli/sarif-rule.ts", names: ["sarifRule"] },
  "settings-schema": { module: "src/cli/settings-schema.ts", names: ["settingsSchema"] },
  commands: { module: "src/cli/commands.ts", names: ["runCommand", "refusalAtTerminal", "waitingLine"] },
  // No everyday run calls these: each start would read them in vain.
  protect: { module: "src/core/stack/protect.ts", names: ["protectedFaults"] },
  "rule-apart": { module: "src/core/stack/rule-apart.ts", names: ["rulesApart"] },
  "layer-faults": {
    module: "src/core/stack/layer-faults.ts",
    names: [
      "diagnosticsOf",
      "valuesHint",
      "opensInPlace",
      "cannotSplit",
      "onlySealed",
      "notOpened",
      "sealMissing",
      "runTooLarge",
    ],
  },
  foreign: { module: "src/yaml/foreign.ts", names: ["foreignFaults"] },
  json: { module: "src/merge/json.ts", names: ["readJson", "writeJson"] },
  seal: {
    module: "src/core/sops/seal.ts",
    names: ["manifestOf", "sealedRun", "earlierSeal", "resealed", "holdsText", "sealFault"],
  },
  sealed: { module: "src/core/sops/documents.ts", names: ["sealedDocumentsOf", "readOpened"] },
} as const;

export type Part = keyof typeof parts;

/** By module, the names that parts take from the program. */
export type Shared = ReadonlyMap<string, ReadonlySet<string>>;

/** Around a part's code: it gets what the program shares with it, and is made once. */
export const wrapper = {
  banner: { js: "let made;module.exports=(shared)=>made??=((module)=>{" },
  footer: { js: "return module.exports})({exports:{}});" },
};

/**
 * In the program and in other parts, a part is functions that load its file when they are first called.
 *
 * @param folder where the parts are, seen from the file that is made
 */
export function lazily(folder: string, except?: Part): Plugin {
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
        const own = `require("${folder}/${part.name}.cjs")(shared)`;
        const lines = part.names.map(
          (name) => `export const ${name} = (...all) => ${own}.${name}(...all);\n`,
        );
        const given = except === undefined ? 'import { shared } from "shared:modules";\n' : "";
        return { contents: `${given}${lines.join("")}`, loader: "js" };
      });
    },
  };
}

/** In the program: what it hands to its parts, by module. */
export function sharing(modules: Shared): Plugin {
  const all = [...modules].map(([path, names], at) => {
    const own = [...names];
    const imported = own.map((name) => `${name} as ${name}$${at}`);
    const handed = own.map((name) => `${name}: ${name}$${at}`);
    return {
      line: `import { ${imported.join(", ")} } from ${JSON.stringify(resolve(path))};\n`,
      entry: `case ${JSON.stringify(path)}: return { ${handed.join(", ")} };\n`,
    };
  });
  const contents = `${all.map(({ line }) => line).join("")}export function shared(path) { switch (path) { ${all.map(({ entry }) => entry).join("")} } }\n`;
  return {
    name: "sharing",
    setup(bundler) {
      bundler.onResolve({ filter: /^shared:modules$/ }, () => ({ path: "modules", namespace: "shared" }));
      bundler.onLoad({ filter: /.*/, namespace: "shared" }, () => ({
        contents,
        loader: "js",
        resolveDir: resolve("."),
      }));
    },
  };
}

/** In a part: a module that the program has is what the program hands over. A name it does not hand over fails the build. */
export function handedOver(modules: Shared): Plugin {
  const byPath = new Map([...modules].map(([path, names]) => [resolve(path), { path, names }]));
  return {
    name: "handed over",
    setup(bundler) {
      bundler.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const found = byPath.get(path);
        if (found === undefined) return undefined;
        const lines = [...found.names].map((name) => `export const ${name} = handed.${name};\n`);
        return {
          contents: `const handed = shared(${JSON.stringify(found.path)});\n${lines.join("")}`,
          loader: "js",
        };
      });
    },
  };
}

/** What parts import of modules that all of the programs have. */
export async function sharedModules(programs: readonly string[], stands: readonly Plugin[]): Promise<Shared> {
  const own = await Promise.all(programs.map((entry) => modulesOf(entry, stands)));
  const isPart = new Set<string>(Object.values(parts).map(({ module }) => module));
  const isCommon = (path: string): boolean => !isPart.has(path) && own.every((modules) => modules.has(path));
  const names = Object.keys(parts) as Part[];
  const beside = await Promise.all(names.map((name) => modulesOf(parts[name].module, stands, name)));
  const others = new Set(beside.flatMap((modules) => [...modules]).filter((path) => !isCommon(path)));
  const taken = [...others].flatMap(importsOf).filter(({ from }) => isCommon(from));
  return new Map(
    taken.map(({ from }) => [
      from,
      new Set(taken.filter((each) => each.from === from).flatMap((each) => each.names)),
    ]),
  );
}

async function modulesOf(
  entry: string,
  stands: readonly Plugin[],
  part?: Part,
): Promise<ReadonlySet<string>> {
  const { metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    platform: "node",
    format: "cjs",
    metafile: true,
    write: false,
    external: ["./*.cjs", "./*.br", "shared:modules"],
    plugins: [...stands, lazily(".", part), throughDoors],
  });
  return new Set(Object.keys(metafile.inputs));
}

/** The values that one of our own modules imports by name; it imports in no other way. */
function importsOf(path: string): { readonly from: string; readonly names: readonly string[] }[] {
  if (!path.startsWith("src/") || !path.endsWith(".ts")) return [];
  const text = withoutDoors(resolve(path), readFileSync(path, "utf8"));
  return [...text.matchAll(/(?:^|; )(?:im|ex)port \{([^}]*)\} from "(\.[^"]+)"/gm)].map(
    ([, list = "", from = ""]) => {
      const names = list.split(",").map((each) => each.trim().replace(/ as .*/, ""));
      return {
        from: relative(".", resolve(dirname(path), from)),
        names: names.filter((name) => /^\w+$/.test(name)),
      };
    },
  );
}
