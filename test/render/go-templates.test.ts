// Go templates as the engine renders them, without Go: what it says of each fault, and what bounds it. That it says what Go says
// is shown in test/real/go-templates.test.ts.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { home } from "../../engine/go.ts";
import {
  type Batch,
  type Rendered,
  renderTemplates,
  type TemplateBatch,
  type TemplateFault,
} from "../../src/engine/go-templates.ts";

const file = "apps/shop/values.yaml.template";

interface Given {
  readonly text: string;
  readonly values?: unknown;
}

async function render(templates: readonly Given[], more: Partial<Batch> = {}): Promise<readonly Rendered[]> {
  const all = templates.map(({ text, values = {} }) => ({ file, text, values: JSON.stringify(values) }));
  return renderTemplates({ includes: new Map(), ...more, templates: all });
}

/** As the edge calls it. */
const renderBatch = (batch: TemplateBatch): Promise<readonly Rendered[]> => renderTemplates(batch);

/** Includes of the tables below. */
const includes = new Map([
  ["ports", "- {{ .http }}\n"],
  ["broken", "a: 1\nb: {{ .a"],
  ["nested", 'x: {{ include "ports" . }}'],
  ["deep/er", "deeper {{ . }}"],
]);

type Row = readonly [text: string, values: unknown, ...unknown[]];

/** One engine for a whole table. */
function renderedIn(rows: readonly Row[]): (row: Row) => Promise<Rendered | undefined> {
  let all: Promise<readonly Rendered[]> | undefined;
  return async (row) => {
    all ??= render(
      rows.map(([text, values]) => ({ text, values })),
      { includes },
    );
    return (await all)[rows.indexOf(row)];
  };
}

describe("renders", () => {
  const rows: readonly (readonly [text: string, values: unknown, rendered: string])[] = [
    ["replicas: {{ .n }}\r\n", { n: 3 }, "replicas: 3\r\n"],
    ["{{ .big }} x-{{ .big }}", { big: 12345678 }, "1.2345678e+07 x-1.2345678e+07"],
    ["{{ .big | int64 }}", { big: 2 ** 53 }, "9007199254740992"],
    ["a {{- /* comment */ -}} b", {}, "ab"],
    ["{{ .none }}", { none: null }, "<no value>"],
    ["{{ .héllo }} 🙂", { héllo: "wörld" }, "wörld 🙂"],
    ['{{ include "ports" . | indent 2 }}', { http: 80 }, "  - 80\n  "],
    ['{{ include "deep//./er" 1 }}', {}, "deeper 1"],
    ["{{ keys .m | join `,` }} {{ values .m | join `,` }}", { m: { b: 2, c: 3, a: 1 } }, "a,b,c 1,2,3"],
    ['{{ define "main" }}inner{{ end }}', {}, "inner"],
    ["", {}, ""],
    ["no action", {}, "no action"],
  ];
  const rendered = renderedIn(rows);

  test.for(rows)("%j", async (row) => {
    expect(await rendered(row)).toEqual({ text: row[2] });
  });

  test("one result for each template, in order, and none for none", async () => {
    const texts = Array.from({ length: 50 }, (_, index) => ({ text: `{{ .n }}`, values: { n: index } }));
    const expected = texts.map((_, index) => ({ text: String(index) }));
    expect(await render(texts)).toEqual(expected);
    expect(await render([])).toEqual([]);
  });

  test("includes of several functions, each with names of its own", async () => {
    const functions = new Map([["includeSelf", new Map([["a", "self {{ . }}"]])]]);
    const text = '{{ include "a" 1 }}, {{ includeSelf "a" 2 }}';
    expect(await render([{ text }], { includes: new Map([["a", "shared {{ . }}"]]), functions })).toEqual([
      { text: "shared 1, self 2" },
    ]);
  });
});

describe("faults tell the place and the word that the template spells", () => {
  const rows: readonly (readonly [text: string, values: unknown, fault: object])[] = [
    ["a: 1\nb: {{ .b.c.d }}", { b: { c: {} } }, { what: "missing-key", line: 2, column: 11, name: "d" }],
    ["{{ .a.b }}", {}, { what: "missing-key", line: 1, column: 4, name: "a" }],
    ["{{ $x := . }}{{ $x.a.b }}", { a: {} }, { what: "missing-key", line: 1, column: 21, name: "b" }],
    ["{{ (dict).a }}", {}, { what: "missing-key", line: 1, column: 10, name: "a" }],
    ["{{ .a | default 1 }}", {}, { what: "missing-key", line: 1, column: 4, name: "a" }],
    ["{{ .a.b }}", { a: null }, { what: "type", line: 1, column: 6, name: "b" }],
    ["{{ .a.b }}", { a: "text" }, { what: "type", line: 1, column: 6, name: "b" }],
    ["{{ range .a }}{{ end }}", { a: "text" }, { what: "type", line: 1, column: 10 }],
    ["{{ upper .a }}", { a: 1 }, { what: "type", line: 1, column: 10 }],
    ["{{ if eq .a 1 }}{{ end }}", { a: 1 }, { what: "type", line: 1, column: 7, name: "eq" }],
    ["é {{ toYaml . }}", {}, { what: "function", line: 1, column: 7, name: "toYaml" }],
    ["{{ now }}", {}, { what: "impure", line: 1, column: 4, name: "now" }],
    ["\n{{ if false }}{{ env `HOME` }}{{ end }}", {}, { what: "impure", line: 2, column: 18, name: "env" }],
    ["{{ define `x` }}{{ uuidv4 }}{{ end }}", {}, { what: "impure", line: 1, column: 20, name: "uuidv4" }],
    ["a\n{{ if }}", {}, { what: "parse", line: 2 }],
    ["{{ .a", {}, { what: "parse", line: 1 }],
    ["{{ include `none` . }}", {}, { what: "include", line: 1, column: 4, name: "none" }],
    ["{{ include `../ports` . }}", {}, { what: "include", line: 1, column: 4, name: "../ports" }],
    ["{{ include .a . }}", { a: "../secret" }, { what: "include", line: 1, column: 4 }],
    ["{{ template `none` }}", {}, { what: "include", line: 1, column: 13, name: "none" }],
    ["{{ fail .a }}", { a: "secret" }, { what: "failed", line: 1, column: 4, name: "fail" }],
    ["{{ trunc }}", {}, { what: "failed", line: 1, column: 4, name: "trunc" }],
    ["{{ b64dec .a }}", { a: "/////w==" }, { what: "failed" }],
  ];
  const rendered = renderedIn(rows);

  test.for(rows)("%j", async (row) => {
    expect(await rendered(row)).toEqual({ fault: { ...row[2], file } });
  });

  test.for<readonly [text: string, fault: object]>([
    ["{{ include `ports` . }}", { what: "missing-key", line: 1, column: 6, name: "http", file: "ports" }],
    ["{{ include `broken` . }}", { what: "parse", line: 2, file: "broken" }],
    ["{{ include `nested` . }}", { what: "function", line: 1, column: 7, name: "include", file: "nested" }],
  ])("in an include: %j", async ([text, fault]) => {
    expect(await render([{ text }], { includes })).toEqual([{ fault }]);
  });

  test("values that are no object of JSON are of another type", async () => {
    const templates = ["[]", "1", "{", '{"a": 1e999}'].map((values) => ({ file, text: "a", values }));
    const fault = { fault: { what: "type", file } };
    expect(await renderBatch({ includes, templates })).toEqual(templates.map(() => fault));
  });
});

describe("bounds", { tags: "law" }, () => {
  function renderIn(deadlineMs: number, texts: readonly string[]): Promise<readonly Rendered[]> {
    const templates = texts.map((text, index) => ({ file: `${index}`, text, values: "{}" }));
    return renderTemplates({ includes, templates }, deadlineMs);
  }

  const depth = 300_000;

  test.for([
    ["a loop", "too-long", "{{ range 1000000000000 }}{{ end }}"],
    ["recursion", "too-long", '{{ define "x" }}{{ template "x" }}{{ end }}{{ template "x" }}'],
    ["a long list", "too-large", "{{ range until 1000000000 }}{{ end }}"],
    ["an endless list", "too-large", "{{ untilStep 0 1000000000000 1 }}"],
    ["a string of a gigabyte", "too-large", '{{ repeat 1000000000 "x" }}'],
    ["a string that no processor addresses", "too-large", `{{ repeat ${Number.MAX_SAFE_INTEGER} "xxxx" }}`],
    ["a text of 17 MB", "too-large", '{{ repeat 17000000 "x" }}'],
    ["a text that grows", "too-large", "{{ range 1000000 }}0123456789abcdefghijklmnopqrstuvwxyz{{ end }}"],
    ["deep nesting", "too-large", `${"{{ if 1 }}".repeat(depth)}${"{{ end }}".repeat(depth)}`],
    ["deep parentheses", "parse", `{{ ${"(".repeat(depth)}`],
  ] as const)("%s: %s, told of the right one of three", async ([, what, text]) => {
    const ms = what === "too-long" ? 3000 : 60_000;
    const [before, hostile, after] = await renderIn(ms, ["before", text, "after"]);
    expect([before, after]).toEqual([{ text: "before" }, { text: "after" }]);
    expect(hostile).toEqual({ fault: expect.objectContaining({ what, file: "1" }) as unknown });
  });

  test("a text of 15 MB is none too many", async () => {
    const [rendered] = await renderIn(60_000, ['{{ repeat 15000000 "é" | trunc 15000000 }}']);
    expect(rendered).toEqual({ text: "é".repeat(7_500_000) });
  });

  test("after four that ended the engine the rest is given up", async () => {
    const loop = "{{ range 1000000000000 }}{{ end }}";
    const rendered = await renderIn(1500, ["a", loop, loop, "b", loop, loop, "c"]);
    const cut = (index: number) => ({ fault: { what: "too-long", file: `${index}` } });
    expect(rendered).toEqual([{ text: "a" }, cut(1), cut(2), { text: "b" }, cut(4), cut(5), cut(6)]);
  });
});

test("no fault holds a value", async () => {
  const canary = "canary-3f9a";
  const values = { s: canary, n: { s: canary }, l: [canary], [canary]: canary };
  const texts = [
    "{{ .s.x }}",
    "{{ range .s }}{{ end }}",
    "{{ fail .s }}",
    "{{ include .s . }}",
    "{{ index .l .s }}",
    "{{ atoi .n }}",
    "{{ mustFromJson .s }}",
    "{{ mustRegexMatch `(` .s }}",
    "{{ .s | trunc .s }}",
    "{{ eq .s 1 }}",
    "{{ (index . .s).x }}",
    "{{ range $k, $v := . }}{{ $k.x }}{{ end }}",
    "{{ semver .s }}",
    "{{ decryptAES .s .s }}",
    "{{ buildCustomCert .s .s }}",
    "{{ template `x` }}",
    "{{ include `quotes` .s }}",
    `{{ "${canary}`,
    `{{ \`${canary}\` | ( }}`,
    `{{ if "${canary}" }}`,
    `{{ "${canary}".x }}`,
    `{{ .n.s }`,
    `{{ nil | "${canary}" }}`,
    `{{ 1${canary} }}`,
    `{{ end "${canary}" }}`,
  ];
  const quoting = new Map([["quotes", "{{ .x }}"]]);
  const faults = await render(
    texts.map((text) => ({ text, values })),
    { includes: quoting },
  );
  expect(faults.filter((each) => "text" in each)).toEqual([]);
  expect(JSON.stringify(faults)).not.toContain(canary);
});

describe("docs/go-templates.md", () => {
  const page = readFileSync(new URL("../../docs/go-templates.md", import.meta.url), "utf8");

  /** What the lines of a section's list begin with. */
  function namesIn(heading: string): string[] {
    const [, section = ""] = page.split(`\n## ${heading}\n`);
    const rows = (section.split("\n## ")[0] ?? "").split("\n").filter((line) => line.startsWith("- `"));
    return rows.flatMap((row) =>
      [...(row.split(": ")[0] ?? "").matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
    );
  }

  test("lists every function that is refused, and no other", () => {
    const [, refused = ""] = readFileSync(`${home}functions.txt`, "utf8").split("\n# refused\n");
    const lines = refused.split("\n").filter((line) => !line.startsWith("#"));
    const names = lines.flatMap((line) => line.split(" ")).filter((name) => name !== "");
    expect(names.length).toBeGreaterThan(30);
    expect(namesIn("What is refused").toSorted()).toEqual(names.toSorted());
  });

  test("what it lists as refused is refused, whatever it is given", async () => {
    const names = namesIn("What is refused");
    const rendered = await render(
      names.map((name) => ({ text: `{{ if false }}{{ 1 | ${name} }}{{ end }}` })),
    );
    const fault = (name: string) => ({ fault: { what: "impure", file, line: 1, column: 22, name } });
    expect(rendered).toEqual(names.map(fault));
  });

  test("lists every kind of fault, and no other", () => {
    const kinds: Record<TemplateFault["what"], true> = {
      parse: true,
      "missing-key": true,
      function: true,
      impure: true,
      include: true,
      type: true,
      "too-long": true,
      "too-large": true,
      failed: true,
    };
    expect(namesIn("Faults")).toEqual(Object.keys(kinds));
  });
});
