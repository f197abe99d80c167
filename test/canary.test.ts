// A marker in every value of every Secret is in no answer of any command, in no form, on no stream. (Keys are shown.)
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../src/cli/commands.ts";
import { withFaultOnStdout } from "../src/cli/failure.ts";
import { foldText } from "./support/fold.ts";
import { folderOf } from "./support/folder.ts";
import { dataText } from "./support/page-data.ts";
import { worldOf } from "./support/world.ts";

const canary = "c4n4ryMarker";

/** Texts with the marker as value, anchor, tag, comment; sound and broken. */
const texts = [
  `password: ${canary}\nnested: {a: ${canary}, list: [${canary}, {b: ${canary}}]}\n`,
  `a: &${canary} 1\nb: *${canary}\n`,
  `a: !${canary} 1\n`,
  `# ${canary}\na: 1 # ${canary}\n`,
  `a: |\n  ${canary}\n  more\n`,
  `a: "${canary}\n`,
  `- ${canary}\n`,
  `${canary}\n`,
  `a: ${canary}: x\n`,
  `a: {b: 1}\n---\nb: ${canary}\n`,
  `env: [{name: ${canary}, value: ${canary}}, {name: b}]\nargs: [${canary}]\nset: [${canary}, {$patch: delete, $value: ${canary}}]\n`,
  `env: [{name: ${canary}, value: 2}, {name: ${canary}3, $patch: replace}]\nargs: [${canary}]\nset: [${canary}2]\n`,
  `env: [{name: ${canary}}, {name: ${canary}}, ${canary}, {name: x, $patch: ${canary}}]\nargs: ${canary}\n`,
];

/** What merges lists tells of their elements. */
const rules = `{apiVersion: valuefold.dev/v1alpha1, kind: ValueFold, spec: {merge: [{path: env, key: name}, {path: args, list: append}, {path: set, list: set}]}}`;

function secret(name: string, into: string, priority: number, text: string): string {
  const encoded = Buffer.from(text, "utf8").toString("base64");
  return `apiVersion: v1\nkind: Secret\nmetadata:\n  name: ${name}\n  namespace: org\n  annotations: {valuefold.dev/into: ${into}, valuefold.dev/priority: "${priority}"}\ndata:\n  values.yaml: ${encoded}\n`;
}

const plain = (name: string, into: string, text: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  namespace: org\n  annotations: {valuefold.dev/into: ${into}}\ndata:\n  values.yaml: ${JSON.stringify(text)}\n`;

function streamOf(text: string, other: string): string {
  return [
    "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: shop, namespace: org}\nspec: {}\n",
    "apiVersion: application.giantswarm.io/v1alpha1\nkind: App\nmetadata: {name: shop, namespace: org}\nspec: {}\n",
    "apiVersion: v1\nkind: Secret\nmetadata: {name: own, namespace: org}\nstringData: {values.yaml: 'a: {c: 1}'}\n",
    ...["HelmRelease/shop", "App/shop", "Secret/own"].flatMap((into, index) => [
      secret(`low${index}`, into, 30, text),
      secret(`high${index}`, into, 80, other),
    ]),
    plain("over", "HelmRelease/shop", "password: null\na: {b: {c: 1}}\n"),
    plain("beside", "App/shop", "a: 1\n"),
  ].join("---\n");
}

const folder = mkdtempSync(join(tmpdir(), "valuefold-canary-"));

/** A folder for each text, with files that all commands read. */
const inputs = texts.map((text, index) => {
  const other = texts[(index + 1) % texts.length] ?? "";
  const [before, after] = [streamOf(text, other), streamOf(other, text.replaceAll(canary, `${canary}2`))];
  const files = { "before.yaml": before, "after.yaml": after, "one/all.yaml": before, "two/all.yaml": after };
  return folderOf(files, join(folder, `text-${index}`));
});

const page = join(folder, "page.html");
writeFileSync(join(folder, "rules.yaml"), rules);
// Nothing is written of a list with an appended list in place.
writeFileSync(join(folder, "broken-rules.yaml"), rules.replace("key: name", "list: append"));

/** Schemas that break at every value, and hold the marker wherever a schema may hold values. */
const schemas = [
  { additionalProperties: { enum: [1], const: 2, default: canary, examples: [canary] } },
  { additionalProperties: { not: { enum: [canary] }, pattern: `^${canary}x`, type: ["null"] } },
  { additionalProperties: { maxLength: 1, maximum: -1, maxItems: 0, maxProperties: 0, minLength: 999 } },
  { properties: { password: { not: { const: canary } }, a: false }, propertyNames: { maxLength: 0 } },
  { properties: { password: { oneOf: [{ const: canary }, { pattern: canary }] } }, required: ["none"] },
  { $schema: "http://json-schema.org/draft-07/schema#", additionalProperties: { format: "date" } },
  { additionalProperties: { items: { type: "integer", multipleOf: 7 }, additionalProperties: false } },
];
const schemaFiles = schemas.map((_, index) => join(folder, `${index}.schema.json`));
for (const [index, file] of schemaFiles.entries()) writeFileSync(file, JSON.stringify(schemas[index]));
const bySchemas = schemaFiles.flatMap((file) =>
  ["HelmRelease/shop", "App/shop", "Secret/own"].flatMap((target) => ["--schema", `${target}=${file}`]),
);

const commands = [
  ...["text", "json", "github", "sarif"].flatMap((form) => [
    ["fold", ...bySchemas, "--format", form, "@before.yaml"],
    ["verify", "--unfolded", ...bySchemas, "--format", form, "@before.yaml"],
  ]),
  ["explain", ...bySchemas, "before.yaml"],
  ["explain", ...bySchemas, "--json", "before.yaml"],
  ["explain", "before.yaml"],
  ["explain", "--json", "before.yaml"],
  ["explain", "--annotate", "before.yaml"],
  ["explain", "--html", page, "before.yaml"],
  ["explain", "**.a", "before.yaml"],
  ["explain", "none", "before.yaml"],
  ...["text", "json", "markdown"].map((form) => ["diff", "--format", form, "before.yaml", "after.yaml"]),
  ...["text", "json", "github", "sarif"].map((form) => [
    "verify",
    "--unfolded",
    "--format",
    form,
    "@before.yaml",
  ]),
  ...[["explain"], ["explain", "--json"], ["explain", "--annotate"], ["explain", "--html", page]].map(
    (all) => [...all, "-c", join(folder, "rules.yaml"), "before.yaml"],
  ),
  ["explain", "env[*]", "before.yaml", "-c", join(folder, "rules.yaml")],
  ["verify", "--unfolded", "-c", join(folder, "rules.yaml"), "@before.yaml"],
  ["fold", "-c", join(folder, "broken-rules.yaml"), "@before.yaml"],
  ["values", "HelmRelease/shop", "@before.yaml"],
  ["values", "App/shop", "@before.yaml"],
  ...[[], ["--all"], ["--json"], ["--format", "csv"], ["--format", "markdown"], ["--html", page]].map(
    (form) => ["compare", ...form, "before.yaml", "after.yaml"],
  ),
  ...["fold", "verify", "explain"].map((command) => [command, "-v", "@before.yaml"]),
  ["verify", "-v", "one"],
  ["doctor", "one"],
  ["factor", "one", "two"],
  ["factor", "--list", "--list-key", "auto", "--middle", "one", "two"],
];

test.for(commands)("%s %s %s %s", async (args) => {
  let said = 0;
  for (const directory of inputs) {
    const words = args.map((word) => word.replace(/^@/, `${directory}/`));
    rmSync(page, { force: true });
    const { output, messages } = await runCommand(words, worldOf("", { directory }));
    const told =
      Buffer.concat(output).toString("utf8") +
      messages +
      (existsSync(page) ? readFileSync(page, "utf8") + dataText(readFileSync(page, "utf8")) : "");
    expect(told).not.toContain(canary);
    expect(told).not.toContain(Buffer.from(canary).toString("base64").slice(0, 12));
    said += told.length;
  }
  expect(said).toBeGreaterThan(0);
});

test("the function, where stdout tells faults", () => {
  let faults = 0;
  for (const [index, text] of texts.entries()) {
    const items = streamOf(text, texts[(index + 1) % texts.length] ?? "").split("---\n");
    const list = items.map((item) => `- ${item.trimEnd().replaceAll("\n", "\n  ")}\n`).join("");
    const outcome = foldText(`apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${list}`);
    if (outcome.exitCode === 0) continue;
    const { output, messages } = withFaultOnStdout({ ...outcome, output: [] });
    const told = Buffer.concat(output).toString("utf8") + messages;
    expect(told).toMatch(/^\|-\n {2}error\[/);
    expect(told).not.toContain(canary);
    expect(told).not.toContain(Buffer.from(canary).toString("base64").slice(0, 12));
    faults += 1;
  }
  expect(faults).toBeGreaterThan(3);
});

test.for(schemas)("no fault of a schema shows a value, of a ConfigMap either: %j", (schema) => {
  const values = `password: ${canary}\nn: 42424242\nm: {${canary}: {b: ${canary}}}\nl: [${canary}, ${canary}]\nd: "${canary}"\n`;
  const release =
    "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: shop, namespace: org}\nspec: {}\n";
  const config = { apiVersion: "valuefold.dev/v1alpha1", kind: "ValueFold", spec: { schemas: [{ schema }] } };
  const { messages, diagnostics, exitCode } = foldText(
    [release, plain("layer", "HelmRelease/shop", values)].join("---\n"),
    JSON.stringify(config),
  );
  expect([exitCode, diagnostics.some(({ code }) => code === "schema")]).toEqual([1, true]);
  const told = (messages + JSON.stringify(diagnostics)).replaceAll(`m.${canary}`, "");
  expect(told).not.toContain(canary);
  expect(told).not.toContain("42424242");
});

test("and they do show values of ConfigMaps", async () => {
  writeFileSync(join(folder, "before.yaml"), streamOf("a: 1\n", "a: 2\n"));
  const { output } = await runCommand(
    ["explain", "App/shop", "before.yaml"],
    worldOf("", { directory: folder }),
  );
  expect(Buffer.concat(output).toString("utf8")).toMatch(/^a: 1 /m);
});
