// Inputs changed a little: a byte, a line, a value, an item. What comes out is often valid, and seldom what anybody wrote.
import type { Random } from "../support/nasty-yaml.ts";
import { asBytes, bytesOf } from "./hunt.ts";

/** @param others texts that lines and items may come from */
export function mutated(text: string, others: readonly string[], random: Random): string {
  let mutant = text;
  for (let left = 1 + random.below(3); left > 0; left--)
    mutant = random.pick(changes)(mutant, others, random);
  return random.once(12) ? withBytes(mutant, random) : mutant;
}

type Mutation = (text: string, others: readonly string[], random: Random) => string;

const specials = " \n\t:-#[]{},'\"|>&*!%@`?\\ab0~.\r\u0000\u0001\u007f\u0085\u00a0é+2\ufeff\u2028";
const pieces = [
  ...specials.split(""),
  ..."😀|...\n|- |? |: | #|!!str |!|&a |*a|<<: |${v}|\r\n|\n\n|  |\n---\n|\n\t\n".split("|"),
];

const values = [
  "",
  ...`null ~ {} [] 5 -1 1.5 1e400 true "" x [x] {}} | |- > *a 0x1F no [[[]]] ** ../x / __proto__ a.b[0]`.split(
    " ",
  ),
  ...`{a: 1};&a x;!x y;!!int x;12345678901234567890;'{name}';"{value}";"{item.name}";{a: {b: {c: 1}}}`.split(
    ";",
  ),
];

const byteChange: Mutation = (text, _, random) => {
  const at = random.below(text.length + 1);
  return text.slice(0, at) + (random.once(4) ? "" : random.pick(pieces)) + text.slice(at + random.below(3));
};

const lineChange: Mutation = (text, others, random) => {
  const lines = text.split("\n");
  const at = random.below(lines.length);
  const line = lines[at] ?? "";
  const from = random.pick(others).split("\n");
  random.pick([
    () => lines.splice(at, 1 + random.below(3)),
    () => lines.splice(at, 0, line),
    () => lines.splice(at, 1, `${" ".repeat(1 + random.below(3))}${line}`),
    () => lines.splice(at, 1, line.replace(/^ {1,2}/, "")),
    () =>
      lines.splice(
        at,
        0,
        `${" ".repeat(random.below(7))}${random.pick(["# c", "", "\t", "x", "- x", "a: 1"])}`,
      ),
    () => lines.splice(at, 0, random.pick(from)),
    () => lines.splice(random.below(lines.length), 0, ...lines.splice(at, 1 + random.below(4))),
    () => lines.splice(at),
    () => lines.splice(at, 2, `${line}${lines[at + 1] ?? ""}`),
  ])();
  return lines.join("\n");
};

/** Another value behind a key, in YAML or in JSON, also within an annotation that holds JSON. */
const valueChange: Mutation = (text, _, random) => {
  const found = [
    ...text.matchAll(/(?<=\w"?: ?|\w\\": ?)(?:\{[^{}\n]*\}|\[[^[\]\n]*\]|[^\s,{}[\]][^,\n{}[\]]*)/g),
  ];
  const one = found[random.below(Math.max(1, found.length))];
  if (one === undefined) return text;
  return text.slice(0, one.index) + random.pick(values) + text.slice(one.index + one[0].length);
};

const keyChange: Mutation = (text, _, random) => {
  const found = [...text.matchAll(/[\w./-]+(?="?: ?)/g)];
  const [one, other] = [0, 1].map(() => found[random.below(Math.max(1, found.length))]);
  if (one === undefined || other === undefined) return text;
  return text.slice(0, one.index) + other[0] + text.slice(one.index + one[0].length);
};

const itemChange: Mutation = (text, others, random) => {
  const mark = text.includes("\n- ") ? /^(?=- )/m : /^(?=---\n)/m;
  const items = text.split(mark);
  const at = random.below(items.length);
  random.pick([
    () => items.splice(at, 1),
    () => items.splice(at, 0, items[at] ?? ""),
    () => items.splice(random.below(items.length), 0, ...items.splice(at, 1)),
    () => items.push(random.pick(random.pick(others).split(mark))),
  ])();
  return items.join("");
};

const changes: readonly Mutation[] = [
  byteChange,
  byteChange,
  lineChange,
  lineChange,
  valueChange,
  valueChange,
  keyChange,
  itemChange,
];

/** Single bytes of 0x80 and above, as in text that is not UTF-8. */
function withBytes(text: string, random: Random): string {
  const bytes = bytesOf(text);
  const letters = [...bytes.keys()].filter((at) => (bytes[at] ?? 0) > 0x60);
  for (let left = 1 + random.below(2); left > 0 && letters.length > 0; left--)
    bytes[random.pick(letters)] = random.pick([0xf6, 0xe9, 0x80, 0xc0, 0xff, 0xed]);
  return asBytes(bytes);
}
