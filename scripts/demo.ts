// The demo: folds the quickstart for production in the east, and shows what happened and why.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { parseAllDocuments } from "yaml";

const layers = [
  "base/app.yaml",
  "base/credentials.yaml",
  "base/values.yaml",
  "stages/prod.yaml",
  "regions/east.yaml",
];
const files = layers.map((file) => `examples/quickstart/${file}`);

interface Item {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: { readonly [key: string]: string } };
  readonly data?: { readonly values: string };
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function quoted(text: string): string {
  return text.trimEnd().replaceAll(/^/gm, "    ");
}

function itemsIn(stream: string): Item[] {
  return parseAllDocuments(stream).map((document) => document.toJS() as Item);
}

say("Three layers for one App. The base (App spec.config, priority 50):\n");
for (const file of ["base/values.yaml", "stages/prod.yaml", "regions/east.yaml"]) {
  const [item] = itemsIn(readFileSync(`examples/quickstart/${file}`, "utf8"));
  const priority = item?.metadata.annotations?.["valuefold.dev/priority"];
  if (priority !== undefined) say(`\n${file} (annotated into the App, priority ${priority}):\n`);
  say(quoted(item?.data?.values ?? ""));
}

say(`\n$ valuefold fold ${files.map((file) => file.replace("examples/quickstart/", "")).join(" ")}\n`);
const output = execFileSync(process.execPath, ["dist/valuefold.cjs", "fold", ...files], { encoding: "utf8" });
const items = itemsIn(output);
const folded = items.find(({ kind, metadata }) => kind === "ConfigMap" && metadata.name.endsWith("-folded"));
say(quoted(folded?.data?.values ?? ""));

const record = JSON.parse(folded?.metadata.annotations?.["valuefold.dev/folded-from"] ?? "{}") as {
  layers: { name: string; priority: number }[];
};
say(`\nIn ${folded?.kind}/${folded?.metadata.name}, folded in this order, later ones winning:`);
for (const { name, priority } of record.layers) say(`  ${String(priority).padStart(4)}  ${name}`);
say("\nWhat comes out, ready to apply:");
for (const { kind, metadata } of items) say(`  ${kind}/${metadata.name}`);
say("\nThe App's config now names the folded items; the annotated layers are gone, the base objects stay.");
