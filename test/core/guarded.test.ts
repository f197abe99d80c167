// Content of guarded texts and values comes out by the named operations of `layers/guarded.ts` only, for the item that is
// to hold it. Who uses which operation is read from the source.
import { readdirSync, readFileSync } from "node:fs";
import { inspect } from "node:util";
import { expect, test } from "vitest";
import { bytesFor, guard, Guarded, bytesToPrint, requestToOpen, withText } from "../../src/layers/guarded.ts";
import { decodeStream } from "../../src/krm/decode.ts";

const secret = guard(Buffer.from("c4n4ry: x\n"), true);
const plain = guard(Buffer.from("a: 1\n"), false);

function itemOf(kind: "ConfigMap" | "Secret") {
  const envelope = decodeStream(Buffer.from(`apiVersion: v1\nkind: ${kind}\nmetadata: {name: a}\n`));
  const [item] = "items" in envelope ? envelope.items : [];
  if (item === undefined) throw new Error("no item");
  return item;
}

const [configMap, secretItem] = [itemOf("ConfigMap"), itemOf("Secret")];
const leaves = "a secret was about to leave Secrets";

test("a text comes out for an item that may hold it", () => {
  expect(bytesFor(secret, secretItem)).toEqual(Buffer.from("c4n4ry: x\n"));
  expect(bytesFor(plain, configMap)).toEqual(Buffer.from("a: 1\n"));
  expect(() => bytesFor(secret, configMap)).toThrow(leaves);
});

test("a new item gets a text that it may hold", () => {
  const item = {
    name: "a",
    namespace: undefined,
    labels: new Map(),
    annotations: new Map(),
    dataKey: "values",
    unencoded: false,
  };
  expect(withText({ ...item, kind: "Secret" }, secret).text).toEqual(Buffer.from("c4n4ry: x\n"));
  expect(() => withText({ ...item, kind: "ConfigMap" }, secret)).toThrow(leaves);
});

test("a value goes into the data of a Secret, and nowhere else", () => {
  const value = Guarded.of(secret);
  const places = [secretItem, configMap].flatMap((item) =>
    ["data", "stringData", "binaryData", "metadata", "type", ""].map((field) => [item, field] as const),
  );
  for (const [item, field] of places) {
    const may = item === secretItem && (field === "data" || field === "stringData");
    expect([item.kind, field, value.mayGoTo(item, field)]).toEqual([item.kind, field, may]);
    if (!may) expect(() => value.writeTo(item, field)).toThrow(leaves);
  }
  expect(value.writeTo(secretItem, "data")).toEqual(Buffer.from("c4n4ry: x\n"));
});

test("what is made of a secret is one", () => {
  const value = Guarded.of(secret);
  const [named] = value.named(() => [{ name: "a", value: 1 }]);
  expect(() => named?.value.writeTo(configMap, "data")).toThrow(leaves);
  expect(named?.value.writeTo(secretItem, "data")).toBe(1);
});

test("a guarded value shows no content when it is printed", () => {
  const shown = [JSON.stringify(Guarded.of(secret)), JSON.stringify(secret), inspect(secret)].join();
  expect(shown).not.toContain("c4n4ry");
});

test("secrets are printed if the user asks for them", () => {
  expect([bytesToPrint(secret, false), bytesToPrint(plain, false)]).toEqual([
    undefined,
    Buffer.from("a: 1\n"),
  ]);
  expect(bytesToPrint(secret, true)).toEqual(Buffer.from("c4n4ry: x\n"));
});

test("SOPS opens what it sealed only", () => {
  expect(() => requestToOpen(secret)).toThrow("not sealed");
});

test("a sink that is made up does not compile", () => {
  // @ts-expect-error an item has more than a kind
  expect(bytesFor(secret, { kind: "Secret" })).toBeDefined();
  // @ts-expect-error the same for values
  expect(Guarded.of(secret).writeTo({ kind: "Secret" }, "data")).toBeDefined();
});

/** The operations that give content, and the folders or files that use them. */
const users: { readonly [operation: string]: readonly string[] } = {
  bytesFor: ["layers/"],
  withText: ["core/emit/", "render/"],
  bytesToMerge: ["layers/", "core/stack/"],
  bytesToPrint: ["sources/source-places.ts", "explain/final-values.ts", "explain/target-path.ts"],
  requestToOpen: ["core/sops/"],
  requestToSeal: ["core/sops/", "render/"],
  writeTo: ["repeat/"],
};

const source = new URL("../../src/", import.meta.url);
const files = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.endsWith("index.ts") && file !== "layers/guarded.ts")
  .map((file) => ({ file, text: readFileSync(new URL(file, source), "utf8") }));

test.for(Object.entries(users))("%s is used where it is meant to be", ([operation, allowed]) => {
  const using = files
    .filter(({ text }) => new RegExp(`\\b${operation}\\(`).test(text))
    .map(({ file }) => file);
  expect(using).not.toEqual([]);
  expect(using.filter((file) => !allowed.some((each) => file.startsWith(each)))).toEqual([]);
});

test("no item is made up to be asked for a text", () => {
  const madeUp =
    /\b(?:bytesFor|writeTo|mayGoTo)\([^)]*\{|\bas (?:unknown as )?Sink\b|\{ kind: "(?:Secret|ConfigMap)" \}\)/;
  expect(files.filter(({ text }) => madeUp.test(text)).map(({ file }) => file)).toEqual([]);
});

test("a Repeat carries no flag for secrets by hand", () => {
  const repeats = files.filter(({ file }) => file.startsWith("repeat/"));
  expect(repeats).not.toEqual([]);
  expect(repeats.filter(({ text }) => /\bsecret\w*: boolean\b/i.test(text)).map(({ file }) => file)).toEqual(
    [],
  );
});

test("front ends know no operation", () => {
  const fronts = files.filter(({ file }) => file.startsWith("core/front/"));
  expect(fronts).not.toEqual([]);
  const operations = new RegExp(`\\b(?:Guarded|${Object.keys(users).join("|")})\\b`);
  expect(fronts.filter(({ text }) => operations.test(text)).map(({ file }) => file)).toEqual([]);
});
