// Repeats over random instances: what a Secret holds goes nowhere but Secrets, an item that is misspelt is never a list that
// is emptied, and a list under kpt keeps its order, whatever users and instances do to it.
import { isUtf8 } from "node:buffer";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { foldText, itemsOnly } from "../support/fold.ts";
import type { Random } from "../support/nasty-yaml.ts";
import { listOf } from "../support/repeat-texts.ts";
import { type Failure, hunt } from "./hunt.ts";

const canary = "c4n4ry";
const counts = { secrets: 0, items: 0, histories: 0, conversions: 0 };

function refusalOf(input: string): Failure | undefined {
  try {
    foldText(input);
    return undefined;
  } catch (bug) {
    const stack = bug instanceof Error ? (bug.stack ?? "") : String(bug);
    return { kind: `a bug: ${/\/src\/[^)\n]*/.exec(stack)?.[0] ?? stack}`, detail: stack };
  }
}

const placeholders = [
  "{name}",
  "{value.port}",
  "{value}",
  "{item.name}",
  "{item.value.id}",
  "{item.value}",
  "x",
  "{value.subs}",
  "{value.port|int}",
  "{value.port|bool}",
  "{value.port|string}",
  "{value.port|fromBase64}",
];

/** A Repeat whose instances stand in a Secret: all below their names is marked. */
function secretCase(random: Random): string {
  const marked = (): string => `${canary}-${random.below(1000)}`;
  const instances = Array.from({ length: 1 + random.below(3) }, (_, at) => {
    const subs = Array.from({ length: random.below(3) }, () => `${marked()}: {id: ${marked()}}`);
    return `i${at}: {port: ${marked()}, subs: {${subs.join(", ")}}}\n`;
  }).join("");
  const text = random.once(2)
    ? `data: {i.yaml: ${Buffer.from(instances).toString("base64")}}`
    : `stringData: {i.yaml: ${JSON.stringify(instances)}}`;
  const place = (): string => random.pick(placeholders);
  const entries = Array.from({ length: 1 + random.below(3) }, (_, at) => {
    const kind = random.pick(["ConfigMap", "ConfigMap", "Secret", "Foo"]);
    const data = kind === "Secret" ? "stringData" : kind === "Foo" ? "spec" : "data";
    const each = random.once(2) ? ", each: subs" : "";
    const key = random.pick([`${data}.file`, `${data}[\\"${place()}.x\\"]`, `metadata.labels.of`]);
    const where =
      kind === "Foo" && random.once(2)
        ? `path: "spec.list[0]"`
        : `as: "x${at}-${random.pick(["{name}", "{name}-{item.name}", "{item.name}"])}"`;
    return `    - {kind: ${kind}, name: t${at}-${kind.toLowerCase()}, ${where}${each}, set: {"${where.startsWith("path") ? "id" : key}": "${place()}"}}\n`;
  });
  const templates = entries.map((entry) => {
    const [, kind = "", name = ""] = /kind: (\w+), name: ([\w-]+)/.exec(entry) ?? [];
    const data =
      kind === "Foo"
        ? "spec: {list: [{id: 0}], file: x}"
        : kind === "Secret"
          ? "stringData: {file: x}"
          : "data: {file: x}";
    return `apiVersion: ${kind === "Foo" ? "a/v1" : "v1"}\nkind: ${kind}\nmetadata: {name: ${name}}\n${data}\n`;
  });
  const repeat = `apiVersion: valuefold.dev/v1alpha1\nkind: Repeat\nmetadata: {name: r}\nspec:\n  from: {kind: Secret, name: s, key: i.yaml}\n  clone:\n${entries.join("")}`;
  const all = [repeat, ...templates, `apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n${text}\n`];
  return random.once(2) ? all.join("---\n") : listOf(...all);
}

interface Item {
  readonly kind?: string;
  readonly items?: readonly Item[];
}

function leaks([input = ""]: readonly string[]): Failure | undefined {
  const bug = refusalOf(input);
  if (bug !== undefined) return bug;
  const { output, messages, diagnostics, exitCode } = foldText(input);
  const said = messages + JSON.stringify(diagnostics);
  if (said.includes(canary)) return { kind: "a message holds what a Secret holds", detail: messages };
  if (exitCode !== 0) return undefined;
  counts.secrets++;
  const objects = parseAllDocuments(output).map((document) => document.toJS() as Item);
  const open = objects.flatMap((one) => one.items ?? [one]).filter(({ kind }) => kind !== "Secret");
  const found = open.find((one) => JSON.stringify(one).includes(canary));
  return found && { kind: `a ${found.kind} holds what a Secret holds`, detail: JSON.stringify(found) };
}

test("what a Secret holds goes nowhere but Secrets", async () => {
  await hunt({
    name: "repeats from secrets",
    cases: 500,
    make: (random) => [secretCase(random)],
    check: leaks,
  });
  expect(counts.secrets).toBeGreaterThan(0);
});

const itemNames = ["serviceport", "servicePort", "port", "ports", "host", "hosts"];

/** KOTS values or a Config, and a Repeat that may name another item. */
function itemCase(random: Random): string {
  const [there, asked] = [random.pick(itemNames), random.once(3) ? "" : random.pick(itemNames)];
  const label = random.once(6) ? "parent" : "repeatableItem";
  const count = 1 + random.below(3);
  const isConfig = random.once(3);
  const values = Array.from(
    { length: count },
    (_, at) => `    ${there}-p${at}: {${label}: ${there}, value: ${80 + at}}\n`,
  ).join("");
  const config = isConfig
    ? `apiVersion: kots.io/v1beta1\nkind: Config\nmetadata: {name: app}\nspec:\n  groups:\n  - name: g\n    items:\n    - name: ${there}\n      type: text\n      repeatable: true\n      templates: []\n      valuesByGroup:\n        g: {${Array.from({ length: count }, (_, at) => `${there}-${at}: "${at}"`).join(", ")}}\n`
    : `apiVersion: kots.io/v1beta1\nkind: ConfigValues\nmetadata: {name: app}\nspec:\n  values:\n    other: {value: x}\n${values}`;
  const named = asked === "" ? there : asked;
  const repeat = `apiVersion: valuefold.dev/v1alpha1\nkind: Repeat\nmetadata: {name: p}\nspec:\n  from: {kind: ${isConfig ? "Config" : "ConfigValues"}, name: app, item: ${named}}\n  clone:\n    - {kind: Service, name: proxy, path: "spec.ports[0]", set: {name: "{name}", port: "{value}"}}\n`;
  const service =
    "apiVersion: v1\nkind: Service\nmetadata: {name: proxy}\nspec: {ports: [{name: t, port: 1}]}\n";
  return [config, repeat, service].join("---\n");
}

function emptied([input = ""]: readonly string[]): Failure | undefined {
  const bug = refusalOf(input);
  if (bug !== undefined) return bug;
  const [, named = ""] = /item: (\w+)\}/.exec(input) ?? [];
  const isThere = new RegExp(`repeatableItem: ${named},|- name: ${named}\n`).test(input);
  const { exitCode, output, diagnostics } = foldText(input);
  counts.items++;
  const isEmpty = /ports: \[ *\]/.test(output);
  if (exitCode === 0 && isEmpty && !isThere && diagnostics.every(({ severity }) => severity === "info"))
    return { kind: "a misspelt item empties the list in silence", detail: output };
  return exitCode === 0 || !isThere
    ? undefined
    : { kind: "an item that is there is refused", detail: JSON.stringify(diagnostics) };
}

test("an item that is misspelt is an error, never a list that is emptied", async () => {
  await hunt({ name: "repeats of items", cases: 300, make: (random) => [itemCase(random)], check: emptied });
  expect(counts.items).toBeGreaterThan(0);
});

const scalars = [
  "8080",
  "1",
  "0",
  "-3",
  "1.5",
  "true",
  "false",
  "x",
  "",
  "aGkK",
  "~",
  "'1'",
  "12345678901234567890",
];
const conversions = ["string", "int", "bool", "fromBase64"] as const;

/** One value, as YAML and as a text in quotes, by one conversion, into a field and into a Secret's data. */
function conversionCase(random: Random): string[] {
  const value = random.pick(scalars);
  return [random.once(2) ? JSON.stringify(value) : value === "" ? '""' : value, random.pick(conversions)];
}

/** What a conversion gives by its definition; undefined where it must be refused. */
function expectedOf(source: string, conversion: string): unknown {
  const text = parse(source, { schema: "failsafe" }) as string;
  if (source === "~") return undefined;
  if (conversion === "string") return text;
  if (conversion === "int") return /^-?(?:0|[1-9]\d*)$/.test(text) ? Number(text) : undefined;
  if (conversion === "bool") return { true: true, 1: true, false: false, 0: false }[text];
  const bytes = Buffer.from(text, "base64");
  return isUtf8(bytes) && bytes.toString("base64") === text ? bytes.toString("utf8") : undefined;
}

function misconverted([value = "", conversion = ""]: readonly string[]): Failure | undefined {
  const entry = (kind: string, field: string): string =>
    `    - {kind: ${kind}, name: t, as: "x-{name}", set: {${field}: "{value.v|${conversion}}"}}\n`;
  const repeat = `apiVersion: valuefold.dev/v1alpha1\nkind: Repeat\nmetadata: {name: r}\nspec:\n  instances: {a: {v: ${value}}}\n  clone:\n`;
  const foo = "apiVersion: a/v1\nkind: Foo\nmetadata: {name: t}\nspec: {f: x}\n";
  const secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: t}\ndata: {f: eA==}\n";
  const inFoo = repeat + entry("Foo", "spec.f");
  const bug = refusalOf(`${inFoo}---\n${foo}`);
  if (bug !== undefined) return bug;
  const expected = expectedOf(value, conversion);
  const { exitCode, output } = foldText(`${inFoo}---\n${foo}`);
  counts.conversions++;
  if ((exitCode === 0) !== (expected !== undefined))
    return { kind: `|${conversion} ${exitCode === 0 ? "takes" : "refuses"} ${value}`, detail: output };
  if (exitCode !== 0) return undefined;
  const { spec } = parse(output) as { spec: { f: unknown } };
  const isSame = typeof spec.f === typeof expected && String(spec.f) === String(expected);
  if (!isSame) return { kind: `|${conversion} gives another value`, detail: output };
  if (conversion !== "fromBase64") return undefined;
  const folded = foldText(`${repeat}${entry("Secret", "data.f")}---\n${secret}`);
  const { data } = parse(folded.output) as { data: { f: string } };
  return data.f === parse(value, { schema: "failsafe" })
    ? undefined
    : { kind: "a Secret gets other bytes", detail: folded.output };
}

test("a conversion gives what its definition says, or is refused", async () => {
  await hunt({ name: "conversions", cases: 300, make: conversionCase, check: misconverted });
  expect(counts.conversions).toBeGreaterThan(0);
});

/** What happens to a list under kpt: `+a` and `-a` are instances, `<u 0` a user's element at an index, `>u 0` one taken out. */
function historyCase(random: Random): string[] {
  const before = random.below(3);
  const start = [
    ...Array.from({ length: before }, (_, at) => `u${at}`),
    "tpl",
    ...(random.once(2) ? ["u9"] : []),
  ];
  const steps = Array.from({ length: 2 + random.below(6) }, (_, at) =>
    random.pick([
      `+${random.pick(["a", "b", "c"])}`,
      `-${random.pick(["a", "b", "c"])}`,
      "-all",
      `<k${at} ${random.below(4)}`,
      `>${random.below(4)}`,
    ]),
  );
  return [start.join(" "), steps.join("\n")];
}

const lineOf = (name: string): string => `    - {name: ${name}, port: 1}\n`;

function kptList(list: readonly string[], instances: ReadonlySet<string>): string {
  const notes = (id: number): string =>
    `{name: r${id}, annotations: {internal.config.kubernetes.io/id: '${id}'}}`;
  const repeat = `apiVersion: valuefold.dev/v1alpha1\nkind: Repeat\nmetadata: ${notes(1)}\nspec:\n  instances: ${instancesText(instances)}\n  clone:\n    - {kind: Service, name: r2, path: "spec.ports[${list.indexOf("tpl")}]", set: {name: "{name}"}}\n`;
  const service = `apiVersion: v1\nkind: Service\nmetadata:\n  name: r2\n  annotations:\n    internal.config.kubernetes.io/id: '2'\nspec:\n  ports:\n${list.map(lineOf).join("")}`;
  return listOf(repeat, service);
}

function instancesText(instances: ReadonlySet<string>): string {
  return `{${[...instances].map((name) => `${name}: {}`).join(", ")}}`;
}

function elementsIn(list: string): string[] {
  const { items } = parse(list) as {
    items: { kind: string; spec?: { ports?: { name: string }[] | null } }[];
  };
  return (items.find(({ kind }) => kind === "Service")?.spec?.ports ?? []).map(({ name }) => name);
}

/** A list with one element more or less, as a user edits its lines. */
function withElements(list: string, wanted: readonly string[], now: readonly string[]): string {
  const lines = new Map(
    now.map((name) => [name, new RegExp(`^ +- \\{ ?name: "?${name}"?,.*\\n`, "m").exec(list)?.[0] ?? ""]),
  );
  const pad = /^( +)- \{ ?name: "?\w+"?, ?port/m.exec(list)?.[1] ?? /^( +)ports:/m.exec(list)?.[1] ?? "";
  const text = wanted.map((name) => lines.get(name) ?? `${pad}- {name: ${name}, port: 1}\n`).join("");
  return list.replace(/^( +ports:).*\n(?: +- .*\n)*/m, (_, key: string) =>
    text === "" ? `${key} []\n` : `${key}\n${text}`,
  );
}

interface Story {
  /** The sources: the list with its template. */
  readonly own: readonly string[];
  readonly instances: ReadonlySet<string>;
  readonly list: string;
}

/** The story after a step; undefined where the step does not apply, or what it means cannot be told. */
function next({ own, instances, list }: Story, step: string): Story | undefined {
  const [what = "", index = "0"] = step.split(" ");
  const name = what.slice(1);
  const set = (all: ReadonlySet<string>): Story => ({
    own,
    instances: all,
    list: list.replace(/instances: \{.*\}/, `instances: ${instancesText(all)}`),
  });
  if (step === "-all") return set(new Set());
  if (what.startsWith("+")) return set(new Set([...instances, name]));
  if (what.startsWith("-")) return set(new Set([...instances].filter((each) => each !== name)));
  const now = elementsIn(list);
  if (what.startsWith(">")) {
    const gone = now[Number(name)];
    if (gone === undefined || !own.includes(gone)) return undefined;
    return {
      own: own.filter((each) => each !== gone),
      instances,
      list: withElements(
        list,
        now.filter((each) => each !== gone),
        now,
      ),
    };
  }
  const at = Math.min(Number(index), now.length);
  const [before, after] = [
    now.slice(0, at).findLast((each) => own.includes(each)),
    now.slice(at).find((each) => own.includes(each)),
  ];
  const [clonesBefore, clonesAfter] = [now.slice(0, at), now.slice(at)].map((part) =>
    part.some((each) => !own.includes(each)),
  );
  if (clonesBefore === true && clonesAfter === true) return undefined;
  const [low, tpl, high] = [
    before === undefined ? -1 : own.indexOf(before),
    own.indexOf("tpl"),
    after === undefined ? own.length : own.indexOf(after),
  ];
  // Between the neighbours of a template that shows nowhere, either side is right.
  const place =
    tpl < low
      ? low + 1
      : tpl > high
        ? high
        : clonesBefore === true
          ? tpl + 1
          : clonesAfter === true
            ? tpl
            : undefined;
  if (place === undefined) return undefined;
  return {
    own: own.toSpliced(place, 0, name),
    instances,
    list: withElements(list, now.toSpliced(at, 0, name), now),
  };
}

function disordered([start = "", steps = ""]: readonly string[]): Failure | undefined {
  const own = start.split(" ");
  if (
    own.filter((each) => each === "tpl").length !== 1 ||
    new Set(own).size !== own.length ||
    !/^(?:u\d |tpl ?)*(?:u\d|tpl)$/.test(start)
  )
    return undefined;
  if (!steps.split("\n").every((step) => /^(?:[+-](?:[abc]|all)|<k\d \d|>\d)?$/.test(step))) return undefined;
  const instances = new Set(["a"]);
  let story: Story = { own, instances, list: kptList(own, instances) };
  for (const step of ["", ...steps.split("\n")]) {
    const after = step === "" ? story : next(story, step);
    if (after === undefined) continue;
    const bug = refusalOf(after.list);
    if (bug !== undefined) return bug;
    const { exitCode, output, messages } = foldText(after.list);
    counts.histories++;
    // A place that cannot be told is refused, and the user takes back what he did.
    if (exitCode === 1 && /error\[repeat/.test(messages)) continue;
    if (exitCode !== 0) return { kind: `exit ${exitCode}`, detail: messages };
    const want = after.own.flatMap((each) => (each === "tpl" ? [...after.instances] : [each]));
    const got = elementsIn(output);
    if (want.join() !== got.join())
      return { kind: "another order", detail: `after ${step}: want ${want.join()}, got ${got.join()}` };
    story = { ...after, list: itemsOnly(output) };
  }
  return undefined;
}

test("a list under kpt keeps its order", async () => {
  await hunt({ name: "repeats in lists", cases: 200, make: historyCase, check: disordered });
  expect(counts.histories).toBeGreaterThan(0);
});
