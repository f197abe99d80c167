// Real sets of copied files, where VALUEFOLD_COPIED_VALUES names a folder with a folder for each set. In every mode each file
// comes back, also by another reader and merge; layers of a set share nothing more; and comments are kept. Prints the lines.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { factor, type FactorOptions, type FactoredFile } from "../../src/factor/factor.ts";
import { lostComments } from "../../src/factor/findings.ts";
import { linesOf } from "../../src/factor/outputs.ts";
import { commentsIn } from "../../src/factor/remarks.ts";
import { lossOf, modes, plain, plainOf, sourcesOf } from "../support/factored.ts";

const folder = process.env["VALUEFOLD_COPIED_VALUES"] ?? "";
const sets = existsSync(folder) ? readdirSync(folder) : [];

const all: { readonly [mode: string]: FactorOptions } = {
  ...modes,
  "all files": { ...plain, shared: "all" },
  "keyed, any order": { ...plain, findListKeys: true, reorder: true },
};

function readSet(set: string): readonly FactoredFile[] {
  const names = readdirSync(join(folder, set)).filter((name) => /\.ya?ml$/.test(name));
  return sourcesOf(names.map((name) => readFileSync(join(folder, set, name), "utf8")));
}

test.runIf(sets.length > 0)("sets of public repositories", () => {
  const sums = new Map<string, number>();
  let [files, comments, lost] = [0, 0, 0];
  for (const set of sets) {
    const sources = readSet(set);
    files += sources.length;
    const own = sources.flatMap(({ bytes }) => [...commentsIn(bytes.toString()).keys()]);
    comments += new Set(own).size;
    for (const [mode, options] of Object.entries(all)) {
      const made = factor({ ...options, sources, below: [] });
      expect([set, mode, made.unproven]).toEqual([set, mode, []]);
      for (const [index, { bytes }] of sources.entries())
        expect([
          set,
          mode,
          lossOf(made, index, plainOf(Buffer.from(bytes).toString()), options.reorder),
        ]).toEqual([set, mode, undefined]);
      sums.set(mode, (sums.get(mode) ?? 0) + linesOf(made));
      if (mode === "plain") {
        lost += lostComments(sources, made).length;
        const layers = made.own.map(({ text }) => Buffer.from(text).toString());
        const again = factor({ ...options, sources: sourcesOf(layers), below: [] });
        const isSet = made.own.every(({ part }) => part !== undefined);
        expect([set, isSet ? again.base.part : undefined]).toEqual([set, undefined]);
      }
    }
  }
  console.log(
    `${sets.length} sets, ${files} files, comments ${comments}, lost ${lost}`,
    Object.fromEntries(sums),
  );
  expect(lost).toBeLessThanOrEqual(comments / 100);
});
