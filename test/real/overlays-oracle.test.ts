// A base and an overlay that both fold compute the same as one fold at the top: in process for many cases,
// and through real kustomize for some.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { type ClusterObject, configOf, itemsOf, listOf, readItems } from "../support/app-list.ts";
import { foldText, itemsOnly } from "../support/fold.ts";
import { type AppCase, arbitraryApp } from "../support/generate-app.ts";
import { type World, worldOf } from "./app-world.ts";
import { Oracle, withoutWarnings } from "./oracle.ts";

interface Answer {
  readonly configMap: object | null;
  readonly secret: object | null;
  readonly error?: string;
}

const oracle = new Oracle<World, Answer>(new URL(".tools/app-oracle", import.meta.url).pathname);
afterAll(() => oracle.close());

const numRuns = Number(process.env["VALUEFOLD_OVERLAY_RUNS"] ?? 500);
const kustomizeRuns = Number(process.env["VALUEFOLD_KUSTOMIZE_RUNS"] ?? 40);
const seed = Number(process.env["VALUEFOLD_SEED"] ?? 20261120);

/** The overlay brings the last of the annotated layers; the base has the rest. */
function split(one: AppCase, overlaySize: number): { base: string[]; overlay: string[] } {
  const items = itemsOf(one);
  const late = new Set(
    one.annotated
      .slice(Math.max(0, one.annotated.length - overlaySize))
      .map(({ name }) => `\n  name: ${name}\n`),
  );
  const isLate = (item: string): boolean => [...late].some((name) => item.includes(name));
  return { base: items.filter((item) => !isLate(item)), overlay: items.filter(isLate) };
}

async function sameValues(one: AppCase, folded: readonly ClusterObject[]): Promise<void> {
  const input = readItems(listOf(itemsOf(one), ""));
  const before = await oracle.ask(worldOf(one, input, true));
  const after = await oracle.ask(worldOf(one, folded, false));
  expect(after.error).toBeUndefined();
  expect([after.configMap ?? {}, after.secret ?? {}]).toEqual([before.configMap ?? {}, before.secret ?? {}]);
}

test(`a second fold over an overlay's layers (${numRuns} cases)`, async () => {
  let overlays = 0;
  await fc.assert(
    fc.asyncProperty(arbitraryApp, fc.integer({ min: 1, max: 3 }), async (one, overlaySize) => {
      const { base, overlay } = split(one, overlaySize);
      const first = foldText(listOf(base, configOf(one)));
      expect(first.exitCode).toBe(0);
      // As kustomize does it: the base's resources first, then the overlay's own.
      const added = listOf(overlay, "").split("items:\n")[1] ?? "";
      const second = foldText(
        first.output.replace("\nfunctionConfig:\n", () => `\n${added}functionConfig:\n`),
      );
      expect([second.exitCode, withoutWarnings(second.messages)]).toEqual([0, ""]);
      if (overlay.length > 0) overlays++;
      await sameValues(one, readItems(second.output));
      expect(itemsOnly(foldText(second.output).output)).toBe(itemsOnly(second.output));
    }),
    { numRuns, seed },
  );
  expect(overlays).toBeGreaterThan(numRuns / 4);
});

test(`the same through kustomize (${kustomizeRuns} cases)`, async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryApp, fc.integer({ min: 1, max: 3 }), async (one, overlaySize) => {
      const { base, overlay } = split(one, overlaySize);
      const folder = mkdtempSync(join(tmpdir(), "valuefold-overlay-"));
      writeTree(join(folder, "base"), base, [], one);
      writeTree(join(folder, "top"), overlay, ["../base"], one);
      const args = ["build", "--enable-alpha-plugins", "--enable-exec", join(folder, "top")];
      const { status, stdout, stderr } = spawnSync("kustomize", args, { encoding: "utf8" });
      expect([status, withoutWarnings(stderr)]).toEqual([0, ""]);
      await sameValues(
        one,
        parseAllDocuments(stdout).map((document) => document.toJS() as ClusterObject),
      );
    }),
    { numRuns: kustomizeRuns, seed },
  );
});

function writeTree(
  folder: string,
  items: readonly string[],
  resources: readonly string[],
  one: AppCase,
): void {
  mkdirSync(folder);
  const config = configOf(one).replace("functionConfig:\n", "").replaceAll(/^ {2}/gm, "");
  const annotated = config.replace(
    "  name: fold\n",
    '  name: fold\n  annotations:\n    config.kubernetes.io/function: "exec: {path: valuefold}"\n',
  );
  writeFileSync(join(folder, "fold.yaml"), annotated);
  writeFileSync(join(folder, "items.yaml"), items.join("---\n"));
  const all = [...resources, ...(items.length > 0 ? ["items.yaml"] : [])];
  writeFileSync(
    join(folder, "kustomization.yaml"),
    `resources: ${JSON.stringify(all)}\ntransformers: [fold.yaml]\n`,
  );
}
