// Go templates against Go: what the engine renders is what text/template and sprig render natively, byte for byte, or both
// refuse, and then at the same line.
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { home } from "../../engine/go.ts";
import { renderTemplates } from "../../src/engine/go-templates.ts";
import type { Rendered, TemplateFault } from "../../src/engine/go-templates.ts";
import { Oracle } from "./oracle.ts";
import { seed } from "../support/seed.ts";
import { includeTexts, templates, valuesText } from "./go-templates/random.ts";

interface Answer {
  readonly text: string;
  readonly error?: string;
}

interface Given {
  readonly text: string;
  readonly values: string;
}

const program = new URL(".tools/template-oracle", import.meta.url).pathname;
let oracle = new Oracle<object, Answer>(program);
afterAll(() => oracle.close());

/** What the oracle answers where Go itself ends: a mapping that holds itself overflows its stack. */
const ended = "Go ends";

async function natively(request: object): Promise<Answer> {
  try {
    return await oracle.ask(request);
  } catch {
    oracle = new Oracle(program);
    return { text: "", error: ended };
  }
}

const folder = new URL("go-templates/", import.meta.url).pathname;
const probeValues = readFileSync(`${folder}values.json`, "utf8");
const includes = new Map(Object.entries(includeTexts));
const runs = Number(process.env["VALUEFOLD_RUNS"] ?? 3000);
const batch = 1000;

async function both(given: readonly Given[]): Promise<readonly (readonly [Rendered, Answer, Given])[]> {
  const all = given.map(({ text, values }) => ({ file: "main", text, values }));
  const ours = await renderTemplates({ includes, templates: all });
  const pairs: [Rendered, Answer, Given][] = [];
  for (const [index, each] of given.entries()) {
    const theirs = await natively({ ...each, includes: includeTexts });
    pairs.push([ours[index] as Rendered, theirs, each]);
  }
  return pairs;
}

/** What they say of one template, as far as it must be equal. */
function outcomeOf(error: string | undefined, text: string): object {
  return error === undefined ? { text } : { line: lineOf(error) };
}

/** Go's errors of nested templates begin with the outer one's place; the innermost comes last. */
function lineOf(error: string): number | undefined {
  const places = [...error.matchAll(/template: [^\n:]*:(\d+):/g)];
  const line = places.at(-1)?.[1];
  return line === undefined ? undefined : Number(line);
}

function oursOf(rendered: Rendered): object {
  return "text" in rendered ? { text: rendered.text } : { line: rendered.fault.line };
}

/** What Go says of a fault, in its own words. */
const words: Readonly<Record<TemplateFault["what"], RegExp>> = {
  parse: /^template: [^\n]*:\d+: |: template: [^\n]*:\d+: /,
  "missing-key": /(?:map has no entry|nil data; no entry) for key/,
  function: /function "[^"]+" not defined/,
  impure: /never/,
  include: /no file "|template "[^"]+" not defined/,
  type: /executing (?![^]*(?:no entry for key|error calling (?!eq|ne|lt|le|gt|ge|len)))/,
  "too-long": /never/,
  "too-large": /never/,
  failed: /error calling|wrong number of args|panic|not UTF-8/,
};

function compare([ours, { text, error }, given]: readonly [Rendered, Answer, Given]): void {
  if (error === ended) {
    const what = "fault" in ours ? ours.fault.what : ours;
    return expect([given.text, what]).toEqual([given.text, "too-large"]);
  }
  expect([given.text, oursOf(ours)]).toEqual([given.text, outcomeOf(error, text)]);
  if ("fault" in ours) {
    expect([given.text, ours.fault.what, error]).toEqual([
      given.text,
      ours.fault.what,
      expect.stringMatching(words[ours.fault.what]),
    ]);
    if (ours.fault.name !== undefined) expect(error).toContain(ours.fault.name);
  }
}

const probes = readFileSync(`${folder}probes.txt`, "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("# "));

describe("probes", () => {
  test("a mapping that holds itself ends Go, and is refused here", async () => {
    const text = '{{ mergeOverwrite (dict) (dict "b" $.map) (dict "b" $) | toString }}';
    const [[ours, theirs] = []] = await both([{ text, values: '{"map": {"n": 1}}' }]);
    expect(ours).toEqual({ fault: { what: "too-large", file: "main" } });
    expect(theirs).toEqual({ text: "", error: ended });
  });

  test(`${probes.length} templates: Go renders the same, or refuses at the same line`, async () => {
    const results = await both(probes.map((text) => ({ text, values: probeValues })));
    for (const each of results) compare(each);
    const faults = results.filter(([ours]) => "fault" in ours).length;
    console.log(JSON.stringify({ probes: probes.length, faults }));
  });

  test("every pure function is probed where Go renders it, and every action of two is its own template", async () => {
    const [pure = ""] = readFileSync(`${home}functions.txt`, "utf8").split("\n# refused\n");
    const names = pure.split(/\s+/).filter((name) => name !== "" && name !== "#");
    const actions = probes.flatMap(
      (text) => text.match(/\{\{(?!-? *(?:define|block|if|range|with\b|end|\$)).*?\}\}/g) ?? [],
    );
    const results = await both(actions.map((text) => ({ text, values: probeValues })));
    for (const each of results) compare(each);
    const rendered = results.flatMap(([ours, , { text }]) => ("text" in ours ? [text] : [])).join("\n");
    const unproven = names.filter((name) => !new RegExp(`[{( ]${name}[ )]`).test(rendered));
    expect(unproven).toEqual(["buildCustomCert", "fail"]);
  });
});

test(
  `${runs} random templates: Go renders the same, or refuses at the same line`,
  { timeout: 3_600_000 },
  async () => {
    const counts = { rendered: 0, refused: 0 };
    const all = fc.sample(fc.record({ text: templates, values: valuesText }), { numRuns: runs, seed });
    for (let start = 0; start < all.length; start += batch) {
      for (const each of await both(all.slice(start, start + batch))) {
        compare(each);
        counts["text" in each[0] ? "rendered" : "refused"]++;
      }
    }
    console.log(JSON.stringify({ seed, ...counts }));
    expect(counts.rendered).toBeGreaterThan(runs * 0.3);
    expect(counts.refused).toBeGreaterThan(runs * 0.05);
  },
);

// Go leaves open what becomes of a float that no integer holds; arm64 does as the engine does. docs/go-templates.md tells.
test.runIf(process.arch === "x64")(
  "a float beyond 64 bits becomes another integer than on amd64",
  async () => {
    const [[ours, theirs] = []] = await both([{ text: "{{ int64 .e }}", values: '{"e": 1e21}' }]);
    expect([ours, theirs?.text]).toEqual([{ text: "9223372036854775807" }, "-9223372036854775808"]);
  },
);
