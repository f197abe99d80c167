// The examples of settings, which editors show and `src/settings-input.ts` holds, are settings that the program takes.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readCheckoutSettings, readSettings } from "../../src/settings/function-config.ts";

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly description?: string;
  readonly examples?: readonly unknown[];
}

const schema = JSON.parse(
  readFileSync(new URL("../../schema/valuefold.schema.json", import.meta.url), "utf8"),
) as Shape;

function membersOf(
  shape: Shape | undefined,
  path: readonly string[],
): (readonly [string, Shape, unknown[]])[] {
  return Object.entries(shape?.properties ?? {}).flatMap(([key, inner]) => {
    const own = [...path, key];
    const settings = (inner.examples ?? []).map((example) =>
      own.reduceRight((value: unknown, each) => ({ [each]: value }), example),
    );
    return [[own.join("."), inner, settings] as const, ...membersOf(inner, own)];
  });
}

const described = membersOf(schema.properties?.["spec"], []).filter(
  ([, { description }]) => description !== undefined,
);

test("there are settings to look at", () => {
  expect(described.length).toBeGreaterThan(15);
});

/** `checkout` is a setting of one file. */
function outcomeOf(example: unknown): object {
  const text = JSON.stringify({ apiVersion: "valuefold.dev/v1alpha1", kind: "ValueFold", spec: example });
  const isOfCheckout = typeof example === "object" && example !== null && "checkout" in example;
  return isOfCheckout ? readCheckoutSettings(Buffer.from(text), ".valuefold.yaml") : readSettings(example);
}

test.for(described)("%s", ([, , examples]) => {
  expect(examples.length).toBeGreaterThan(0);
  for (const example of examples) expect(outcomeOf(example)).not.toHaveProperty("faults");
});
