// Values documents in rare spellings: tags, anchors, `<<`, explicit keys, quoted text over lines, block scalars with every
// header, comments everywhere, byte order marks, tabs, and ends of every kind. Seeded. Nearly all are valid, and few keys
// make two of them meet.
import type { Random } from "./nasty-yaml.ts";

const commonKeys = ["a", "b", "c", "k"];
const rareKeys = `"on",on,010,8,'a',"b",!!str a,!x b,é,1.0,"c d",no,!!int '8',.5_`.split(",");
const scalars = [
  `1,x,on,~,null,,010,0x1F,1e3,.5_,!!str 5,!!int "5",! 5,!x y,"q",'it''s',"a\\tb",a b,a#b,-x,?x,a:b`,
  "!!binary aGk=,!!null '',[],{}",
].flatMap((list) => list.split(","));
/** Keys between brackets, with properties that Go reads in its own way. */
const bracketKeys =
  `a|b|a|b|c|k|'b'|"a"|? 'b'|? a|&k a|!!str b|!x a|!'b'|!!str, &k1 a|!!i,nt 1|! b|\ufeffa|'a' |&k, a|!|!!str|!t,x`.split(
    "|",
  );
const bracketValues = [
  "1",
  "'y'",
  '"z"',
  "a b",
  "~",
  ":x",
  '""',
  "x",
  ":",
  "!!str 5",
  "!!i,nt 1",
  "-1",
  "a\tb",
];
const blockLines = ["t", "# x", "- y", "k: v", "\tw", "z  ", "---"];

function oddValues(random: Random): string {
  const writer = new Writer(random);
  const text = random.once(12)
    ? `${writer.flow(0, 0, true)}\n`
    : writer.mapping(random.once(8) ? random.below(4) : 0, 0);
  const whole = `${headOf(random)}${text}${footOf(random)}`;
  const ended = random.once(3) ? whole.replace(/\n$/, "") : whole;
  return random.once(40) ? ended.replaceAll("\n", random.pick(["\r\n", "\r"])) : ended;
}

/** Two documents, of which the second often goes into what the first has between brackets. */
export function oddPair(random: Random): [string, string] {
  const base = oddValues(random);
  if (!random.once(3)) return [base, oddValues(random)];
  const inner = (depth: number): string =>
    `{${random.pick(commonKeys)}: ${depth > 0 && random.once(2) ? inner(depth - 1) : "1"}, x: 1}`;
  const over = `${random.pick(commonKeys)}: ${inner(2)}\n${random.once(2) ? "" : "x: 2\n"}`;
  return random.once(4) ? [over, base] : [base, over];
}

/** What only Go refuses: halves of characters, characters that are none, and a tab after an indicator. */
const refused = ['"\\ud83d\\ude00"', '"\\udead"', "x\ufffe", '"\uffff"', "x\u00a0", "x\u3000"];

function headOf(random: Random): string {
  if (random.once(300)) return "...\n";
  if (random.once(40)) return random.pick(["---\n\ufeff", "\ufeff", "# head\n\ufeff", "\ufeff---\n"]);
  return random.once(8) ? random.pick(["---\n", "# head\n\n", "%YAML 1.1\n---\n", "\n\n"]) : "";
}

/** Also comments left of a last text, and spaces behind them that end nowhere. */
function footOf(random: Random): string {
  if (!random.once(6)) return "";
  const spaces = (): string => " ".repeat(random.below(9));
  return random.pick([
    "# foot\n",
    "   \n",
    "...\n",
    "  # deep foot\n",
    `${spaces()}# foot\n${spaces()}`,
    `\n${spaces()}# foot\n\n${spaces()}`,
    `${spaces()}\n${spaces()}`,
  ]);
}

class Writer {
  private readonly random: Random;
  private count = 0;
  private readonly anchors: string[] = [];
  private readonly mappings: string[] = [];
  /** Anchors of texts, which a key may name. */
  private readonly texts: string[] = [];

  constructor(random: Random) {
    this.random = random;
  }

  mapping(indent: number, depth: number): string {
    const { random } = this;
    const keys = new Set(Array.from({ length: 1 + random.below(4) }, () => this.key()));
    const entries = [...keys].map((key) => this.entry(key, indent, depth));
    if (random.once(14) && this.mappings.length > 0)
      entries.push(`<<: ${random.pick(this.mappings)}${this.trail()}\n`);
    const pad = " ".repeat(indent);
    return pad + entries.join(this.between(indent) + pad);
  }

  private entry(key: string, indent: number, depth: number): string {
    const value = (): string => this.value(indent, depth, false);
    if (this.random.once(40)) return this.blockKey(indent, value);
    return this.random.once(20) ? `? ${key}\n${" ".repeat(indent)}:${value()}` : `${key}:${value()}`;
  }

  /** A key as a block scalar, with a value or without one. */
  private blockKey(indent: number, value: () => string): string {
    const { random } = this;
    const pad = " ".repeat(indent + 1 + random.below(3));
    const header = random.pick(["|", "|", ">", "|-", "|+", ">-"]);
    const key = `? ${header}\n${pad}k${random.pick(["", "", "\n", `\n${pad}l`, " "])}\n`;
    return random.once(2) ? key : `${key}${" ".repeat(indent)}:${value()}`;
  }

  private key(): string {
    const { random } = this;
    if (random.once(12) && this.texts.length > 0) return random.pick(this.texts) + random.pick(["", "", " "]);
    return random.pick(random.once(2) ? commonKeys : rareKeys);
  }

  private value(indent: number, depth: number, inSequence: boolean): string {
    const { random } = this;
    if (random.once(12) && this.anchors.length > 0) return ` ${random.pick(this.anchors)}${this.trail()}\n`;
    const name = random.once(9) ? `x${this.count++}` : "";
    const anchor = name === "" ? "" : ` &${name}`;
    const roll = random.below(depth > 2 ? 58 : 100);
    const step = random.pick([2, 2, 2, 4, 1, 3]);
    const isMapping = roll >= 58 && roll < 80;
    const text = isMapping
      ? `${this.trail()}\n${this.between(indent)}${this.mapping(indent + step, depth + 1)}`
      : roll >= 80
        ? `${this.trail()}\n${this.between(indent)}${this.sequence(inSequence ? indent + step : indent, depth + 1)}`
        : this.inline(roll, indent);
    if (name !== "") this.anchors.push(`*${name}`);
    if (name !== "" && isMapping) this.mappings.push(`*${name}`);
    if (name !== "" && roll < 30) this.texts.push(`*${name}`);
    return anchor + text;
  }

  private inline(roll: number, indent: number): string {
    if (roll < 30) return ` ${this.random.pick(this.random.once(60) ? refused : scalars)}${this.trail()}\n`;
    if (roll < 40) return ` ${this.flow(0, indent)}${this.trail()}\n`;
    return roll < 52 ? ` ${this.block(indent)}` : ` ${this.overLines(indent)}${this.trail()}\n`;
  }

  private sequence(indent: number, depth: number): string {
    const items = Array.from({ length: 1 + this.random.below(3) }, () => {
      const dash = this.random.once(200) ? "- \t" : "-";
      return `${" ".repeat(indent)}${dash}${this.value(indent, depth, true)}`;
    });
    return items.join(this.between(indent));
  }

  private overLines(indent: number): string {
    const pad = " ".repeat(indent + 1 + this.random.below(3));
    return this.random.pick([`"x\n${pad}# y"`, `'p\n\n${pad}q'`, `w\n${pad}v`, `"e\\\n${pad}\\ f"`]);
  }

  flow(depth: number, indent: number, isMapping = this.random.once(2)): string {
    const { random } = this;
    const odd = random.once(4);
    const gap = (): string =>
      random.once(7)
        ? `\n${random.once(5) ? this.between(random.below(3)) : ""}${random.once(9) ? "\t\n" : ""}${" ".repeat(indent + 1 + random.below(4))}`
        : random.pick(["", " "]);
    const value = (): string =>
      depth < 3 && random.once(3)
        ? this.flow(depth + 1, indent)
        : random.once(40)
          ? this.overLines(random.below(indent + 2))
          : random.pick(odd ? bracketValues : ["1", "'y'", '"z"', "a b", "~"]);
    const key = (index: number): string =>
      random.pick(odd ? bracketKeys : ["a", "b", "c", `a${index}`, `'c${index}'`, `"k${index}"`]);
    const parts = Array.from({ length: random.below(4) }, (_, index) => {
      return gap() + (isMapping ? `${key(index)}: ` : "") + value() + gap();
    });
    return isMapping ? `{${parts.join(",")}}` : `[${parts.join(",")}]`;
  }

  private block(indent: number): string {
    const { random } = this;
    const digit = random.once(4) ? 1 + random.below(4) : 0;
    const chomp = random.pick(["", "-", "+"]);
    const column = indent + (digit === 0 ? random.pick([1, 2, 2, 4]) : digit);
    const lines = Array.from({ length: random.below(5) }, (_, index) => {
      const isDeeper = digit > 0 || index > 0 ? random.once(index === 0 ? 2 : 4) : false;
      if (index > 0 && random.once(6)) return " ".repeat(random.below(column + 3));
      return " ".repeat(column + (isDeeper ? random.below(3) : 0)) + random.pick(blockLines);
    });
    if (random.once(3)) lines.push(" ".repeat(random.below(column + 4)));
    const header = `${random.pick(["|", ">"])}${digit === 0 ? "" : digit}${chomp}${random.once(5) ? " # h" : ""}`;
    return `${[header, ...lines].join("\n")}\n`;
  }

  private between(indent: number): string {
    const { random } = this;
    if (!random.once(6)) return "";
    const pad = " ".repeat(random.pick([0, indent, indent + 2, 1]));
    return random.pick([`${pad}# c\n`, "\n", `\n${pad}# c\n\n`, "  \n"]);
  }

  private trail(): string {
    return this.random.once(8) ? this.random.pick([" # t", "  #", "   "]) : "";
  }
}
