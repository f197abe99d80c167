// Questions to a checkout, with each build of the engine, beside the program kustomize that builds each directory once.
import { existsSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { nativeEngine } from "../scripts/engine.ts";
import { writeHomeCluster, writePatched, type WrittenCheckout } from "./inputs/checkout.ts";
import { writeClusters, writeFleet, type WrittenFleet } from "./inputs/fleet.ts";
import { runOnce } from "./timing.ts";

export interface CheckoutRow {
  readonly name: string;
  readonly builds: number;
  /** Undefined for what is not here. */
  readonly nativeMs: number | undefined;
  readonly wasmMs: number;
  readonly kustomizeMs: number | undefined;
  readonly peakMiB: number;
}

export const checkoutName = "questions to a checkout";

const limitSeconds = 300;

/** @param isQuick a small one */
export function measureCheckouts(isQuick: boolean, folder: string): CheckoutRow[] {
  const home = writeHomeCluster(join(folder, "home"), isQuick ? 20 : 134);
  const patched = writePatched(join(folder, "patched"), isQuick ? 10 : 100);
  const alone = [home, patched].map(kustomizeAlone);
  const rows = [
    { name: "explain --json", words: ["explain", "-o", "json", home.directory], of: home },
    { name: "verify", words: ["verify", home.directory], of: home },
    { name: "one release", words: ["explain", "-o", "json", home.directory, "HelmRelease/app-3"], of: home },
    {
      name: "explain --json, a patch each",
      words: ["explain", "-o", "json", patched.directory],
      of: patched,
    },
  ];
  return [
    ...rows.map(({ name, words, of }) => ({
      name,
      builds: of.builds.length,
      kustomizeMs: name === "one release" ? undefined : alone[of === home ? 0 : 1],
      ...measured(words),
    })),
    ...measureFleets(isQuick, folder),
  ];
}

/** The list of a checkout with 10,000 files, and what an edit in one of them changes. */
function measureFleets(isQuick: boolean, folder: string): CheckoutRow[] {
  const fleet = writeFleet(join(folder, "fleet"), isQuick ? 2 : 20);
  const clusters = writeClusters(join(folder, "clusters"), isQuick ? 10 : 300);
  const row = (name: string, words: readonly string[], of: WrittenFleet): CheckoutRow => ({
    name,
    builds: of.clusters,
    kustomizeMs: undefined,
    ...measured(words, of.directory),
  });
  return [
    row("the list of many files", ["explain"], fleet),
    row("diff of one of them", ["diff", "HEAD"], fleet),
    row("diff of a base of all clusters", ["diff", "HEAD"], clusters),
  ];
}

function measured(
  words: readonly string[],
  directory = ".",
): Pick<CheckoutRow, "nativeMs" | "wasmMs" | "peakMiB"> {
  const native = existsSync(nativeEngine) ? asked(words, nativeEngine, directory) : undefined;
  const wasm = asked(words, "wasm", directory);
  return { nativeMs: native?.cpuMs, wasmMs: wasm.cpuMs, peakMiB: (native ?? wasm).peakMiB };
}

function asked(words: readonly string[], engine: string, directory: string): ReturnType<typeof runOnce> {
  const command = [
    "env",
    "-C",
    directory,
    `VALUEFOLD_ENGINE=${engine}`,
    process.execPath,
    resolve("dist/valuefold.cjs"),
    ...words,
  ];
  return runOnce({ command, input: "/dev/null" }, limitSeconds);
}

/** Undefined without the program. */
function kustomizeAlone({ builds }: WrittenCheckout): number | undefined {
  const folders = [resolve("test/real/.tools"), ...(process.env["PATH"] ?? "").split(delimiter)];
  const program = folders.map((each) => join(each, "kustomize")).find((each) => existsSync(each));
  if (program === undefined) return undefined;
  const runs = builds.map((each) => {
    const command = [program, "build", "--load-restrictor", "LoadRestrictionsNone", each];
    return runOnce({ command, input: "/dev/null" }, limitSeconds).cpuMs;
  });
  return runs.reduce((sum, each) => sum + each, 0);
}
