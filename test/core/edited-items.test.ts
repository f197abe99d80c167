// Edits that leave text which cannot be read are a bug of this program. It is thrown before anything is written.
import { expect, test } from "vitest";
import { assertReadable } from "../../src/krm/edited-items.ts";
import { decodeResourceList, decodeStream, type Envelope, type TextEdit } from "../../src/krm/index.ts";
import { Scratch, spliced } from "../../src/krm/splice.ts";

const long = `metadata:\n  name: long\n  annotations:\n    text: ${"x".repeat(5000)}\n`;
const stream = `apiVersion: v1
kind: ConfigMap
${long}data:
  values: |
    a: 1
  other: text
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: short
data: {values: "é"}
`;
const list = `apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
${stream
  .split("---\n")
  .map((item) => `- ${item.trimEnd().replaceAll("\n", "\n  ")}\n`)
  .join("")}`;

function envelopeOf(text: string): Envelope {
  const bytes = Buffer.from(text);
  const envelope = text.startsWith("apiVersion: config") ? decodeResourceList(bytes) : decodeStream(bytes);
  if (!("items" in envelope)) throw new Error("not a list");
  return envelope;
}

/** Replaces the only place of some text. */
function edit(text: string, from: string, to: string): TextEdit {
  const start = Buffer.byteLength(text.slice(0, text.indexOf(from)));
  return { start, end: start + Buffer.byteLength(from), text: to };
}

const broken: readonly (readonly [from: string, to: string])[] = [
  ["other: text", "other: 'text"],
  ["other: text", "other: {text"],
  ["other: text", "other: a: b"],
  ["other: text", "other: |\n text"],
  ["other: text", "\tother: text"],
  ["other: text", "other"],
  ["name: short", "name: short\nkind: Secret"],
  ["name: short", "name: [short"],
  ['"é"}', '"é"'],
];

for (const [form, text] of Object.entries({ stream, list })) {
  test.each(broken)(`${form}: %j → %j is refused, behind other edits, too`, (from, to) => {
    const column = form === "list" ? "  " : "";
    const bad = edit(text, from, to.replace("\nkind", `\n${column}kind`));
    const good = [edit(text, "a: 1", "a: 2"), edit(text, "{values", "{value")];
    expect(() => assertReadable(envelopeOf(text), [bad])).toThrow(
      /^the edits of `ConfigMap\/\w+` leave YAML/,
    );
    expect(() => assertReadable(envelopeOf(text), [bad, ...good])).toThrow(/leave YAML that cannot be read/);
    expect(() => assertReadable(envelopeOf(text), good)).not.toThrow();
  });

  test(`${form}: an item that goes, or is another, and text between two are not read`, () => {
    const { items } = envelopeOf(text);
    for (const { start, end } of items) {
      expect(() => assertReadable(envelopeOf(text), [{ start, end, text: "" }])).not.toThrow();
      expect(() => assertReadable(envelopeOf(text), [{ start, end: start, text: "- '" }])).not.toThrow();
    }
  });
}

test("what cannot be read before its edits is not this program's", () => {
  const text = stream.replace("other: text", "other: 'text");
  expect(() => assertReadable(envelopeOf(text), [edit(text, "a: 1", "a: 2")])).not.toThrow();
});

test("a text is the same in parts and in one piece, whatever was read before it", () => {
  const bytes = Buffer.from(stream);
  const scratch = new Scratch();
  const longer = edit(stream, "other: text", "é".repeat(20_000));
  for (const edits of [
    [longer],
    [],
    [edit(stream, "a: 1", "")],
    [{ start: 9, end: 9, text: Buffer.from("ü") }],
  ])
    for (const start of [0, 9]) {
      const once = scratch.spliced(bytes, edits, { start, end: bytes.length }).toString();
      expect(once).toBe(Buffer.concat(spliced(bytes, edits)).toString().slice(start));
    }
});
