// Two branches of a kpt package each add entries to one target and render; git merges the generated files of one with the
// target of the other. No reference may be lost without a word.
// @module-tag law
import fc from "fast-check";
import { expect, test } from "vitest";
import { foldText } from "../support/fold.ts";

const names = ["a", "b", "c", "d", "e", "f"] as const;
type Name = (typeof names)[number];

function configMap(name: Name): string {
  return `- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: ${name}
    namespace: org
    annotations: { internal.config.kubernetes.io/id: "${name}", internal.config.kubernetes.io/path: ${name}.yaml }
  data: { values.yaml: "${name}: 1\\n" }
`;
}

function release(references: readonly Name[]): string {
  const entries = references.map((name) => `    - { kind: ConfigMap, name: ${name} }\n`).join("");
  return `- apiVersion: helm.toolkit.fluxcd.io/v2
  kind: HelmRelease
  metadata:
    name: web
    namespace: org
    annotations: { internal.config.kubernetes.io/id: web, internal.config.kubernetes.io/path: web.yaml }
  spec:
    valuesFrom:
${entries}`;
}

const head = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n";

interface Rendered {
  readonly target: string;
  readonly folded: string;
}

/** What the branch's package has after a render. */
function rendered(references: readonly Name[]): Rendered {
  const { exitCode, output } = foldText(head + names.map(configMap).join("") + release(references));
  expect(exitCode).toBe(0);
  const items = output.slice(head.length, output.indexOf("\nresults:") + 1).split(/^(?=- )/m);
  const itemOf = (kind: string, name: string): string =>
    items.find((item) => item.includes(`kind: ${kind}\n`) && item.includes(`name: ${name}\n`)) ?? "";
  return { target: itemOf("HelmRelease", "web"), folded: itemOf("ConfigMap", "web-folded") };
}

const branch = fc.uniqueArray(fc.constantFrom(...names.slice(2)), { minLength: 1, maxLength: 4 });

test("the target of one branch with the folded item of the other is an error, unless both are alike", () => {
  fc.assert(
    fc.property(branch, branch, (left, right) => {
      const base: readonly Name[] = ["a", "b"];
      const [ours, theirs] = [[...base, ...left] as Name[], [...base, ...right] as Name[]].map(rendered);
      if (ours === undefined || theirs === undefined) return;
      const merged = head + names.map(configMap).join("") + theirs.folded + ours.target;
      const { exitCode, diagnostics, output } = foldText(merged);
      const isAlike = left.join() === right.join();
      expect(exitCode).toBe(isAlike ? 0 : 1);
      if (!isAlike) expect(diagnostics.map(({ code }) => code)).toContain("folded-edited");
      else for (const name of left) expect(output).toContain(`"name":"${name}"`);
      const own = foldText(head + names.map(configMap).join("") + ours.folded + ours.target);
      expect(own.exitCode).toBe(0);
    }),
    { numRuns: Number(process.env["VALUEFOLD_RUNS"] ?? 100) },
  );
});
