// Random values texts that make folds split: few keys, and mappings over nulls, scalars and lists. And the
// naive merge of docs/folding.md.
import type { Random } from "../support/nasty-yaml.ts";
import { parseYaml } from "../support/parse-yaml.ts";

const keys = ["a", "a", "a", "b", "b", "c"];
const scalars = ["1", "0", "true", "plain text", '"x"', "'it''s'", '""', "1.5"];
const nulls = ["null", "~", ""];
const lists = ["[]", "[1, 2]", "[{a: 1}, x]"];

/** Every secret text is made of these, so that one that leaks is found by its look. */
export const secretMark = "s3cr3t-";

interface Taste {
  readonly secret: boolean;
  readonly variables: boolean;
}

export function valuesText(random: Random, taste: Taste): string {
  if (random.once(25)) return random.pick(["", "{}\n", "# nothing\n"]);
  const head = random.once(8) ? "# head\n\n" : "";
  const foot = random.once(8) ? "# foot\n" : "";
  return `${head}${blockLines(random, taste, "", 3).join("\n")}\n${foot}`;
}

function blockLines(random: Random, taste: Taste, pad: string, depth: number): string[] {
  const names = new Set(Array.from({ length: 1 + random.below(3) }, () => random.pick(keys)));
  return [...names].flatMap((key) => {
    const above = random.once(10) ? [`${pad}# of ${key}`] : [];
    const behind = random.once(10) ? " # why" : "";
    const roll = depth === 0 ? random.below(55) : random.below(100);
    if (roll < 60) {
      const value = plainValue(random, taste, roll);
      return [...above, `${pad}${key}:${value === "" ? "" : ` ${value}`}${behind}`];
    }
    const inner = blockLines(random, taste, `${pad}  `, depth - 1);
    return [...above, `${pad}${key}:${behind}`, ...inner];
  });
}

function plainValue(random: Random, taste: Taste, roll: number): string {
  if (roll < 12) return random.pick(nulls);
  if (roll < 22) return random.pick(lists);
  if (roll < 27) return "{}";
  if (roll < 31 && taste.variables) return random.pick(["${v1}", "${v2}"]);
  if (roll < 38) return `{${random.pick(["a", "b"])}: ${scalar(random, taste)}}`;
  return scalar(random, taste);
}

function scalar(random: Random, { secret }: Taste): string {
  return secret ? `${secretMark}${random.below(100_000)}` : random.pick(scalars);
}

export type Json = unknown;

const known = new Map<string, Json>();

/** What a consumer reads: YAML 1.1, nothing for an empty document. */
export function readValues(text: string): Json {
  if (known.size > 20_000) known.clear();
  if (!known.has(text)) {
    const document = parseYaml(text, { version: "1.1", merge: true, uniqueKeys: false });
    // The library counts the line's end before a key as well; we refuse a key that is too long for Go.
    const errors = document.errors.filter(({ code }) => code !== "KEY_OVER_1024_CHARS");
    known.set(text, errors.length > 0 ? `unreadable ${text}` : ((document.toJS() as Json) ?? {}));
  }
  return known.get(text);
}

export function merge(base: Json, override: Json): Json {
  if (!isMapping(base) || !isMapping(override)) return override;
  const result = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(override))
    result.set(key, result.has(key) ? merge(result.get(key), value) : value);
  return Object.fromEntries(result);
}

export function isMapping(value: Json): value is Readonly<Record<string, Json>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
