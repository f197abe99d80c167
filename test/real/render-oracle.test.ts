// Renders against konfigure's own code: equal values, or both refuse. What differs on purpose stands in docs/render.md, and
// below, each with the tree that shows it.
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { seed } from "../support/seed.ts";
import { RenderWorld, type Tree } from "./render-world.ts";

const world = new RenderWorld();
afterAll(() => world.close());

const runs = Number(process.env["VALUEFOLD_RENDER_RUNS"] ?? 300);

const key = fc.constantFrom("a", "a", "b", "b", "c", "list", "list", "image", "k 1", "x/y", "m~n", "0");
const scalar = fc.constantFrom(
  "1",
  "0",
  "-3",
  "1.5",
  "1e3",
  "0x10",
  "0755",
  "true",
  "no",
  "null",
  "~",
  '"1"',
  "'x'",
  "text",
  '"two words"',
  "${var}",
  "9007199254740993",
  "12345678901234567890",
  '""',
  "2001-01-01",
  "{}",
  "[]",
  "1_000",
  ".5",
  "|-\n  two\n  lines",
);
const value = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3, depthSize: "small", withCrossShrink: true },
    scalar,
    fc.dictionary(key, tie("node"), { maxKeys: 3 }).map(block),
    fc.array(tie("node"), { maxLength: 3 }).map(list),
    fc
      .array(fc.constantFrom("1", "x", '"y"', "null"), { maxLength: 3 })
      .map((items) => `[${items.join(", ")}]`),
    fc.dictionary(key, fc.constantFrom("1", "x", '"y"'), { maxKeys: 3 }).map(flow),
  ),
})).node;

function keyText(name: string): string {
  return /^[a-z]+$/.test(name) ? name : JSON.stringify(name);
}

function indent(text: string): string {
  return text.replaceAll(/\n(?=.)/g, "\n  ");
}

function block(entries: Record<string, string>): string {
  const lines = Object.entries(entries).map(([name, text]) => `\n${keyText(name)}:${behind(text)}`);
  return lines.length === 0 ? "{}" : lines.join("");
}

function behind(text: string): string {
  return text.startsWith("\n") ? indent(text) : ` ${indent(text)}`;
}

function list(items: string[]): string {
  return items.length === 0
    ? "[]"
    : items.map((text) => `\n-${text.startsWith("\n") ? indent(text) : ` ${indent(text)}`}`).join("");
}

function flow(entries: Record<string, string>): string {
  return `{${Object.entries(entries)
    .map(([name, text]) => `${keyText(name)}: ${text}`)
    .join(", ")}}`;
}

const mapping = fc.dictionary(key, value, { minKeys: 2, maxKeys: 6 }).map((entries) => {
  const text = block(entries).replace(/^\n/, "");
  return `${text}\n`;
});
/** Values with all that templates name. */
const complete = fc
  .tuple(value, value, value, fc.constantFrom("1", '"1.10"', "null"))
  .map(([a, b, c, tag]) => `a:${behind(a)}\nb:${behind(b)}\nlist:${behind(c)}\nimage: {tag: ${tag}}\n`);
const text = fc.oneof(
  { weight: 20, arbitrary: mapping },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "",
      "# nothing\n",
      "null\n",
      "{}\n",
      "---\na: 1\n",
      "---\n",
      "- a\n",
      "x\n",
      "a: [\n",
    ),
  },
);

const step = fc.constantFrom(
  "a",
  "b",
  "c",
  "list",
  "image",
  "0",
  "1",
  "-",
  "-1",
  "x~1y",
  "m~0n",
  "k 1",
  "new",
);
const pointer = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("/a", "/b", "/c", "/list", "/image") },
  {
    weight: 3,
    arbitrary: fc.constantFrom("/list/0", "/list/-", "/a/a", "/a/b", "/b/0", "/b/-", "/c/-1", "/a/0/a"),
  },
  {
    weight: 2,
    arbitrary: fc.array(step, { minLength: 1, maxLength: 3 }).map((steps) => `/${steps.join("/")}`),
  },
);
const operation = fc
  .record({
    op: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom("add", "replace") },
      { weight: 4, arbitrary: fc.constantFrom("remove", "copy", "move", "test") },
      { weight: 1, arbitrary: fc.constant("merge") },
    ),
    path: fc.oneof({ weight: 30, arbitrary: pointer }, { weight: 1, arbitrary: fc.constantFrom("", "a") }),
    from: pointer,
    value,
  })
  .map(({ op, path, from, value: node }) => {
    const own = ["move", "copy"].includes(op)
      ? `\n  from: ${JSON.stringify(from)}`
      : `\n  value:${behind(indent(node))}`;
    return `- op: ${op}\n  path: ${JSON.stringify(path)}${op === "remove" ? "" : own}\n`;
  });
const patch = fc.oneof(
  { weight: 12, arbitrary: fc.array(operation, { minLength: 1, maxLength: 2 }).map((all) => all.join("")) },
  { weight: 1, arbitrary: fc.constantFrom("", "[]\n", "null\n", "a: 1\n", "- 1\n") },
);

const rarely = fc.nat(40).map((number) => number === 0);
const file = (content: fc.Arbitrary<string>): fc.Arbitrary<{ text: string | undefined; required: boolean }> =>
  fc.record({
    text: fc.option(content, { nil: undefined, freq: 5 }),
    required: rarely,
  });

/** Lines of templates: fields, conditions, ranges, functions; what is missing fails. */
const whole = [
  "all: {{ . | toJson }}\n",
  '{{- if hasKey . "c" }}\nc: {{ .c | toJson }}\n{{- end }}\nx: 1\n',
  "{{ range $key, $value := . }}{{ $key | quote }}: {{ $value | toJson }}\n{{ end }}",
  '{{ range $key, $value := . }}"new-{{ $key }}": {{ kindOf $value }}\n{{ end }}image:\n  size: {{ len . }}\n',
  "z: {{ `{{ .a }}` | quote }}\n",
  "{{/* nothing */}}",
];
const fields = [
  "num: {{ .a | toJson }}\n",
  "m: {{ .b | toJson }}\n",
  'list: {{ .list | default "none" | toJson }}\n',
  '{{ if not (kindIs "slice" .a) }}a: {{ .a }}{{ end }}\n',
  "d: {{ .image.tag }}\n",
];
const templated = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...whole) },
      { weight: 1, arbitrary: fc.constantFrom(...fields) },
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((lines) => lines.join(""));
const template = fc.oneof({ weight: 1, arbitrary: text }, { weight: 2, arbitrary: templated });

const strategyNames = [
  "ConfigMapsInLayerOrder",
  "SecretsInLayerOrder",
  "sametypeinlayerorder",
  "SameTypeFromCurrentLayer",
  "ConfigMapAndSecretFromCurrentLayer",
  "ConfigMapsAndSecretsInLayerOrder",
  "CustomOrder",
] as const;
const strategy = fc.record({
  name: fc.oneof(
    fc.constantFrom(...strategyNames),
    fc.constantFrom(strategyNames[0], strategyNames[2], strategyNames[0]),
  ),
  order: fc.array(fc.record({ layer: fc.nat(3), type: fc.constantFrom("ConfigMap", "secret") }), {
    minLength: 1,
    maxLength: 3,
  }),
});

const layer = fc.record({
  required: rarely,
  values: fc.option(file(fc.oneof({ weight: 4, arbitrary: complete }, { weight: 1, arbitrary: text })), {
    nil: undefined,
    freq: 8,
  }),
  secretValues: fc.option(file(text), { nil: undefined, freq: 3 }),
  configMap: fc.option(file(template), { nil: undefined, freq: 6 }),
  secret: fc.option(file(template), { nil: undefined }),
  patch: fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: file(patch) }),
  strategy,
  secretStrategy: strategy,
});

const tree: fc.Arbitrary<Tree> = fc.array(layer, { minLength: 1, maxLength: 4 }).map((layers) => {
  const files: Record<string, string> = {};
  const part = (
    name: string,
    own: { text: string | undefined; required: boolean } | undefined,
    id: number,
  ) => {
    if (own === undefined) return { name: "" };
    if (own.text !== undefined) files[`layer-${id}/apps/one/${name}`] = own.text;
    return { name, required: own.required };
  };
  const values = ({ name, order }: (typeof layers)[number]["strategy"]) => {
    const references = order.map((each) => ({
      layerId: `layer-${each.layer % layers.length}`,
      type: each.type,
    }));
    return {
      merge: { strategy: name, ...(name === "CustomOrder" ? { options: { order: references } } : {}) },
    };
  };
  const schema = {
    variables: [{ name: "app", required: true }],
    layers: layers.map((each, id) => ({
      id: `layer-${id}`,
      path: { directory: `layer-${id}`, required: each.required },
      values: {
        path: { directory: "apps/<< app >>" },
        configMap: part("values.yaml", each.values, id),
        secret: part("values-secret.yaml", each.secretValues, id),
      },
      templates: {
        path: { directory: "apps/<< app >>" },
        configMap: { ...part("configmap.yaml", each.configMap, id), values: values(each.strategy) },
        secret: { ...part("secret.yaml", each.secret, id), values: values(each.secretStrategy) },
      },
      patches: { path: { directory: "apps/<< app >>" }, configMap: part("patch.yaml", each.patch, id) },
    })),
  };
  return { files, schema, variables: { app: "one" } };
});

/** Refused on purpose, by docs/render.md, and pinned in render-differences.test.ts. */
const known = ["error not-a-mapping", "error secret-into-configmap"];
const counts = { equal: 0, refused: 0, panics: 0, known: 0 };
const batch = 250;

test(`${runs} random trees`, async () => {
  for (let done = 0; done < runs; done += batch) {
    const trees = fc.sample(tree, { numRuns: Math.min(batch, runs - done), seed: seed + done });
    for (const [index, { konfigure, ours, told }] of (await world.renderAll(trees)).entries()) {
      const hint = `VALUEFOLD_SEED=${seed + done}, tree ${index}: ${JSON.stringify(trees[index])}`;
      if (typeof konfigure === "string" && konfigure.startsWith("panic")) counts.panics++;
      else if (told.some((each) => known.includes(each))) counts.known++;
      else if (typeof konfigure === "string") {
        counts.refused++;
        expect(typeof ours, `${hint}: ${konfigure}`).toBe("string");
      } else {
        counts.equal++;
        expect(ours, hint).toEqual(konfigure);
      }
    }
  }
  console.log(counts);
  expect(counts.equal).toBeGreaterThan(runs / 10);
});
