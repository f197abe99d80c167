// Files in memory, or a directory → what kustomize builds. Its own code runs in the engine, which reaches nothing else. The
// program runs only where --enable-exec allows it: it runs functions, and fetches.
import { join, relative } from "node:path";
import { ask } from "../../engine/index.ts";
import { runProgram } from "../program.ts";
import { inFolder, writeBelow } from "../temporary.ts";
import { UsageError } from "../usage-error.ts";
import type { Workspace } from "../workspace.ts";
import type { KustomizationCopy } from "./copy.ts";
import type { MissedTarget } from "./patched-build.ts";

/** What a build says; its reason may quote a Secret that it reads. */
export type Ran =
  | {
      readonly output: Uint8Array;
      /** The directory where the paths of origins start. */
      readonly from: string;
      /** The targets of patches that nothing matches; undefined where they are not known. */
      readonly missed?: readonly MissedTarget[];
    }
  | { readonly reason: string };

export interface KustomizeRuns {
  /** @param isWrapped true for annotations of origins */
  readonly ofCopy: (copy: KustomizationCopy, isWrapped?: boolean) => Promise<Ran>;
  /** Of the directory as it is on the disk. */
  readonly ofDirectory: (directory: string, isWrapped?: boolean) => Promise<Ran>;
}

/** A kustomization that has another one as its resource, and asks for origins: a path that no disk has. */
const wrapper = "/valuefold.dev";

export const runFlags = ["--enable-alpha-plugins", "--enable-exec"];

/** Calls `work` with what builds. */
export function withRuns<T>(workspace: Workspace, work: (runs: KustomizeRuns) => Promise<T>): Promise<T> {
  if (!workspace.enableExec) return work({ ofCopy: inEngine, ofDirectory: () => onlyCopies() });
  const { env, tidily } = workspace;
  return tidily((stop) => inFolder((folder) => work(new ProgramRuns(folder, { env, stop }))));
}

function onlyCopies(): never {
  throw new Error("a directory is built with --enable-exec only");
}

/** As in Flux, a kustomization may read files outside of its directory: others than those of the copy are not there. */
async function inEngine(copy: KustomizationCopy, isWrapped = false): Promise<Ran> {
  const { directory } = copy;
  const files = isWrapped ? withWrapper(copy) : copy.files;
  const answer = await ask({ op: "build", dir: isWrapped ? wrapper : directory, restricted: false, files });
  if (answer.cut !== undefined) throw new BuildCut(cuts[answer.cut]);
  const output = answer.files.get("");
  if (answer.error !== undefined || output === undefined) return { reason: answer.error ?? "" };
  return { output, from: wrapper, missed: answer["missed"] as readonly MissedTarget[] };
}

/** A build that is stopped. The message quotes nothing. */
export class BuildCut extends Error {}

const cuts = {
  "too-long": "kustomize does not end: it is stopped",
  "too-large": "kustomize needs too much memory: it is stopped",
  failed: "kustomize ends without a word",
};

function withWrapper({ files, directory }: KustomizationCopy): KustomizationCopy["files"] {
  return new Map([...files, [`${wrapper}/kustomization.yaml`, wrapping(wrapper, directory)]]);
}

function wrapping(from: string, directory: string): string {
  return JSON.stringify({ resources: [relative(from, directory)], buildMetadata: ["originAnnotations"] });
}

class ProgramRuns implements KustomizeRuns {
  private readonly folder: string;
  private readonly running: Parameters<typeof runProgram>[2];
  private attempts = 0;

  constructor(folder: string, running: Parameters<typeof runProgram>[2]) {
    this.folder = folder;
    this.running = running;
  }

  async ofCopy(copy: KustomizationCopy, isWrapped = false): Promise<Ran> {
    const folder = this.newFolder();
    const files = isWrapped ? withWrapper(copy) : copy.files;
    writeBelow(folder, [...files].map(asFile));
    const ran = await this.run(join(folder, isWrapped ? wrapper : copy.directory));
    return "output" in ran ? { ...ran, from: wrapper } : { reason: ran.reason.replaceAll(folder, "") };
  }

  async ofDirectory(directory: string, isWrapped = false): Promise<Ran> {
    if (!isWrapped) return this.run(directory);
    const folder = this.newFolder();
    writeBelow(folder, [asFile(["kustomization.yaml", wrapping(folder, directory)])]);
    return this.run(folder);
  }

  private newFolder(): string {
    return join(this.folder, `${this.attempts++}`);
  }

  private async run(directory: string): Promise<Ran> {
    const args = ["build", ...runFlags, "--load-restrictor", "LoadRestrictionsNone", directory];
    const { status, output, stderr } = await runProgram("kustomize", args, this.running);
    if (status === "missing")
      throw new UsageError(
        "`kustomize` is not on the PATH",
        "install it: --enable-exec runs it; or pipe a build, as in `flux build … | valuefold explain -`",
      );
    return status === "done" ? { output, from: directory } : { reason: stderr.replace(/^Error: /m, "") };
  }
}

function asFile([path, content]: readonly [string, Uint8Array | string]) {
  const bytes = Buffer.from(content);
  return [path, { content: () => bytes, isLink: false }] as const;
}
