// Keys carry a mark that tells most of them apart without a look at their bytes. Equal keys must share it, however they
// are spelled; where different ones share it, their bytes decide.
import fc from "fast-check";
import { expect, test } from "vitest";
import { haveSameKey, markOfText, markShift, markWordKeys } from "../../src/yaml/key.ts";
import { isFault, readDocument } from "../../src/yaml/read.ts";
import { Field, fieldCount } from "../../src/yaml/tape.ts";
import { Node } from "../../src/yaml/node.ts";

function mappingOf(keys: readonly string[], quotes: readonly string[]): Node {
  const text = keys.map((key, at) => `${quotes[at]}${key}${quotes[at]}: ${at}\n`).join("");
  const doc = readDocument(Buffer.from(text));
  if (isFault(doc)) throw new Error(doc.message);
  markWordKeys(doc);
  return new Node(doc);
}

/** 0 where a document holds other keys than words. */
function markOfKey({ doc, row }: Node): number {
  const flags = doc.rows[row * fieldCount + Field.flags] as number;
  return doc.hasWordKeys === true ? flags >> markShift : 0;
}

const word = fc
  .stringMatching(/^[a-zA-Z][-a-zA-Z0-9_./]{0,40}$/)
  .filter((key) => !/^(?:y|yes|n|no|on|off|true|false|null)$/i.test(key));
const quote = fc.constantFrom("", "'", '"');

test("equal keys have one mark, and are found by it", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(word, quote, quote), { minLength: 1, maxLength: 20 }), (entries) => {
      const keys = entries.map(([key]) => key);
      const one = mappingOf(
        keys,
        entries.map(([, first]) => first),
      );
      const other = mappingOf(
        keys,
        entries.map(([, , second]) => second),
      );
      for (const [at, entry] of one.children().entries()) {
        const same = other.children()[at] as Node;
        expect(markOfKey(entry)).not.toBe(0);
        expect(markOfKey(entry)).toBe(markOfKey(same));
        expect(markOfKey(entry)).toBe(markOfText(keys[at] as string));
        expect(haveSameKey(entry, same)).toBe(true);
        const found = one.entry(keys[at] as string);
        expect(found && found.key).toBe(keys[at]);
      }
    }),
  );
});

test("keys that share a mark are told apart by their bytes", () => {
  const mapping = mappingOf(["Aa", "BB"], ["", '"']);
  const [one, other] = mapping.children() as [Node, Node];
  expect(markOfKey(one)).toBe(markOfKey(other));
  expect(haveSameKey(one, other)).toBe(false);
  expect(mapping.entry("BB")?.row).toBe(other.row);
  expect(mapping.entry("C#")).toBeUndefined();
});

test.each(["on: 1\n", "$patch: 1\n", '"$patch": 1\n', "1: 1\n", '"a\\u0062": 1\n', "~: 1\n", "'it''s': 1\n"])(
  "%j holds a key that is no word, so no key of it is marked",
  (text) => {
    const doc = readDocument(Buffer.from(`word: 1\n${text}`));
    if (isFault(doc)) throw new Error(doc.message);
    markWordKeys(doc);
    expect(new Node(doc).children().map(markOfKey)).toEqual([0, 0]);
  },
);

test("of a key that is there twice the last one counts", () => {
  const mapping = mappingOf(["a", "b", "a"], ["", "", '"']);
  expect(mapping.entry("a")?.row).toBe(mapping.children()[2]?.row);
});
