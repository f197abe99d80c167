// Marks tell which line of a template a line of text came from, and change nothing: by the real engine, over templates made
// to break them.
import fc from "fast-check";
import { expect, test } from "vitest";
import { renderTemplates } from "../../src/engine/go-templates.ts";
import { TemplateMarks } from "../../src/engine/template-text.ts";

const values = '{"a": 1, "list": ["x", "y"], "text": "two\\nlines"}';

async function rendered(
  texts: readonly string[],
  task?: "resourceset",
): Promise<readonly (string | undefined)[]> {
  const templates = texts.map((text) => ({ file: "t", text, values }));
  const includes = new Map([["i", "one\n  two {{ .a }}\n"]]);
  const results = await renderTemplates({ includes, templates, ...(task && { task }) });
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

test("marked templates give the text of the others, and refuse where they do", { tags: "law" }, async () => {
  const texts = fc.sample(template, { numRuns: Number(process.env["VALUEFOLD_RUNS"] ?? 500) });
  const sound = [
    "a: 1\nb:\n  {{- range .list }}\n  - {{ . }}\n  {{- end }}\n",
    "{{ if .a -}}\na: 1\n{{- end }}\nb: 2\n",
  ];
  const all = [...texts, ...sound];
  const plain = await rendered(all);
  const marks = new TemplateMarks([...all, values]);
  const other = await rendered(all.map((text) => marks.marked(text)));
  for (const [index, text] of all.entries()) {
    const ours = other[index];
    expect([text, ours === undefined ? undefined : marks.unmarked(ours).text]).toEqual([text, plain[index]]);
  }
  expect(plain.filter((each) => each !== undefined).length).toBeGreaterThan(texts.length / 10);
});

/** The same template with the actions of a ResourceSet. */
function angled(text: string): string {
  return text
    .replaceAll("{{", "<<")
    .replaceAll("}}", ">>")
    .replaceAll(/include "i" \./g, "inputs.text")
    .replaceAll(/(?<![\w$])\.(?=a|list|text)/g, "inputs.");
}

test("so do templates of a ResourceSet", { tags: "law" }, async () => {
  const texts = fc.sample(template, { numRuns: Number(process.env["VALUEFOLD_RUNS"] ?? 500) }).map(angled);
  const plain = await rendered(texts, "resourceset");
  const marks = new TemplateMarks([...texts, values], { left: "<<", right: ">>" });
  const other = await rendered(
    texts.map((text) => marks.marked(text)),
    "resourceset",
  );
  for (const [index, text] of texts.entries()) {
    const ours = other[index];
    expect([text, ours === undefined ? undefined : marks.unmarked(ours).text]).toEqual([text, plain[index]]);
  }
  expect(plain.filter((each) => each !== undefined).length).toBeGreaterThan(texts.length / 10);
});

test("lines that an action writes are those of the action", async () => {
  const text =
    "a:\n  <<- inputs.text | nindent 2 >>\nb: << inputs.text | nindent 2 >>\n<<- range inputs.list >>\n\n<<- . | nindent 0 >>\n<<- end >>\n<< inputs.a >>: <<- inputs.text | nindent 2 ->>\n\n  c\n";
  const marks = new TemplateMarks([text, values], { left: "<<", right: ">>" });
  const [one = ""] = await rendered([marks.marked(text)], "resourceset");
  const { text: plain, near } = marks.unmarked(one);
  expect(plain.split("\n").map((line, index) => [line, near.get(index + 1)])).toEqual([
    ["a:", 1],
    ["  two", 2],
    ["  lines", 2],
    ["b: ", 3],
    ["  two", 3],
    ["  lines", 3],
    ["x", 6],
    ["y", 6],
    ["1:", 8],
    ["  two", 8],
    ["  linesc", 8],
    ["", 10],
  ]);
});

test("lines are those of the template", async () => {
  const text =
    '# {{ .a }}\na: {{ .a }}\n{{ if .a }}\nb: 1\n{{ end }}\nlist:\n{{- range .list }}\n  - {{ . }}\n{{- end }}\nc:\n  {{- include "i" . | nindent 2 }}\nd: 1\n';
  const marks = new TemplateMarks([text, values]);
  const [one = ""] = await rendered([marks.marked(text)]);
  const { text: plain, lines } = marks.unmarked(one);
  expect(plain.split("\n").map((line, index) => [line, lines.get(index + 1)])).toEqual([
    ["# 1", 1],
    ["a: 1", 2],
    ["", 3],
    ["b: 1", 4],
    ["", 5],
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

test("columns are those of the file", () => {
  const source = "a: 1\n  b: {{ .c }}\n{{ .d }}\n";
  const marks = new TemplateMarks([source]);
  const column = marks.marked(source).split("\n")[1]?.indexOf("{{") ?? 0;
  const fault = { what: "missing-key", file: "t" } as const;
  const at = (line: number, from: number): number | undefined =>
    marks.placed({ ...fault, line, column: from }, source).column;
  expect(at(2, column + 1)).toBe("  b: {{".indexOf("{{") + 1);
  expect(at(3, 4)).toBe(4);
  expect(marks.placed(fault, source)).toEqual(fault);
});

test("what a template makes up is no mark, and stays", async () => {
  const made = ["AQ==", "Ag=="].map((code) => `{{ b64dec "${code}" }}`);
  const forged = [
    `a: 1\n${made[0]}7${made[1]}b: 2\n`,
    `a: 1\n${made[0]}AAAAAAAAAAAA:7${made[1]}b: 2\n`,
    '{{ printf "%c7%c" 1 2 }}b: 2\n',
    '{{ "\\x017\\x02" }}b: 2\n',
  ];
  const marks = new TemplateMarks([...forged, values]);
  const plain = await rendered(forged);
  const other = await rendered(forged.map((text) => marks.marked(text)));
  for (const [index, text] of other.entries()) {
    const { text: unmarked, lines } = marks.unmarked(text ?? "");
    expect(unmarked).toBe(plain[index]);
    expect(unmarked).toContain("\u0001");
    expect([...lines.values()]).not.toContain(7);
  }
});

test("another text has another sign", () => {
  const [one, other] = [["a: 1", "b"], ["a: 1b"]].map((texts) => new TemplateMarks(texts).marked("a: 1"));
  expect(one).not.toBe(other);
});
