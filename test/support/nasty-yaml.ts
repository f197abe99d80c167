// Documents that a reader may trip over: valid, nearly valid, and mutated ones. Seeded, so that a failure can be
// repeated from its number alone. Meant to meet every rule of a reader, not to look like real values.

export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** A number below `bound`. */
  below(bound: number): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % bound;
  }

  /** True once in `times`. */
  once(times: number): boolean {
    return this.below(times) === 0;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }
}

const words = ["a", "b", "key", "x1", "some text", "true", "1e3", "~", "é", "naïve ü", "a.b/c-d", "v", "😀"];

/** Text that is plain only in some places, or nowhere. */
const nastyWords = [
  "-x",
  "--",
  "- x",
  "-",
  "?x",
  "? x",
  ":x",
  ": x",
  "::",
  "a:b",
  "a: b",
  "a:",
  "a :b",
  "a : b",
  "a#b",
  "a #b",
  "#a",
  "[",
  "]",
  "{",
  "}",
  "a]b",
  "a,b",
  "a{",
  ",",
  "&a x",
  "*a",
  "!t x",
  "!!str x",
  "%x",
  "@x",
  "`x",
  "|x",
  ">x",
  "|",
  "'",
  '"',
  "a'b",
  'a"b',
  "---",
  "...",
  "--- a",
  "<<",
  "=",
  "a\tb",
  "\ta",
  "a\t",
  "\u0085",
  "a\u00a0",
  "\u2028",
  "\u0001",
  "a\u007f",
  "a\r",
  "\ufeff",
  "?",
  "? ",
  "- - a",
  "a  b",
  "a   # c",
  "a'",
  "-1",
  "-\t",
  ":\t",
];

const escapes = [
  "\\n",
  "\\\\",
  '\\"',
  "\\x41",
  "\\u00e9",
  "\\U0001F600",
  "\\/",
  "\\ ",
  "\\_",
  "\\N",
  "\\L",
  "\\P",
  "\\0",
  "\\e",
];
const badEscapes = [
  "\\q",
  "\\x4",
  "\\u12g4",
  "\\U00110000",
  "\\U0010ffff",
  "\\'",
  "\\1",
  "\\UFFFFFFFF",
  "\\ud83d\\ude00",
  "\\t\\",
];
const spaces = ["", "", "", "", " ", "  "];

/** A nasty document, and a region of it that may start or end anywhere. */
export function generatedDocument(seed: number): {
  bytes: Buffer;
  region: { start: number; end: number; blank: number };
} {
  const random = new Random(seed);
  // As latin1 now and then: single bytes of 0x80 and above, as in text that is not UTF-8.
  const bytes = Buffer.from(nastyYaml(random), random.once(10) ? "latin1" : "utf8");
  const blank = random.once(4) ? random.below(4) : 0;
  const start = random.once(6) ? random.below(3) : 0;
  const end = random.once(10) ? Math.max(0, bytes.length - random.below(3)) : bytes.length;
  return { bytes, region: { start, end, blank } };
}

function nastyYaml(random: Random): string {
  const text = new Grammar(random).document();
  return random.below(5) < 2 ? mutate(text, random) : text;
}

class Grammar {
  private readonly random: Random;
  /** Chance of something odd is one in this; drawn per document, so that many documents are clean. */
  private readonly odd: number;

  constructor(random: Random) {
    this.random = random;
    this.odd = random.pick([8, 25, 80, 400, 1000]);
  }

  document(): string {
    return this.start() + this.root() + this.finish();
  }

  private isOdd(): boolean {
    return this.random.once(this.odd);
  }

  private start(): string {
    const { random } = this;
    if (this.isOdd() || random.once(40))
      return random.pick([
        "%YAML 1.1\n---\n",
        "--- ",
        "---\n---\n",
        "...\n",
        "\ufeff",
        "%x\n",
        "---\t\n",
        "\t\n",
      ]);
    if (random.once(8))
      return random.pick(["---\n", "--- \n", "--- # c\n", "# c\n---\n", "\n---\n\n", "---\n# c\n"]);
    return this.between(0);
  }

  private root(): string {
    const { random } = this;
    const indent = random.once(12) ? random.below(4) : 0;
    const pad = " ".repeat(indent);
    if (random.once(60)) return this.deep();
    if (random.once(50)) return random.pick([this.single(), this.double(), this.scalar()]);
    if (random.once(150)) return `a: ${random.pick(["'b", '"b', '"b\\\\"', "'b''"])}`;
    if (random.once(150)) return `${this.longKey()}: a\n`;
    if (random.once(12)) return `${pad}${this.flow(0)}${this.trail()}`;
    if (random.once(6)) return this.sequence(indent, 0, pad);
    if (this.isOdd()) return random.pick([this.scalar(), "", "|\n  x\n", "a\n", "# c\n", "---\n"]);
    return this.mapping(indent, 0, pad);
  }

  /** About as deep as readers allow. */
  private deep(): string {
    const { random } = this;
    const depth = 197 + random.below(6);
    const lines = Array.from({ length: depth }, (_line, at) => `${" ".repeat(at)}a:\n`).join("");
    return random.pick([
      `${"- ".repeat(depth)}a\n`,
      `${"[".repeat(depth)}${"]".repeat(depth)}\n`,
      `${"[".repeat(depth)}a${"]".repeat(depth)}\n`,
      `a: ${"{a: ".repeat(depth)}${"}".repeat(depth)}\n`,
      `${"- ".repeat(depth)}a: b\n`,
      lines,
      `${lines}${" ".repeat(depth)}a: |\n${" ".repeat(depth + 1)}b\n`,
    ]);
  }

  private longKey(): string {
    const { random } = this;
    const key = "k".repeat(1018 + random.below(9));
    return `${random.pick(["", "a:\n", "a: \n", "# c\n"])}${random.pick([key, `'${key}'`, `"${key}"`])}${random.pick(spaces)}`;
  }

  private finish(): string {
    const { random } = this;
    if (this.isOdd())
      return random.pick(["...\n", "---\n", "---\nb: 1\n", "  x\n", "x\n", "...", "--- x", "%a\n"]);
    return random.once(6) ? random.pick(["\n", "\n\n", "# c\n", "  # c", "   ", "\n  \n", "#", " #é\n"]) : "";
  }

  /** Blank lines and comments. */
  private between(indent: number): string {
    const { random } = this;
    if (!random.once(9)) return "";
    const pad = " ".repeat(random.pick([0, indent, indent + 2, 1]));
    const line = random.pick([
      "\n",
      "\n\n",
      "# c\n",
      "#\n",
      "# é: x\n",
      "\n# c\n\n",
      "# c\n# d\n",
      "# a\tb\n",
    ]);
    return `${pad}${line}`;
  }

  private trail(): string {
    const { random } = this;
    if (random.once(10)) return random.pick([" # c\n", "  #\n", " \n", "   \n", " # é: - x\n", "  # a\tb\n"]);
    if (this.isOdd())
      return random.pick(["#c\n", "\t\n", "\t# c\n", " x\n", ": x\n", " : x\n", "", "\r\n", " ,\n"]);
    return "\n";
  }

  private mapping(indent: number, depth: number, first: string): string {
    const { random } = this;
    const count = 1 + random.below(depth === 0 ? 4 : 3);
    let text = "";
    for (let at = 0; at < count; at++) {
      const slip = this.isOdd() ? random.pick([1, 2, -1]) : 0;
      const pad = at === 0 ? first : " ".repeat(Math.max(0, indent + slip));
      text += `${pad}${this.key()}${random.once(12) ? random.pick(spaces) : ""}:`;
      text += this.value(indent, depth, true);
      text += this.between(indent);
    }
    return text;
  }

  private key(): string {
    const { random } = this;
    if (this.isOdd()) {
      const long = "k".repeat(random.pick([1022, 1023, 1024, 1025, 1026]));
      return random.pick([
        ...nastyWords,
        long,
        `"${long}"`,
        "? a",
        "[a]",
        "{a: b}",
        '"a" b',
        "&a a",
        '"a"b',
        "",
        "? ",
      ]);
    }
    if (random.once(8)) return random.once(2) ? this.single() : this.double();
    return random.once(25)
      ? random.pick(["<<", "-a", "a b", "a#b", "a:b", "?a", ":a", "a,b", "é", "0"])
      : random.pick(words);
  }

  private value(indent: number, depth: number, underKey: boolean): string {
    const { random } = this;
    const gap = random.once(10) ? "  " : " ";
    const roll = random.below(depth > 3 ? 60 : 100);
    if (roll < 25) return `${gap}${random.once(6) ? this.lines(indent) : this.scalar()}${this.trail()}`;
    if (roll < 32) return `${random.once(3) ? gap : ""}${this.trail()}`;
    if (roll < 42) return `${gap}${this.flow(0)}${this.trail()}`;
    if (roll < 56) return `${gap}${this.block(indent)}`;
    if (roll < 60)
      return `${this.trail()}${this.between(indent)}${" ".repeat(indent + random.below(4))}${this.scalar()}${this.trail()}`;
    if (!underKey && random.below(3) > 0) return this.compact(indent, depth);
    const deeper = indent + random.pick([2, 2, 2, 4, 1, 3]);
    const before = `${this.trail()}${this.between(indent)}`;
    if (roll < 80) return before + this.mapping(deeper, depth + 1, " ".repeat(deeper));
    const column = underKey && random.once(2) ? indent : deeper;
    return before + this.sequence(column, depth + 1, " ".repeat(column));
  }

  /** A collection on the line of its dash. */
  private compact(indent: number, depth: number): string {
    const { random } = this;
    const gap = random.pick([1, 1, 1, 2, 3]);
    const column = indent + 1 + gap;
    const first = " ".repeat(gap);
    return random.once(4) ? this.sequence(column, depth + 1, first) : this.mapping(column, depth + 1, first);
  }

  private sequence(indent: number, depth: number, first: string): string {
    const { random } = this;
    const count = 1 + random.below(3);
    let text = "";
    for (let at = 0; at < count; at++) {
      const slip = this.isOdd() ? random.pick([1, 2, -1]) : 0;
      const pad = at === 0 ? first : " ".repeat(Math.max(0, indent + slip));
      text += `${pad}-${this.value(indent, depth, false)}${this.between(indent)}`;
    }
    return text;
  }

  private scalar(): string {
    const { random } = this;
    if (random.once(150)) return random.pick(["*a", "*a", "&a", "&a x", "!t x", "!!str", "? a"]);
    if (this.isOdd()) return random.pick(nastyWords);
    if (this.isOdd())
      return random.pick([`'a\n  b'`, `"a\n  b"`, "a\n  b", "a\n     b", `'a`, `"a`, `"a\\\n  b"`]);
    const roll = random.below(12);
    if (roll === 0) return this.single();
    if (roll < 3) return this.double();
    if (roll === 3)
      return random.pick([
        "-1",
        "?x",
        ":x",
        "a:b",
        "a#b",
        "::",
        "http://x:1/",
        "a]",
        "a, b",
        "x'y",
        "-- a",
        "a :b",
      ]);
    return random.pick(words);
  }

  /** Text on several lines, with and without quotes, mostly deeper than what it is in. */
  private lines(indent: number): string {
    const { random } = this;
    const quote = random.pick(["", "", "", "'", '"']);
    const column = Math.max(0, indent + random.pick([1, 2, 2, 4, 4, 0]));
    const line = (): string =>
      `${random.pick(spaces)}${random.pick(["\n", "\n", "\n", "\n\n", "\n \n"])}${" ".repeat(column)}`;
    const word = (): string => random.pick(random.once(4) ? nastyWords : words);
    const all = Array.from({ length: 1 + random.below(3) }, () => line() + word()).join("");
    return `${quote}${random.pick(words)}${all}${quote}`;
  }

  private single(): string {
    const { random } = this;
    if (this.isOdd())
      return random.pick(["'a''", "''a'", "'a'b", "'a'#", "'", "'a\tb'", "'a\u0002'", "'a\\'"]);
    return random.pick([
      "''",
      "'a'",
      "'it''s'",
      "'a: b'",
      "' # '",
      "'é'",
      "''''",
      "'\"'",
      "'a\tb'",
      "'\\'",
      "'[,]'",
    ]);
  }

  private double(): string {
    const { random } = this;
    if (random.once(60)) return `"${random.pick(badEscapes)}"`;
    if (this.isOdd())
      return random.pick([
        '"a"b',
        '"a"#',
        '"',
        '"a\\"',
        `"${random.pick(badEscapes)}"`,
        '"a\u0003"',
        '"a\tb"',
      ]);
    return random.pick([
      '""',
      '"a"',
      `"${random.pick(escapes)}"`,
      '"a: b"',
      '" # "',
      '"é"',
      `"x${random.pick(escapes)}y"`,
      `"'"`,
      '"a\tb"',
    ]);
  }

  private block(indent: number): string {
    const { random } = this;
    if (this.isOdd())
      return random.pick([
        "|0\n  a\n",
        "|x\n  a\n",
        "|1 1\n  a\n",
        "|#c\n  a\n",
        "|-+\n  a\n",
        "|\t\n  a\n",
        "|10\n  a\n",
        "|",
        ">- x\n",
      ]);
    const style = random.pick(["|", "|", ">"]);
    const digit = random.once(5) ? random.pick([1, 2, 2, 3, 4]) : 0;
    const chomp = random.pick(["", "", "-", "+"]);
    const header = random.once(2) ? `${digit || ""}${chomp}` : `${chomp}${digit || ""}`;
    const column = indent + (digit || random.pick([1, 2, 2, 2, 4]));
    const head = `${style}${header}${random.pick(["", "", "", " ", "  # c", " #"])}`;
    return `${head}\n${this.blockLines(column)}`;
  }

  private blockLines(column: number): string {
    const { random } = this;
    const count = random.once(8) ? 0 : 1 + random.below(3);
    let text = random.once(6) ? `${" ".repeat(this.isOdd() ? column + 1 : random.below(column + 1))}\n` : "";
    for (let at = 0; at < count; at++) {
      const deeper = random.once(5) ? random.below(3) : 0;
      const slip = this.isOdd() ? random.pick([-1, -2, 1]) : 0;
      const pad = " ".repeat(Math.max(0, column + deeper + slip));
      text += `${pad}${random.pick(["text", "a: b", "- x", "# no comment", "é", "'", "\tx", "a\tb", "---", "{", "x  "])}\n`;
      if (this.isOdd()) text += random.pick(["\t\n", " \tx\n", `${pad}\u0004\n`, "\r\n", `${pad}\u007f\n`]);
      if (random.once(8)) text += `${" ".repeat(random.below(column + 3))}\n`;
    }
    return text;
  }

  private flow(depth: number): string {
    const { random } = this;
    if (this.isOdd()) return this.oddFlow();
    if (random.once(100))
      return random.pick(["[a: b]", "[a, b : c]", '["a":b]', "[{a: b}: c]", "[a, 'b': c]"]);
    const isMapping = random.once(2);
    const parts = Array.from({ length: random.below(4) }, () => {
      const pad = random.pick(spaces);
      return `${pad}${isMapping ? this.flowMember(depth) : this.flowValue(depth)}${random.pick(spaces)}`;
    });
    const comma = parts.length > 0 && random.once(6) ? "," : "";
    const inner = `${parts.join(",")}${comma}${random.pick(spaces)}`;
    return isMapping ? `{${inner}}` : `[${inner}]`;
  }

  private oddFlow(): string {
    return this.random.pick([
      "[-]",
      "[- a]",
      "[-, a]",
      "[a: b]",
      "[a,, b]",
      "[,]",
      "{,}",
      "[a",
      "{a",
      "[a]b",
      "[a] b",
      "[a]: b",
      "{a: 1]",
      "[?]",
      "[? a]",
      "{? a}",
      "{a: - b}",
      "[a\n  ,b]",
      "{a: 1\n  }",
      "[#a]",
      "[a #b]",
      "[a, #b]",
      '["a" b]',
      '["a"b]',
      '["a":b]',
      "[[a]b]",
      "{[a]: b}",
      "{: a}",
      "{:a}",
      "[:a]",
      "[a]#c",
      "{a: b: c}",
      "{a: [b]c}",
      "[&a b]",
      "[*a]",
      "[!t b]",
      "{a: @}",
      "[%a]",
      "[|]",
      "[a\tb]",
      "[\ta]",
      "{a:\n  b}",
      "[a: b]",
      "[a, b : c]",
      "[{a: b}: c]",
      "[-a]",
      "[--]",
      "{-a: -b}",
      '{"a"::b}',
      '{"a":-1}',
      '{"a":- 1}',
      "{a :1}",
      '{"a" :1}',
      "{a:[1]}",
      "{a:{b:c}}",
      "{a:'b'}",
      "[']",
      "{a}}",
    ]);
  }

  private flowMember(depth: number): string {
    const { random } = this;
    const key = random.once(3)
      ? random.pick(["'k'", '"k"', '"\\u00e9"'])
      : random.pick(["a", "b c", "a:1", "a:b", "-a", "é", "a#b"]);
    const mark = random.pick([":", ": ", ": ", ":  ", " : ", ""]);
    return mark === "" || random.once(6) ? `${key}${mark}` : `${key}${mark}${this.flowValue(depth)}`;
  }

  private flowValue(depth: number): string {
    const { random } = this;
    if (depth < 3 && random.once(5)) return this.flow(depth + 1);
    if (this.isOdd()) return random.pick(nastyWords);
    return random.pick(["a", "1", "b c", "'x'", '"y"', "-1", "a:b", "é", "''", '"a, b"', "a#b", "a'b"]);
  }
}

const edits = " \n\t:-#[]{},'\"|>&*!%@`?\\ab0~.\r\u0000\u0001\u007f\u0085\u00a0é+2";

function mutate(text: string, random: Random): string {
  let mutant = text;
  for (let left = 1 + random.below(3); left > 0; left--) {
    mutant = random.once(2) ? editByte(mutant, random) : editLine(mutant, random);
  }
  return mutant;
}

function editByte(text: string, random: Random): string {
  const at = random.below(text.length + 1);
  const cut = random.below(3);
  const put = random.once(4) ? "" : edits.charAt(random.below(edits.length));
  return text.slice(0, at) + put + text.slice(at + (put === "" ? 1 : cut >> 1));
}

function editLine(text: string, random: Random): string {
  const lines = text.split("\n");
  const at = random.below(lines.length);
  const line = lines[at] as string;
  const shift = 1 + random.below(2);
  const changed = random.pick([
    () => lines.splice(at, 1),
    () => lines.splice(at, 0, line),
    () => lines.splice(at, 1, " ".repeat(shift) + line),
    () => lines.splice(at, 1, line.startsWith(" ".repeat(shift)) ? line.slice(shift) : line),
    () => lines.splice(at, 0, " ".repeat(random.below(6))),
    () => lines.splice(at, 0, `${" ".repeat(random.below(5))}# c`),
    () => lines.splice(at, 2, `${line}${lines[at + 1] ?? ""}`),
    () => lines.splice(at, 1, line.trimStart()),
    () => lines.splice(at, 0, lines[random.below(lines.length)] as string),
    () => lines.splice(at),
    () => lines.splice(at, 1, `${line} `),
  ]);
  changed();
  return lines.join("\n");
}
