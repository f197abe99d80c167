// Where `explain` says a value stands, against a plain count of lines and columns: layers whose text stands in a literal, a
// quoted text or between brackets, below blank lines, with line feeds of both kinds.
import { expect, test } from "vitest";
import type { ExplainedValue } from "../../src/explanation.ts";
import { explainText } from "../support/explain.ts";
import type { Random } from "../support/nasty-yaml.ts";
import { type Failure, hunt } from "./hunt.ts";

class Writer {
  private readonly random: Random;
  private count: number;

  /** @param first a number that no other writer's values have */
  constructor(random: Random, first: number) {
    this.random = random;
    this.count = first;
  }

  /** Values that occur once, so that any of them is found by its look. */
  mapping(pad: string, depth: number): string {
    const { random } = this;
    const lines = Array.from({ length: 1 + random.below(3) }, () => {
      const own = `${random.pick(["a", "b", "é", "c d", '"q'])}${this.count++}`;
      const key = own.startsWith('"') ? `${own}"` : own;
      return `${this.above(pad)}${pad}${key}:${this.entry(pad, depth)}\n`;
    });
    return lines.join("");
  }

  private entry(pad: string, depth: number): string {
    const { random } = this;
    if (depth === 0 || !random.once(3)) return ` ${random.once(6) ? "!!str " : ""}${this.value()}`;
    if (random.once(3)) return ` {x: ${this.value()}, y: ${this.value()}}`;
    return `\n${this.mapping(`${pad}${" ".repeat(1 + random.below(4))}`, depth - 1).trimEnd()}`;
  }

  private value(): string {
    return `v${this.count++}`;
  }

  private above(pad: string): string {
    return this.random.once(4) ? this.random.pick(["\n", `${pad}# é\n`, "\n\n", `${pad}   \n`]) : "";
  }
}

function datum(text: string, random: Random, pad: string): string {
  if (random.once(8)) return ` ${JSON.stringify(text)}\n`;
  const step = " ".repeat(1 + random.below(4));
  const blanks = Array.from({ length: random.once(2) ? random.below(4) : 0 }, () =>
    " ".repeat(random.below(pad.length + step.length + 1)),
  );
  const digit = /^\s/.test(text) || random.once(4) ? String(step.length) : "";
  const header = `|${digit}${random.pick(["", "-", "+"])}${random.once(6) ? " # c" : ""}`;
  const lines = text.trimEnd().replaceAll(/^(?=.)/gm, pad + step);
  return ` ${header}\n${[...blanks, lines].join("\n")}\n`;
}

function layer(random: Random, at: number): string {
  const text = new Writer(random, 1000 * (at + 1)).mapping(random.once(6) ? "  " : "", 2);
  const pad = random.pick(["  ", "    ", " "]);
  const [note, other] = random.once(4)
    ? ["valuefold.dev/key: values.yaml, ", `${pad}other: |\n\n${pad}  text\n`]
    : ["", ""];
  const annotations = `{${note}valuefold.dev/into: HelmRelease/shop}`;
  const head = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: l${at}, namespace: org, annotations: ${annotations}}\n`;
  return `${random.once(5) ? "# why\n\n" : ""}${head}data:\n${other}${pad}values.yaml:${datum(text, random, pad)}`;
}

function stream(random: Random): string {
  const release =
    "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: shop, namespace: org}\nspec: {}\n";
  const documents = Array.from({ length: 1 + random.below(2) }, (_, at) => layer(random, at));
  const text = [...documents, release].join(random.pick(["---\n", "---\n\n", "--- # next\n"]));
  return random.once(4) ? text.replaceAll("\n", "\r\n") : text;
}

function naively(text: string, value: string): string {
  const before = Buffer.from(text.slice(0, text.indexOf(value)), "utf8");
  const line = before.lastIndexOf(0x0a) + 1;
  return `${before.filter((byte) => byte === 0x0a).length + 1}:${before.length - line + 1}`;
}

let told = 0;

function misplaced({ text = "", at }: ExplainedValue, input: string): Failure | undefined {
  const value = text.replace("!!str ", "");
  const isOnce = /^v\d+$/.test(value) && input.split(value).length === 2;
  if (!isOnce || at?.of !== "file" || at.line === undefined) return undefined;
  told++;
  const want = naively(input, text);
  const got = `${at.line}:${at.column}`;
  return want === got ? undefined : { kind: "another place", detail: `${text}: want ${want}, got ${got}` };
}

function check([input = ""]: readonly string[]): Failure | undefined {
  const { explanation } = explainText(input, undefined, { files: [{ name: "in.yaml", start: 0 }] });
  const values = explanation?.targets.flatMap(({ stacks }) => stacks.flatMap((stack) => stack.values)) ?? [];
  return values.map((value) => misplaced(value, input)).find((failure) => failure !== undefined);
}

test("places are those of a plain count", async () => {
  await hunt({ name: "places", cases: 500, make: (random) => [stream(random)], check });
  expect(told).toBeGreaterThan(0);
});
