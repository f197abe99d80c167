// Renders into lists: what an earlier run left and this one does not render any more is named in a message; and settings that
// are changed a little give a list, or a fault.
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { renderFunction } from "../../src/sources/run-render.ts";
import type { Random } from "../support/nasty-yaml.ts";
import { folderOf } from "../support/folder.ts";
import { bytesOf, type Failure, hunt } from "./hunt.ts";
import { mutated } from "./mutate.ts";
import { messagesOf } from "../support/fold.ts";

const apps = ["cart", "shop", "pay", "mail"];
const folder = folderOf(Object.fromEntries(apps.map((app) => [`${app}/v.yaml`, `app: ${app}\n`])));

function settings(names: readonly string[]): string {
  const layer = {
    id: "all",
    path: { directory: "" },
    templates: { path: { directory: "<< app >>" }, configMap: { name: "v.yaml" } },
  };
  return JSON.stringify({
    apiVersion: "valuefold.dev/v1alpha1",
    kind: "ValueFoldRender",
    metadata: { name: "test", namespace: "org" },
    spec: {
      directory: ".",
      schema: { variables: [{ name: "app", required: true }], layers: [layer] },
      instances: Object.fromEntries(names.map((app) => [app, { app }])),
      destination: { namespace: "org" },
    },
  });
}

const head = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n";
const stranger = "- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: stranger, namespace: org}\n";

async function run(list: string | Buffer, directory: string) {
  const outcome = await renderFunction(Buffer.from(list), { directory, sops: () => Promise.resolve([]) });
  return outcome && { ...outcome, output: Buffer.concat(outcome.output).toString("utf8") };
}

function namesOf(output: string): string[] {
  return [...output.matchAll(/^ +name: "?([\w-]+)"?$/gm)].map(([, name = ""]) => name);
}

let stale = 0;

/** Scopes of runs over one list, as words. */
async function unsaid(scopes: readonly string[]): Promise<Failure | undefined> {
  let items = stranger;
  for (const scope of scopes) {
    const names = scope.split(" ").filter((name) => apps.includes(name));
    if (names.length === 0) continue;
    const outcome = await run(`${head}items:\n${items}functionConfig: ${settings(names)}\n`, folder);
    if (outcome === undefined || outcome.exitCode !== 0)
      return { kind: `exit ${outcome?.exitCode}`, detail: outcome === undefined ? "" : messagesOf(outcome) };
    const { output, diagnostics } = outcome;
    const said = messagesOf(outcome) + JSON.stringify(diagnostics);
    for (const app of apps.filter((each) => !names.includes(each) && namesOf(items).includes(each))) {
      stale++;
      if (!namesOf(output).includes(app)) return { kind: "an object is gone", detail: app };
      if (!said.includes(app))
        return { kind: "an object that is rendered no more is not named", detail: app };
    }
    if (!output.includes("name: stranger")) return { kind: "another's object is gone" };
    items = /^items:\n([^]*?)(?=^\w|(?![^]))/m.exec(output)?.[1] ?? "";
  }
  return undefined;
}

function scopesFrom(random: Random): string[] {
  return Array.from(
    { length: 2 + random.below(2) },
    () => apps.filter(() => random.once(2)).join(" ") || "cart",
  );
}

test("what is rendered no more is named", async () => {
  await hunt({ name: "renders of other scopes", cases: 40, make: scopesFrom, check: unsaid });
  expect(stale).toBeGreaterThan(0);
});

const cases = new URL("../render/renders/", import.meta.url);
const known = readdirSync(cases).map((name) => ({
  name,
  text: readFileSync(new URL(`${name}/render.yaml`, cases), "utf8"),
}));
const texts = known.map(({ text }) => text);

async function crashed([text = "", name = ""]: readonly string[]): Promise<Failure | undefined> {
  const indented = bytesOf(text)
    .toString("latin1")
    .replaceAll(/^(?=.)/gm, "  ");
  const list = Buffer.from(`${head}items: []\nfunctionConfig:\n${indented}\n`, "latin1");
  try {
    const outcome = await run(list, new URL(`${name}/`, cases).pathname);
    if (outcome !== undefined && ![0, 1, 3].includes(outcome.exitCode))
      return { kind: `exit ${outcome.exitCode}` };
    return undefined;
  } catch (bug) {
    const stack = bug instanceof Error ? (bug.stack ?? "") : String(bug);
    return { kind: `a bug: ${/\/src\/[^)\n]*/.exec(stack)?.[0] ?? stack}`, detail: stack };
  }
}

test("settings changed a little give a list, or a fault", async () => {
  const make = (random: Random): string[] => {
    const { name, text } = random.pick(known);
    return [mutated(text, texts, random), name];
  };
  await hunt({ name: "render settings", cases: 300, make, check: crashed });
});
