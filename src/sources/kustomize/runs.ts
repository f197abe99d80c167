// Files in memory → what kustomize builds of them. Its own code runs in the engine, which reaches nothing else. The program runs only
// where --enable-exec allows it: it runs functions, and fetches.
import { join, relative } from "node:path";
import { ask } from "../../engine/index.ts";
import { runProgram } from "../program.ts";
import { inFolder, writeBelow } from "../temporary.ts";
import { UsageError } from "../usage-error.ts";
import type { Workspace } from "../workspace.ts";
import type { CopiedFiles } from "./copy.ts";
import type { MissedTarget } from "./patched-build.ts";

/** What a build gives; a reason may quote a Secret that it reads. */
export type Ran =
  | {
      readonly output: Uint8Array;
      /** The directory where the paths of origins start. */
      readonly from: string;
      /** The targets of patches that nothing matches; undefined where they are not known. */
      readonly missed?: readonly MissedTarget[];
      /** The objects of patches that are left out. */
      readonly leftOut?: readonly UnmatchedObject[];
    }
  | { readonly reason: string };

/** What a patch without a target names. */
export interface UnmatchedObject {
  readonly kind: string;
  /** Empty where the patch has none. */
  readonly namespace: string;
  readonly name: string;
}

/**
 * @param files by absolute paths; without them the program builds the directory as it is on the disk
 * @param isPartial where something is not fetched: a patch whose object is not there is left out
 */
export type KustomizeRun = (directory: string, files?: CopiedFiles, isPartial?: boolean) => Promise<Ran>;

/** A build that is stopped. The message quotes nothing. */
export class BuildCut extends Error {}

export const runFlags = ["--enable-alpha-plugins", "--enable-exec"];

/** Calls `work` with what builds. */
export function withRuns<T>(workspace: Workspace, work: (run: KustomizeRun) => Promise<T>): Promise<T> {
  const { enableExec, env, tidily } = workspace;
  if (!enableExec) return work(inEngine);
  return tidily((stop) => inFolder((folder) => work(byProgram(folder, { env, stop }))));
}

/** As in Flux, a kustomization may read files outside of its directory: others than these are not there. */
export async function inEngine(dir: string, files: CopiedFiles = new Map(), isPartial = false): Promise<Ran> {
  const answer = await ask({ op: "build", dir, partial: isPartial, files });
  if (answer.cut !== undefined) throw new BuildCut(cuts[answer.cut]);
  const output = answer.files.get("");
  if (answer.error !== undefined || output === undefined) return { reason: answer.error ?? "" };
  const [missed, leftOut] = [answer["missed"], answer["leftOut"]];
  return {
    output,
    from: dir,
    missed: missed as readonly MissedTarget[],
    leftOut: leftOut as readonly UnmatchedObject[],
  };
}

const cuts = {
  "too-long": "kustomize does not end: it is stopped",
  "too-large": "kustomize needs too much memory: it is stopped",
  failed: "kustomize ends without a word",
};

/** A directory that is built as it is becomes the resource of one that asks for origins; a component cannot be one. */
function byProgram(folder: string, running: Parameters<typeof runProgram>[2]): KustomizeRun {
  let attempts = 0;
  return async (directory, files) => {
    const own = join(folder, `${attempts++}`);
    if (files !== undefined) {
      writeBelow(own, [...files].map(asFile));
      const ran = await runIn(join(own, directory), running);
      return "output" in ran ? { ...ran, from: directory } : { reason: ran.reason.replaceAll(own, "") };
    }
    const wrapper = { resources: [relative(own, directory)], buildMetadata: ["originAnnotations"] };
    writeBelow(own, [asFile(["kustomization.yaml", JSON.stringify(wrapper)])]);
    const ran = await runIn(own, running);
    return "output" in ran ? ran : runIn(directory, running);
  };
}

async function runIn(directory: string, running: Parameters<typeof runProgram>[2]): Promise<Ran> {
  const args = ["build", ...runFlags, "--load-restrictor", "LoadRestrictionsNone", directory];
  const { status, output, stderr } = await runProgram("kustomize", args, running);
  if (status === "missing")
    throw new UsageError(
      "`kustomize` is not on the PATH",
      "install it: --enable-exec runs it; or pipe a build, as in `flux build … | valuefold explain -`",
    );
  return status === "done" ? { output, from: directory } : { reason: stderr.replace(/^Error: /m, "") };
}

function asFile([path, content]: readonly [string, Uint8Array | string]) {
  const bytes = Buffer.from(content);
  return [path, { content: () => bytes, isLink: false }] as const;
}
