// The demo: questions to checkouts of Flux and Argo CD first, then the fold of the quickstart for production in the east. Each
// command runs, and what it prints is shown.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseAllDocuments } from "yaml";

const layers = [
  "base/app.yaml",
  "base/credentials.yaml",
  "base/values.yaml",
  "stages/prod.yaml",
  "regions/east.yaml",
];

interface Item {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: { readonly [key: string]: string } };
  readonly data?: { readonly values: string };
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function quoted(text: string): string {
  return text.trimEnd().replaceAll(/^(?=.)/gm, "    ");
}

function itemsIn(stream: string): Item[] {
  return parseAllDocuments(stream).map((document) => document.toJS() as Item);
}

/** Runs the program, and shows the command with what it prints. */
function show(directory: string, ...words: readonly string[]): void {
  const { stdout, stderr } = run(directory, ...words);
  say(quoted(stdout + stderr));
}

function run(
  directory: string,
  ...words: readonly string[]
): { readonly stdout: string; readonly stderr: string } {
  const { stdout, stderr, status } = spawnSync(process.execPath, [resolve("dist/valuefold.cjs"), ...words], {
    cwd: directory,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (status !== 0) throw new Error(stderr);
  say(`\n$ valuefold ${words.join(" ")}\n`);
  return { stdout, stderr };
}

function git(directory: string, ...words: readonly string[]): void {
  const identity = ["-c", "user.name=demo", "-c", "user.email=demo@shop.example"];
  const { status, stderr } = spawnSync("git", [...identity, ...words], { cwd: directory, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
}

/** A copy of an example as a checkout: the demo edits a file. */
function inCheckout(example: string, ask: (checkout: string) => void): void {
  const checkout = mkdtempSync(join(tmpdir(), "valuefold-demo-"));
  try {
    cpSync(`examples/${example}`, checkout, { recursive: true });
    git(checkout, "init", "-q");
    git(checkout, "remote", "add", "origin", "https://git.example/shop/deploy.git");
    git(checkout, "add", "-A");
    git(checkout, "commit", "-qm", "start");
    ask(checkout);
  } finally {
    rmSync(checkout, { recursive: true });
  }
}

function edit(checkout: string, name: string, old: string, now: string): void {
  const file = join(checkout, name);
  writeFileSync(file, readFileSync(file, "utf8").replace(old, now));
}

/** Kustomizations and charts: kustomize's and Helm's own code is in the program. */
function askCheckouts(): void {
  inCheckout("flux-checkout", (checkout) => {
    say("A checkout for Flux, with patches. Why does podinfo have 5 replicas in production?");
    show(checkout, "explain", "podinfo", "replicaCount", "clusters/production");
    edit(checkout, "apps/base/podinfo.yaml", "replicaCount: 2", "replicaCount: 3");
    say("\nNow apps/base/podinfo.yaml says 3. What does that change?");
    show(checkout, "diff", "HEAD");
  });
  inCheckout("argo-cd-applications", (checkout) => {
    say("\nA checkout for Argo CD, with a chart. Where is each value of the shop in the US from?");
    show(checkout, "explain", "shop-prod-us");
  });
}

if (spawnSync("git", ["--version"]).status === 0) askCheckouts();
else say("Without git, the demo asks no checkout.");

say(
  "\nAnd where patches and copies hurt: three layers for one App. The base (App spec.config, priority 50):\n",
);
for (const file of ["base/values.yaml", "stages/prod.yaml", "regions/east.yaml"]) {
  const [item] = itemsIn(readFileSync(`examples/quickstart/${file}`, "utf8"));
  const priority = item?.metadata.annotations?.["valuefold.dev/priority"];
  if (priority !== undefined) say(`\n${file} (annotated into the App, priority ${priority}):\n`);
  say(quoted(item?.data?.values ?? ""));
}

const { stdout, stderr } = run("examples/quickstart", "fold", ...layers);
say(quoted(stderr));
const folded = itemsIn(stdout).find(
  ({ kind, metadata }) => kind === "ConfigMap" && metadata.name.endsWith("-folded"),
);
say("\nThe merged values:\n");
say(quoted(folded?.data?.values ?? ""));
say("\nThe App's config now names the folded items; the annotated layers are gone, the base objects stay.");
