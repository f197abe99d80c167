// Our verdict against Helm's own: on whole values for schemas of real charts and for random ones, and on parts of values,
// where what we are sure of must be what Helm says once the chart's defaults lie below.
import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { parse } from "yaml";
import { judged, type Compiled, compiled, layerOf, nodeOfText } from "../support/judge.ts";
import { Random } from "../support/nasty-yaml.ts";
import { type Json, mappingBelow, schemaDocument } from "../support/random-schema.ts";
import { SchemaSet } from "../../src/schema/reader.ts";
import { Oracle } from "./oracle.ts";

interface Asked {
  readonly schema: string;
  readonly values: string;
  readonly defaults?: string;
}

interface Answer {
  readonly verdict: string;
  readonly error?: string;
}

const tools = new URL(".tools/", import.meta.url).pathname;
const oracle = new Oracle<Asked, Answer>(`${tools}schema-oracle`);
afterAll(() => oracle.close());

const runs = Number(process.env["VALUEFOLD_ORACLE_RUNS"] ?? 600);
const firstSeed = Number(process.env["VALUEFOLD_SEED"] ?? 0);

interface Chart {
  readonly name: string;
  readonly schema: string;
  readonly defaults: string;
  readonly values: Json;
  readonly own: Compiled;
}

const charts = readdirSync(`${tools}chart-schemas.d`).map((name): Chart => {
  const text = (file: string): string => readFileSync(`${tools}chart-schemas.d/${name}/${file}`, "utf8");
  const [schema, defaults] = [text("values.schema.json"), text("values.yaml")];
  const set = new SchemaSet();
  const root = set.add({ position: { text: name } }, nodeOfText(schema));
  return {
    name,
    schema,
    defaults,
    values: parse(defaults) as Json,
    own: { schema: root, faults: set.finish() },
  };
});

test("the charts are there, and Helm takes their defaults as we do", async () => {
  expect(charts.map(({ name }) => name)).toEqual(["cert-manager", "external-dns", "helm-example", "podinfo"]);
  for (const { name, schema, defaults, own } of charts) {
    expect([name, own.faults]).toEqual([name, []]);
    const { verdict, error } = await oracle.ask({ schema, values: defaults });
    expect([name, error, judged(own.schema, layerOf(defaults))]).toEqual([name, undefined, verdict]);
  }
});

const odd: readonly Json[] = [
  null,
  true,
  false,
  0,
  1,
  -3,
  2.5,
  "",
  "x",
  "80",
  [],
  ["x"],
  [1, 1],
  {},
  { x: 1 },
];

/** The same values with one of them changed, taken away or added. */
function changed(value: Json, random: Random): Json {
  const keys = typeof value === "object" && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  if (keys.length === 0 || random.below(6) === 0) {
    if (keys.length > 0 && random.below(3) === 0) return { ...(value as object), oddKey: pick(odd, random) };
    return pick(odd, random);
  }
  const key = pick(keys, random);
  const { [key]: old = null, ...rest } = value as { [key: string]: Json };
  return random.below(8) === 0 ? rest : { ...rest, [key]: changed(old, random) };
}

function pick<T>(among: readonly T[], random: Random): T {
  return among[random.below(among.length)] as T;
}

/** Some of the values only: what somebody would override. */
function part(value: Json, random: Random): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).filter(() => random.below(3) === 0);
  return Object.fromEntries(entries.map(([key, each]) => [key, part(each, random)]));
}

function isMapping(value: Json): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

test(`Helm judges whole values of real charts as we do (${runs} cases)`, async () => {
  const counts = { valid: 0, invalid: 0 };
  for (let seed = firstSeed; seed < firstSeed + runs; seed++) {
    const random = new Random(seed);
    const { name, schema, values, own } = charts[seed % charts.length] as Chart;
    let some = values;
    for (let times = random.below(3); times >= 0; times--) some = changed(some, random);
    const text = JSON.stringify(isMapping(some) ? some : values);
    const { verdict, error } = await oracle.ask({ schema, values: text });
    expect([seed, name, error, judged(own.schema, nodeOfText(text))]).toEqual([
      seed,
      name,
      undefined,
      verdict,
    ]);
    counts[verdict as keyof typeof counts]++;
  }
  console.log(JSON.stringify(counts));
  expect(Math.min(counts.valid, counts.invalid)).toBeGreaterThan(runs * 0.1);
});

test(`Helm judges whole values by random schemas as we do (${runs} cases)`, async () => {
  const counts = { valid: 0, invalid: 0 };
  const cases = fc.sample(fc.tuple(schemaDocument, mappingBelow(3)), { numRuns: runs, seed: firstSeed });
  for (const [document, values] of cases) {
    const [schema, text] = [JSON.stringify(document), JSON.stringify(values)];
    const { schema: root, faults } = compiled(document);
    const { verdict, error } = await oracle.ask({ schema, values: text });
    const ours = judged(root, nodeOfText(text));
    // What is not judged leaves values undecided, and nothing else does.
    const isLeft = ours === "undecided" && schema.includes('"unevaluated');
    expect([schema, text, error, faults, isLeft ? verdict : ours]).toEqual([
      schema,
      text,
      undefined,
      [],
      verdict,
    ]);
    if (!isLeft) counts[verdict as keyof typeof counts]++;
  }
  console.log(JSON.stringify(counts));
  expect(Math.min(counts.valid, counts.invalid)).toBeGreaterThan(runs * 0.1);
});

test(`what is sure of a part, Helm says with the chart's defaults below (${runs} cases)`, async () => {
  const counts = { valid: 0, undecided: 0, invalid: 0 };
  for (let seed = firstSeed; seed < firstSeed + runs; seed++) {
    const random = new Random(seed);
    const { name, schema, values, own, defaults } = charts[seed % charts.length] as Chart;
    const some = part(values, random);
    const over = random.below(3) === 0 ? some : changed(some, random);
    const text = JSON.stringify(isMapping(over) ? over : some);
    const ours = judged(own.schema, nodeOfText(text), true);
    counts[ours as keyof typeof counts]++;
    if (ours === "undecided") continue;
    const { verdict, error } = await oracle.ask({ schema, values: text, defaults });
    expect([seed, name, error, ours]).toEqual([seed, name, undefined, verdict]);
  }
  console.log(JSON.stringify(counts));
  expect(counts.invalid).toBeGreaterThan(runs * 0.1);
});

/** What is between backticks, one a line. */
const texts = `

a
1
::1
1.2.3.4
1.2.3.256
01.2.3.4
1.2.3
fe80::1%eth0
::ffff:1.2.3.4
1:2
a.b
a-.b
-a
a_b
A.B.
a..b
${"a".repeat(64)}.b
ä.de
a@b
a@b.c
a@
@b
a..b@c
.a@c
"a b"@c
a@[1.2.3.4]
a@[IPv6:::1]
a b@c
2024-02-29
2023-02-29
1900-02-29
0000-01-01
2024-1-1
12:00:00Z
12:00:00
23:59:60Z
22:59:60Z
24:00:00Z
12:00:00.5+01:00
12:00:00+1:00
2024-02-29T12:00:00Z
2024-02-29t12:00:00z
2024-02-29 12:00:00Z
P1D
P
PT
P1W
P1Y2M3DT4H5M6S
P1H
PT1D
/a/b
a/b
/a~0b
/a~b
http://a.b/c?d#e
a:b
//a/b
/a b
http://a.b/%zz
http://[::1]/
urn:x:y
00000000-0000-0000-0000-000000000000
0-0-0-0-0
%41`
  .slice(1)
  .split("\n");

const formats =
  "ipv4 ipv6 hostname email date time date-time uuid uri duration json-pointer no-such-format".split(" ");

test.for(formats)("Helm takes what we take for a text in the format %s", async (format) => {
  const document = { $schema: "http://json-schema.org/draft-07/schema#", properties: { a: { format } } };
  const { schema } = compiled(document);
  const others: string[] = [];
  for (const a of texts) {
    const { verdict } = await oracle.ask({ schema: JSON.stringify(document), values: JSON.stringify({ a }) });
    const ours = judged(schema, nodeOfText(JSON.stringify({ a })));
    if (ours !== verdict) others.push(`${ours} ${a}`);
  }
  expect(others).toEqual([]);
});

test.for([
  ["lookahead in a pattern", { pattern: "^(?!x)" }],
  ["a type that is none", { type: "strin" }],
  ["a bound that is no number", { minimum: "1" }],
  ["an unknown draft", { $schema: "https://example.com/schema" }],
  ["a required key as draft 3 has it", { properties: { a: { required: true } } }],
])("neither we nor Helm take %s for a schema", async ([, schema]) => {
  const { error } = await oracle.ask({ schema: JSON.stringify(schema), values: "{}" });
  expect(error).toMatch(/^schema: /);
  expect(compiled(schema).faults.map(({ code }) => code)).toEqual(["invalid-schema"]);
});

test("of scalars in odd spellings we say what Helm says", async () => {
  const types = ["null", "boolean", "integer", "number", "string"].map((type) => ({ type }));
  const bounds = [{ multipleOf: 0.1 }, { multipleOf: 2 }, { maximum: 9007199254740992 }, { minimum: 1 }];
  const scalars =
    "1:30 190:20:30.15 1e400 1e3 1E3 1. -0 +1 .5 5.e1 08 0b11 0o17 0x7f 1_000 1_000.5 0.1e-400 2001-01-01 = << on ~ 9007199254740993 9007199254740993.0 123456789012345678 -9223372036854775809 18446744073709551615 18446744073709551616 123456789012345678901234567890 0xffffffffffffffff";
  for (const scalar of [...scalars.split(" "), '!!int "3"', "!!float 1", "!!str 3", "!!bool y"])
    for (const a of [...types, ...bounds, { const: 1e3 }, { const: 90 }]) {
      const [schema, values] = [JSON.stringify({ properties: { a } }), `a: ${scalar}\n`];
      const { verdict } = await oracle.ask({ schema, values });
      expect([scalar, a, judged(compiled({ properties: { a } }).schema, layerOf(values))]).toEqual([
        scalar,
        a,
        verdict,
      ]);
    }
});
