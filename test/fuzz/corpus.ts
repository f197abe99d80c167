// Texts of this repository that the program reads: inputs of cases, lints, Repeats and examples, and what folds make of them.
import { readdirSync, readFileSync } from "node:fs";
import { foldText } from "../support/fold.ts";

const root = new URL("../../", import.meta.url);
const longest = 6000;

function textsBelow(folder: string): string[] {
  return readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.ya?ml$|\.json$/.test(name) && !/output|config\.yaml$|schema/.test(name))
    .map((name) => readFileSync(new URL(folder + name, root), "utf8"))
    .filter((text) => text.length < longest);
}

/** Streams and lists, some of them folded: what holds records. */
export function inputs(): string[] {
  const raw = ["test/core/cases/", "test/explain/lints/", "test/explain/explanations/", "examples/"].flatMap(
    textsBelow,
  );
  const folded = raw.flatMap((text) => {
    const { exitCode, output } = foldText(text);
    return exitCode === 0 && output.length < longest && output !== text ? [output] : [];
  });
  return [...raw, ...folded];
}
