// A directory with a kustomization → the stream that kustomize builds of it, with the file that each item is from.
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { type Tidily, UsageError } from "./io.ts";
import { withSources } from "./origin-files.ts";
import { type ProgramOptions, runProgram } from "./program.ts";

export interface BuildOptions extends Pick<ProgramOptions, "env"> {
  readonly tidily: Tidily;
  /** True if kustomize runs functions that are programs. */
  readonly enableExec: boolean;
  /** The directory that relative names of files start from. */
  readonly from: string;
}

export function isKustomization(directory: string): boolean {
  const names = ["kustomization.yaml", "kustomization.yml", "Kustomization"];
  return names.some((name) => existsSync(join(directory, name)));
}

/** Builds a kustomization as it is. Origins come from a temporary one that has it as its resource and asks for them. */
export function buildKustomization(directory: string, options: BuildOptions): Promise<Uint8Array> {
  const { env, tidily } = options;
  return tidily((stop) => buildWithOrigins(directory, options, { env, stop }));
}

async function buildWithOrigins(
  directory: string,
  options: BuildOptions,
  running: ProgramOptions,
): Promise<Uint8Array> {
  const wrapper = realpathSync(mkdtempSync(join(tmpdir(), "valuefold-")));
  try {
    const inner = relative(wrapper, realpathSync(directory));
    const text = { resources: [inner], buildMetadata: ["originAnnotations"] };
    writeFileSync(join(wrapper, "kustomization.yaml"), `${JSON.stringify(text)}\n`);
    const wrapped = await kustomize(wrapper, options, running);
    if (wrapped !== undefined) return withSources(wrapped, wrapper, options.from);
    // A component cannot be a resource, and needs no origins to be explained.
    const bytes = await kustomize(directory, options, running);
    if (bytes === undefined) throw cannotBuild(directory, options);
    return bytes;
  } finally {
    rmSync(wrapper, { recursive: true, force: true });
  }
}

/** Undefined if the build fails. */
async function kustomize(
  directory: string,
  options: BuildOptions,
  running: ProgramOptions,
): Promise<Uint8Array | undefined> {
  const { status, output } = await runProgram(
    "kustomize",
    ["build", ...flagsOf(options), directory],
    running,
  );
  if (status === "missing")
    throw new UsageError(
      "`kustomize` is not on the PATH",
      "install it, or pipe a build: `… | valuefold explain -`",
    );
  return status === "done" ? output : undefined;
}

function flagsOf({ enableExec }: BuildOptions): string[] {
  return ["--enable-alpha-plugins", ...(enableExec ? ["--enable-exec"] : [])];
}

function cannotBuild(directory: string, options: BuildOptions): UsageError {
  const name = relative(options.from, directory) || ".";
  return new UsageError(
    `kustomize cannot build \`${name}\``,
    `see why: kustomize build ${flagsOf(options).join(" ")} ${name}`,
  );
}
