// What people type, and what is said of it: the mistake, where it is. A reader stops later, or knows only that a key is odd.
import { expect, test } from "vitest";
import { isFault, lineIndex, readDocument } from "../../src/yaml/index.ts";

/** `line:column message`, as it is read. */
function said(text: string): string {
  const bytes = Buffer.from(text);
  const found = readDocument(bytes);
  if (!isFault(found)) return "read";
  const { line, column } = lineIndex(bytes)(found.offset ?? 0);
  return `${line}:${column} ${found.message}`;
}

const orNotDeeper =
  "the quote that begins here is not closed, or a line of its text is not deeper than the key";

test.for([
  ["image:\n  tag: 1\nreplicaCount:5\nx: 1\n", "3:14 a space is missing after `:`"],
  ["a: 1\nurl:http://x.example\nb: 2\n", "2:5 a space is missing after `:`"],
  ["list:\n- a\n-b\nc: 1\n", "3:2 a space is missing after `-`"],
  ["a: 1\nb\nc: 2\n", "2:1 a `:` is missing on this line"],
  ["a: 1\n<<<<<<< HEAD\nb: 2\n=======\nb: 3\n>>>>>>> x\n", "2:1 a merge conflict is in the file"],
  ["a: 1\nb: 2\n=======\nb: 3\n>>>>>>> x\n", "5:1 a merge conflict is in the file"],
  ['a: 1\nb: "unclosed\nc: 3\nd: 4\n', "2:4 the quote that begins here is not closed"],
  ["a: 1\nb: 'it\nc: it''s\n", `2:4 ${orNotDeeper}`],
  ['a: 1\nb: "one\ntwo"\n', `2:4 ${orNotDeeper}`],
  ["a: [1, 2\nb: 3\n", "1:4 the bracket that begins here is not closed"],
  ["a: 1\nx: [\n", "2:4 the bracket that begins here is not closed"],
  ["a:\n- {x: 1\nb: 2\n", "2:3 the bracket that begins here is not closed"],
  ['a: ["]", 2\nb: 3\n', "1:4 the bracket that begins here is not closed"],
  ["a:\n  b: [\n  1\n]\nc: 1\n", "3:3 a line inside of brackets is not deeper than their key"],
  ["a:\n  b: 1\n c: 2\nd: 3\n", "3:1 the indentation of this line fits no line above it"],
  ["a:\n  b: 1\n    c: 2\n", "3:5 this line is deeper than the key above it, which has a value"],
  [
    "a:\n  - b: 1\n    c: 2\n      d: 3\n",
    "4:7 this line is deeper than the key above it, which has a value",
  ],
  ["a:\n  - b: x\n    c: [x, y[0], z]\n", "3:12 a string with a bracket in it has no quotes"],
  ["a: [--set, b c={d}, e]\nz: 1\n", "1:12 a string with a bracket in it has no quotes"],
  ["a:\n  - b: x\n    c: [a-z]+\n", "3:8 text follows the closing bracket of this value"],
  ["a: [x]]\nb: 1\n", "1:4 text follows the closing bracket of this value"],
  ["a: 1\n- b\n", "2:1 `-` begins an element of a list where a key is expected"],
  ["key: value: other\n", "1:6 a second `: ` is on this line"],
  ["a:\n\tb: 1\n", "2:1 a tab cannot indent"],
  ["a: {{ .Values.x }}\n", "1:5 `{{` begins a template"],
  // What looks like a mistake is one only where the text cannot be read.
  ["a: |\n  <<<<<<< x\n  b:1\n  -c\nd: 'a\n  b'\n", "read"],
] as const)("%s", ([text, expected]) => {
  expect(said(text)).toBe(expected);
});

test("no message has a part of the text", () => {
  const texts = [
    "s3cret:s3cret\nb: 1\n",
    'a: 1\ns3cret: "s3cret\nb: 2\n',
    "a: [s3cret\nb: 3\n",
    "s3cret: s3cret: x\n",
  ];
  for (const text of texts) {
    const fault = readDocument(Buffer.from(text));
    expect(isFault(fault) && JSON.stringify(fault)).not.toMatch(/s3cret|^false$/);
  }
});
