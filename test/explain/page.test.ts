// The page as text: what goes in comes out again, nothing in it acts, and it stays small.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Explanation } from "../../src/explanation.ts";
import {
  claim,
  layerAddress,
  stackAddress,
  targetAddress,
  valueAddress,
} from "../../src/explain/page/client/addresses.ts";
import { decodePaths, decodeTarget } from "../../src/explain/page/decode.ts";
import { encode } from "../../src/explain/page/encode.ts";
import type { EncodedPage } from "../../src/explain/page/encoded.ts";
import { NumberReader, writeDifference, writeNumber } from "../../src/explain/page/numbers.ts";
import { pageOf } from "../../src/explain/page/write.ts";
import { explanationOf } from "../support/explain.ts";
import { bigExplanation, hostile, hostileTexts, small } from "../support/explanations.ts";

const dataForm = /<script type="application\/json" id="explanation">([^<]*)<\/script>/;

function read(page: string): Explanation {
  const encoded = JSON.parse(dataForm.exec(page)?.[1] ?? "") as EncodedPage;
  const paths = decodePaths(encoded);
  const targets = encoded.targets.map((target) => decodeTarget(target, encoded, paths));
  return { kind: "Explanation", version: 1, targets };
}

test.for([
  ["small", small],
  ["hostile", hostile],
  ["without targets", { ...small, targets: [] }],
  ["large", bigExplanation(30, 40)],
] as const)("what is %s comes out as it went in", ([, explanation]) => {
  expect(read(pageOf(explanation))).toEqual(explanation);
});

test("what settings say of values reads back, too", () => {
  const explanation = explanationOf(
    ["base", "prod"]
      .map((name) => readFileSync(new URL(`../../examples/lists/${name}.yaml`, import.meta.url), "utf8"))
      .join("---\n"),
    "{apiVersion: valuefold.dev/v1alpha1, kind: ValueFold, spec: {merge: [{path: env, key: name}, {path: hosts, list: set}], protect: [{path: hosts, above: 90}]}}",
  );
  expect(JSON.stringify(explanation)).toMatch(/"rule":"key name".*"elements":\[1\].*"protected"/);
  expect(read(pageOf(explanation))).toEqual(explanation);
});

test("numbers of any size come out as they went in", () => {
  const number = fc.oneof(fc.nat(), fc.nat({ max: 2 ** 48 }));
  fc.assert(
    fc.property(fc.array(fc.tuple(number, fc.integer())), (pairs) => {
      const reader = new NumberReader(pairs.map(([a, b]) => writeNumber(a) + writeDifference(b)).join(""));
      expect(pairs.map(() => [reader.number(), reader.difference()])).toEqual(pairs);
      expect(reader.isDone).toBe(true);
    }),
  );
});

test("what is in values is in the data only, and cannot leave it", () => {
  const page = pageOf(hostile);
  const data = dataForm.exec(page)?.[1] ?? "";
  expect(data).not.toMatch(/[<\u2028\u2029]/);
  expect(data).toContain("javascript:globalThis.hit=1");
  expect(page.replace(dataForm, "")).toBe(pageOf(small).replace(dataForm, ""));
});

test("its policy names its one script and its one style, and allows nothing else", () => {
  const page = pageOf(small);
  const hash = (form: RegExp): string => {
    const all = [...page.matchAll(form)];
    expect(all).toHaveLength(1);
    return `'sha256-${createHash("sha256")
      .update(all[0]?.[1] ?? "")
      .digest("base64")}'`;
  };
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1];
  expect(policy).toBe(
    `default-src 'none'; script-src ${hash(/<script>(.+?)<\/script>/gs)}; style-src ${hash(/<style>(.+?)<\/style>/gs)}; ` +
      "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  );
  expect(page).not.toMatch(/https?:|\bsrc=|<link|@import|url\(/);
});

test("a thousand targets of 200 values in three layers are at most 6 MB", { timeout: 60_000 }, () => {
  const page = pageOf(bigExplanation(1000, 200));
  console.log(
    `page of 1,000 × 200 × 3: ${(page.length / 1e6).toFixed(2)} MB; of nothing: ${pageOf({ ...small, targets: [] }).length} bytes`,
  );
  expect(Buffer.byteLength(page)).toBeLessThanOrEqual(6e6);
});

test("a value of a layer that is not in the target is a fault of the explanation, not of the page", () => {
  const stack = { layers: [], runs: [], splits: [], values: [{ path: ["a"], by: "A", over: [] }] };
  expect(() => encode({ ...small, targets: [{ kind: "App", name: "shop", stacks: [stack] }] })).toThrow(
    "no layer A",
  );
});

test("an address is what one would write by hand", () => {
  const stack = stackAddress(targetAddress({ kind: "App", namespace: "org", name: "shop" }), {
    kind: "ConfigMap",
  });
  expect(valueAddress(stack, ["controller", "replicas"])).toBe("App/org/shop/ConfigMap/controller.replicas");
  expect(valueAddress(stack, ["example.org/owner"])).toBe("App/org/shop/ConfigMap/example%2Eorg%2Fowner");
  expect(layerAddress({ kind: "ConfigMap", name: "base", key: "values.yaml" })).toBe(
    "layer:ConfigMap//base/values.yaml",
  );
});

test("no two things have one address", () => {
  const keys = fc.array(fc.constantFrom("a", ".", "a.b", "/", "", "%2E", "~2", ...hostileTexts), {
    maxLength: 3,
  });
  fc.assert(
    fc.property(keys, keys, (one, other) => {
      const isSame = JSON.stringify(one) === JSON.stringify(other);
      expect(valueAddress("s", one) === valueAddress("s", other)).toBe(isSame);
    }),
  );
  const taken = new Set<string>();
  expect(["a", "a", "a~2", "a"].map((address) => claim(address, taken))).toEqual([
    "a",
    "a~2",
    "a~2~2",
    "a~3",
  ]);
});
