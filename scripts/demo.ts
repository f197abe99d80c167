// The demo: folds the quickstart for production in the east, and shows what happened and why.
import { spawnSync } from "node:child_process";
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
const { stdout, stderr, status } = spawnSync(process.execPath, ["dist/valuefold.cjs", "fold", ...files], {
  encoding: "utf8",
});
if (status !== 0) throw new Error(stderr);
const folded = itemsIn(stdout).find(
  ({ kind, metadata }) => kind === "ConfigMap" && metadata.name.endsWith("-folded"),
);
say(quoted(folded?.data?.values ?? ""));
say("\nWhat it says on stderr:\n");
say(quoted(stderr));
say("\nThe App's config now names the folded items; the annotated layers are gone, the base objects stay.");
