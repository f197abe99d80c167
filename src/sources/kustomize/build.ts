// A directory with a kustomization → the stream that kustomize builds of it, with the file that each item is from, and what
// the build left out.
import { dirname, join, relative, resolve } from "node:path";
import { type Diagnostic, formatItem } from "../../diagnostic.ts";
import { UsageError } from "../usage-error.ts";
import { itemsIn } from "../placed-object.ts";
import type { Workspace } from "../workspace.ts";
import type { SourceTarget } from "../../explain/index.ts";
import { kustomizationCharts, namesCharts } from "./charts.ts";
import { copyOf, type KustomizationCopy, plainIn, textsIn } from "./copy.ts";
import { builtOf, Marks } from "./marks.ts";
import { BuildOrigins, type MarkedBuild, withSources } from "./origins.ts";
import { takesFromSecrets } from "./secret-sources.ts";
import type { KustomizeFunction } from "./functions.ts";
import {
  functionsIn,
  isFetched,
  kustomizationFile,
  type KustomizationTree,
  readTree,
  type TreeFault,
} from "./tree.ts";
import type { Overlay } from "./overlay.ts";
import type { MissedTarget } from "./patched-build.ts";
import { BuildCut, type KustomizeRuns, type Ran, runFlags, withRuns } from "./runs.ts";
import { isThere as isThereAt, realPathOf } from "../disk.ts";
import { notBuilt, passedOver, withoutCredentials } from "../not-built.ts";

export interface BuildOptions extends Workspace {
  /** What Flux adds to the directory. */
  readonly overlay?: Overlay;
}

interface Built {
  readonly bytes: Uint8Array;
  readonly origins: BuildOrigins;
}

export interface KustomizeBuild extends Built {
  readonly unbuilt: readonly Diagnostic[];
  /** The charts that it gives to Helm. */
  readonly charts: readonly SourceTarget[];
}

const notShown = "(not shown: it may quote a Secret that the build reads)";

export function isKustomization(directory: string): boolean {
  return kustomizationFile(directory) !== undefined;
}

/** Builds a kustomization without valuefold's own fold: the layers are what is explained. */
export function buildKustomization(directory: string, options: BuildOptions): Promise<KustomizeBuild> {
  return building(directory, options, (build) => build.run());
}

/** Why kustomize refuses a directory with all the functions that it names; undefined if it does not. It runs no program. */
export function refusalOf(directory: string, options: BuildOptions): Promise<UsageError | undefined> {
  return building(directory, options, (build) => build.refusal());
}

function building<T>(
  directory: string,
  options: BuildOptions,
  work: (build: Build) => Promise<T>,
): Promise<T> {
  return withRuns(options, async (runs) => {
    const build = new Build(directory, options, runs);
    try {
      return await work(build);
    } catch (error) {
      throw error instanceof BuildCut ? build.refused([error.message]) : error;
    }
  });
}

class Build {
  private readonly directory: string;
  private readonly options: BuildOptions;
  private readonly runs: KustomizeRuns;
  private readonly overlay: Overlay | undefined;
  private readonly tree: KustomizationTree;
  private missed: readonly MissedTarget[] | undefined;

  constructor(directory: string, options: BuildOptions, runs: KustomizeRuns) {
    this.directory = realPathOf(directory);
    this.options = options;
    this.runs = runs;
    this.overlay = options.overlay;
    this.tree = readTree(directory, this.overlay);
  }

  async run(): Promise<KustomizeBuild> {
    const built = await this.built();
    this.options.checks?.patches.add({
      tree: this.tree,
      overlay: this.overlay,
      shown: (path) => this.shown(path),
      missed: this.missed,
    });
    const { targets, faults } = await kustomizationCharts(this.tree, this.options);
    return { ...built, charts: targets, unbuilt: [...built.unbuilt, ...faults] };
  }

  private async built(): Promise<Omit<KustomizeBuild, "charts">> {
    const all = functionsIn(this.tree);
    const hiding = this.hidden();
    const folds = all.filter((each) => each.isFold && !isValidator(each));
    const skipped = hiding.filter((each) => !each.isFold && !isValidator(each));
    const remote = this.options.enableExec ? [] : this.tree.faults.filter(({ why }) => why === "remote");
    const unbuilt = [
      ...skipped.map((each) => this.skippedFunction(each)),
      ...remote.map((each) => this.unfetched(each)),
    ];
    if (remote.some(({ isNeeded }) => isNeeded)) throw await this.cannotBuild("");
    const hasCharts = this.tree.all.some(namesCharts);
    const isCopied = !this.options.enableExec || this.overlay !== undefined || hasCharts;
    const part = isCopied || hiding.length > 0 ? await this.without(hiding) : "";
    if (typeof part !== "string") return { ...part, unbuilt };
    if (isCopied) throw await this.cannotBuild(part);
    const whole = await this.build((isWrapped) => this.runs.ofDirectory(this.directory, isWrapped), []);
    if (typeof whole !== "string") return { ...whole, unbuilt: [...unbuilt, ...folds.map(foldRan)] };
    const containers = all.filter((each) => each.runsAs === "container" && !hiding.includes(each));
    const rest = containers.length === 0 ? "" : await this.without([...hiding, ...containers]);
    if (typeof rest === "string") throw await this.cannotBuild(whole);
    const failed = containers.filter((each) => !isValidator(each)).map((each) => this.failedContainer(each));
    return { ...rest, unbuilt: [...unbuilt, ...failed] };
  }

  /** Functions that are programs are left out: kustomize would run them. */
  async refusal(): Promise<UsageError | undefined> {
    if (this.tree.faults.some(({ why, isNeeded }) => why === "remote" && isNeeded))
      return this.cannotBuild("");
    const copy = this.copy(this.withOthers((each) => !isOwnCode(each)));
    if (copy === undefined) return undefined;
    const ran = await this.runs.ofCopy(copy);
    return "output" in ran ? undefined : await this.cannotBuild(ran.reason);
  }

  /** What is left out of a build: folds, and what only the user may allow to run or to fetch. */
  private hidden(): readonly KustomizeFunction[] {
    const { enableExec } = this.options;
    if (enableExec) return functionsIn(this.tree).filter(({ isFold }) => isFold);
    return this.withOthers((each) => each.isFold || !isOwnCode(each));
  }

  /** An entry is left out as a whole. */
  private withOthers(isLeftOut: (each: KustomizeFunction) => boolean): readonly KustomizeFunction[] {
    const entries = this.tree.all.flatMap(({ functions }) => [...functions.values()]);
    return [...new Set(entries.filter((each) => each.some(isLeftOut)).flat())];
  }

  /** A text is why that cannot be built. */
  private async without(functions: readonly KustomizeFunction[]): Promise<Built | string> {
    const copy = this.copy(functions);
    return copy === undefined ? "" : this.build((isWrapped) => this.runs.ofCopy(copy, isWrapped), functions);
  }

  private copy(leftOut: readonly KustomizeFunction[], marks?: Marks): KustomizationCopy | undefined {
    const isLeftOut = (each: KustomizeFunction): boolean => leftOut.includes(each);
    const isLocal = !this.options.enableExec;
    return copyOf(this.tree, {
      isLeftOut,
      isLocal,
      marks,
      shown: (path) => this.shown(path),
      overlay: this.overlay,
    });
  }

  /** A text is why it fails. @param runs builds it, with origins or without */
  private async build(
    runs: (isWrapped: boolean) => Promise<Ran>,
    leftOut: readonly KustomizeFunction[],
  ): Promise<Built | string> {
    const wrapped = await runs(true);
    const marked = await this.marked(leftOut);
    // A component cannot be a resource.
    const ran = "output" in wrapped ? wrapped : await runs(false);
    if ("reason" in ran) return ran.reason;
    const { output, from } = ran;
    this.missed = ran.missed;
    const { substitution } = this.overlay ?? {};
    const bytes = substitution === undefined ? output : substitution.inStream(output);
    const items = itemsIn(bytes);
    const origins = new BuildOrigins(items, marked, {
      built: substitution === undefined ? items : itemsIn(output),
      build: this.shown(this.builder()),
      substitution,
      // What is fetched is not read here.
      takesFromSecrets:
        takesFromSecrets(this.tree) ||
        (this.options.enableExec && this.tree.faults.some(({ why }) => why === "remote")),
    });
    // A function sees them; what no function folds is bound by the names that kustomize gives.
    const hasFormerNames = functionsIn(this.tree).some(({ isFold }) => isFold);
    const shownOrigin = (path: string): string => this.shown(resolve(from, path));
    return { bytes: withSources(bytes, items, { shownOrigin, origins, hasFormerNames }), origins };
  }

  /** What set a value that no file explains: the only kustomization that changes something; of several the directory. */
  private builder(): string {
    const [only, second] = this.tree.all.filter(({ fields }) =>
      Object.keys(fields).some((name) => !plainFields.has(name)),
    );
    const isOne = only !== undefined && second === undefined && only.root !== undefined;
    return isOne && this.overlay === undefined ? join(only.directory, only.fileName) : this.directory;
  }

  /** The build of a copy with marks. Functions may refuse marks in place of values: then only documents have some. */
  private async marked(leftOut: readonly KustomizeFunction[]): Promise<MarkedBuild | undefined> {
    for (const hasValues of [true, false]) {
      const marks = new Marks(hasValues);
      const copy = this.copy(leftOut, marks);
      if (copy === undefined) return undefined;
      const ran = await this.runs.ofCopy(copy);
      if ("output" in ran) return { marks, bytes: builtOf(ran.output) };
    }
    return undefined;
  }

  private shown(path: string): string {
    return relative(realPathOf(this.options.from), path) || ".";
  }

  /** What kustomize says may quote a Secret. What it says of a copy with marks cannot: that holds none. */
  private async cannotBuild(stderr: string): Promise<UsageError> {
    // What a patch has no object for may be in what is not fetched.
    const mayBeFetched = /no matches for Id|unable to find (?:one )?target/.test(stderr);
    const isReason = ({ why, isNeeded }: TreeFault): boolean =>
      why !== "remote" || (!this.options.enableExec && (isNeeded || mayBeFetched));
    const faults = this.tree.faults.filter(isReason).map((each) => this.faultText(each));
    const reason = faults.length > 0 ? faults.slice(0, mostLines) : await this.openReason(stderr);
    const isRemote =
      faults.length > 0 && this.tree.faults.filter(isReason).every(({ why }) => why === "remote");
    return this.refused(reason, isRemote ? "let kustomize fetch it: --enable-exec" : undefined);
  }

  refused(reason: readonly string[], hint = `see why: ${this.command()}`): UsageError {
    const name = relative(this.options.from, this.directory) || ".";
    return new UsageError(`kustomize cannot build \`${name}\``, hint, reason.map(withoutCredentials));
  }

  private async openReason(stderr: string): Promise<readonly string[]> {
    const { from } = this.options;
    const marks = new Marks(true);
    const mayBeFetched = this.options.enableExec && this.tree.faults.some(({ why }) => why === "remote");
    const copy = mayBeFetched ? undefined : this.copy(this.hidden(), marks);
    if (copy === undefined || copy.mayHoldSecrets) return [notShown];
    const shown = (words: string): readonly string[] => {
      const { file, line } = marks.patchIn(words) ?? {};
      const place = line === undefined ? [] : [`${file}:${line}  this patch does not apply`];
      return [...place, ...reasonIn(words, [from, realPathOf(from)])];
    };
    if (!marks.mayBeOfSecrets()) return shown(stderr);
    const ran = await this.runs.ofCopy(copy);
    const open = "reason" in ran ? ran.reason.replaceAll(/vfm\d+m/g, "…") : "";
    // Marks may fail where values do not: that is another reason.
    const isSame = (open.match(/[a-z]{3,}/gi) ?? []).every((word) => stderr.includes(word));
    return "output" in ran || !isSame ? [notShown] : shown(open);
  }

  private command(): string {
    if (this.overlay !== undefined) return this.overlay.command;
    const flags = this.options.enableExec ? runFlags : runFlags.slice(0, 1);
    return `kustomize build ${flags.join(" ")} ${relative(this.options.from, this.directory) || "."}`;
  }

  private skippedFunction(each: KustomizeFunction): Diagnostic {
    const loss = each.field === "generators" ? "what it makes is missing" : "what it changes stays as it was";
    return notBuilt({
      item: itemOf(each),
      message: `kustomize skipped the function \`${formatItem(each)}\`: ${loss}`,
      at: this.placeOf(each),
      hint: `it is a ${each.runsAs === "container" ? "container" : "program"}: let kustomize run it by --enable-exec`,
    });
  }

  /** What is in another repository may hold anything: nothing is fetched unless the directory is trusted. */
  private unfetched({ text, file, line }: TreeFault): Diagnostic {
    return notBuilt({
      message: `\`${text}\` is not fetched: what it brings is missing`,
      at: { text: this.shown(file), isFile: true, line },
      hint: "let kustomize fetch it: --enable-exec",
    });
  }

  private faultText({ why, text, file, line }: TreeFault): string {
    const isThere = why === "missing" && isThereAt(resolve(dirname(file), text));
    const missing = isThere ? "leads out of the repository, and is not read" : "is not there";
    const what = why === "remote" ? "is not fetched without --enable-exec" : missing;
    // A manifest in place of a path may be a Secret.
    const entry = /[\n{]|:\s/.test(text) ? "an entry that looks like a manifest" : `\`${text}\``;
    return `${this.shown(file)}:${line}  ${why === "broken" ? text : `${entry} ${what}`}`;
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
    return { text: relative(realPathOf(this.options.from), file), isFile: true };
  }
}

/** True for what kustomize does itself, with files alone. */
function isOwnCode({ runsAs, text }: KustomizeFunction): boolean {
  return runsAs === "builtin" && !textsIn(plainIn(text)).some(isFetched);
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

/** Fields of a kustomization that change no value. */
const plainFields: ReadonlySet<string> = new Set(
  "apiVersion kind metadata resources bases components namespace namePrefix nameSuffix generatorOptions".split(
    " ",
  ),
);

const mostLines = 3;
const mostCharacters = 500;

/** The first lines that say why, with paths as the user knows them. */
function reasonIn(stderr: string, from: readonly string[]): string[] {
  // It quotes patches and generators before it says what is wrong.
  const words = stderr.replaceAll(/ with config: `\n[^]*`(?=: )/g, "");
  const lines = words.split("\n").map((line) => line.trim());
  const texts = lines.filter((line) => line !== "" && !line.startsWith("# Warning"));
  const shown = texts.slice(0, mostLines).map((line) => {
    const own = from
      .filter((path) => path !== "/")
      .reduce((text, path) => text.replaceAll(`${path}/`, "").replaceAll(path, "."), line);
    return own.length > mostCharacters ? `${own.slice(0, mostCharacters)}…` : own;
  });
  return shown.length === 0 ? ["(kustomize says nothing)"] : shown;
}
