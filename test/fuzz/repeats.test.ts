// Repeats over random instances: what a Secret holds goes nowhere but Secrets, an item that is misspelt is never a list that
// is emptied, clones take the places of their templates, and no Repeat is used up that does not say so.
import { isUtf8 } from "node:buffer";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { foldText, itemsOnly } from "../support/fold.ts";
import type { Random } from "../support/nasty-yaml.ts";
import { listOf } from "../support/repeat-texts.ts";
import { type Failure, hunt } from "./hunt.ts";

const canary = "c4n4ry";
const counts = { secrets: 0, items: 0, lists: 0, inPlace: 0, conversions: 0 };

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
  // A Config may say itself what is cloned.
  const isDeclared = isConfig && random.once(2);
  const values = Array.from(
    { length: count },
    (_, at) => `    ${there}-p${at}: {${label}: ${there}, value: ${80 + at}}\n`,
  ).join("");
  const config = isConfig
    ? `apiVersion: kots.io/v1beta1\nkind: Config\nmetadata: {name: app}\nspec:\n  groups:\n  - name: g\n    items:\n    - name: ${there}\n      type: text\n      repeatable: true\n      templates: [${isDeclared ? '{kind: Service, name: proxy, yamlPath: "spec.ports[0]"}' : ""}]\n      valuesByGroup:\n        g: {${Array.from({ length: count }, (_, at) => `${there}-${at}: "${at}"`).join(", ")}}\n`
    : `apiVersion: kots.io/v1beta1\nkind: ConfigValues\nmetadata: {name: app}\nspec:\n  values:\n    other: {value: x}\n${values}`;
  const named = asked === "" ? there : asked;
  const clone = `  clone:\n    - {kind: Service, name: proxy, path: "spec.ports[0]", set: {name: "{name}", port: "{value}"}}\n`;
  const repeat = `apiVersion: valuefold.dev/v1alpha1\nkind: Repeat\nmetadata: {name: p}\nspec:\n  from: {kind: ${isConfig ? "Config" : "ConfigValues"}, name: app, item: ${named}}\n${isDeclared ? "" : clone}`;
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

/** A list with a template in it, and instances: whether it is in brackets, the elements, the templates' clones. */
function listCase(random: Random): string[] {
  const elements = Array.from({ length: 1 + random.below(6) }, (_, at) => `u${at}`);
  const cloned = elements.filter(() => random.once(2));
  const instances = cloned.map(() =>
    random.once(3) ? "" : ["a", "b", "c"].filter(() => random.once(2)).join(" "),
  );
  return [
    random.pick(["flow", "block", "compact", "nested"]),
    elements.map((each) => each + random.pick(["", "", " #", " ^", " |", " ~"])).join("\n"),
    cloned.map((each, at) => `${each}: ${instances[at] ?? ""}`.trimEnd()).join("\n"),
  ];
}

/** The list as it is written: `#` has a comment after it, `^` one above, `~` an empty line below; `|` keeps its empty lines. */
function writtenList(style: string, elements: readonly string[]): string {
  if (style === "flow") return ` [${elements.map((each) => each.split(" ")[0]).join(", ")}]\n`;
  const pad = style === "compact" ? "  " : "    ";
  const lines = elements.map((each, at) => {
    const [name = "", mark] = each.split(" ");
    const dash = style === "nested" && at === 0 ? "" : `${pad}${style === "nested" ? "  " : ""}`;
    const tail = mark === "#" ? " # of it" : mark === "~" ? "\n" : "";
    const value = mark === "|" ? `|+\n${pad}    ${name}\n\n` : `${name}${tail}\n`;
    return `${mark === "^" && dash !== "" ? `${dash}# above\n` : ""}${dash}- ${value}`;
  });
  return `\n${style === "nested" ? `${pad}- ` : ""}${lines.join("")}`;
}

/** Clones are where their templates were, in the order of instances, and nothing else moves or changes. */
function disordered([style = "", list = "", clones = ""]: readonly string[]): Failure | undefined {
  const elements = list.split("\n");
  const isCase =
    /^(?:flow|block|compact|nested)$/.test(style) &&
    /^(?:u\d(?: [#^|~])?\n?)+$/.test(list) &&
    /^(?:u\d:(?: ?[abc])*\n?)*$/.test(clones);
  const names = elements.map((each) => each.split(" ")[0] ?? "");
  if (!isCase || new Set(names).size < names.length) return undefined;
  const made = new Map(
    clones
      .split("\n")
      .filter((line) => names.includes(line.slice(0, 2)))
      .map((line) => [line.slice(0, 2), line.slice(3).split(" ").filter(Boolean)]),
  );
  if (made.size === 0) return undefined;
  const path = style === "nested" ? "spec.l[0]" : "spec.l";
  const entries = [...made].map(
    ([name, instances]) =>
      `apiVersion: valuefold.dev/v1alpha1\nkind: Repeat\nmetadata: {name: of-${name}}\nspec:\n  instances: {${instances.map((each) => `${each}: {}`).join(", ")}}\n  clone: [{kind: Foo, name: f, path: "${path}[${names.indexOf(name)}]", set: "${name}-{name}"}]\n`,
  );
  const foo = `apiVersion: a/v1\nkind: Foo\nmetadata: {name: f}\nspec:\n  l:${writtenList(style, elements)}  last: x\n`;
  const input = [...entries, foo].join("---\n");
  const bug = refusalOf(input);
  if (bug !== undefined) return bug;
  const { exitCode, output, messages } = foldText(input);
  counts.lists++;
  if (exitCode !== 0) return { kind: `exit ${exitCode}`, detail: messages + input };
  const { spec } = parse(output) as { spec: { l: unknown; last: string } };
  const written = elements.map((each) =>
    each.endsWith("|") && style !== "flow" ? `${each.slice(0, 2)}\n\n` : each.slice(0, 2),
  );
  const want = names.flatMap(
    (name, at) => made.get(name)?.map((each) => `${name}-${each}`) ?? [written[at] ?? ""],
  );
  const got = (style === "nested" ? (spec.l as unknown[])[0] : spec.l) as unknown[];
  if (spec.last !== "x" || JSON.stringify(got) !== JSON.stringify(want))
    return { kind: "another list", detail: `want ${JSON.stringify(want)}\n${input}\n${output}` };
  return foldText(output).output === output ? undefined : { kind: "another run changes it", detail: output };
}

test("clones take the places of their templates, and other elements stay", async () => {
  await hunt({ name: "repeats in lists", cases: 300, make: listCase, check: disordered });
  expect(counts.lists).toBeGreaterThan(0);
});

/** A Repeat where the output is the next input, and what of `once` and of records of earlier versions there is. */
function inPlaceCase(random: Random): string[] {
  const note = (more: string): string => `{internal.config.kubernetes.io/id: '1'${more}}`;
  const once = random.pick(["", "once: true, ", "once: false, ", "once: 'true', "]);
  const marks = [
    "template-of: '{}'",
    "repeated-lists: '[]'",
    `repeated-from: '{"repeat":"r","template":"a/b","instance":"c","made":"0"}'`,
  ];
  const mark = random.once(3) ? `, valuefold.dev/${random.pick(marks)}` : "";
  return [
    listOf(
      `apiVersion: valuefold.dev/v1alpha1\nkind: Repeat\nmetadata: {name: r, annotations: ${note("")}}\nspec: {${once}instances: {a: {}}, clone: [{kind: ConfigMap, name: c, as: "c-{name}"}]}\n`,
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, annotations: ${note(mark)}}\ndata: {k: v}\n`,
    ),
  ];
}

function usedUp([input = ""]: readonly string[]): Failure | undefined {
  const bug = refusalOf(input);
  if (bug !== undefined) return bug;
  const { exitCode, output, diagnostics } = foldText(input);
  counts.inPlace++;
  const mayRun = input.includes("once: true,") && !/template-of|repeated-/.test(input);
  if (mayRun !== (exitCode === 0)) return { kind: `exit ${exitCode}`, detail: JSON.stringify(diagnostics) };
  const isLeft = output.includes("kind: Repeat");
  if (mayRun) return isLeft ? { kind: "the Repeat stays", detail: output } : undefined;
  return itemsOnly(output) === input ? undefined : { kind: "a refused list is another", detail: output };
}

test("a Repeat in place runs only if it says so, and never over records of earlier versions", async () => {
  await hunt({ name: "repeats in place", cases: 100, make: inPlaceCase, check: usedUp });
  expect(counts.inPlace).toBeGreaterThan(0);
});
