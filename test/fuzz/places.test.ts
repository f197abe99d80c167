// Where `explain` says a value stands, against a plain count of lines and columns: layers whose text stands in a literal, a
// quoted text or between brackets, below blank lines, with line feeds of both kinds.
import { expect, test } from "vitest";
import type { ExplainedValue } from "../../src/explanation.ts";
import { explainText } from "../support/explain.ts";
import type { Random } from "../support/nasty-yaml.ts";
import { type Failure, hunt } from "./hunt.ts";

class Writer {
  private readonly random: Random;
  private count = 0;

  constructor(random: Random) {
    this.random = random;
  }

  /** Values that occur once, so that any of them is found by its look. */
  mapping(pad: string, depth: number): string {
    const { random } = this;
    const lines = Array.from({ length: 1 + random.below(3) }, () => {
      const key = random.pick(["a", "b", "é", '"q"', "c d"]) + (this.count++).toString();
      const deep = depth > 0 && random.once(3);
      const value = deep
        ? random.once(3)
          ? ` {x: ${this.value()}, y: ${this.value()}}`
          : `\n${this.mapping(`${pad}${" ".repeat(1 + random.below(4))}`, depth - 1).trimEnd()}`
        : ` ${random.once(6) ? "!!str " : ""}${this.value()}`;
      return `${this.above(pad)}${pad}${key.startsWith('"') ? `"q${this.count++}"` : key}:${value}\n`;
    });
    return lines.join("");
  }

  private value(): string {
    return `v${1000 + this.count++}`;
  }

  private above(pad: string): string {
    return this.random.once(4) ? this.random.pick(["\n", `${pad}# é\n`, "\n\n", `${pad}   \n`]) : "";
  }
}

function datum(text: string, random: Random, pad: string): string {
  if (random.once(8)) return ` ${JSON.stringify(text)}\n`;
  const step = 1 + random.below(4);
  const blanks = Array.from({ length: random.once(2) ? random.below(4) : 0 }, () =>
    " ".repeat(random.below(pad.length + step + 1)),
  );
  const isDeep = /^\s/.test(text);
  const digit = isDeep || random.once(4) ? String(step) : "";
  const header = `${random.pick(["|", "|", ">"])}${digit}${random.pick(["", "-", "+"])}${random.once(6) ? " # c" : ""}`;
  const lines = text.trimEnd().split("\n");
  // A folded text has other lines than its source.
  const own = header.startsWith(">") ? header.replace(">", "|") : header;
  return ` ${own}\n${[...blanks, ...lines.map((line) => (line === "" ? "" : `${pad}${" ".repeat(step)}${line}`))].join("\n")}\n`;
}

function layer(random: Random, at: number): string {
  const text = new Writer(random).mapping(random.once(6) ? "  " : "", 2);
  const pad = random.pick(["  ", "    ", " "]);
  const head = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: l${at}, namespace: org, annotations: {valuefold.dev/into: HelmRelease/shop}}\n`;
  const other = random.once(4) ? `${pad}other: |\n\n${pad}  text\n` : "";
  return `${random.once(5) ? "# why\n\n" : ""}${head}data:\n${other}${pad}values.yaml:${datum(text.replaceAll(/v(?=1\d\d\d)/g, `v${at}`), random, pad)}`
    .replace("data:\n", other === "" ? "data:\n" : "data:\n")
    .replace(
      "namespace: org, annotations: {",
      other === ""
        ? "namespace: org, annotations: {"
        : "namespace: org, annotations: {valuefold.dev/key: values.yaml, ",
    );
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
