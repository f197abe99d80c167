// What the code knows of a kind of target is in `src/kinds.ts` and `src/core/front/`: no other file names a kind, or a
// field that only one kind has. A new kind is an entry in kinds.ts, a folder in front/ and a line in front/all.ts.
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { kindNames, referenceFields } from "../../src/kinds.ts";
import { isLayerKind } from "../../src/layers/held.ts";

const source = new URL("../../src/", import.meta.url);
const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
  (file) => file.endsWith(".ts") && file !== "kinds.ts" && !file.startsWith("core/front/"),
);

/** Texts for readers, and samples: nothing in these files depends on the kind. */
const exceptions = new Map([
  ["settings-input.ts", "made by `npm run schema`"],
  ["cli/flags.ts", "the help of a command"],
  ["cli/help.ts", "the help page"],
  ["cli/printed.ts", "a layer to start from, and the comment of a printed file"],
  ["cli/starter-files.ts", "an example"],
  ["cli/values.ts", "a hint"],
  ["cli/start/everyday.ts", "a sample for the compiler's cache"],
  ["settings/by-target.ts", "examples"],
  ["settings/settings.ts", "descriptions and examples"],
  ["repeat/schema.ts", "a description"],
  ["render/settings.ts", "a description"],
  ["core/stack/layer-faults.ts", "a hint"],
  ["core/stack/run-ends.ts", "a hint for the slot that the catalog `default` reserves"],
  ["core/stack/ties.ts", "a hint"],
  ["explain/missing-values.ts", "a message about that slot"],
  ["fault-codes.ts", "texts for readers"],
  ["explain/page/client/looks.ts", "only entries of this list have a priority of their own"],
  ["sources/helm/fleet.ts", "the field of that name of Rancher Fleet"],
  ["explain/layer-document.ts", "only entries of this list have a priority of their own"],
]);

/** `config` is a word of its own, and every ConfigMap and Secret can be a layer. */
const words = [...kindNames.filter((kind) => !isLayerKind(kind)), ...referenceFields].filter(
  (word) => word !== "config",
);
const named = new RegExp(String.raw`\b(?:${words.join("|")})s?\b`);

function codeOf(file: string): string {
  return readFileSync(new URL(file, source), "utf8").replaceAll(/^\s*(?:\/\/|\/?\*).*$|\s\/\/ .*$/gm, "");
}

test("only kinds.ts and front ends name kinds of targets, and their fields", () => {
  const found = files.filter((file) => named.test(codeOf(file)));
  expect(found.toSorted()).toEqual([...exceptions.keys()].toSorted());
});
