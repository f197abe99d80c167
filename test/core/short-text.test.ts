// Short texts are remembered by their length and ends: whatever was asked for before, a range is what its own bytes say.
import fc from "fast-check";
import { expect, test } from "vitest";
import { textOfRange } from "../../src/krm/peek-text.ts";

const textOf = (bytes: Buffer): string => textOfRange(bytes, 0, bytes.length);

test("bytes that are the characters of a text remembered in their place are not that text", () => {
  const bytes = Buffer.from("\u{680}€éé", "utf8");
  const alike = bytes.toString("latin1");
  expect(textOf(Buffer.from(alike, "utf8"))).toBe(alike);
  expect(textOf(bytes)).toBe("\u{680}€éé");
});

test("a range is what its bytes say", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "é", "€", "1", "-"), maxLength: 5 });
  fc.assert(
    fc.property(fc.array(word, { minLength: 2, maxLength: 20 }), (words) => {
      for (const each of words) expect(textOf(Buffer.from(each, "utf8"))).toBe(each);
    }),
  );
});

test("so is a long one", () => {
  const long = "é".repeat(200);
  expect(textOf(Buffer.from(long, "utf8"))).toBe(long);
});
