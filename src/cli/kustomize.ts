// A directory with a kustomization → the stream that kustomize builds of it, with the file that each item is from, and what
// the build left out.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { type Diagnostic, formatItem } from "../diagnostic.ts";
import { type Io, type Tidily, UsageError } from "./io.ts";
import { copyWithout, type KustomizationCopy } from "./kustomization-copy.ts";
import {
  functionsIn,
  kustomizationFile,
  type KustomizationTree,
  type KustomizeFunction,
  readTree,
} from "./kustomization-tree.ts";
import { notBuilt, passedOver } from "./not-built.ts";
import { withSources } from "./origin-files.ts";
import { type ProgramOptions, type ProgramResult, runProgram } from "./program.ts";
import { mayQuoteSecrets } from "./quoted-secrets.ts";

export interface BuildOptions extends Pick<ProgramOptions, "env"> {
  readonly tidily: Tidily;
  readonly render: Io["render"];
  /** True if kustomize runs functions that are programs. */
  readonly enableExec: boolean;
  /** The directory that relative names of files start from. */
  readonly from: string;
  /** True if names are those of the build alone, unless valuefold is a function of it: a pipe sees no former names. */
  readonly asBuilt?: boolean;
}

export interface KustomizeBuild {
  readonly bytes: Uint8Array;
  readonly unbuilt: readonly Diagnostic[];
}

export function isKustomization(directory: string): boolean {
  return kustomizationFile(directory) !== undefined;
}

/** Builds a kustomization without valuefold's own fold: the layers are what is explained. */
export function buildKustomization(directory: string, options: BuildOptions): Promise<KustomizeBuild> {
  const { env, tidily } = options;
  return tidily(async (stop) => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "valuefold-")));
    try {
      return await new Build(directory, options, { env, stop }, folder).run();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

class Build {
  private readonly directory: string;
  private readonly options: BuildOptions;
  private readonly running: ProgramOptions;
  /** For temporary files. */
  private readonly folder: string;
  private readonly tree: KustomizationTree;
  private attempts = 0;

  constructor(directory: string, options: BuildOptions, running: ProgramOptions, folder: string) {
    this.directory = realpathSync(directory);
    this.options = options;
    this.running = running;
    this.folder = folder;
    this.tree = readTree(directory);
  }

  async run(): Promise<KustomizeBuild> {
    const all = functionsIn(this.tree);
    const folds = all.filter((each) => each.isFold && !isValidator(each) && this.isRun(each));
    const hiding = [
      ...folds,
      ...all.filter((each) => isValidator(each) && (each.isFold || !this.isRun(each))),
    ];
    const skipped = all.filter((each) => !each.isFold && !isValidator(each) && !this.isRun(each));
    const unbuilt = skipped.map((each) => this.skippedFunction(each));
    const withoutFolds = hiding.length === 0 ? undefined : await this.without(hiding);
    if (withoutFolds !== undefined) return { bytes: withoutFolds, unbuilt };
    const whole = await this.build({ directory: this.directory, userPath: (path) => path });
    if (typeof whole !== "string") return { bytes: whole, unbuilt: [...unbuilt, ...folds.map(foldRan)] };
    const containers = all.filter((each) => each.runsAs === "container" && !hiding.includes(each));
    const rest = containers.length === 0 ? undefined : await this.without([...hiding, ...containers]);
    if (rest === undefined) throw this.cannotBuild(whole);
    const failed = containers.filter((each) => !isValidator(each)).map((each) => this.failedContainer(each));
    return { bytes: rest, unbuilt: [...unbuilt, ...failed] };
  }

  /** False for a program that kustomize skips without a word. */
  private isRun({ runsAs }: KustomizeFunction): boolean {
    return runsAs !== "exec" || this.options.enableExec;
  }

  /** Undefined if that cannot be built. */
  private async without(functions: readonly KustomizeFunction[]): Promise<Uint8Array | undefined> {
    const folder = join(this.folder, `copies-${this.attempts++}`);
    mkdirSync(folder);
    const copy = copyWithout(this.tree, (each) => functions.includes(each), folder);
    const built = copy === undefined ? undefined : await this.build(copy);
    return typeof built === "string" ? undefined : built;
  }

  /** Origins come from a temporary kustomization that has this one as its resource and asks for them; a text is why it fails. */
  private async build({ directory, userPath }: KustomizationCopy): Promise<Uint8Array | string> {
    const wrapper = join(this.folder, `wrapper-${this.attempts++}`);
    mkdirSync(wrapper);
    const text = { resources: [relative(wrapper, directory)], buildMetadata: ["originAnnotations"] };
    writeFileSync(join(wrapper, "kustomization.yaml"), `${JSON.stringify(text)}\n`);
    const wrapped = await this.kustomize(wrapper);
    if (wrapped.status === "done")
      return withSources(wrapped.output, {
        userPath: (path) => userPath(resolve(wrapper, path)),
        from: this.options.from,
        hasFormerNames: this.options.asBuilt !== true || functionsIn(this.tree).some(({ isFold }) => isFold),
      });
    // A component cannot be a resource, and needs no origins to be explained.
    const { status, output, stderr } = await this.kustomize(directory);
    return status === "done" ? output : stderr;
  }

  private async kustomize(directory: string): Promise<ProgramResult> {
    const result = await runProgram("kustomize", ["build", ...this.flags(), directory], this.running);
    if (result.status !== "missing") return result;
    throw new UsageError(
      "`kustomize` is not on the PATH",
      "install it, or pipe a build: `… | valuefold explain -`",
    );
  }

  private flags(): string[] {
    return ["--enable-alpha-plugins", ...(this.options.enableExec ? ["--enable-exec"] : [])];
  }

  private cannotBuild(stderr: string): UsageError {
    const { from } = this.options;
    const name = relative(from, this.directory) || ".";
    const reason = mayQuoteSecrets(this.tree)
      ? ["(not shown: it may quote a Secret that the build reads)"]
      : reasonIn(stderr, [from, realpathSync(from)]);
    return new UsageError(`kustomize cannot build \`${name}\``, `see why: ${this.command()}`, reason);
  }

  private command(): string {
    return `kustomize build ${this.flags().join(" ")} ${relative(this.options.from, this.directory) || "."}`;
  }

  private skippedFunction(each: KustomizeFunction): Diagnostic {
    const loss = each.field === "generators" ? "what it makes is missing" : "what it changes stays as it was";
    return notBuilt({
      item: itemOf(each),
      message: `kustomize skipped the function \`${formatItem(each)}\`: ${loss}`,
      at: this.placeOf(each),
      hint: "it is a program: let kustomize run it by --enable-exec",
    });
  }

  private failedContainer(each: KustomizeFunction): Diagnostic {
    return notBuilt({
      item: itemOf(each),
      message: `kustomize could not run the container of \`${formatItem(each)}\`: it is left out`,
      at: this.placeOf(each),
      hint: `see why: ${this.command()}`,
    });
  }

  private placeOf({ file }: KustomizeFunction): NonNullable<Diagnostic["at"]> {
    return { text: relative(realpathSync(this.options.from), file), isFile: true };
  }
}

/** It changes nothing, and fails a build that is not folded. One that is skipped keeps kustomize from giving origins. */
function isValidator({ field }: KustomizeFunction): boolean {
  return field === "validators";
}

function itemOf({ kind, name }: KustomizeFunction): NonNullable<Diagnostic["item"]> {
  return { kind, name };
}

/** Values of the folded item are compared as any others, so nothing is missing. */
function foldRan(each: KustomizeFunction): Diagnostic {
  return passedOver(
    `\`${formatItem(each)}\` has folded the layers already: the folded items are explained`,
    "to see the layers, leave it out of `transformers`, and build without it",
  );
}

const mostLines = 3;
const mostCharacters = 500;

/** The first lines that say why, with paths as the user knows them. */
function reasonIn(stderr: string, from: readonly string[]): string[] {
  const lines = stderr.split("\n").map((line) => line.trim());
  const texts = lines.filter((line) => line !== "" && !line.startsWith("# Warning"));
  const shown = texts.slice(0, mostLines).map((line) => {
    const own = from
      .filter((path) => path !== "/")
      .reduce((text, path) => text.replaceAll(`${path}/`, "").replaceAll(path, "."), line);
    return own.length > mostCharacters ? `${own.slice(0, mostCharacters)}…` : own;
  });
  return shown.length === 0 ? ["(kustomize says nothing)"] : shown;
}
