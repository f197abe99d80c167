// Random templates over random values: what a template may hold, without what eats a native process. Most fit the values, so
// that they render; some do not.
import fc from "fast-check";

export const includeTexts = {
  part: "{{ range $k, $v := . }}{{ $k }}={{ $v }}\n{{ end }}",
  upper: "{{ . | toString | upper }}",
  key: "a: {{ .text }}\n",
  broken: "one\n{{ if }}",
};

type Text = fc.Arbitrary<string>;

/** None that no integer holds: what Go makes of those differs between processors. */
const number = fc.oneof(
  fc.constantFrom("0", "-0", "1", "3", "2.5", "-7", "12345678", "9007199254740993", "0.0000001", "1E5"),
  fc.integer().map(String),
  fc.double({ noNaN: true, min: -1e15, max: 1e15 }).map((value) => JSON.stringify(value)),
);

const string = fc
  .oneof(
    fc.constantFrom("", "x", "10.2.1", "a-b c", "yes", "{{ .a }}", "line\nline\r\n", "<&>'\"", "\\", "true"),
    fc.string({ unit: "grapheme", maxLength: 12 }),
  )
  .map((text) => JSON.stringify(text));

const scalar = fc.oneof(string, number, fc.constantFrom("true", "false", "null"));
const list = fc.array(scalar, { maxLength: 4 }).map((all) => `[${all.join(", ")}]`);
const words = fc.array(string, { maxLength: 4 }).map((all) => `[${all.join(", ")}]`);
const map = fc
  .tuple(string, number, list, fc.subarray(["b", "c", "ключ"]), scalar)
  .map(([text, n, all, more, value]) =>
    objectOf([["text", text], ["n", n], ["list", all], ...more.map((key) => [key, value] as const)]),
  );

function objectOf(entries: readonly (readonly [string, string])[]): string {
  return `{${entries.map(([key, text]) => `${JSON.stringify(key)}: ${text}`).join(", ")}}`;
}

const wrong = 40;

/** Usually this, sometimes any. */
function usually(value: Text): Text {
  return fc.oneof({ weight: wrong, arbitrary: value }, { weight: 1, arbitrary: fc.oneof(scalar, list, map) });
}

/** JSON text, so that numbers come as they are spelled. */
export const valuesText = fc
  .tuple(usually(string), usually(number), usually(list), usually(words), usually(map), scalar)
  .map(([text, n, all, some, inner, any]) =>
    objectOf([
      ["text", text],
      ["n", n],
      ["list", all],
      ["words", some],
      ["map", inner],
      ["ключ", any],
    ]),
  );

const small = fc.integer({ min: -3, max: 9 }).map(String);

function call(names: string, ...args: readonly Text[]): Text {
  return fc.tuple(fc.constantFrom(...names.split(" ")), ...args).map((parts) => parts.join(" "));
}

function oneOf(...all: readonly Text[]): Text {
  return fc.oneof({ depthSize: "small", withCrossShrink: true }, ...all);
}

/** What an action may say, by what it gives. */
const { any } = fc.letrec<Record<"any" | "text" | "n" | "list" | "map" | "yes", string>>((tie) => {
  const bracketed = (name: "any" | "text" | "n" | "list" | "map" | "yes"): Text =>
    tie(name).map((each) => `(${each})`);
  const [anything, text, n, all, inner, yes] = (["any", "text", "n", "list", "map", "yes"] as const).map(
    bracketed,
  ) as [Text, Text, Text, Text, Text, Text];
  return {
    any: oneOf(
      tie("text"),
      tie("n"),
      tie("list"),
      tie("map"),
      tie("yes"),
      fc.constant("$.ключ"),
      misfit(anything),
    ),
    text: oneOf(
      fc.constantFrom("$.text", "$.map.text", '"é🙂"', "`raw \\ text`", '"a,b"', '"1.2.3"'),
      call(
        "upper lower title trim nospace b64enc sha256sum sha1sum snakecase camelcase kebabcase initials",
        text,
      ),
      call(
        "swapcase untitle base dir ext clean regexQuoteMeta html js urlquery adler32sum squote b32enc",
        text,
      ),
      call("quote toString toJson toPrettyJson toRawJson kindOf typeOf print println", anything),
      call("trunc indent nindent abbrev", small, text),
      call("repeat", fc.constantFrom("0", "1", "3"), text),
      call("default coalesce cat ternary", text, text, yes),
      call("printf", fc.constantFrom('"%v|%v"', '"%q-%s"', '"%T%%%x"'), text, anything),
      call("printf", fc.constantFrom('"%d|%5.2f"', '"%v%g"'), n, n),
      call("replace", fc.constantFrom('"a"', '"-"', '""'), fc.constantFrom('"$1"', '"é"'), text),
      call("join", fc.constantFrom('","', '""'), all),
      call("trimSuffix trimPrefix trimAll", fc.constantFrom('"a"', '"-"', '"é"'), text),
      call(
        "regexReplaceAll regexReplaceAllLiteral",
        fc.constantFrom('"[a-z]+"', '"(.)(.)"'),
        text,
        fc.constant('"<${2}$1>"'),
      ),
      call("include", fc.constant('"upper"'), anything),
    ),
    n: oneOf(
      fc.constantFrom("$.n", "$.map.n", "0", "7", "-2", "2.5", "0x1F", "'a'"),
      call("add sub mul max min addf subf maxf", n, n),
      // What no 64-bit integer holds, made an integer, depends on the processor: Go leaves that open.
      call("mulf", n, fc.constantFrom("2", "0.5", "-1")),
      call("div mod", n, fc.constantFrom("3", "-2", "$.n")),
      call("int int64 float64 add1 floor ceil", n),
      call("len", fc.oneof(all, text, inner)),
      call("atoi", text),
      call("round", n, fc.constantFrom("0", "2")),
    ),
    list: oneOf(
      fc.constantFrom("$.list", "$.words", "$.map.list", "list", "tuple 1 `a`"),
      call("list", anything, anything),
      call("reverse uniq compact rest initial sortAlpha toStrings", all),
      call("append prepend without", all, anything),
      call("concat", all, all),
      call("until seq", fc.constantFrom("0", "3", "5")),
      call("splitList", fc.constantFrom('","', '"."', '""'), text),
      call("regexFindAll", fc.constantFrom('"[a-z]"', '"."'), text, fc.constantFrom("-1", "2")),
      call("chunk", fc.constantFrom("1", "2"), all),
      call("keys", inner).map((each) => `${each} | sortAlpha`),
    ),
    map: oneOf(
      fc.constantFrom("$.map", "$", "dict"),
      call("dict", fc.constantFrom('"text"', '"b"'), anything, fc.constantFrom('"n"', '"ключ"'), anything),
      call("merge mergeOverwrite", fc.constant("(dict)"), inner, inner),
      call("pick omit", inner, fc.constantFrom('"text"', '"n"'), fc.constantFrom('"list"', '"x"')),
      call("deepCopy", inner),
    ),
    yes: oneOf(
      fc.constantFrom("true", "false", "$.words"),
      call("eq ne", text, text),
      call("lt le gt ge", text, text),
      call("and or", anything, anything),
      call("not empty", anything),
      call("has", anything, all),
      call("hasKey", inner, fc.constantFrom('"text"', '"x"')),
      call("contains hasPrefix hasSuffix", text, text),
      call("kindIs", fc.constantFrom('"string"', '"float64"'), anything),
      call(
        "semverCompare",
        fc.constantFrom('"^1.2"', '">=10"', '"*"'),
        fc.constantFrom('"1.2.3"', '"10.2.1"'),
      ),
      call("deepEqual", anything, anything),
    ),
  };
});

/** What may not fit, or never does. */
function misfit(anything: Text): Text {
  const names =
    "first last eq lt add index len upper semver fromJson mustFromJson get dig slice trunc nosuch include";
  return fc.oneof(
    {
      weight: 12,
      arbitrary: fc.constantFrom("first $.list", "index $.words 0", "get $.map `b`", "fromJson `[1, 2.50]`"),
    },
    { weight: 1, arbitrary: call(names, anything, anything) },
    { weight: 1, arbitrary: anything.map((each) => `${each}.text`) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        "$.map.b",
        "$.x",
        "$y",
        ".",
        "nil",
        "$.map.list.x",
        'include "none" .',
        'include "broken" .',
      ),
    },
  );
}

/** A template's pieces. */
const { node } = fc.letrec<{ node: string }>((tie) => ({
  node: oneOf(
    fc.constantFrom(
      "text ",
      "\n",
      "\r\n",
      "  ключ: 🙂\n",
      "{ }",
      "}}",
      "- ",
      "{{/* comment */}}",
      "{{- /* a */ -}}",
    ),
    fc
      .tuple(fc.constantFrom("{{", "{{-", "{{ "), any, fc.constantFrom(" }}", " -}}", "}}", "\n}}"))
      .map(([open, text, close]) => `${open} ${text}${close}`),
    fc
      .tuple(any, tie("node"), tie("node"))
      .map(([text, one, two]) => `{{ if ${text} }}${one}{{ else }}${two}{{ end }}`),
    fc.tuple(any, tie("node")).map(([text, body]) => `{{ with ${text} }}${body}{{ . }}{{ end }}`),
    fc
      .tuple(fc.constantFrom("list", "words", "map"), tie("node"))
      .map(([name, body]) => `{{ range $i, $v := $.${name} }}{{ $i }}${body}{{ $v }}{{ end }}`),
    fc
      .tuple(fc.constantFrom("list", "words"), tie("node"))
      .map(
        ([name, body]) =>
          `{{- range $.${name} }}{{ . }}${body}{{ if kindIs "bool" . }}{{ break }}{{ end }}{{ else }}none{{ end -}}`,
      ),
    fc
      .tuple(any, tie("node"))
      .map(([text, body]) => `{{ $x := ${text} }}{{ $x }}${body}{{ $x = 1 }}{{ $x }}`),
    fc
      .tuple(any, fc.integer({ min: 0, max: 99 }))
      .map(([text, id]) => `{{ block "t${id}" ${text} }}<{{ . }}>{{ end }}{{ template "t${id}" 1 }}`),
    fc.constantFrom(
      '{{ include "part" $.map }}',
      '{{ include "key" $ | indent 2 }}',
      '{{ include "upper" $.n }}',
    ),
    fc.tuple(tie("node"), tie("node")).map((both) => both.join("")),
  ),
}));

const broken = fc.constantFrom(
  "{{ end }}",
  "{{ break }}",
  "{{ .a",
  "{{ $x }}",
  '{{ template "none" . }}',
  "{{ toYaml . }}",
);

const defined = fc.constantFrom("", '{{ define "t" }}({{ . }}){{ end }}{{ template "t" $.n }}');
const ending = fc.oneof({ weight: 20, arbitrary: defined }, { weight: 1, arbitrary: broken });

export const templates = fc
  .tuple(fc.array(node, { minLength: 1, maxLength: 3 }), ending)
  .map(([nodes, end]) => nodes.join("") + end);
