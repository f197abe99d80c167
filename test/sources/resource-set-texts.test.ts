// Resources of a ResourceSet are written out as Go writes them, so that an action makes the same of them: by Go's own writer in
// the engine, over texts made to differ.
import fc from "fast-check";
import { expect, test } from "vitest";
import { renderTemplates } from "../../src/engine/index.ts";
import { linesOfValue } from "../../src/sources/flux/set-texts.ts";
import type { Placed } from "../../src/sources/placed.ts";
import { isFault, Node, readDocument } from "../../src/yaml/index.ts";

const inputs = JSON.stringify({ a: "x", n: 2, map: { b: 1, c: ["d"] }, text: "two\nlines", odd: "a: b" });

const piece = fc.constantFrom(
  "<< inputs.a >>",
  "<< inputs.n | int >>",
  "<< inputs.n | quote >>",
  "<< inputs.map | toYaml | nindent 6 >>",
  "<< inputs.map | toYaml | nindent 4 >>",
  "<< inputs.text >>",
  "<< inputs.odd >>",
  '<< if eq inputs.a "x" >>yes<< end >>',
  "left <<- inputs.a ->> right",
  "<< 'x' >>",
  "{{ .Values.a }}",
  "plain",
  "true",
  "1",
  "- ",
  "? ",
  ": ",
  ":",
  " #",
  "# ",
  "'",
  '"',
  "\\",
  "%",
  "@",
  "`",
  "[",
  "]",
  "{",
  "}",
  ",",
  "&a",
  "*a",
  "!",
  "|",
  ">",
  "---",
  "...",
  " ",
  "  ",
  "\n",
  "\n\n",
  "\t",
  "é",
  "~",
  "null",
  "",
);
const text = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(""));
// Go sorts keys, and what an action makes of a key should not reach the next one.
const key = fc
  .array(
    fc.constantFrom("a", "b", "on", "1", " ", ": ", "<< inputs.a >>", "<< inputs.n >>", "é", "'", "#", "- "),
  )
  .map((pieces) => pieces.join(""));
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    { weight: 5, arbitrary: text },
    { weight: 1, arbitrary: fc.constantFrom(1, 1.5, true, null, "", "yes") },
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(key, tie("value"), { maxKeys: 3 }),
  ),
}));
const resource = fc.dictionary(key, value, { minKeys: 1, maxKeys: 4 });

function placedOf(plain: unknown): Placed {
  const at = undefined;
  if (Array.isArray(plain)) return { value: plain.map(placedOf), at };
  if (typeof plain !== "object" || plain === null) return { value: plain as string, at };
  return { value: new Map(Object.entries(plain).map(([name, each]) => [name, placedOf(each)])), at };
}

async function rendered(texts: readonly string[]): Promise<readonly unknown[]> {
  const templates = texts.map((each) => ({ file: "", text: each, values: inputs }));
  const results = await renderTemplates({ includes: new Map(), task: "resourceset", templates });
  return results.map((result) => {
    if ("fault" in result) return "no template";
    const doc = readDocument(Buffer.from(result.text));
    return isFault(doc) ? "no YAML" : new Node(doc).plain(null);
  });
}

/** Go breaks long lines, which no documentation of flux-operator mentions. */
const longest = 76;

test("what is written out is filled as Go's text of it", { tags: "law" }, async () => {
  const runs = Number(process.env["VALUEFOLD_RUNS"] ?? 400);
  const all = fc
    .sample(resource, { numRuns: runs })
    .map((each) => ({ each, lines: linesOfValue(placedOf(each)).map((line) => line.text) }))
    .filter(({ lines }) => lines.every((line) => line.length < longest));
  const templates = all.map(({ each }) => ({
    file: "",
    text: "{{ toYaml .all }}",
    values: JSON.stringify({ all: each }),
  }));
  const written = await renderTemplates({ includes: new Map(), task: "applicationset", templates });
  const theirs = await rendered(written.map((each) => ("text" in each ? `${each.text}\n` : "")));
  const ours = await rendered(all.map(({ lines }) => `${lines.join("\n")}\n`));
  for (const [index, { each }] of all.entries()) expect([each, ours[index]]).toEqual([each, theirs[index]]);
  expect(theirs.filter((each) => typeof each === "object").length).toBeGreaterThan(runs / 10);
});
