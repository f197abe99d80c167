// Records that a fold or a Repeat leaves in annotations, forged or damaged: each of their fields made another type or shape.
// That is a fault, or it is harmless: no crash, no output that cannot be read, or that the next run refuses.
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { foldText } from "../support/fold.ts";
import type { Random } from "../support/nasty-yaml.ts";
import { inputs } from "./corpus.ts";
import { type Failure, hunt } from "./hunt.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const shapes: readonly Json[] = [
  ...(JSON.parse(
    '[null, true, false, 0, 1, -1, 1.5, 1e300, "", " ", "a: b", "a\\nb", "\\u0000", [], {}, ["x"], [[]], {"a": 1}, [{"a": 1}]]',
  ) as Json[]),
  ..."x { .. a/b true 5 shop valuesFrom extraConfigs config userConfig spec.values".split(" "),
  ..."ConfigMap Secret HelmRelease/org/shop ${v} ' \" # 🙂".split(" "),
];

const ofLayers = "kind namespace name key priority slot after before local gone optional".split(" ");
const ofRecords = "v target digest inputs alone rules layers repeat template instance made".split(" ");

/** One place in it made something else. */
function forged(value: Json, random: Random): Json {
  if (typeof value !== "object" || value === null || random.once(12)) return random.pick(shapes);
  const keys = Object.keys(value);
  if (keys.length === 0) return random.pick(shapes);
  if (!Array.isArray(value) && random.once(3)) {
    const names = keys.includes("priority") ? ofLayers : ofRecords;
    return { ...value, [random.pick(names)]: random.pick(shapes) };
  }
  const key = random.pick(keys);
  const inner = forged((value as { [key: string]: Json })[key] ?? null, random);
  if (random.once(12)) return Array.isArray(value) ? value.toSpliced(Number(key), 1) : without(value, key);
  return Array.isArray(value) ? value.with(Number(key), inner) : { ...value, [key]: inner };
}

function without(value: { [key: string]: Json }, key: string): Json {
  return Object.fromEntries(Object.entries(value).filter(([each]) => each !== key));
}

const record = /(?<=valuefold\.dev\/[\w-]+: )'([[{](?:[^'\n]|'')*)'/g;

function forge(text: string, random: Random): string {
  const found = [...text.matchAll(record)];
  const one = found[random.below(Math.max(1, found.length))];
  if (one === undefined) return text;
  let json = JSON.parse((one[1] ?? "").replaceAll("''", "'")) as Json;
  for (let left = 1 + random.below(2); left > 0; left--) json = forged(json, random);
  const written = random.once(9) ? JSON.stringify(json).slice(0, random.below(80)) : JSON.stringify(json);
  return (
    text.slice(0, one.index) + `'${written.replaceAll("'", "''")}'` + text.slice(one.index + one[0].length)
  );
}

function isReadable(text: string): boolean {
  return [...parseAllDocuments(text, { uniqueKeys: false })].every(({ errors }) => errors.length === 0);
}

/** What a forged record may lead to, and the next run says. */
const answers = new Set(["folded-dangling", "folded-edited", "name-taken"]);

let folded = 0;

function check([input = ""]: readonly string[]): Failure | undefined {
  try {
    if (!isReadable(input)) return undefined;
    const { exitCode, output } = foldText(input);
    if (exitCode !== 0) return undefined;
    folded++;
    if (!isReadable(output)) return { kind: "output that cannot be read", detail: output };
    const { diagnostics, messages } = foldText(output);
    const refusal = diagnostics.find(({ code, severity }) => severity === "error" && !answers.has(code));
    return refusal && { kind: `output that the next run refuses: ${refusal.code}`, detail: messages };
  } catch (bug) {
    const stack = bug instanceof Error ? (bug.stack ?? "") : String(bug);
    return { kind: `a bug: ${/\/src\/[^)\n]*/.exec(stack)?.[0] ?? stack}`, detail: stack };
  }
}

test("forged records do no harm", async () => {
  // Cases whose output the next run refuses as it is tell nothing of records.
  const corpus = inputs().filter((text) => text.search(record) >= 0 && check([text]) === undefined);
  expect(corpus.length).toBeGreaterThan(50);
  await hunt({ name: "records", cases: 1000, make: (random) => [forge(random.pick(corpus), random)], check });
  expect(folded).toBeGreaterThan(0);
});
