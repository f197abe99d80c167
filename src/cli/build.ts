// A directory → the stream that is made of it: by kustomize where it holds a kustomization, else all its files.
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import type { Files } from "../explain/index.ts";
import { withFormerNames } from "./former-names.ts";
import { originFiles } from "./origin-files.ts";
import { type Running, runProgram } from "./program.ts";

/** What is the user's to mend, in words. */
export class UsageError extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

export interface BuildOptions extends Pick<Running, "env"> {
  /** Runs what makes temporary files, and what a signal must end. */
  readonly tidily: Tidily;
  /** Whether functions that are programs run. */
  readonly enableExec: boolean;
  /** Names of files are told as seen from here. */
  readonly from: string;
}

/** Runs work that leaves nothing behind: a signal stops it, and ends the process once its files are gone. */
export type Tidily = <T>(work: (stop: AbortSignal | undefined) => Promise<T>) => Promise<T>;

/** A part of the input: the bytes of a file, or of what was built of a directory. */
export interface Part {
  readonly name?: string;
  readonly bytes: Uint8Array;
}

export interface Built {
  readonly bytes: Uint8Array;
  readonly sources: Files;
}

const kustomizations = ["kustomization.yaml", "kustomization.yml", "Kustomization"];

export function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

export function isKustomization(directory: string): boolean {
  return kustomizations.some((name) => existsSync(join(directory, name)));
}

/** The manifests below a directory, in order; what is hidden is nobody's manifest. */
export function manifestsIn(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith(".") && name !== "node_modules")
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) return manifestsIn(path);
      return /\.(?:ya?ml|json)$/.test(entry.name) ? [path] : [];
    });
}

/** Builds a kustomization as it is, with the origin of every item: from a directory beside it that asks for them. */
export function buildKustomization(directory: string, options: BuildOptions): Promise<Built> {
  const { env, tidily } = options;
  return tidily((stop) => buildIn(directory, options, { env, stop }));
}

async function buildIn(directory: string, options: BuildOptions, running: Running): Promise<Built> {
  const wrapper = realpathSync(mkdtempSync(join(tmpdir(), "valuefold-")));
  try {
    const inner = relative(wrapper, realpathSync(directory));
    const text = { resources: [inner], buildMetadata: ["originAnnotations"] };
    writeFileSync(join(wrapper, "kustomization.yaml"), `${JSON.stringify(text)}\n`);
    const wrapped = await kustomize(wrapper, options, running);
    // A component cannot be a resource, and needs no origins to be explained.
    const bytes = wrapped ?? (await kustomize(directory, options, running));
    if (bytes === undefined) throw cannotBuild(directory, options);
    const { from } = options;
    const told = wrapped === undefined ? bytes : withFormerNames(withOrigins(bytes, wrapper, from), from);
    return { bytes: told, sources: originFiles(from) };
  } finally {
    rmSync(wrapper, { recursive: true, force: true });
  }
}

async function kustomize(
  directory: string,
  { enableExec }: BuildOptions,
  running: Running,
): Promise<Uint8Array | undefined> {
  const flags = ["--enable-alpha-plugins", ...(enableExec ? ["--enable-exec"] : [])];
  const { status, output } = await runProgram("kustomize", ["build", ...flags, directory], running);
  if (status === "missing")
    throw new UsageError(
      "`kustomize` is not on the PATH",
      "install it, or pipe a build: `… | valuefold explain -`",
    );
  return status === "done" ? output : undefined;
}

function cannotBuild(directory: string, { enableExec, from }: BuildOptions): UsageError {
  const flags = enableExec ? "--enable-alpha-plugins --enable-exec" : "--enable-alpha-plugins";
  const name = relative(from, directory) || ".";
  return new UsageError(`kustomize cannot build \`${name}\``, `see why: kustomize build ${flags} ${name}`);
}

/** Files are told as seen from the wrapper; the user sees them from where they are. */
function withOrigins(bytes: Uint8Array, wrapper: string, from: string): Uint8Array {
  const text = Buffer.from(bytes).toString("utf8");
  const block = /config\.kubernetes\.io\/origin: \|\n(?: {6}.*\n)+/g;
  const line = /^( {6}(?:path|configuredIn): )(.+)$/gm;
  const told = text.replaceAll(block, (origin) =>
    origin.replaceAll(line, (whole, head: string, path: string) => {
      // What came from elsewhere is told as seen from there.
      return path.startsWith("../") ? head + relative(from, resolve(wrapper, path)) : whole;
    }),
  );
  return Buffer.from(told, "utf8");
}
