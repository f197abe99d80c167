// Repeats that run again: on their own output, behind overlays that took something out, with settings that prune.
import { describe, expect, test } from "vitest";
import { foldText, itemsOnly } from "../support/fold.ts";
import { folded, listOf, refusal, repeatIn, streamOf } from "../support/repeat-texts.ts";

const instances = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: inst}\ndata:\n  i.yaml: 'a: {x: 1}'\n";
const release =
  "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: h}\nspec: {interval: 1m}\n";
const clone = '{kind: HelmRelease, name: h, as: "h-{name}", values: "{value}"}';
const layerInto = (name: string, target: string, text: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, annotations: {valuefold.dev/into: ${target}}}\ndata: ${text}\n`;

describe("settings that prune layers", () => {
  const config =
    "apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nmetadata: {name: f}\nspec: {layers: prune}\n";
  const items = streamOf(
    "from: {kind: ConfigMap, name: inst}",
    clone,
    instances,
    release,
    layerInto("more", "ConfigMap/inst", "{i.yaml: 'b: {x: 2}'}"),
  ).split("---\n");

  test("leave the layers of clones, which would come back, and give the same bytes again", () => {
    const first = foldText(listOf(...items), config);
    expect([first.exitCode, first.messages]).toEqual([0, ""]);
    expect(first.output).not.toContain("name: more");
    expect(first.output).toMatch(/local-config: "true"\n *data:\n *values.yaml: \|\n *\{x: 2\}/);
    expect(itemsOnly(foldText(first.output, config).output)).toBe(itemsOnly(first.output));
  });
});

describe("layers into clones that are yet to be made", () => {
  test("are no orphans while it is found out what instances are", () => {
    const input = streamOf(
      "from: {kind: ConfigMap, name: inst}",
      clone,
      instances,
      release,
      layerInto("more", "ConfigMap/inst", "{i.yaml: 'b: {x: 2}'}"),
      layerInto("own", "HelmRelease/h-b", "{values.yaml: 'y: 3'}"),
    );
    expect(foldText(input).output).toContain("y: 3\n    x: 2\n");
    const orphan = foldText(input.replace("h-b", "h-c"));
    expect(orphan.diagnostics.map(({ code }) => code)).toEqual(["orphan-layer"]);
  });
});

describe("a list without instances, and with instances again", () => {
  const inList = (ports: string, own: string): string =>
    listOf(
      repeatIn(own, '{kind: Foo, name: f, path: "spec.ports[0]", set: {name: "{name}"}}'),
      `apiVersion: a/v1\nkind: Foo\nmetadata: {name: f}\nspec:\n  ${ports}\n  type: x\n`,
    );

  test.for([
    ["ports: # behind the key\n    # of the template\n    - name: tpl # name\n      port: 1\n    # foot"],
    ["ports: !ports # behind the key\n    - name: tpl"],
    ["ports: [ # in brackets\n    {name: tpl} ]"],
    ["ports: [{name: tpl}] # behind brackets"],
  ] as const)("keeps comments and tags: %s", ([ports]) => {
    const none = folded(inList(ports, "{}"));
    for (const [comment] of ports.matchAll(/# (?:behind|in) .*/g)) expect(none).toContain(comment);
    const both = "{a: {}, b: {}}";
    const again = folded(none.replace("instances: {}", `instances: ${both}`));
    expect(squeezed(again)).toBe(squeezed(folded(inList(ports, both))));
  });
});

test("clones come back where they were, though users took out what stood before them", () => {
  const list = (ports: string): string =>
    listOf(
      repeatIn("{a: {}}", '{kind: Foo, name: f, path: "spec.ports[2]", set: {name: "{name}"}}'),
      `apiVersion: a/v1\nkind: Foo\nmetadata: {name: f}\nspec:\n  ports:\n${ports}`,
    );
  const element = (name: string): string => `  - {name: ${name}}\n`;
  let now = folded(list(["u0", "u1", "tpl", "u9"].map(element).join("")));
  for (const gone of ["u1", "u0"])
    now = folded(now.replace(new RegExp(`^ +- \\{name: ${gone}\\}\\n`, "m"), ""));
  const none = folded(now.replace("instances: {a: {}}", "instances: {}"));
  const again = folded(none.replace("instances: {}", "instances: {c: {}}"));
  const elements = again.slice(again.indexOf("  ports:"));
  expect([...elements.matchAll(/- \{name: "?(\w+)/g)].map(([, name]) => name)).toEqual(["c", "u9"]);
});

/** What shows that no word was lost, wherever the spaces are. */
function squeezed(text: string): string {
  return text.replaceAll(/ +/g, "");
}

describe("a Repeat that is taken out of the list", () => {
  const elements = '{kind: Foo, name: f, path: "spec.l[0]", set: "{name}"}';
  const foo = (notes: string): string =>
    `apiVersion: a/v1\nkind: Foo\nmetadata: {name: f, annotations: {${notes}}}\nspec: {l: [x]}\n`;
  const whole = '{kind: HelmRelease, name: h, as: "h-{name}"}';
  const other = repeatIn("{a: {}}", '{kind: Foo, name: g, path: "spec.l[0]"}').replace(
    "name: r",
    "name: other",
  );
  const inKpt = "internal.config.kubernetes.io/id: '1'";

  /** What the fold and `verify` say of a list once its Repeat `r` is gone. */
  function toldOf(...items: readonly string[]): readonly string[][] {
    const list = itemsOnly(foldText(listOf(...items)).output);
    const without = list.replace(
      /- apiVersion: valuefold.dev\/v1alpha1\n {2}kind: Repeat\n {2}metadata: \{name: r[^]*?(?=- api)/,
      "",
    );
    expect(without).not.toBe(list);
    const verifying = `apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nmetadata: {name: f}\nspec: {verify: {only: true}}\n`;
    const again = foldText(without);
    expect(itemsOnly(again.output)).toBe(without);
    return [again, foldText(without, verifying)].map(({ diagnostics }) =>
      diagnostics.flatMap(({ code, message }) => (code === "repeat-stale" ? [message] : [])),
    );
  }

  test.for([
    [
      "clones in lists, in kpt",
      [repeatIn("{a: {}}", elements), foo(inKpt)],
      ["`Foo/f` holds elements that were made by"],
    ],
    [
      "clones in lists, beside another Repeat",
      [repeatIn("{a: {}}", elements), other, foo(""), foo("").replace("name: f", "name: g")],
      ["`Foo/f` holds elements that were made by"],
    ],
    [
      "clones of items",
      [repeatIn("{a: {}}", whole), release],
      ["`HelmRelease/h-a` is a clone of", "`HelmRelease/h` is the template of"],
    ],
    ["clones in lists, at the end of a pipeline", [repeatIn("{a: {}}", elements), foo("")], []],
  ] as const)("is told by its %s", ([, items, wanted]) => {
    for (const told of toldOf(...items))
      expect(told).toEqual(wanted.map((what) => `${what} a Repeat that is not in the list`));
  });
});

describe("a kpt package as a plain stream", () => {
  const config = (name: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {k: v}\n`;
  const repeatOf = (name: string): string =>
    repeatIn("{a: {}}", `{kind: ConfigMap, name: ${name}, as: "${name}-{name}"}`).replace(
      "name: r",
      `name: of-${name}`,
    );
  /** What kpt has in its files once the function ran: it takes its ids off. */
  const packaged = (name: string): string[] =>
    folded(listOf(repeatOf(name), config(name)))
      .replace(/^[^]*?items:\n- /, "")
      .replace(/\n- apiVersion: v1\n {2}kind: Namespace\n[^]*$/, "")
      .split("\n- ")
      .map((item) => `${item.replaceAll("\n  ", "\n").trimEnd()}\n`);
  const staleIn = (...items: readonly string[]): string[] =>
    foldText(items.join("---\n")).diagnostics.flatMap(({ code, message }) =>
      code === "repeat-stale" ? [message] : [],
    );

  test("clones are those of the package, and the Repeat and its template go", () => {
    const { exitCode, output } = foldText(packaged("c").join("---\n"));
    expect([exitCode, output.match(/^kind: .*$/gm)]).toEqual([0, ["kind: ConfigMap"]]);
    expect(output).toContain('name: "c-a"');
    expect(foldText(output).output).toBe(output);
  });

  test("a Repeat that was taken out is reported by its template and clones", () => {
    const [repeat = "", ...rest] = packaged("c");
    expect(repeat).toContain("kind: Repeat");
    expect(staleIn(repeat, ...rest)).toEqual([]);
    const told = [
      "`ConfigMap/c-a` is a clone of a Repeat that is not in the list",
      "`ConfigMap/c` is the template of a Repeat that is not in the list",
    ];
    expect(staleIn(...rest)).toEqual(told);
  });

  test("clones of a stream are items like any other, with another Repeat, too", () => {
    const streamed = foldText(`${repeatOf("d")}---\n${config("d")}`).output;
    expect(staleIn(streamed)).toEqual([]);
    expect(staleIn(streamed, ...packaged("c"))).toEqual([]);
  });
});

test("an element that comes back before one behind two dashes stands behind them itself", () => {
  const rows =
    "apiVersion: a/v1\nkind: Foo\nmetadata: {name: f}\nspec:\n  rows:\n  - - tpl\n    - b\n  - - c\n";
  const entry = '{kind: Foo, name: f, path: "spec.rows[0][0]", set: "{name}"}';
  const none = folded(listOf(repeatIn("{}", entry), rows));
  expect(none).toContain("    - - b\n    - - c\n");
  const again = folded(none.replace("instances: {}", "instances: {x: {}, z: {}}"));
  expect(again).toContain("    - - x\n      - z\n      - b\n    - - c\n");
});

test("a clone whose record is broken is an item like any other, whose name is taken", () => {
  const config = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {k: v}\n";
  const list = folded(listOf(repeatIn("{a: {}}", '{kind: ConfigMap, name: c, as: "c-{name}"}'), config));
  const broken = list.replace(/\\"own\\":/, '\\"slots\\":5,\\"own\\":');
  expect(broken).not.toBe(list);
  expect(refusal(broken)).toMatch(
    /^name-taken: .*`ConfigMap\/c-a`, a name that `ConfigMap\/c-a` of the list has/,
  );
});

test("a Repeat that was renamed says whose the names are that it wants", () => {
  const config = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {k: v}\n";
  const list = folded(listOf(repeatIn("{a: {}}", '{kind: ConfigMap, name: c, as: "c-{name}"}'), config));
  expect(refusal(list.replace("metadata: {name: r,", "metadata: {name: q,"))).toMatch(
    /^name-taken: .*; it was cloned by `Repeat\/r` from `ConfigMap\/c`: delete it, or call/m,
  );
});
