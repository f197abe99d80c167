// Layers and items written as nobody would: flow, tags, anchors, JSON with tabs, odd steps, comments everywhere. Only what
// the `yaml` package and we read alike, since the laws speak of meaning.
import { isDeepStrictEqual } from "node:util";
import { parse, parseDocument } from "yaml";
import { mergeTexts } from "../support/layers.ts";
import { generatedDocument, Random } from "../support/nasty-yaml.ts";
import { parseYaml } from "../support/parse-yaml.ts";
import { isMapping, type Json, readValues, secretMark } from "./values.ts";

const handwritten = [
  '{"a": {\t"b": 1,\n\t"c": [1, {"a": null}]},\n\t"b": "x"}\n',
  "a: &x {b: 1}\nb: *x\nc: {<<: *x, a: 2}\n",
  "a: 1\na: {b: 2}\nb: [1]\n",
  "%YAML 1.1\n---\na: {b: 1}\n...\n",
  "a:\r\n  b: 1\r\n  c: |\r\n    text\r\nb: {a: 1}\r\n",
  "a: !!str 1\nb: !!map {a: !!int 2}\nc: ! x\n",
  "   a:\n        b: 1\n        c:\n         - x\n         -  y\n   b: null\n",
  "? a\n: {b: 1}\n? b\n: - 1\n  - {a: 1}\n",
  "a: {b: 1, c: {a: 2}, # why\n  d: 3}\nb: [1,\n 2]\n",
  "\"a\": \"x\\\n  y\"\n'b': 'it''s\n  long'\nc: plain\n  over lines\n",
  "a:\n- b: 1\n  c: 2\n- - x\n  - y\nb: |+\n  kept\n\n\nc: >-\n  folded\n  text\n",
  "a:\n  # of b\n  b: 1\n    # deeper\n\n  c: {a: 1} # behind\n# foot\n",
  "a: {b: {}}\nb: {a: [], c: {a: null}}\nc: ''\n",
  "a: |2\n   indented\n  text\nb: {a: 1}\n",
];

/** A nasty document that we and the `yaml` package read alike. */
export function nastyValues(random: Random, secret: boolean): string {
  for (;;) {
    const text = random.once(2)
      ? random.pick(handwritten)
      : generatedDocument(random.below(1_000_000_000)).bytes.toString("utf8");
    const whole = secret ? `${text.replace(/\n?$/, "\n")}zz: ${secretMark}${random.below(1000)}\n` : text;
    if (isReadAlike(whole)) return whole;
  }
}

function isReadAlike(text: string): boolean {
  // An empty first document: what comes behind it is ignored, or refused in a file.
  if (text.startsWith("...")) return false;
  try {
    const value = readValues(text);
    // The library takes `'b''` for closed where the text ends there; Go does not, nor does it with a line's end.
    if (parseYaml(`${text}\n`, { uniqueKeys: false }).errors.length > 0) return false;
    return isMapping(value) && isDeepStrictEqual(value, readValues(mergeTexts([text]).text));
  } catch {
    return false;
  }
}

/** An item in another style, with the same meaning. */
export function restyled(text: string, random: Random): string {
  const value: Json = parse(text);
  const made = random.once(8)
    ? `${JSON.stringify(value, undefined, random.pick(["", " ", "\t", "   "]))}\n`
    : new Writer(random).document(value);
  const document = parseDocument(made, { logLevel: "silent" });
  const isSame = document.errors.length === 0 && isDeepStrictEqual(document.toJS() as Json, value);
  return isSame ? made : text;
}

class Writer {
  private readonly random: Random;
  private anchors = 0;

  constructor(random: Random) {
    this.random = random;
  }

  document(value: Json): string {
    const head = this.random.once(5) ? "# head\n" : "";
    const text = this.block(value, 0).replace(/^\n/, "");
    return `${head}${text}${this.random.once(6) ? "# foot\n" : ""}`;
  }

  /** What stands behind a key's colon, with its line's end. */
  private block(value: Json, pad: number): string {
    const { random } = this;
    const isEmpty = typeof value === "object" && value !== null && Object.keys(value).length === 0;
    const isFlow = isEmpty || (pad > 0 && random.once(6));
    if (typeof value === "string" && /^[^\s#][^\t]*[^\n]\n$/.test(value) && random.once(2))
      return this.literal(value, pad);
    if (isFlow || typeof value !== "object" || value === null) return ` ${this.flow(value)}${this.end()}`;
    const tag = random.once(12) ? (Array.isArray(value) ? " !!seq" : " !!map") : "";
    const anchor = random.once(30) ? ` &a${this.anchors++}` : "";
    return `${tag}${anchor}${this.end()}${this.members(value, pad)}`;
  }

  private members(value: object, pad: number): string {
    const { random } = this;
    const column = pad === 0 && !Array.isArray(value) ? 0 : pad + random.below(Array.isArray(value) ? 3 : 1);
    const space = " ".repeat(column);
    const inner = column + random.pick([2, 2, 1, 4]);
    const lines = Array.isArray(value)
      ? value.map((each: Json) => `${space}-${this.block(each, inner)}`)
      : Object.entries(value).map(([key, each]) => `${space}${this.key(key)}:${this.block(each, inner)}`);
    return lines.map((line) => `${random.once(14) ? `${space}# on the next\n` : ""}${line}`).join("");
  }

  private key(key: string): string {
    return this.random.once(8) || !/^[\w./-]+$/.test(key) ? JSON.stringify(key) : key;
  }

  private literal(text: string, pad: number): string {
    const step = this.random.pick([1, 2, 4]);
    const lines = text.replaceAll(/^(?=.)/gm, " ".repeat(pad + step));
    return ` |\n${lines}`;
  }

  private flow(value: Json): string {
    const { random } = this;
    const gap = random.pick(["", " ", " "]);
    if (Array.isArray(value)) return `[${gap}${value.map((each) => this.flow(each)).join(", ")}${gap}]`;
    if (isMapping(value)) {
      const members = Object.entries(value).map(([key, each]) => `${this.key(key)}: ${this.flow(each)}`);
      const last = members.length > 0 && random.once(6) ? "," : "";
      return `{${gap}${members.join(`,${random.pick([" ", "  "])}`)}${last}${gap}}`;
    }
    return typeof value === "string" ? this.text(value) : JSON.stringify(value);
  }

  private text(value: string): string {
    const { random } = this;
    const isPlain = /^[a-z][\w./-]*$/i.test(value) && !/^(?:true|false|yes|no|on|off|null|y|n)$/i.test(value);
    const tag = random.once(10) ? "!!str " : "";
    if (isPlain && !random.once(5)) return tag + value;
    return (
      tag +
      (random.once(2) && !/[\n\r\t]/.test(value) ? `'${value.replaceAll("'", "''")}'` : JSON.stringify(value))
    );
  }

  private end(): string {
    return this.random.once(12) ? " # behind\n" : "\n";
  }
}
