// Repeats: laws over generated lists, KOTS' own rows, secrets, and how cost grows.
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { cpuClock } from "../support/cpu.ts";
import { explainText } from "../support/explain.ts";
import { foldText, itemsOnly } from "../support/fold.ts";
import { arbitraryWorld, asJson, asList, asStream, documentsOf, type RepeatWorld } from "../support/generate-repeat.ts";

const numRuns = Number(process.env["VALUEFOLD_RUNS"] ?? 30);
const options = { numRuns };

/** A world in which there is something to repeat. */
const arbitrary = arbitraryWorld.filter(({ parts }) => parts.some((part) => part !== "bystander"));

function folded(input: string): string {
  const { output, messages, exitCode } = foldText(input);
  // A list that was repeated has no Repeat left that shows that all is as it should be.
  // What is told to prune layers tells which of them stay.
  expect([exitCode, messages.replaceAll(/^warning\[(?:no-target|layer-kept)\].*\n(?: .*\n)*/gm, "")]).toEqual([0, ""]);
  return itemsOnly(output);
}

interface Named {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
}

/** The text of every item of a list, by kind and name. */
function itemsOf(list: string): Map<string, string> {
  const texts = list
    .split(/^items:\n/m)[1]
    ?.split(/^- /m)
    .slice(1);
  return new Map(
    (texts ?? []).map((text) => {
      const { kind, metadata } = parse(`- ${text}`)[0] as Named;
      return [`${kind}/${metadata.name}`, text];
    }),
  );
}

/** Repeats and templates without instances would come to nothing, which is a fault. */
const bystander = "apiVersion: v1\nkind: Namespace\nmetadata: {name: here}\n";

function documentsWith(world: RepeatWorld): string[] {
  return [...documentsOf(world), bystander];
}

describe("laws", { tags: "law" }, () => {
  test("what was repeated repeats to itself, byte for byte", () => {
    fc.assert(
      fc.property(arbitrary, (world) => {
        const documents = documentsWith(world);
        const list = folded(asList(documents, world.prunes));
        expect(folded(list)).toBe(list);
        const json = folded(asJson(documents, world.prunes));
        expect(folded(json)).toBe(json);
        expect(meaningOf(json)).toEqual(meaningOf(list));
        const stream = folded(asStream(documents));
        expect(folded(stream)).toBe(stream);
      }),
      options,
    );
  });

  test("one instance more or less changes its own clones and lists, and nothing else", () => {
    fc.assert(
      fc.property(
        arbitrary.filter(({ instances }) => instances.length > 0),
        fc.nat(),
        (world, at) => {
          const gone = at % world.instances.length;
          const [name] = world.instances[gone] ?? [""];
          const fewer = { ...world, instances: world.instances.filter((_, index) => index !== gone) };
          const [less, more] = [
            itemsOf(folded(asList(documentsWith(fewer)))),
            itemsOf(folded(asList(documentsWith(world)))),
          ];
          for (const [item, text] of less)
            if (!item.startsWith("Repeat/") && !shared.includes(item)) expect(more.get(item)).toBe(text);
          const own = [...more.keys()].filter((item) => !less.has(item) && !shared.includes(item));
          for (const item of own) expect(item).toContain(`-${name}`);
        },
      ),
      options,
    );
  });

  test("a value of a clone stands in the file where explain says that it does", () => {
    let places = 0;
    fc.assert(
      fc.property(arbitrary, (world) => {
        const stream = asStream([...documentsOf({ ...world, host: undefined }), bystander]);
        const lines = stream.split("\n");
        const { explanation } = explainText(stream, undefined, { files: [{ name: "f.yaml", start: 0 }] });
        const values =
          explanation?.targets.flatMap(({ stacks }) => stacks.flatMap((stack) => stack.values)) ?? [];
        for (const { text, at } of values.flatMap((value) => [value, ...value.over])) {
          if (text === undefined || at?.file === undefined || /^[[{]/.test(text)) continue;
          const { line = 0, column = 0 } = at;
          expect(lines[line - 1]?.slice(column - 1, column - 1 + text.length)).toBe(text);
          places++;
        }
      }),
      options,
    );
    expect(places).toBeGreaterThan(numRuns);
  });

  test("the order of clones is the order of instances, wherever things stand", () => {
    fc.assert(
      fc.property(arbitrary, fc.nat(), (world, place) => {
        const parts = [...world.parts].toReversed();
        for (const other of [world, { ...world, place, parts }]) {
          const names = [...itemsOf(folded(asList(documentsWith(other)))).keys()];
          const clones = names.filter((name) => name.startsWith("Deployment/worker-"));
          const wanted = other.parts.includes("deployment")
            ? other.instances.map(([name]) => `Deployment/worker-${name}`)
            : [];
          expect(clones).toEqual(wanted);
        }
      }),
      options,
    );
  });
});

describe("where a Repeat runs", () => {
  test("a stream, a build and a package with `once: true` come to the same items; the Repeat and its templates go", () => {
    fc.assert(
      fc.property(arbitrary, (some) => {
        const world = { ...some, prunes: false };
        const [inKpt, inBuild, alone] = (["kpt", "kustomize", undefined] as const).map((host) =>
          folded(asList(documentsWith({ ...world, host }))),
        );
        for (const list of [inKpt, inBuild, alone])
          expect(list).not.toMatch(/kind: Repeat|template-of|repeated-lists|\\?"made\\?":/);
        const itemsIn = (list = ""): unknown[] =>
          (parse(list) as { readonly items: readonly Named[] }).items.map(unnoted);
        // kustomize follows references inside a group itself. In kpt a ConfigMap that was folded into records its text.
        if (world.source !== "layered") expect(itemsIn(inKpt)).toEqual(itemsIn(alone));
      }),
      options,
    );
  });

  test("a package without it is refused, and comes back as it was", () => {
    fc.assert(
      fc.property(arbitrary, (world) => {
        const list = asList(documentsWith({ ...world, host: "kpt", prunes: false })).replace(/ +once: true\n/, "");
        const { exitCode, diagnostics, output } = foldText(list);
        expect([exitCode, diagnostics.map(({ code }) => code)]).toEqual([1, ["repeat-in-place"]]);
        expect(itemsOnly(output)).toBe(list);
      }),
      options,
    );
  });
});

/** An item without notes of ours or of an orchestrator. */
function unnoted({ metadata: { annotations, ...metadata }, ...item }: Named): unknown {
  const left = Object.entries(annotations ?? {}).filter(
    ([key]) => !/^valuefold.dev\/(?:repeated-|folded-references)|^internal.config|^kustomize/.test(key),
  );
  return { ...item, metadata: { ...metadata, annotations: Object.fromEntries(left) } };
}

/** What all instances have a part in: a list, and what layers of all of them fold into. */
const shared: readonly string[] = [
  "Service/proxy",
  "Foo/texts",
  "ConfigMap/base-folded",
  "HelmRelease/base",
  "ConfigMap/instances",
  "ConfigMap/first",
  "ConfigMap/more",
];

/** What a list says, records and results aside: these tell of spelling. */
function meaningOf(list: string): unknown {
  const { items } = parse(list) as { readonly items: readonly Named[] };
  // Texts in ConfigMaps keep the spelling of what they came from.
  // An object in JavaScript has its own order of keys.
  return items
    .map((item) => (item.kind === "ConfigMap" ? item.metadata.name : JSON.stringify(sorted(item))))
    .toSorted();
}

interface Row {
  readonly name: string;
  readonly input: string;
  readonly kots: string;
  readonly difference?: string;
  /** By the templates of the Config, if that differs otherwise, or not at all. */
  readonly declaredDifference?: string | null;
}

/** What a Repeat says is cloned. Without it, the Config's own `templates` say the same. */
const cloneOf = /^( *)clone:\n(?:\1- .*\n(?:\1 +.*\n)*)+/gm;

/** KOTS fills in the options of a Config later; a Config's own templates are filled in at once. */
function withOptions(kots: string, input: string): string {
  const values = new Map([...input.matchAll(/([\w ]+): '(\d+)'/g)].map(([, key = "", value]) => [key.trim(), value]));
  return kots.replaceAll(/repl\{\{ ConfigOption "([^"]+)" \| ParseInt \}\}/g, (all, key: string) => values.get(key) ?? all);
}

describe("KOTS' own rows", () => {
  const rows = parse(readFileSync(new URL("kots.yaml", import.meta.url), "utf8")) as readonly Row[];
  const found: string[] = [];

  test.for(
    rows.flatMap((row) => [
      [row.name, row.input, row.kots, row.difference] as const,
      [
        `${row.name}, by its templates`,
        row.input.replaceAll(cloneOf, ""),
        withOptions(row.kots, row.input),
        row.declaredDifference === undefined ? row.difference : (row.declaredDifference ?? undefined),
      ] as const,
    ]),
  )("%s", ([name, input, kots, difference]) => {
    const { output, diagnostics, exitCode } = foldText(input);
    const ours = exitCode === 0 ? documentsIn(output) : diagnostics.map(({ code }) => code);
    const theirs = kots === "panics" ? kots : documentsIn(kots);
    if (difference === undefined) expect(ours).toEqual(theirs);
    else expect(ours).not.toEqual(theirs);
    found.push(`${name}\n  ${difference ?? "the same"}\n  ours: ${JSON.stringify(ours)}\n`);
  });

  test("each difference is one that is known", async () => {
    await expect(found.join("\n")).toMatchFileSnapshot(
      new URL("kots-differences.txt", import.meta.url).pathname,
    );
  });
});

/** Documents less the Config and our marks, lists in any order. */
function documentsIn(stream: string): string[] {
  return parseAllDocuments(stream)
    .map((document) => document.toJS() as Named)
    .filter((one) => one !== null && one.kind !== "Config")
    .map((one) => JSON.stringify(sorted(one)))
    .toSorted();
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map(sorted).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value)
    .filter(([key, inner]) => !key.startsWith("valuefold.dev/") && !(key === "annotations" && isOurs(inner)))
    .map(([key, inner]) => [key, sorted(inner)] as const);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function isOurs(annotations: unknown): boolean {
  return (
    typeof annotations === "object" &&
    annotations !== null &&
    Object.keys(annotations).every((key) => key.startsWith("valuefold.dev/"))
  );
}

describe("secrets", () => {
  const canary = "c4n4ryMarker";
  const source = (text: string): string =>
    `apiVersion: v1\nkind: Secret\nmetadata: {name: files}\nstringData:\n  i.yaml: ${JSON.stringify(text)}\n`;
  const repeat = (clone: string): string =>
    `apiVersion: valuefold.dev/v1alpha1\nkind: Repeat\nmetadata: {name: r}\nspec:\n  from: {kind: Secret, name: files}\n  clone:\n    - ${clone}\n`;
  const target =
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {}\n---\napiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {ports: [{name: x}]}\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: t}\nstringData: {}\n---\napiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: h}\nspec: {}\n";
  const clones = [
    '{ kind: ConfigMap, name: c, as: "c-{name}", set: { data.x: "{value}" } }',
    '{ kind: ConfigMap, name: c, as: "c-{value}" }',
    '{ kind: ConfigMap, name: c, as: "c-{value.a}" }',
    '{ kind: ConfigMap, name: c, as: "c-{name}", set: { "data[\\"{value}\\"]": "x" } }',
    '{ kind: ConfigMap, name: c, as: "c-{name}", set: { data.x: "a {value.a.b} b" } }',
    '{ kind: Service, name: s, path: "spec.ports[0]", set: { name: "{value}" } }',
    '{ kind: Service, name: s, path: "spec.ports[0]", set: "{value}" }',
    '{ kind: Service, name: s, path: "spec.ports[0]", each: "a", set: { name: "{item.value}" } }',
    '{ kind: Service, name: s, path: "spec.ports[0]", each: "a", set: { name: "{item.name}" } }',
    '{ kind: ConfigMap, name: c, as: "c-{item.name}", each: "a" }',
    '{ kind: Secret, name: t, as: "t-{name}", each: "a", set: { stringData.x: "{item.value}" } }',
    '{ kind: Secret, name: t, as: "t-{name}", set: { data.x: "{value.a|fromBase64}" } }',
    '{ kind: ConfigMap, name: c, as: "c-{name}", set: { data.x: "{value|int|string}" } }',
    '{ kind: ConfigMap, name: c, as: "c-{name}", set: { data.x: "{value.a|int}" } }',
    '{ kind: ConfigMap, name: c, as: "c-{name}", set: { "metadata[\\"{value.a}\\"].b.c": x } }',
    '{ kind: Secret, name: t, as: "t-{name}", set: { "metadata.labels[\\"{value.a}\\"].b": x } }',
    '{ kind: Secret, name: t, as: "t-{name}", set: { "stringData[\\"{value.a}\\"]": x } }',
    '{ kind: Secret, name: t, as: "t-{name}", set: { stringData.x: "{value.a|bool}" } }',
    '{ kind: Secret, name: t, as: "t-{name}", set: { metadata.labels.x: "{value}" } }',
    '{ kind: Secret, name: t, as: "t-{name}", set: { stringData.x: "{value}" } }',
    '{ kind: Secret, name: t, as: "t-{name}", set: { stringData.x: "{value.a}" } }',
    '{ kind: HelmRelease, name: h, as: "h-{name}", values: "{value}" }',
    '{ kind: HelmRelease, name: h, as: "h-{name}", values: "{value.a}" }',
  ];
  const texts = [
    `one: ${canary}\n`,
    `one: {a: ${canary}}\n`,
    `one: {a: {b: ${canary}}}\n`,
    `one: {a: {${canary}: b}}\n`,
    `one: {${canary}: {b: c}}\n`,
    `one: {a: ${canary}\n`,
    `- ${canary}\n`,
    `one: &${canary} x\ntwo: *${canary}\n`,
    `one: |\n  ${canary}\n  x\n`,
  ];

  test.for(clones.flatMap((clone) => texts.map((text) => [clone, text] as const)))(
    "%s of %j reach Secrets only",
    ([clone, text]) => {
      const { output, messages, diagnostics } = foldText([repeat(clone), source(text), target].join("---\n"));
      expect(messages).not.toContain(canary);
      expect(JSON.stringify(diagnostics)).not.toContain(canary);
      for (const document of output.split(/^---\n/m)) {
        if (!document.includes(canary)) continue;
        const { kind, metadata } = parse(document) as Named;
        expect([kind, JSON.stringify(metadata).includes(canary)]).toEqual(["Secret", false]);
      }
    },
  );
});

describe("cost", { tags: "law" }, () => {
  const listWith = (count: number): string => {
    const instances = Array.from({ length: count }, (_, index): [string, number] => [`i${index}`, index]);
    return asList(
      documentsOf({
        instances,
        parts: ["deployment", "ports", "release", "grouped"],
        step: 2,
        flow: false,
        place: 0,
        comments: true,
      }),
    );
  };

  test("grows as the number of instances does", { retry: 2 }, () => {
    const time = (count: number): number => {
      const input = listWith(count);
      const times = [0, 1, 2].map(() => {
        const elapsed = cpuClock();
        foldText(input);
        return elapsed() * 1000;
      });
      return Math.min(...times);
    };
    time(200);
    const [few, many] = [time(125), time(500)];
    const exponent = Math.log(many / few) / Math.log(4);
    process.stderr.write(
      `repeat: 125 instances ${few.toFixed(0)} ms, 500 instances ${many.toFixed(0)} ms, exponent ${exponent.toFixed(2)}\n`,
    );
    expect(exponent).toBeLessThanOrEqual(1.4);
  });
});
