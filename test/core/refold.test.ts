// Folding what was folded, step by step as users do it: streams that grow, kpt that renders again, folds that
// others use. Values must not get lost, and the last fold must change nothing.
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { foldText } from "../support/fold.ts";

function layer(
  name: string,
  text: string,
  more: { into?: string; priority?: number; namespace?: string | null; kind?: string } = {},
): string {
  const { into, priority, namespace = "org", kind = "ConfigMap" } = more;
  const annotations = [
    ...(into === undefined ? [] : [`valuefold.dev/into: ${into}`]),
    ...(priority === undefined ? [] : [`valuefold.dev/priority: "${priority}"`]),
  ];
  const noted = annotations.length === 0 ? "" : `  annotations: {${annotations.join(", ")}}\n`;
  const placed = namespace === null ? "" : `  namespace: ${namespace}\n`;
  const data = kind === "Secret" ? "stringData" : "data";
  return `apiVersion: v1\nkind: ${kind}\nmetadata:\n  name: ${name}\n${placed}${noted}${data}:\n  values.yaml: ${JSON.stringify(text)}\n`;
}

function release(name: string, list: readonly string[]): string {
  const entries = list.map((each) => `  - {kind: ConfigMap, name: ${each}}\n`).join("");
  return `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata:\n  name: ${name}\n  namespace: org\nspec:\n${list.length === 0 ? "  valuesFrom: []\n" : `  valuesFrom:\n${entries}`}`;
}

const shop = "HelmRelease/shop";

function fold(...documents: string[]): string {
  const { output, exitCode, messages } = foldText(documents.join("---\n"));
  expect([exitCode, messages.replaceAll(/^warning.*\n(?: .*\n)*/gm, "")]).toEqual([0, ""]);
  return output;
}

interface Item {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: { readonly [key: string]: string };
  readonly spec?: { readonly valuesFrom: readonly { readonly name: string }[] };
}

/** What a release's entries say, one over the other. */
function valuesOf(stream: string, name = "shop"): object {
  const items = stream.split(/^---\n/m).map((text) => parse(text) as Item);
  const list =
    items.find((item) => item.kind === "HelmRelease" && item.metadata.name === name)?.spec?.valuesFrom ?? [];
  const texts = list.map(
    (entry) =>
      items.find((item) => item.kind === "ConfigMap" && item.metadata.name === entry.name)?.data?.[
        "values.yaml"
      ],
  );
  return Object.assign({}, ...texts.map((text) => parse(text ?? "{}") as object)) as object;
}

describe("plain streams", () => {
  test("a number in a record is never given to another fold", () => {
    const one = fold(
      layer("a", "x: 1\n"),
      layer("b", "y: 1\n"),
      layer("n2", "n2: 1\n", { into: shop }),
      release("shop", ["a", "b", "gone"]),
    );
    const later = layer("n3", "n3: 2\n", { into: shop, priority: 76 });
    const two = fold(one, later);
    const three = fold(two, later);
    expect(valuesOf(three)).toEqual({ x: 1, y: 1, n2: 1, n3: 2 });
    expect(fold(three)).toBe(three);
    expect(fold(two)).toBe(two);
  });

  test("overlay after overlay folds on", () => {
    let stream = fold(
      layer("n1", "a: 1\n", { into: shop, priority: 60, kind: "Secret" }),
      layer("n2", "b: 1\n", { into: shop }),
      release("shop", []),
    );
    for (const [index, name] of ["n3", "n4", "n5"].entries()) {
      stream = fold(stream, layer(name, `${name}: 1\n`, { into: shop, priority: 76 + index }));
      expect(fold(stream)).toBe(stream);
    }
    expect(valuesOf(stream)).toEqual({ b: 1, n3: 1, n4: 1, n5: 1 });
  });

  test("of two layers of one name in two namespaces the later one counts, too", () => {
    const one = fold(
      layer("base", "x: 0\n"),
      layer("a", "x: 1\n", { into: shop }),
      release("shop", ["base"]),
    );
    const two = fold(one, layer("a", "x: 99\n", { into: "HelmRelease/org/shop", namespace: "other" }));
    expect(valuesOf(two)).toEqual({ x: 99 });
  });
});

function listOf(stream: string, spec = ""): string {
  const items = stream.split(/^---\n/m).map((text) => `- ${text.trimEnd().split("\n").join("\n  ")}\n`);
  const config =
    spec === ""
      ? ""
      : `functionConfig:\n  apiVersion: valuefold.dev/v1alpha1\n  kind: ValueFold\n  spec: ${spec}\n`;
  return `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${items.join("")}${config}`;
}

describe("ties", () => {
  const conflicting = (names: readonly string[]): string[] =>
    names.map((name, index) => layer(name, `x: ${index}\ny: ${index}\nz: ${index}\n`, { into: shop }));

  test("are told once for two layers, with who wins", () => {
    const { messages } = foldText([...conflicting(["stage", "prod"]), release("shop", [])].join("---\n"));
    expect(messages.match(/^warning\[tie\].*(?:\n .*)*$/gm)).toEqual([
      expect.stringMatching(
        /`x` and 2 more paths are set differently [^]*\n  why   `ConfigMap\/org\/prod` wins/,
      ),
    ]);
  });

  test("are no news where the lower layer was folded before the upper one came: a base and its overlay", () => {
    const [stage = "", prod = ""] = conflicting(["stage", "prod"]);
    const base = foldText(listOf([stage, release("shop", [])].join("---\n"))).output;
    const item = `- ${prod.trimEnd().split("\n").join("\n  ")}\n`;
    const chained = foldText(base.replace("\nresults:", () => `\n${item}results:`));
    expect([chained.exitCode, chained.messages]).toEqual([0, ""]);
    expect(chained.output).toContain("x: 1\n");
  });
});

describe("lists", () => {
  test("a layer without a namespace is edited, and folded anew", () => {
    const list = listOf(
      [
        layer("a", "x: 1\n"),
        layer("n", "x: 5\n", { into: "HelmRelease/org/shop", namespace: null }),
        release("shop", ["a"]),
      ].join("---\n"),
    );
    const once = foldText(list).output;
    const again = foldText(once.replace('"x: 5\\n"', '"x: 6\\n"'));
    expect(again.exitCode).toBe(0);
    expect(again.output).toContain("x: 6\n");
    expect(again.output).not.toContain("x: 5\n");
  });

  test("under kpt with `layers: prune` a pruned layer is no deleted one", () => {
    const ids = (text: string): string => {
      let id = 0;
      return text.replaceAll(
        /^( {4})name: (.*)\n( {4}namespace: .*\n)(?: {4}annotations: \{?)?/gm,
        (all: string) => {
          const note = `internal.config.kubernetes.io/id: '${++id}', internal.config.kubernetes.io/path: 'f${id}.yaml'`;
          return all.includes("annotations: {") ? `${all}${note}, ` : `${all}    annotations: {${note}}\n`;
        },
      );
    };
    const list = listOf(
      [layer("a", "x: 1\n"), layer("n", "x: 5\n", { into: shop }), release("shop", ["a"])].join("---\n"),
      "{layers: prune}",
    );
    const once = foldText(ids(list));
    expect(once.exitCode).toBe(0);
    expect(once.output).toContain("x: 5");
    // Results tell of each run anew.
    const items = (text: string): string => text.slice(0, text.indexOf("\nresults:"));
    expect(items(foldText(once.output).output)).toBe(items(once.output));
  });

  test("what another release uses stays for it, and folds only for its own", () => {
    const base = foldText(
      listOf(
        [layer("a", "x: 1\n"), layer("b", "y: 1\n"), release("shop", ["a", "b"])].join("---\n"),
        "{output: {hashSuffix: true}}",
      ),
    ).output;
    const name = /name: (shop-folded-[0-9a-f]+)/.exec(base)?.[1] ?? "";
    const more = [
      layer("new", "x: 2\n", { into: shop }),
      release("shop2", [name]),
      layer("c", "z: 1\n", { into: "HelmRelease/shop2" }),
    ];
    const added = more.map((text) => `- ${text.trimEnd().split("\n").join("\n  ")}\n`).join("");
    const once = foldText(base.replace("functionConfig:", `${added}functionConfig:`));
    expect(once.exitCode).toBe(0);
    expect(once.output).toContain(`name: ${name}\n`);
    expect(once.output).toContain("names the folded item of `HelmRelease/org/shop`");
    const items = (text: string): string => text.slice(0, text.indexOf("results:"));
    expect(items(foldText(once.output).output)).toBe(items(once.output));
  });
});

describe("an App whose fold took a slot", () => {
  const layers = ["low", "base", "next", "user"].map((name) => layer(name, `${name}: 1\n`));
  const entry = (name: string, kind = "configMap", priority = 25): string =>
    `  - {kind: ${kind}, name: ${name}, namespace: org, priority: ${priority}}\n`;
  const app = (...entries: readonly string[]): string =>
    `apiVersion: application.giantswarm.io/v1alpha1\nkind: App\nmetadata: {name: shop, namespace: org}\nspec:\n  name: shop\n  userConfig: {configMap: {name: user, namespace: org}}\n  extraConfigs:\n${entries.join("")}`;
  const lateBound = entry("late");
  const creds = entry("creds", "secret");

  test.for([
    { says: "behind an entry of another kind", list: [creds, entry("base")] },
    { says: "behind one of another priority", list: [entry("bound", "configMap", 10), entry("base")] },
    { says: "two of them", list: [creds, entry("base"), entry("next", "configMap", 30)] },
  ])("an entry that is put in front of the list stays there: $says", ({ list }) => {
    const source = (...entries: readonly string[]): string => [...layers, app(...entries)].join("---\n");
    const edited = fold(source(...list)).replace("extraConfigs:\n", () => `extraConfigs:\n${lateBound}`);
    expect(fold(edited)).toBe(fold(source(lateBound, ...list)));
    expect(fold(fold(edited))).toBe(fold(edited));
  });
});
