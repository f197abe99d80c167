// Each file of cases/ is a set of files and what is made of it: a line on what it shows, the options after `$`, files after
// `<<<`, and the outputs after `>>>`. With `-u` the outputs are written anew. Every case is proven by another reader and merge, too.
import { readdirSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { expect, test } from "vitest";
import { factor } from "../../src/factor/factor.ts";
import { listKeyIn } from "../../src/factor/given-keys.ts";
import { outputsOf } from "../../src/factor/outputs.ts";
import { lossOf, plain, plainOf, sourcesOf } from "../support/factored.ts";

const folder = new URL("cases/", import.meta.url);

test.for(readdirSync(folder))("%s", async (name) => {
  const text = readFileSync(new URL(name, folder), "utf8");
  const [head = ""] = text.split(/^>>> /m);
  const [title = "", ...parts] = head.split(/^<<< /m);
  const words = (/^\$ (.*)$/m.exec(title)?.[1] ?? "").split(" ").filter((word) => word !== "");
  const { values } = parseArgs({
    args: words,
    options: {
      middle: { type: "boolean" },
      reorder: { type: "boolean" },
      shared: { type: "string" },
      "list-key": { type: "string", multiple: true },
      below: { type: "boolean" },
      spelled: { type: "boolean" },
    },
  });
  const texts = parts.map((part) => part.slice(part.indexOf("\n") + 1));
  const sources = sourcesOf(texts, values.spelled);
  expect(sources).toHaveLength(texts.length);
  const [first, ...others] = sources;
  const keys = values["list-key"] ?? [];
  const made = factor({
    ...plain,
    sources: values.below === true ? others : sources,
    below: values.below === true && first !== undefined ? [first.root] : [],
    middle: values.middle ?? false,
    reorder: values.reorder ?? false,
    shared: values.shared === "all" ? "all" : "most",
    isSpelled: values.spelled ?? false,
    findListKeys: keys.includes("auto"),
    listKeys: keys.flatMap((key) => listKeyIn(key) ?? []),
  });
  expect(made.unproven).toEqual([]);
  if (values.below !== true)
    for (const [index, file] of texts.entries())
      expect(lossOf(made, index, plainOf(file), values.reorder)).toBeUndefined();
  const outputs = outputsOf(
    made,
    (values.below === true ? others : sources).map((source) => source.name),
  );
  const shown = outputs.map(({ path, text: output }) => `>>> ${path}\n${Buffer.from(output).toString()}`);
  await expect(`${head}${shown.join("")}`).toMatchFileSnapshot(new URL(name, folder).pathname);
});
