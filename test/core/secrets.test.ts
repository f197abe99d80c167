// A marker in every Secret value never reaches anything but a Secret: not stderr, results, annotations,
// ConfigMaps, nor an exception.
import fc from "fast-check";
import { expect, test } from "vitest";
import { kindNames } from "../../src/kinds.ts";
import { foldText } from "../support/fold.ts";

const canary = "c4n4ryMarker";

/** Secret texts of all sorts, sound and broken, with the marker as value, key, anchor, tag or comment. */
const texts = [
  `password: ${canary}\n`,
  `${canary}: 1\n`,
  `a: &${canary} 1\nb: *${canary}\n`,
  `a: !${canary} 1\n`,
  `# ${canary}\na: 1\n`,
  `a: ${canary}: x\n`,
  `a: "${canary}\n`,
  `a: [${canary}\n`,
  `- ${canary}\n`,
  `${canary}\n`,
  `a: *${canary}\n`,
  `? {${canary}: 1}\n: 2\n`,
  `"${canary}": 1\n"${canary}": 2\n`,
  `a: "\\x${canary}"\n`,
  `%${canary}\n---\na: 1\n`,
  `a:\n\t${canary}: 1\n`,
  `a: ${canary}\n---\nb: ${canary}\n`,
  `a: @${canary}\n`,
  `${canary}: {<<: ${canary}}\n`,
  `on: ${canary}\n"true": ${canary}\n`,
  `a: \${${canary}}\nb: {x: \${${canary}}}\n`,
  `a: |\n  ${canary}\n b\n`,
  `k: ${canary}\u0007\n`,
];

function secret(name: string, text: string, form: "data" | "stringData", annotated: boolean): string {
  const value = form === "data" ? Buffer.from(text, "utf8").toString("base64") : JSON.stringify(text);
  const into = annotated ? "    annotations:\n      valuefold.dev/into: App/shop\n" : "";
  return `- apiVersion: v1\n  kind: Secret\n  metadata:\n    name: ${name}\n    namespace: org\n${into}  ${form}:\n    values: ${value}\n`;
}

function listOf(secrets: readonly string[], count: number): string {
  const extras = Array.from(
    { length: count },
    (_, index) => `    - kind: secret\n      name: s${index}\n      namespace: org\n      priority: 10\n`,
  );
  const app = `- apiVersion: application.giantswarm.io/v1alpha1\n  kind: App\n  metadata:\n    name: shop\n    namespace: org\n  spec:\n    catalog: x\n    extraConfigs:\n${extras.join("")}`;
  const config =
    "functionConfig:\n  apiVersion: valuefold.dev/v1alpha1\n  kind: ValueFold\n  spec:\n    onTie: error\n    app:\n      unseen: []\n";
  return `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${secrets.join("")}${app}${config}`;
}

/** What the output holds besides Secrets, and what is said of them. */
function outsideSecrets(output: string): string {
  const [items = "", results = ""] = output.split(/^(?=results:)/m);
  const all = items.split(/^(?=- apiVersion: )/m);
  const isSecret = (item: string): boolean => /^- apiVersion: v1\n {2}kind: Secret\n/.test(item);
  const metadata = all
    .filter(isSecret)
    .map((item) => item.replace(/^ {2}(?:data|stringData):\n(?: {3}.*\n|\n)*/gm, ""));
  return [...all.filter((item) => !isSecret(item)), ...metadata, results].join("\n");
}

test("a Secret's values never leave Secrets", { tags: "law" }, () => {
  const one = fc.record({
    text: fc.constantFrom(...texts),
    form: fc.constantFrom("data" as const, "stringData" as const),
    annotated: fc.boolean(),
  });
  let folded = 0;
  fc.assert(
    fc.property(fc.array(one, { minLength: 1, maxLength: 4 }), (layers) => {
      const input = listOf(
        layers.map(({ text, form, annotated }, index) => secret(`s${index}`, text, form, annotated)),
        layers.length,
      );
      const { output, messages, exitCode, diagnostics } = foldText(input);
      if (exitCode === 0) folded++;
      expect(messages).not.toContain(canary);
      expect(JSON.stringify(diagnostics)).not.toContain(canary);
      expect(outsideSecrets(output)).not.toContain(canary);
      expect(outsideSecrets(output)).not.toContain(Buffer.from(canary).toString("base64").slice(2, 10));
    }),
    { numRuns: Number(process.env["VALUEFOLD_RUNS"] ?? 300) },
  );
  expect(folded).toBeGreaterThan(20);
});

/** The same texts as layers of other targets. */
const kinds = {
  HelmRelease: {
    target: `- apiVersion: helm.toolkit.fluxcd.io/v2\n  kind: HelmRelease\n  metadata: {name: shop, namespace: org}\n  spec:\n    valuesFrom: [{kind: Secret, name: s0, valuesKey: values}, {kind: Secret, name: s1, valuesKey: values}]\n`,
    metadata:
      "    annotations:\n      valuefold.dev/into: HelmRelease/shop\n      valuefold.dev/key: values\n",
  },
  Secret: {
    target: `- apiVersion: v1\n  kind: Secret\n  metadata:\n    name: shop\n    namespace: org\n  stringData:\n    values: "a: 0"\n`,
    metadata: "    annotations:\n      valuefold.dev/into: Secret/shop\n",
  },
  ConfigMap: {
    target: `- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: shop\n    namespace: org\n  data:\n    values: "a: 0"\n`,
    metadata: "    annotations:\n      valuefold.dev/into: ConfigMap/shop\n",
  },
  Kyma: { target: "", metadata: "    labels:\n      installer: overrides\n" },
} as const;

test("every front end has its canary", () => {
  const tried = ["App", ...Object.keys(kinds)];
  expect(tried.toSorted()).toEqual(kindNames.toSorted());
});

test.for(Object.keys(kinds) as (keyof typeof kinds)[])(
  "nor do they as layers of a %s",
  { tags: "law" },
  (kind) => {
    const { target, metadata } = kinds[kind];
    const layer = fc.record({
      text: fc.constantFrom(...texts),
      form: fc.constantFrom("data" as const, "stringData" as const),
      noted: fc.boolean(),
    });
    let folded = 0;
    fc.assert(
      fc.property(fc.array(layer, { minLength: 1, maxLength: 3 }), (layers) => {
        const secrets = layers.map(({ text, form, noted }, index) =>
          secret(`s${index}`, text, form, false).replace(
            "    namespace: org\n",
            `    namespace: org\n${noted || kind === "Kyma" ? metadata : ""}`,
          ),
        );
        const spec = kind === "Kyma" ? "    targets: [{kind: Kyma}]\n" : "";
        const config = `functionConfig:\n  apiVersion: valuefold.dev/v1alpha1\n  kind: ValueFold\n  spec:\n    onTie: listOrder\n${spec}`;
        const input = `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${secrets.join("")}${target}${config}`;
        const { output, messages, exitCode, diagnostics } = foldText(input);
        if (exitCode === 0) folded++;
        expect(exitCode).not.toBe(2);
        expect(messages + JSON.stringify(diagnostics)).not.toContain(canary);
        expect(outsideSecrets(output)).not.toContain(canary);
        expect(outsideSecrets(output)).not.toContain(Buffer.from(canary).toString("base64").slice(2, 10));
      }),
      { numRuns: Number(process.env["VALUEFOLD_RUNS"] ?? 150) },
    );
    expect(folded).toBeGreaterThan(10);
  },
);
