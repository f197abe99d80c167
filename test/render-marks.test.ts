// Marks tell which line of a template a line of text came from, and change nothing: by the real engine, over templates made
// to break them.
import fc from "fast-check";
import { expect, test } from "vitest";
import { renderTemplates } from "../src/render/go-template/engine.ts";
import { columnWithout, marked, mayMark, unmarked } from "../src/render/marks.ts";

const values = '{"a": 1, "list": ["x", "y"], "text": "two\\nlines"}';

async function rendered(texts: readonly string[]): Promise<readonly (string | undefined)[]> {
  const templates = texts.map((text) => ({ file: "t", text, values }));
  const results = await renderTemplates({ includes: new Map([["i", "one\n  two {{ .a }}\n"]]), templates });
  return results.map((result) => ("text" in result ? result.text : undefined));
}

const piece = fc.constantFrom(
  "key: ",
  "  deep:",
  "\n",
  "\n\n",
  "  ",
  "\t",
  "# note",
  "text",
  "{",
  "}",
  "- item",
  '"',
  "`",
  "é",
  "\r\n",
  "{{ .a }}",
  "{{- .a }}",
  "{{ .a -}}",
  "{{- .a -}}",
  "{{ if .a }}",
  "{{- if .a }}",
  "{{ else }}",
  "{{ end }}",
  "{{- end -}}",
  "{{ range .list }}",
  "{{/* a\ncomment }} */}}",
  "{{- /* trimmed */ -}}",
  "{{ `raw\n  text }} {{` }}",
  '{{ "a }} b" }}',
  '{{ include "i" . | nindent 2 }}',
  '{{- include "i" . | indent 4 }}',
  '{{ define "d" }}',
  '{{ template "d" . }}',
  "{{ .text | quote }}",
  "{{ .text }}",
  "{{ $x := .a }}",
  "{{ '}' }}",
  "{{\n.a\n}}",
  "{{",
  "}}",
);
const template = fc.array(piece, { minLength: 1, maxLength: 12 }).map((pieces) => pieces.join(""));

test("marked templates give the text of the others, and refuse where they do", async () => {
  const texts = fc.sample(template, { numRuns: Number(process.env["VALUEFOLD_RUNS"] ?? 2_000) });
  const sound = [
    "a: 1\nb:\n  {{- range .list }}\n  - {{ . }}\n  {{- end }}\n",
    "{{ if .a -}}\na: 1\n{{- end }}\nb: 2\n",
  ];
  const all = [...texts, ...sound];
  const plain = await rendered(all);
  const other = await rendered(all.map(marked));
  for (const [index, text] of all.entries()) {
    const ours = other[index];
    expect([text, ours === undefined ? undefined : unmarked(ours).text]).toEqual([text, plain[index]]);
  }
  expect(plain.filter((each) => each !== undefined).length).toBeGreaterThan(texts.length / 10);
});

test("lines are those of the template", async () => {
  const text =
    '# {{ .a }}\na: {{ .a }}\n{{ if .a }}\nb: 1\n{{ end }}\nlist:\n{{- range .list }}\n  - {{ . }}\n{{- end }}\nc:\n  {{- include "i" . | nindent 2 }}\nd: 1\n';
  const [one = ""] = await rendered([marked(text)]);
  const { text: plain, lines } = unmarked(one);
  expect(plain.split("\n").map((line, index) => [line, lines.get(index + 1)])).toEqual([
    ["# 1", 1],
    ["a: 1", 2],
    ["", undefined],
    ["b: 1", 4],
    ["", undefined],
    ["list:", 6],
    ["  - x", 8],
    ["  - y", 8],
    ["c:", 10],
    ["  one", undefined],
    ["    two 1", undefined],
    ["  ", undefined],
    ["d: 1", 12],
    ["", undefined],
  ]);
});

test("nothing is marked where a mark could be mistaken, and columns are those of the file", () => {
  expect(mayMark(["a", '{"a": "\\u0001"}'])).toBe(false);
  expect(mayMark(["a\u0001"])).toBe(false);
  expect(mayMark(["a", '{"a": "\\u0002"}'])).toBe(true);
  const text = marked("a: 1\n  b: {{ .c }}\n{{ .d }}\n");
  const column = text.split("\n")[1]?.indexOf("{{") ?? 0;
  expect(columnWithout(text, 2, column + 1)).toBe("  b: {{".indexOf("{{") + 1);
  expect(columnWithout(text, 3, 4)).toBe(4);
});
