// ConfigMaps that layers are folded into, written in every layout: comments deeper than keys, no last line feed, flow, keys
// that are new. What the `yaml` package reads in the output is what a plain merge of the input gives.
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { isMapping, type Json, merge, readValues } from "../life/values.ts";
import { foldText } from "../support/fold.ts";
import type { Random } from "../support/nasty-yaml.ts";
import { type Failure, hunt } from "./hunt.ts";

const keys = ["a.conf", "b.json", "c.yaml", "values", "d.conf", "zz.json"];

function textFor(key: string, random: Random): string {
  const end = random.pick(["\n", "\n", "", "\n\n"]);
  if (key.endsWith(".json"))
    return random.pick(['{"a": 1}', '{"b": {"c": 2}}', '{\n  "a": {"x": 1}\n}', "{}"]) + end;
  if (key.endsWith(".conf"))
    return random.pick(["lead", "lead\n  deep", "# no comment", "  pad\nx", ""]) + end;
  return random.pick(["a: 1", "b: {c: 2}", "a:\n  x: 1", "# only\na: 2 # why", "c: |\n  t"]) + end;
}

/** A data key with its text, in some style. */
function datum(key: string, text: string, pad: string, random: Random): string {
  const isLiteral = /^[^\s#][^\t\r]*$/.test(text) && !random.once(4);
  if (!isLiteral) return `${pad}${random.once(6) ? JSON.stringify(key) : key}: ${JSON.stringify(text)}\n`;
  const step = " ".repeat(1 + random.below(4));
  const body = text.replace(/\n+$/, "");
  const end = text.slice(body.length);
  const header = end === "" ? "|-" : end === "\n" ? "|" : "|+";
  return `${pad}${key}: ${header}\n${body.replaceAll(/^(?=.)/gm, pad + step)}\n${end.slice(1)}`;
}

function comment(random: Random): string {
  if (!random.once(3)) return "";
  return `${" ".repeat(random.below(9))}# comment\n${random.once(4) ? "\n" : ""}`;
}

function dataOf(random: Random, count: number): string {
  const pad = " ".repeat(1 + random.below(4));
  const chosen = [...new Set(Array.from({ length: count }, () => random.pick(keys)))];
  if (count === 0) return random.pick(["", "data: {}\n", "data:\n"]);
  if (random.once(8))
    return `data: {${chosen.map((key) => `${key}: ${JSON.stringify(textFor(key, random))}`).join(", ")}}\n`;
  const entries = chosen.map((key) => datum(key, textFor(key, random), pad, random));
  return `data:${random.once(6) ? " # all" : ""}\n${comment(random)}${entries.join(comment(random))}${comment(random)}`;
}

const layerNote = "\n  annotations:\n    valuefold.dev/into: ConfigMap/tgt\n    valuefold.dev/priority: ";

function stream(random: Random): string {
  const layers = Array.from({ length: 1 + random.below(2) }, (_, at) => {
    return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: l${at}\n  namespace: ns${layerNote}"${20 + at}"\n${dataOf(random, 1 + random.below(2))}`;
  });
  const tail = random.once(4) ? random.pick(["immutable: false\n", "# foot\n", "    # deep foot\n"]) : "";
  const target = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: tgt\n  namespace: ns\n${dataOf(random, random.below(3))}${tail}`;
  const all = random.once(3) ? [target, ...layers] : [...layers, target];
  const text = all.join("---\n");
  return random.once(2) ? text.replace(/\n$/, "") : text;
}

interface ConfigMap {
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly data?: Readonly<Record<string, string>>;
}

function configMaps(text: string): readonly ConfigMap[] | undefined {
  const documents = parseAllDocuments(text);
  const broken = !Array.isArray(documents) || documents.some(({ errors }) => errors.length > 0);
  if (broken) return undefined;
  const all = documents.map((document) => document.toJS() as ConfigMap);
  const isRight = all.every(
    (one) =>
      one?.metadata?.name &&
      isMapping(one.data ?? {}) &&
      Object.values(one.data ?? {}).every((each) => typeof each === "string"),
  );
  return isRight ? all : undefined;
}

function valueOf(key: string, text: string): Json {
  if (key.endsWith(".conf")) return text;
  return key.endsWith(".json") ? (parse(text) as Json) : readValues(text);
}

/** What the target holds once everything is folded into it. */
function wanted(all: readonly ConfigMap[]): Readonly<Record<string, Json>> | undefined {
  const target = all.filter(({ metadata }) => metadata.name === "tgt");
  const layers = all.filter(
    ({ metadata }) => metadata.annotations?.["valuefold.dev/into"] === "ConfigMap/tgt",
  );
  if (target.length !== 1 || layers.length + 1 !== all.length) return undefined;
  const rank = ({ metadata }: ConfigMap): number => Number(metadata.annotations?.["valuefold.dev/priority"]);
  const result = new Map<string, Json>();
  for (const { data } of [...target, ...layers.toSorted((a, b) => rank(a) - rank(b))]) {
    for (const [key, text] of Object.entries(data ?? {})) {
      const [below, value] = [result.get(key), valueOf(key, text)];
      result.set(key, below === undefined || !isMapping(below) ? value : merge(below, value));
    }
  }
  return Object.fromEntries(result);
}

/** The library adds a line feed to a literal that a text ends without one; Go does not, nor do we. */
function isSameBarEnds(one: Json, other: Json): boolean {
  const bare = (value: Json): Json =>
    JSON.parse(JSON.stringify(value), (_, each: Json) =>
      typeof each === "string" ? each.replace(/\n+$/, "") : each,
    ) as Json;
  return isDeepStrictEqual(bare(one), bare(other));
}

let folded = 0;

function check([input = ""]: readonly string[]): Failure | undefined {
  const all = configMaps(input);
  const want = all && wanted(all);
  if (want === undefined) return undefined;
  const { exitCode, output, messages } = foldText(input);
  if (exitCode === 2) return { kind: "a bug", detail: messages };
  if (exitCode !== 0) return undefined;
  folded++;
  const after = configMaps(output)?.find(({ metadata }) => metadata.name === "tgt");
  if (after === undefined) return { kind: "output that cannot be read", detail: output };
  const got = Object.fromEntries(
    Object.entries(after.data ?? {}).map(([key, text]) => [key, valueOf(key, text)]),
  );
  if (!isSameBarEnds(got, want))
    return { kind: "other values", detail: `want ${JSON.stringify(want)}\ngot  ${JSON.stringify(got)}` };
  return foldText(output).output === output ? undefined : { kind: "the second fold differs" };
}

test("ConfigMaps hold what a plain merge gives", async () => {
  await hunt({ name: "in place", cases: 500, make: (random) => [stream(random)], check });
  expect(folded).toBeGreaterThan(0);
});
