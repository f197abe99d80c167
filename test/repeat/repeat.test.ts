// Repeats: laws over generated lists, KOTS' own rows, secrets, and how cost grows.
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { explainText } from "../support/explain.ts";
import { foldText, itemsOnly } from "../support/fold.ts";
import { listOf, repeatIn } from "../support/repeat-texts.ts";
import {
  arbitraryInstances,
  arbitraryWorld,
  asJson,
  asList,
  asStream,
  documentsOf,
  linesOf,
  type RepeatWorld,
} from "../support/generate-repeat.ts";

const numRuns = Number(process.env["VALUEFOLD_RUNS"] ?? 60);
const seed =
  process.env["VALUEFOLD_SEED"] === undefined ? {} : { seed: Number(process.env["VALUEFOLD_SEED"]) };
const options = { numRuns, ...seed };

/** A world in which there is something to repeat. */
const arbitrary = arbitraryWorld.filter(({ parts }) => parts.some((part) => part !== "bystander"));

/** kpt hands over again what came out; its instances stand in one place, where another run finds others. */
const arbitraryUnlayered = arbitrary.map((world) => ({
  ...world,
  host: "kpt" as const,
  source: world.source === "layered" ? ("data" as const) : (world.source ?? "inline"),
}));

function folded(input: string): string {
  const { output, messages, exitCode } = foldText(input);
  // A stream that was repeated has no Repeat left to say that all is as it should be.
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

describe("laws", () => {
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

  test("a list repeated again with other instances is the list repeated with these from the start, up to the order of items", () => {
    fc.assert(
      fc.property(arbitraryUnlayered, arbitraryInstances, (world, instances) => {
        const first = folded(asList(documentsWith(world)));
        const later = withInstances(first, world, instances);
        const fresh = folded(asList(documentsWith({ ...world, instances })));
        const [again, anew] = [itemsOf(folded(later)), itemsOf(fresh)];
        expect([...again.keys()].toSorted()).toEqual([...anew.keys()].toSorted());
        for (const [name, text] of anew)
          if (!name.startsWith("Repeat/") && name !== "ConfigMap/base-folded")
            expect(meaning(again.get(name))).toEqual(meaning(text));
      }),
      options,
    );
  });

  test.for(
    [0, 2].flatMap((step) =>
      [true, false].flatMap((flow) => [true, false].map((comments) => ({ step, flow, comments }) as const)),
    ),
  )("elements come back where they stood when there was no instance: %o", ({ step, flow, comments }) => {
    const instances = [
      ["a", 1],
      ["b", 2],
    ] as const;
    const world = {
      instances: [],
      parts: ["ports" as const],
      step: step === 0 ? (0 as const) : (2 as const),
      flow,
      comments,
      place: 0,
      host: "kpt" as const,
    };
    const later = withInstances(folded(asList(documentsWith(world))), world, instances);
    const fresh = itemsOf(folded(asList(documentsWith({ ...world, instances }))));
    expect(meaning(itemsOf(folded(later)).get("Service/proxy"))).toEqual(meaning(fresh.get("Service/proxy")));
  });

  test("one instance more or less changes its own clones and the lists' records, and nothing else", () => {
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

  test("what others wrote anew, with keys in another order and with patches, stays", () => {
    fc.assert(
      fc.property(arbitrary, (some) => {
        // What JavaScript itself would write anew: keys that are numbers, and numbers of other bases. A layer of a
        // clone's own is written as its instance is.
        const world = {
          ...some,
          instances: some.instances.filter(([name]) => name !== "80"),
          parts: [...new Set([...some.parts.filter((part) => part !== "release"), "deployment" as const])],
        };
        const documents = documentsWith(world).map((text) => text.replaceAll("0755", "755"));
        const list = parse(folded(asList(documents))) as { readonly items: readonly Named[] };
        const items = list.items.map((item) => (isClone(item) ? patched(item) : item));
        const again = parse(
          folded(
            JSON.stringify({
              ...list,
              items: items.map((item) => (item.kind === "Repeat" ? item : reversed(item))),
            }),
          ),
        ) as typeof list;
        expect(again.items).toEqual(items);
      }),
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

describe("life of a clone", () => {
  test("in a stream and in a build the Repeat and its templates go, and nothing is recorded", () => {
    fc.assert(
      fc.property(arbitrary, fc.constantFrom("kustomize" as const, undefined), (some, host) => {
        const world = { ...some, host, prunes: false };
        const once = folded(asList(documentsWith(world)));
        expect(once).not.toMatch(/kind: Repeat|template-of|repeated-lists|\\?"made\\?":/);
        const stays = folded(asList(documentsWith({ ...world, host: "kpt" })));
        const isLeft = (item: Named): boolean =>
          item.kind !== "Repeat" && item.metadata.annotations?.["valuefold.dev/template-of"] === undefined;
        const itemsIn = (list: string): unknown[] =>
          (parse(list) as { readonly items: readonly Named[] }).items.filter(isLeft).map(unnoted);
        // Under kpt a folded item stays apart from what it was folded into; kustomize follows references itself.
        if (world.source === "layered" || host !== undefined) return;
        expect(itemsIn(once)).toEqual(itemsIn(stays));
      }),
      options,
    );
  });

  test("under kpt a clone that a user edited stays while its inputs do, and is refused once they change", () => {
    fc.assert(
      fc.property(
        arbitraryUnlayered.filter(({ instances }) => instances.length > 0),
        fc.nat(),
        fc.nat(),
        (some, edited, changed) => {
          const world = { ...some, parts: [...new Set([...some.parts, "deployment" as const])] };
          const [one = ""] = world.instances[edited % world.instances.length] ?? [];
          const [other = ""] = world.instances[changed % world.instances.length] ?? [];
          const list = folded(asList(documentsWith(world)));
          const key = `Deployment/worker-${one}`;
          const own = itemsOf(list).get(key) ?? "";
          const mine = own.replace(/^( +)replicas: (.*)$/m, "$1replicas: $2\n$1paused: true");
          expect(mine).not.toBe(own);
          const kept = list.replace(own, () => mine);
          expect(folded(kept)).toBe(kept);
          const instances = world.instances.map(
            ([name, port]) => [name, name === other ? port + 3 : port] as const,
          );
          const later = withInstances(kept, world, instances);
          if (one === other) {
            const { exitCode, diagnostics, output } = foldText(later);
            expect([exitCode, diagnostics.map(({ code }) => code)]).toEqual([1, ["repeat-edited"]]);
            expect(itemsOnly(output)).toBe(later);
          } else expect(itemsOf(folded(later)).get(key)).toBe(mine);
        },
      ),
      options,
    );
  });

  const words = fc.uniqueArray(fc.constantFrom<string>("k1", "k2", "k3", "k4", "k5", "k6"), { minLength: 1 });

  test("an element comes back after the one that it followed, whatever else a user did to the list", () => {
    fc.assert(
      fc.property(
        words,
        fc.tuple(fc.nat(), fc.nat()),
        fc.array(fc.tuple(fc.nat(), fc.boolean()), { maxLength: 4 }),
        fc.boolean(),
        (own, [place, otherPlace], edits, isFlow) => {
          const at = place % (own.length + 1);
          const otherAt = otherPlace % (own.length + 2);
          const withTemplates = own.toSpliced(at, 0, "tpl").toSpliced(otherAt, 0, "other");
          const textOf = (list: readonly string[]): string =>
            isFlow || list.length === 0
              ? ` [${list.join(", ")}]`
              : list.map((each) => `\n  - ${each}`).join("");
          const entry = (element: string): string =>
            `{kind: Foo, name: f, path: "spec.l[${withTemplates.indexOf(element)}]", set: "{name}"}`;
          const input = listOf(
            repeatIn("{a: {}}", entry("tpl")),
            repeatIn("{p: {}, q: {}}", entry("other")).replace("name: r", "name: s"),
            `apiVersion: a/v1\nkind: Foo\nmetadata: {name: f}\nspec:\n  last: x\n  l:${textOf(withTemplates)}\n`,
          );
          const elementsIn = (list: string): string[] =>
            (parse(list) as { items: { kind: string; spec: { l: string[] } }[] }).items.find(
              ({ kind }) => kind === "Foo",
            )?.spec.l ?? [];
          const none = folded(folded(input).replace("{a: {}}", "{}"));
          const isOther = (each: string): boolean => each === "p" || each === "q";
          expect(elementsIn(none).filter((each) => !isOther(each))).toEqual(own);
          const now = edits.reduce<string[]>((list, [index, adds], count) => {
            const where = index % (list.length + 1);
            if (adds) return list[where] === "q" ? list : list.toSpliced(where, 0, `new${count}`);
            return list[where] === undefined || isOther(list[where]) ? list : list.toSpliced(where, 1);
          }, elementsIn(none));
          const block = /(\n {4}l:)(?: \[.*\]|(?:\n {4}- .*)*)/;
          const later = none
            .replace(block, (_, key: string) => key + textOf(now).replaceAll("\n", "\n  "))
            .replace("instances: {}", "instances: {a: {}}");
          const { exitCode, output } = foldText(later);
          const before = own[at - 1];
          if (before !== undefined && !now.includes(before)) expect(exitCode).toBe(1);
          else {
            const made = elementsIn(output);
            expect(made.filter((each) => each !== "a")).toEqual(now);
            const left = made.filter((each) => !isOther(each));
            expect(left.indexOf("a")).toBe(before === undefined ? 0 : left.indexOf(before) + 1);
          }
        },
      ),
      options,
    );
  });
});

/** An item without notes of ours or of an orchestrator. */
function unnoted({ metadata: { annotations, ...metadata }, ...item }: Named): unknown {
  const left = Object.entries(annotations ?? {}).filter(
    ([key]) => !/^valuefold.dev\/repeated-|^internal.config|^kustomize/.test(key),
  );
  return { ...item, metadata: { ...metadata, annotations: Object.fromEntries(left) } };
}

function withInstances(list: string, world: RepeatWorld, instances: RepeatWorld["instances"]): string {
  const itemOf = (own: RepeatWorld["instances"]): string => {
    const lines = linesOf(own).replaceAll(/^(?=.)/gm, "      ");
    if (world.source === "data") return `      # instances\n${lines}`;
    return lines === "" ? "    instances: {}\n" : `    instances:\n${lines}`;
  };
  const [now, then] = [itemOf(world.instances), itemOf(instances)];
  expect(list).toContain(now);
  return list.replace(now, () => then);
}

function isClone({ metadata }: Named): boolean {
  return metadata.annotations?.["valuefold.dev/repeated-from"] !== undefined;
}

/** What a user adds to a clone. */
function patched(item: Named): Named {
  const annotations = { ...item.metadata.annotations, team: "edge" };
  return { ...item, metadata: { ...item.metadata, annotations } };
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, inner]) => [key, reversed(inner)] as const)
      .toReversed(),
  );
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

/** What an item says; a record of lists by its instances. */
function meaning(text: string | undefined): unknown {
  return text === undefined ? undefined : parse(`- ${text}`);
}

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
}

describe("KOTS' own rows", () => {
  const rows = parse(readFileSync(new URL("kots.yaml", import.meta.url), "utf8")) as readonly Row[];
  const told: string[] = [];

  test.for(rows.map((row) => [row.name, row] as const))("%s", ([name, { input, kots, difference }]) => {
    const { output, diagnostics, exitCode } = foldText(input);
    const ours = exitCode === 0 ? documentsIn(output) : diagnostics.map(({ code }) => code);
    const theirs = kots === "panics" ? kots : documentsIn(kots);
    if (difference === undefined) expect(ours).toEqual(theirs);
    else expect(ours).not.toEqual(theirs);
    told.push(`${name}\n  ${difference ?? "the same"}\n  ours: ${JSON.stringify(ours)}\n`);
  });

  test("each difference is one that is known", async () => {
    await expect(told.join("\n")).toMatchFileSnapshot(
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

describe("cost", () => {
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
        const start = process.cpuUsage();
        foldText(input);
        const { user, system } = process.cpuUsage(start);
        return (user + system) / 1000;
      });
      return Math.min(...times);
    };
    time(200);
    const [few, many] = [time(250), time(1000)];
    const exponent = Math.log(many / few) / Math.log(4);
    process.stderr.write(
      `repeat: 250 instances ${few.toFixed(0)} ms, 1000 instances ${many.toFixed(0)} ms, exponent ${exponent.toFixed(2)}\n`,
    );
    expect(exponent).toBeLessThanOrEqual(1.1);
  });
});
