// `verify` has its lints from an explanation in brief, which leaves out what says nothing to them: they are those of the
// whole explanation.
// @module-tag law
import { wings } from "../../src/wings.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { explainItems } from "../../src/explain/explain.ts";
import { beginRun, unsupplied } from "../../src/core/fold.ts";
import { lintLayers } from "../../src/explain/lint/layers.ts";
import { arbitraryText } from "../support/generate-values.ts";
import { messagesOf } from "../support/fold.ts";

const numRuns = Number(process.env["VALUEFOLD_RUNS"] ?? 250);

interface Entry {
  readonly layer: number;
  readonly priority: number;
}

/** Few layers for several Apps: the same one lies low here and high there. */
const arbitraryList = fc
  .record({
    texts: fc.array(arbitraryText([]), { minLength: 3, maxLength: 3 }),
    apps: fc.array(
      fc.array(fc.record({ layer: fc.nat(2), priority: fc.integer({ min: 1, max: 150 }) }), {
        minLength: 3,
        maxLength: 4,
      }),
      { minLength: 1, maxLength: 2 },
    ),
  })
  .map(({ texts, apps }) => [...texts.map(layerItem), ...apps.map(appItem)].join("---\n"));

function layerItem(text: string, index: number): string {
  return `apiVersion: v1
kind: ConfigMap
metadata: {name: layer-${index}, namespace: org}
data: {values: ${JSON.stringify(text)}}
`;
}

function appItem(entries: readonly Entry[], index: number): string {
  const lines = entries.map(
    ({ layer, priority }) => `  - {name: layer-${layer}, namespace: org, priority: ${priority}}\n`,
  );
  return `apiVersion: application.giantswarm.io/v1alpha1
kind: App
metadata: {name: app-${index}, namespace: org}
spec:
  kubeConfig: {inCluster: true}
  extraConfigs:
${lines.join("")}`;
}

function lintsOf(text: string, isBrief: boolean): ReturnType<typeof lintLayers> {
  const request = { input: Buffer.from(text), form: "stream", isBrief } as const;
  const started = beginRun(request, "lint", wings);
  if ("outcome" in started) throw new Error(messagesOf(started.outcome));
  return lintLayers(unsupplied(explainItems(started.envelope, request, started.context)).explanation);
}

describe("lints from an explanation in brief", () => {
  const seen = new Map<string, number>();

  test("are those of the whole one", () => {
    fc.assert(
      fc.property(arbitraryList, (text) => {
        const found = lintsOf(text, true);
        expect(found).toEqual(lintsOf(text, false));
        for (const { code } of found) seen.set(code, (seen.get(code) ?? 0) + 1);
      }),
      { numRuns },
    );
  });

  test("and there is something to find", () => {
    for (const code of ["idle-layer", "hidden-override", "mapping-replaced", "listed-twice"])
      expect(seen.get(code), code).toBeGreaterThan(0);
  });
});
