// What a Go reader makes of keys and of whole documents, by the consumer's own parser (sigs.k8s.io/yaml).
import { afterAll, expect, test } from "vitest";
import { readValues } from "../../src/layers/values.ts";
import { Oracle } from "./oracle.ts";

interface Answer {
  readonly configMap: { readonly [key: string]: unknown } | null;
  readonly error?: string;
}

const oracle = new Oracle<object, Answer>(new URL(".tools/app-oracle", import.meta.url).pathname);
afterAll(() => oracle.close());

function ask(text: string): Promise<Answer> {
  const metadata = { name: "values", namespace: "org" };
  const app = { metadata: { name: "a", namespace: "org" }, spec: { config: { configMap: metadata } } };
  return oracle.ask({ app, catalog: {}, configMaps: [{ metadata, data: { values: text } }], secrets: [] });
}

/** Keys as we see them; undefined if we refuse the document. */
function ownKeys(text: string): string[] | undefined {
  const { root, faults } = readValues(Buffer.from(text, "utf8"));
  if (faults.length > 0) return undefined;
  return root === undefined ? [] : [...root.entries().keys()].toSorted();
}

const keys = [
  "a", "on", "On", "oN", "off", "y", "Y", "n", "yes", "YES", "no", "true", "True", "TRUE", "tRUE", "false", "null", "~", "Null", "NULL", "nULL",
  "0", "1", "-1", "+1", "007", "010", "-010", "08", "0o10", "0O10", "0x1F", "0X1f", "-0x1F", "0b11", "-0b11", "1_000", "1__0", "_1", "1_",
  "1.0", "1.50", ".5", "-.5", "+.5", "1.", ".", "1e3", "1E3", "1e+3", "1e-3", "1.5e10", "1e400", "1E400", "0.1", "16777217", "16777217.0", "3.4e39",
  "9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616", "123456789012345678901234567890",
  ".inf", ".Inf", "-.inf", "+.inf", ".nan", ".NaN", "1:20", "190:20:30", "2001-12-14", "2001-12-14T21:59:43Z", "=", "<", "a b", "a.b", "ü", "é",
  '"on"', "'on'", '"1"', "'~'", '""', "''", '"a\\tb"', '"\\u00e9"', '"\\x41"', "'it''s'", "!!str on", "!!str 1", "! on", "!x on", '!!bool "yes"', "!!bool x", "!!int 010", "!!int '5'", "!!int x", "!!int 1.0", "!!float 5", "!!float 99999999", "!!float 18446744073709551615", "!!null ~", "!!null x",
  "!!timestamp 2001-12-14", "!!timestamp 2001-2-30", "!!timestamp 2001-12-14T21:59:43Z", "!!timestamp x", "!!binary aGk=", "!!binary a", "!<tag:yaml.org,2002:str> 010", "!!in%74 5", "!!str &x a", "&x !!str on",
  ".3_", ".3_0", ".3__0", "._3", ".e3", ".5e400", "+.3_", "1_.5", "1e5_0", "0x_1F", "0_8", "99999999999999999999", "0x1FFFFFFFFFFFFFFFFF", "-9223372036854775809", "? |\n  a\n    b\n", "? >2-\n    a\n  b\n", "? a\n", "? on\n", "&x a", "1e", "e1", "0x", "0xg", "--1", "+", "-",
]; // prettier-ignore

test.for(keys)("key %j", async (key) => {
  const text = key.startsWith("?") ? `${key}: 1\n` : `${key}: 1\n`;
  const { configMap, error } = await ask(text);
  const own = ownKeys(text);
  if (error === undefined) expect(own).toEqual(Object.keys(configMap ?? {}).toSorted());
  else expect(own).toBeUndefined();
});

/** Documents that both must read alike, or both refuse. */
const documents = [
  "a: 1\n---\nb: 2\n", "--- {a: 1}\n", "%YAML 1.1\n---\na: 1\n", "a: 1\n...\nb: 2\n", "\ufeffa: 1\n", "a: 1\r\nb: 2\r\n", "a: 1\rb: 2\r",
  "a:\n\tb: 1\n", "a:\tb\n", "a: b\t# c\n", "a: \"x\ty\"\n", "a: |\n\tx\n", "a: |\n  x\n\t\n", "{a: [1,\n\t2]}\n", "a: x\u0007\n", "a: \u007f\n", "a: x\u0085y\n", "a: \"x\u2028y\"\n",
  "- 1\n", "text\n", "null\n", "~\n", "", "# c\n", "{}\n", "[]\n", "5\n",
  "a: 1\na: 2\n", "a: &x {b: 1}\nc: *x\n", "a: &x {b: 1}\nc: {<<: *x, d: 2}\n", "c: {d: 2, <<: {d: 3, e: 4}}\n", "a: *x\n", "a: &a {b: *a}\n", "a: {<<: 1}\n", "a: {<<: [{b: 1}, {b: 2}]}\n",
  "a: [1\n", "a: {b: 1\n", "a: \"x\n", "a: b: c\n", "a: @x\n", "a: `x\n", "a: %x\n", "? [a]\n: 1\n", "{a: 1, b}\n", "{a, b: }\n", "[a: 1]\n", "a: {\"b\":1}\n", "a: {b:1}\n",
  "a: |2\n    x\n   y\n", "a: >-\n  x\n  y\n", "a: |+\n  x\n\n", "a:\n- 1\n- 2\n", "a:\n  - b: 1\n    c: 2\n", "a: 'x\n  y'\n", "a: x\n  y\n", "a: x\ny: 1\n", "a: !!binary aGk=\n", "a: !x y\n",
  "a: !!int foo\n", "a: !!int\n", "a: !!binary a\n", "a: !!null x\n", "a: !!timestamp 2024-02-30\n", "a: !!str {b: 1}\n", "a: !!set {b}\n", "a: [b?]\n", "a: {b?: 1}\n", "a: {b: [:c]}\n", "a: [http://x:80/y]\n",
  "a: &b.c 1\n", "a: &b-c_1 1\n", "a: \"b\\/c\"\n", "a: 'b''", "a: \"\\\"", "a: |   ---\n  b\n", "a: {\"b\":, c: 1}\n", "a: {\"b\":[c]}\n", "a: {b:[c]}\n", "a: {b: 1\n# c\n  }\n",
  "a: &b x\n*b: 1\n", "a: &b x\nc: {*b: 1}\n", "a: &b x\nc: {*b : 1}\n", "a: &b x\nc: [*b: 1]\n", "a: &b x\n*b:c: 1\n", "a: &b x\nc: *b:\n", "a: &b [x]\n*b: 1\n",
  "&a: 1\n", "a: &b: c\n", "a: &b:\n  c: 1\n", "a: &b x\n*b:\n  c: 1\n  d: |\n    e\n", "a: &b x\n*b:\n- c\n", "a: &b x\n*b: y\n  z\n", "- &b x\n- *b: 1\n  c: 2\n", "a:\n- &b x\n- *b: 1\n  c: 2\n",
  "%FOO\n---\na: 1\n", "%YAML 1.1\n%YAML 1.1\n---\na: 1\n", "%YAML 1.2\n---\na: 1\n", "k: &a !!str 010\n*a : 1\n", "! <<: {a: 1}\n", "!!merge \"<<\": {a: 1}\n", "!!str <<: {a: 1}\n",
]; // prettier-ignore

test.for(documents)("document %j", async (text) => {
  const { configMap, error } = await ask(text);
  const own = ownKeys(text);
  if (error !== undefined) expect(own).toBeUndefined();
  else expect(own).toEqual(Object.keys(configMap ?? {}).toSorted());
});

test("stricter than Go on purpose: a quoted text that goes on at the column of its key", async () => {
  const text = 'a: "x\ny"\n';
  expect((await ask(text)).error).toBeUndefined();
  expect(ownKeys(text)).toBeUndefined();
});
