// Live pages: the built program makes them of the examples in the repository.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { root } from "./pages.ts";

const quickstart = "base/app base/credentials base/values stages/prod regions/east".split(" ");

export const examples = [
  {
    text: "explain: two targets",
    file: "explain.html",
    folder: "examples",
    words: [
      ..."explain --config lists/fold.yaml lists/base.yaml lists/prod.yaml".split(" "),
      ...quickstart.map((name) => `quickstart/${name}.yaml`),
    ],
  },
  {
    text: "compare: three builds",
    file: "compare.html",
    folder: "examples/values-files",
    words: [
      "compare",
      "base.yaml,stages/prod.yaml,clusters/eu-1.yaml",
      "base.yaml,stages/prod.yaml,clusters/eu-2.yaml",
      "base.yaml,stages/dev.yaml,clusters/test.yaml",
    ],
  },
];

/** Writes them to a folder; places in the page of explain lead to lines in the repository. */
export function writeExamples(folder: string, repository: string): void {
  const program = `${root}dist/valuefold.cjs`;
  if (!existsSync(program)) throw new Error("no dist/valuefold.cjs: run `npm run build` first");
  mkdirSync(folder, { recursive: true });
  for (const { file, folder: from, words } of examples) {
    const links =
      words[0] === "explain" ? ["--source-url", `${repository}/blob/main/${from}/{file}#L{line}`] : [];
    const args = [program, ...words, ...links, "-o", "html", "--output-file", `${folder}/${file}`];
    execFileSync(process.execPath, args, { cwd: root + from, stdio: ["ignore", "ignore", "inherit"] });
  }
}
