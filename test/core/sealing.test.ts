// What the core asks of SOPS, and what it makes of the answers. The answers here are the test's own; real sops
// answers in test/real/sops.test.ts.
import { wings } from "../../src/wings.ts";
import { hash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { emitFold } from "../../src/core/emit/emit.ts";
import { folding, type FoldInput, supplied } from "../../src/core/fold.ts";
import { guard } from "../../src/layers/guarded.ts";
import { Holdings } from "../../src/layers/holdings.ts";
import { isLayerItem } from "../../src/layers/held.ts";
import type { Outcome } from "../../src/report/outcome.ts";
import { inPlace as frontEnd } from "../../src/core/front/in-place/in-place.ts";
import type { Fold } from "../../src/layers/model.ts";
import type { Need, Supply } from "../../src/core/sops/need.ts";
import { decodeStream } from "../../src/krm/decode.ts";
import type { Item } from "../../src/krm/item.ts";

const mark = "ENC[AES256_GCM,data:";

/** A manifest as SOPS leaves it, with a text the test can read. */
function sealed(name: string, text: string): string {
  return `apiVersion: v1\nkind: Secret\nmetadata:\n  name: ${name}\n  namespace: org\nstringData:\n  values.yaml: ${mark}${Buffer.from(text).toString("hex")}]\nsops:\n  age: [{recipient: age1x, enc: x}]\n  mac: ${mark}mac]\n`;
}

function release(name: string, list: readonly string[]): string {
  const entries = list.map((each) => `  - {kind: Secret, name: ${each}}\n`).join("");
  return `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: ${name}, namespace: org}\nspec:\n  valuesFrom:\n${entries}`;
}

function plain(text: Uint8Array): string {
  const hex =
    new RegExp(`values\\.yaml"?: "?${mark.replaceAll(/[[\]]/g, "\\$&")}([0-9a-f]*)`).exec(
      Buffer.from(text).toString(),
    )?.[1] ?? "";
  return Buffer.from(hex, "hex").toString("utf8");
}

function answer(need: Need): Supply {
  if ("open" in need)
    return need.open.map(({ text }) => {
      const isData = Buffer.from(text).toString().includes("\ndata:");
      const value = plain(text);
      return {
        text: Buffer.from(
          JSON.stringify(
            isData ? { data: { "values.yaml": value } } : { stringData: { "values.yaml": value } },
          ),
        ),
      };
    });
  return need.seal.map((manifest) => {
    const { data } = JSON.parse(Buffer.from(manifest).toString()) as { data: { [key: string]: string } };
    const value = `${mark}${Buffer.from(data["values.yaml"] ?? "").toString("hex")}]`;
    return {
      text: Buffer.from(
        JSON.stringify({
          data: { "values.yaml": value },
          sops: { age: [{ recipient: "age1x", enc: "e" }], mac: `${mark}m]` },
        }),
      ),
    };
  });
}

function foldSealed(request: FoldInput, supply: (need: Need) => Promise<Supply>): Promise<Outcome> {
  return supplied(folding(request, wings), supply);
}

async function fold(
  stream: string,
  sops: string,
  supply = answer,
): Promise<{ needs: Need[]; output: string; codes: string[] }> {
  const needs: Need[] = [];
  const config = Buffer.from(`apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nspec: {sops: ${sops}}\n`);
  const outcome = await foldSealed({ input: Buffer.from(stream), form: "stream", config }, (need) => {
    needs.push(need);
    return Promise.resolve(supply(need));
  });
  const codes = outcome.diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);
  return { needs, output: Buffer.concat(outcome.output).toString("utf8"), codes };
}

const sealing = "{seal: {age: [age1x]}}";
const two = [sealed("a", "x: 1\n"), sealed("b", "y: 2\n")];

function count(needs: readonly Need[], kind: "open" | "seal"): number[] {
  return needs.flatMap((need) =>
    "open" in need ? (kind === "open" ? [need.open.length] : []) : kind === "seal" ? [need.seal.length] : [],
  );
}

describe("what is asked", () => {
  test("each sealed document once, however many targets use it; each fold once", async () => {
    const { needs, codes } = await fold(
      [...two, release("one", ["a", "b"]), release("two", ["b", "a"])].join("---\n"),
      sealing,
    );
    expect([count(needs, "open"), count(needs, "seal"), codes]).toEqual([[2], [2], []]);
  });

  test("nothing, where nothing is sealed, or one sealed layer stands alone", async () => {
    const alone = [two[0], release("one", ["a"])].join("---\n");
    const { needs, output } = await fold(alone, sealing);
    expect([needs, output]).toEqual([[], alone]);
  });

  test("recipients are those that all opened layers share; a fault, where they share none", async () => {
    const shared = sealed("b", "y: 2\n").replace("age: [", "age: [{recipient: age1y, enc: x}, ");
    const stream = (b: string): string => [two[0] ?? "", b, release("one", ["a", "b"])].join("---\n");
    const { needs, codes } = await fold(stream(shared), "{}");
    const recipients = needs.flatMap((need) => ("seal" in need ? [need.recipients] : []));
    expect([recipients, codes]).toEqual([[{ age: ["age1x"], pgp: [] }], []]);
    const none = await fold(stream(shared.replace("age1x", "age1z")), "{}");
    expect([count(none.needs, "seal"), none.codes, none.output]).toEqual([[], ["seal-missing"], ""]);
  });

  test("a second time nothing but opening: the seal is kept", async () => {
    const once = await fold([...two, release("one", ["a", "b"])].join("---\n"), sealing);
    const again = await fold(once.output, sealing);
    expect([count(again.needs, "seal"), again.output]).toEqual([[], once.output]);
    const others = await fold(once.output, "{seal: {age: [age1y]}}");
    expect(count(others.needs, "seal")).toEqual([1]);
  });

  test("plain Secrets are sealed, too, once recipients are named", async () => {
    const secrets = ["a", "b"].map(
      (name) =>
        `apiVersion: v1\nkind: Secret\nmetadata: {name: ${name}, namespace: org}\nstringData: {values.yaml: "${name}: hunter2"}\n`,
    );
    const { needs, output } = await fold([...secrets, release("one", ["a", "b"])].join("---\n"), sealing);
    expect(count(needs, "seal")).toEqual([1]);
    expect(output.split("name: one-folded")[1]).not.toContain("hunter2");
  });
});

describe("a plain layer under seal", () => {
  const pins = ["a", "b"].map(
    (name) =>
      `apiVersion: v1\nkind: Secret\nmetadata: {name: ${name}, namespace: org}\nstringData: {values.yaml: "${name}: 4711\\n"}\n`,
  );
  const stream = [...pins, release("one", ["a", "b"])].join("---\n");
  const keysOfSeal = (output: string): string[] => output.match(/ENC\[[^\]]*\]\d*/g) ?? [];
  let serial = 0;
  const different = (need: Need): Supply =>
    answer(need).map((supply) =>
      "open" in need || !("text" in supply)
        ? supply
        : {
            text: Buffer.from(
              Buffer.from(supply.text).toString().replace('"},"sops"', `${++serial}"},"sops"`),
            ),
          },
    );

  test("leaves no digest from which it could be guessed", async () => {
    const { output } = await fold(stream, `${sealing}, output: {hashSuffix: true}`);
    const [, folded = ""] = output.split("name: one-folded");
    expect(folded).toContain('"digest":"sha256:');
    expect(output).not.toContain('"inputs"');
    for (const text of ["a: 4711\n", "b: 4711\n", "a: 4711\nb: 4711\n"]) {
      const digest = hash("sha256", text, "hex");
      expect(output).not.toContain(digest.slice(0, 10));
    }
  });

  test("keeps its seal where that can be opened and holds the same", async () => {
    const once = await fold(stream, sealing, different);
    const again = await fold(once.output, sealing, different);
    expect([count(again.needs, "open"), count(again.needs, "seal")]).toEqual([[1], []]);
    expect(again.output).toBe(once.output);
    const others = await fold(once.output, "{seal: {age: [age1y]}}", different);
    expect([count(others.needs, "open"), count(others.needs, "seal")]).toEqual([[], [1]]);
  });

  test("is sealed again where it has changed, or where the seal cannot be opened", async () => {
    const once = await fold(stream, sealing, different);
    const changed = await fold(once.output.replace("b: 4711", "b: 4712"), sealing, different);
    expect([count(changed.needs, "open"), count(changed.needs, "seal")]).toEqual([[1], [1]]);
    const closed = await fold(once.output, sealing, (need) =>
      "open" in need ? need.open.map(() => ({ fault: "no-key" })) : different(need),
    );
    expect([count(closed.needs, "seal"), closed.codes]).toEqual([[1], []]);
    expect(keysOfSeal(closed.output)).not.toEqual(keysOfSeal(once.output));
  });
});

describe("what is made of answers", () => {
  test.for([
    ["no-key", "sops-failed"],
    ["missing", "sops-failed"],
    ["tampered", "sops-malformed"],
    ["malformed", "sops-malformed"],
    ["timeout", "sops-failed"],
    ["failed", "sops-failed"],
  ] as const)("%s is told as %s, and nothing is written", async ([failure, code]) => {
    const stream = [...two, release("one", ["a", "b"])].join("---\n");
    const { codes, output } = await fold(stream, sealing, (need) =>
      "open" in need ? need.open.map(() => ({ fault: failure })) : answer(need),
    );
    expect([[...new Set(codes)], output]).toEqual([[code], ""]);
  });

  test.for(["", "{", "[]", '"text"', "{}", '{"sops": {}}', '{"data": {"values.yaml": "open"}, "sops": {}}'])(
    "a seal like `%s` is none",
    async (text) => {
      const stream = [...two, release("one", ["a", "b"])].join("---\n");
      const { codes, output } = await fold(stream, sealing, (need) =>
        "open" in need ? answer(need) : need.seal.map(() => ({ text: Buffer.from(text) })),
      );
      expect([codes, output]).toEqual([["seal-failed"], ""]);
    },
  );

  test("a sealed ConfigMap is never opened", async () => {
    const map = sealed("a", "x: 1\n")
      .replace("kind: Secret", "kind: ConfigMap")
      .replace("stringData", "data");
    const maps = [map, map.replace("name: a", "name: b")];
    const stream = [...maps, release("one", ["a", "b"]).replaceAll("Secret", "ConfigMap")].join("---\n");
    const { needs, output } = await fold(stream, sealing);
    expect([needs, output]).toEqual([[], stream]);
  });
});

test("an item that is no Secret takes no secret, whoever asks", () => {
  const envelope = decodeStream(Buffer.from(`${two[0]}---\n${release("one", ["a"])}`));
  if (!("items" in envelope)) throw new Error("not a stream");
  const [secret, target] = envelope.items;
  if (secret === undefined || !isLayerItem(secret) || target === undefined) throw new Error("no items");
  const layer = {
    item: secret,
    priority: 50,
    key: "values.yaml",
    reference: undefined,
  };
  const stack = { target, below: [], entries: [{ layer }] };
  const wrong: Fold = {
    stack,
    kind: "ConfigMap",
    layers: [layer],
    text: guard(Buffer.from("x"), true),
    unencoded: false,
    literal: false,
    name: "one-folded",
    namespace: "org",
  };
  const holdings = new Holdings();
  const placing = {
    earlier: [],
    dataKey: "values.yaml",
    position: "before",
    holdings,
    disposed: { marked: new Set<Item>(), pruned: new Set<Item>() },
    folds: [],
    filesInUse: new Set<string>(),
  } as const;
  expect(() => emitFold(envelope, wrong, placing)).toThrow("a secret was about to leave");
  const [map] = (
    decodeStream(Buffer.from("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\n")) as typeof envelope
  ).items;
  if (map === undefined || !isLayerItem(map)) throw new Error("no item");
  const inPlace = { ...stack, target: map, into: { item: map, key: "values.yaml", format: "yaml" as const } };
  const collected = { stacks: [inPlace], references: [], diagnostics: [] };
  expect(() => frontEnd.rewrite(map, collected, [{ ...wrong, stack: inPlace }], holdings)).toThrow(
    "a secret was about to leave",
  );
});

describe("what adversarial testing broke", () => {
  const layerInto = `apiVersion: v1\nkind: Secret\nmetadata: {name: l, namespace: org, annotations: {valuefold.dev/into: Secret/t}}\nstringData: {new: hunter2}\n`;

  test.for(["{}", sealing, "{allowPlaintext: true}"])(
    "no plain key beside sealed ones (%s)",
    async (sops) => {
      const { codes, output } = await fold([sealed("t", "x: 1\n"), layerInto].join("---\n"), sops);
      expect([codes, output]).toEqual([["sealed-layer"], ""]);
      const used = await fold(
        [sealed("t", "x: 1\n"), layerInto, two[0], release("one", ["t", "a"])].join("---\n"),
        sops,
      );
      expect([used.codes.includes("sealed-layer"), used.output]).toEqual([true, ""]);
    },
  );

  test("what Flux is told never to decrypt is not opened, and what is sealed loses that mark", async () => {
    const marked = (text: string): string =>
      text.replace(
        "  namespace: org\n",
        "  namespace: org\n  annotations: {kustomize.toolkit.fluxcd.io/decrypt: disabled}\n",
      );
    const stream = [...two.map(marked), release("one", ["a", "b"])].join("---\n");
    const { needs, output } = await fold(stream, sealing);
    expect([needs, output]).toEqual([[], stream]);
    const plainSecrets = ["a", "b"].map((name) =>
      marked(
        `apiVersion: v1\nkind: Secret\nmetadata:\n  name: ${name}\n  namespace: org\nstringData: {values.yaml: "${name}: 1"}\n`,
      ),
    );
    const folded = (
      await fold([...plainSecrets, release("one", ["a", "b"])].join("---\n"), sealing)
    ).output.split("name: one-folded")[1];
    expect(folded?.split("---")[0]).not.toContain("decrypt");
  });

  test("two targets of equal values keep their own seals", async () => {
    let serial = 0;
    const different = (need: Need): Supply => {
      if ("open" in need) return answer(need);
      return need.seal.map(() => {
        const value = `${mark}${Buffer.from(Buffer.from("x: 1\ny: 2\n").toString("base64")).toString("hex")}]${++serial}`;
        return {
          text: Buffer.from(
            JSON.stringify({ data: { "values.yaml": value }, sops: { age: [{ recipient: "age1x" }] } }),
          ),
        };
      });
    };
    const once = await fold(
      [...two, release("one", ["a", "b"]), release("two", ["a", "b"])].join("---\n"),
      sealing,
      different,
    );
    expect((await fold(once.output, sealing, different)).output).toBe(once.output);
  });

  test("recipients by commas are recipients", async () => {
    const stream = [...two, release("one", ["a", "b"])].join("---\n");
    const once = await fold(stream, "{seal: {age: ['age1x , ']}}");
    expect(count((await fold(once.output, "{seal: {age: ['age1x']}}")).needs, "seal")).toEqual([]);
  });

  test("equal input gives an equal name, and with an earlier output at hand equal bytes", async () => {
    let serial = 0;
    const different = (need: Need): Supply => {
      if ("open" in need) return answer(need);
      return need.seal.map(() => ({
        text: Buffer.from(
          JSON.stringify({
            data: { "values.yaml": `${mark}${++serial}]` },
            sops: { age: [{ recipient: "age1x" }], mac: `${mark}m]` },
          }),
        ),
      }));
    };
    const config = Buffer.from(
      `apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nspec: {sops: {}, output: {hashSuffix: true}}\n`,
    );
    const build = async (b: string, previous?: string): Promise<string> => {
      const input = Buffer.from([two[0] ?? "", b, release("one", ["a", "b"])].join("---\n"));
      const earlier = previous === undefined ? {} : { previous: Buffer.from(previous) };
      const outcome = await foldSealed({ input, form: "stream", config, ...earlier }, (need) =>
        Promise.resolve(different(need)),
      );
      expect(outcome.exitCode).toBe(0);
      return Buffer.concat(outcome.output).toString();
    };
    const nameIn = (output: string): string =>
      /name: (one-folded-[0-9a-f]{10})\n/.exec(output)?.[1] ?? output;
    const once = await build(two[1] ?? "");
    const again = await build(two[1] ?? "");
    expect([again === once, nameIn(again)]).toEqual([false, nameIn(once)]);
    expect(await build(two[1] ?? "", once)).toBe(once);
    const changed = await build(sealed("b", "y: 3\n"), once);
    expect(nameIn(changed)).not.toBe(nameIn(once));
    // What somebody edited is no seal to keep.
    const edited = await build(two[1] ?? "", once.replace(`${mark}1]`, `${mark}9]`));
    expect([edited.includes(`${mark}9]`), nameIn(edited)]).toEqual([false, nameIn(once)]);
  });

  test("base64 that is none is no answer", async () => {
    const stream = [...two, release("one", ["a", "b"])].join("---\n");
    const { codes } = await fold(stream, sealing, (need) =>
      "open" in need
        ? need.open.map(() => ({ text: Buffer.from('{"data": {"values.yaml": "YTog!MQ=="}}') }))
        : answer(need),
    );
    expect([...new Set(codes)]).toEqual(["sops-malformed"]);
  });

  test("an item whose dash stands alone on its line is opened as it is", async () => {
    const items = [...two, release("one", ["a", "b"])].map(
      (text) => `-\n  ${text.trimEnd().split("\n").join("\n  ")}\n`,
    );
    const list = `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${items.join("")}functionConfig:\n  apiVersion: valuefold.dev/v1alpha1\n  kind: ValueFold\n  spec:\n    sops: ${sealing}\n`;
    const texts: string[] = [];
    const outcome = await foldSealed({ input: Buffer.from(list), form: "resource-list" }, (need) => {
      if ("open" in need) texts.push(...need.open.map(({ text }) => Buffer.from(text).toString()));
      return Promise.resolve(answer(need));
    });
    expect(outcome.exitCode).toBe(0);
    expect(texts.map((text) => text.trim())).toEqual(two.map((text) => text.trim()));
  });
});
