// A directory with a kustomization → the stream that kustomize builds of it, with the file that each item is from, and what
// the build left out.
import { basename, join, relative, resolve } from "node:path";
import type { Diagnostic } from "../../diagnostic.ts";
import { objectText } from "../../object-id.ts";
import type { SourceTarget } from "../../explain/index.ts";
import { realPathOf } from "../disk.ts";
import { shownFrom } from "../names.ts";
import { notBuilt, passedOver, withoutCredentials } from "../not-built.ts";
import { UsageError } from "../usage-error.ts";
import type { Workspace } from "../workspace.ts";
import { kustomizationCharts } from "./charts.ts";
import { copiedFiles, copyOf, type CopyOptions, type KustomizationCopy, mayFetch } from "./copy.ts";
import type { KustomizeFunction } from "./functions.ts";
import { markedCopy } from "./marked-copy.ts";
import { builtOf, Marks } from "./marks.ts";
import { withSources } from "./annotated-build.ts";
import { BuildOrigins, type MarkedBuild } from "./origins.ts";
import type { Overlay } from "./overlay.ts";
import { brokenFiles, faultLines, isSameReason, notShown, reasonLines } from "./reasons.ts";
import { BuildCut, type KustomizeRun, type Ran, runFlags, type UnmatchedObject, withRuns } from "./runs.ts";
import { takesFromSecrets } from "./secret-sources.ts";
import {
  functionsIn,
  kustomizationFile,
  type KustomizationTree,
  namesCharts,
  readTree,
  type TreeFault,
} from "./tree.ts";
import { markedFields } from "../read-kinds.ts";
import { itemsIn } from "../items.ts";

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

/** What is built: the directory as it is, or a copy without some functions. */
interface BuildAttempt {
  readonly leftOut: readonly KustomizeFunction[];
  readonly isWhole?: boolean;
  /** What is missing in it. */
  readonly unbuilt: readonly Diagnostic[];
}

/** What came of an attempt, and of the same with marks in place of values. */
interface BuildOutcome {
  readonly ran: Ran;
  readonly marked: MarkedRun | undefined;
}

interface MarkedRun {
  readonly marks: Marks;
  readonly mayHoldSecrets: boolean;
  readonly ran: Ran;
}

/** A build that kustomize refuses. */
export class BuildRefused extends UsageError {}

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
  return withRuns(options, async (run) => {
    const build = new Build(directory, options, run);
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
  private readonly runKustomize: KustomizeRun;
  private readonly tree: KustomizationTree;
  private readonly shown: (path: string) => string;
  /** What is in other repositories, and is not fetched. */
  private readonly remote: readonly TreeFault[];
  /** True where objects may be missing that patches are for: what is not fetched, and what charts make. */
  private readonly isPartial: boolean;

  constructor(directory: string, options: BuildOptions, runKustomize: KustomizeRun) {
    this.directory = realPathOf(directory);
    this.options = options;
    this.shown = shownFrom(options.from);
    this.runKustomize = runKustomize;
    this.tree = readTree(directory, options.overlay);
    this.remote = options.enableExec ? [] : this.tree.faults.filter(({ why }) => why === "remote");
    this.isPartial = this.remote.length > 0 || this.tree.all.some(namesCharts);
  }

  async run(): Promise<KustomizeBuild> {
    if (this.remote.some(({ isNeeded }) => isNeeded)) throw this.cannotBuild();
    let last: BuildOutcome | undefined;
    for (const attempt of this.attempts()) {
      last = (await this.attempted(attempt)) ?? last;
      if (last !== undefined && "output" in last.ran) return this.built(last.ran, last, attempt);
    }
    throw this.cannotBuild(last);
  }

  /** Functions that are programs are left out: kustomize would run them. */
  async refusal(): Promise<UsageError | undefined> {
    if (this.remote.some(({ isNeeded }) => isNeeded)) return this.cannotBuild();
    const leftOut = this.withOthers((each) => !isOwnCode(each));
    const attempted = await this.attempted({ leftOut, unbuilt: [] });
    return attempted === undefined || "output" in attempted.ran ? undefined : this.cannotBuild(attempted);
  }

  /**
   * The first that kustomize does not refuse is explained. Only what the program runs is built as it is: functions may read files that
   * no copy has.
   */
  private attempts(): readonly BuildAttempt[] {
    const { enableExec, overlay } = this.options;
    const all = functionsIn(this.tree);
    const leftOut = this.leftOut();
    const skipped = leftOut.filter((each) => !each.isFold && !isValidator(each));
    const unbuilt = [
      ...skipped.map((each) => this.skippedFunction(each)),
      ...this.remote.map((each) => this.unfetched(each)),
    ];
    const copy: BuildAttempt = { leftOut, unbuilt };
    if (!enableExec || overlay !== undefined || this.tree.all.some(namesCharts)) return [copy];
    const folds = all.filter((each) => each.isFold && !isValidator(each));
    const whole: BuildAttempt = { leftOut: [], isWhole: true, unbuilt: [...unbuilt, ...folds.map(foldRan)] };
    const containers = all.filter((each) => each.runsAs === "container" && !leftOut.includes(each));
    const failed = containers.filter((each) => !isValidator(each)).map((each) => this.failedContainer(each));
    const without = { leftOut: [...leftOut, ...containers], unbuilt: [...unbuilt, ...failed] };
    return [...(leftOut.length > 0 ? [copy] : []), whole, ...(containers.length > 0 ? [without] : [])];
  }

  /** With values and with marks. Undefined where no copy can be made of it. */
  private async attempted({ leftOut, isWhole = false }: BuildAttempt): Promise<BuildOutcome | undefined> {
    const options = {
      isLeftOut: (each: KustomizeFunction) => leftOut.includes(each),
      isLocal: !this.options.enableExec,
    };
    const copy = copyOf(this.tree, options);
    const files = copy && !isWhole ? copiedFiles(copy) : undefined;
    if (files === undefined && !isWhole) return undefined;
    // The second is written while the first is built.
    const [ran, marked] = await Promise.all([
      this.runKustomize(this.directory, files, this.isPartial),
      copy && this.marked(copy, options, true),
    ]);
    // Functions may refuse marks in place of values: then only documents have some.
    const isRefused = copy !== undefined && marked !== undefined && "output" in ran && "reason" in marked.ran;
    return { ran, marked: isRefused ? await this.marked(copy, options, false) : marked };
  }

  private async marked(
    copy: KustomizationCopy,
    options: CopyOptions,
    hasValues: boolean,
  ): Promise<MarkedRun> {
    const marks = new Marks(hasValues ? markedFields : undefined);
    const { files, mayHoldSecrets } = markedCopy(copy, {
      ...options,
      marks,
      overlay: this.tree.overlay,
      shown: this.shown,
    });
    const ran = await this.runKustomize(this.directory, files, this.isPartial);
    return { marks, mayHoldSecrets, ran };
  }

  /** What is left out of a build: folds, and what only the user may allow to run or to fetch. */
  private leftOut(): readonly KustomizeFunction[] {
    if (this.options.enableExec) return functionsIn(this.tree).filter(({ isFold }) => isFold);
    return this.withOthers((each) => each.isFold || !isOwnCode(each));
  }

  /** An entry is left out as a whole. */
  private withOthers(isLeftOut: (each: KustomizeFunction) => boolean): readonly KustomizeFunction[] {
    const entries = this.tree.all.flatMap(({ functions }) => [...functions.values()]);
    return [...new Set(entries.filter((each) => each.some(isLeftOut)).flat())];
  }

  private async built(
    { output, from, missed, leftOut = [] }: Extract<Ran, { readonly output: Uint8Array }>,
    { marked }: BuildOutcome,
    { unbuilt }: BuildAttempt,
  ): Promise<KustomizeBuild> {
    const { tree, options } = this;
    const substituted = await options.overlay?.substitution?.(output);
    const bytes = substituted?.bytes ?? output;
    const items = itemsIn(bytes);
    // What is fetched is not read here.
    const isFetched = options.enableExec && tree.faults.some(({ why }) => why === "remote");
    const origins = new BuildOrigins(items, marked && markedBuild(marked), {
      built: substituted === undefined ? items : itemsIn(output),
      build: this.shown(this.builder()),
      directory: this.shown(this.directory),
      variablesIn: substituted?.variablesIn,
      takesFromSecrets: takesFromSecrets(tree) || isFetched,
    });
    // A function sees them; what no function folds is bound by the names that kustomize gives.
    const hasFormerNames = functionsIn(tree).some(({ isFold }) => isFold);
    const shownOrigin = (path: string): string => this.shown(resolve(from, path));
    options.checks?.patches.add({ tree, shown: this.shown, missed });
    const { targets, faults } = await kustomizationCharts(tree, options);
    return {
      bytes: withSources(bytes, items, { shownOrigin, origins, hasFormerNames }),
      origins,
      charts: targets,
      unbuilt: [
        ...unbuilt,
        ...leftOut.map((each) => leftOutPatch(each, this.remote.length === 0)),
        ...faults,
      ],
    };
  }

  /** What set a value that no file explains: the only kustomization that changes something; of several the directory. */
  private builder(): string {
    const [only, second] = this.tree.all.filter(({ fields }) =>
      Object.keys(fields).some((name) => !plainFields.has(name)),
    );
    const isOne = only !== undefined && second === undefined && only.root !== undefined;
    const { fields = {}, images = [] } = this.options.overlay ?? {};
    // What patches of Flux set has marks.
    const isOfFlux = Object.keys(fields).length + images.length > 0;
    return isOne && !isOfFlux ? join(only.directory, only.fileName) : this.directory;
  }

  private cannotBuild(attempted?: BuildOutcome): UsageError {
    const from = realPathOf(this.options.from);
    const isKnown = ({ why, isNeeded }: TreeFault): boolean =>
      why !== "remote" || (isNeeded && !this.options.enableExec);
    const known = this.tree.faults.filter(isKnown);
    // What kustomize does not find may be in what is not fetched.
    const says =
      known.length > 0
        ? faultLines(known, from)
        : [...this.ownReason(attempted), ...faultLines(this.remote, from)];
    if (this.remote.length > 0 && known.every(({ why }) => why === "remote"))
      return this.refused(says, "let kustomize fetch it: --enable-exec");
    return says.includes(notShown) ? this.refused(says, `see why: ${this.command()}`) : this.refused(says);
  }

  refused(
    reason: readonly string[],
    hint = "correct this in the kustomization, or in what it names",
  ): UsageError {
    const name = relative(this.options.from, this.directory) || ".";
    return new BuildRefused(`kustomize cannot build \`${name}\``, hint, reason.map(withoutCredentials));
  }

  /** Where what kustomize says is not shown: the files that it names and that are no YAML, with their lines. */
  private ownReason(attempted?: BuildOutcome): readonly string[] {
    const open = this.openReason(attempted);
    const says = attempted !== undefined && "reason" in attempted.ran ? attempted.ran.reason : "";
    const broken = open.includes(notShown)
      ? brokenFiles(this.tree).filter(({ file }) => says.includes(basename(file)))
      : [];
    return broken.length > 0 ? faultLines(broken, realPathOf(this.options.from)) : open;
  }

  /** What kustomize says may quote a Secret. What it says of a copy with marks cannot: that holds none. */
  private openReason({ ran, marked }: Partial<BuildOutcome> = {}): readonly string[] {
    const { from, enableExec } = this.options;
    const isFetched = enableExec && this.tree.faults.some(({ why }) => why === "remote");
    if (isFetched || marked === undefined || marked.mayHoldSecrets) return [notShown];
    const { marks, ran: open } = marked;
    const [reason, other] = [ran, marks.mayBeOfSecrets() ? open : ran].map((each) =>
      each !== undefined && "reason" in each ? each.reason : undefined,
    );
    const isOpen = reason !== undefined && other !== undefined && isSameReason(other, reason);
    return isOpen ? reasonLines(other, marks, [from, realPathOf(from)]) : [notShown];
  }

  private command(): string {
    const { enableExec, from, overlay } = this.options;
    if (overlay !== undefined) return overlay.command;
    const flags = enableExec ? runFlags : runFlags.slice(0, 1);
    return `kustomize build ${flags.join(" ")} ${relative(from, this.directory) || "."}`;
  }

  private skippedFunction(each: KustomizeFunction): Diagnostic {
    const loss = each.field === "generators" ? "what it makes is missing" : "what it changes stays as it was";
    return notBuilt({
      item: itemOf(each),
      message: `kustomize skipped the function \`${objectText(each)}\`: ${loss}`,
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

  private failedContainer(each: KustomizeFunction): Diagnostic {
    return notBuilt({
      item: itemOf(each),
      message: `kustomize could not run the container of \`${objectText(each)}\`: it is left out`,
      at: this.placeOf(each),
      hint: `see why: ${this.command()}`,
    });
  }

  private placeOf({ file }: KustomizeFunction): NonNullable<Diagnostic["at"]> {
    return { text: this.shown(file), isFile: true };
  }
}

/** It may also have a name that nothing has: then kustomize refuses the build where all is there. */
function leftOutPatch({ kind, namespace, name }: UnmatchedObject, isOfChart: boolean): Diagnostic {
  const item = { kind, ...(namespace === "" ? {} : { namespace }), name };
  const hint = "its object may be in what is not fetched: let kustomize fetch it: --enable-exec";
  if (isOfChart)
    return passedOver(`a patch of \`${objectText(item)}\` is for what a chart makes, or for nothing`);
  return notBuilt({
    item,
    message: `a patch of \`${objectText(item)}\` is left out: nothing that is read here has this name`,
    hint,
  });
}

function markedBuild({ marks, ran }: MarkedRun): MarkedBuild | undefined {
  return "output" in ran ? { marks, bytes: builtOf(ran.output) } : undefined;
}

/** True for what kustomize does itself, with files alone. */
function isOwnCode(each: KustomizeFunction): boolean {
  return each.runsAs === "builtin" && !mayFetch(each);
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
    `\`${objectText(each)}\` has folded the layers already: the folded items are explained`,
    "to see the layers, leave it out of `transformers`, and build without it",
  );
}

/** Fields of a kustomization that change no value. */
const plainFields: ReadonlySet<string> = new Set(
  "apiVersion kind metadata resources bases components namespace namePrefix nameSuffix generatorOptions".split(
    " ",
  ),
);
