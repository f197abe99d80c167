// What reading on this disk needs of its caller, and where it starts.
import type { Outcome } from "../report/index.ts";
import type { CheckoutSettings } from "../settings/index.ts";
import type { SchemaRule } from "../schema/index.ts";
import type { FoldInput } from "../core/index.ts";
import type { BuildSettings } from "./fold-settings.ts";
import type { PatchedBuild } from "./kustomize/patched-build.ts";

/** Runs work that makes temporary files: a signal stops it, and ends the process once its files are removed. */
export type Tidily = <T>(work: (stop: AbortSignal | undefined) => Promise<T>) => Promise<T>;

/** What `valuefold render` is asked for. */
export interface RenderInvocation {
  /** The file with the settings, or `-`. */
  readonly config: string;
  /** The text of that file, if it is known. */
  readonly settings?: Uint8Array;
  /** The directory of the layers; absent if the settings name it. */
  readonly into: string | undefined;
  readonly strict: boolean;
  /** A file with the output of an earlier render. */
  readonly previous: string | undefined;
  /** No settings, layers or keys are read from outside it. */
  readonly root?: string;
}

/** Where things are read, and with what. */
export interface Workspace {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly tidily: Tidily;
  readonly render: (invocation: RenderInvocation) => Promise<Outcome>;
  /** All of stdin. */
  readonly stdin: () => Uint8Array;
  /** True if kustomize runs functions that are programs, and fetches. */
  readonly enableExec: boolean;
  /** The directory that relative names of files start from. */
  readonly from: string;
  /** The top of the repository; without it, the directory above that has a `.git`. */
  readonly top?: string;
  /** The URLs of the repository, where its files are not what it was cloned to. */
  readonly remotes?: readonly string[];
  /** Checkouts of other repositories, by their URLs. */
  readonly repositories?: ReadonlyMap<string, string>;
  /** Sources that are this repository: a folder of it, from its top. */
  readonly sources?: readonly KnownSource[];
  /** True for a file or a directory that is neither an entry nor checked. @param path from the top of the repository */
  readonly isIgnored?: (path: string) => boolean;
  /** The settings of the checkout, where it has a file of them. */
  readonly settings?: SettledCheckout;
  /** Called with the settings of each checkout that is read. */
  readonly onSettings?: (settings: SettledCheckout) => void;
  /** The git revision that is read, as the user names it. */
  readonly revision?: string;
  /** A file with the clusters that Argo CD knows. */
  readonly clusters?: string | undefined;
  /** Charts that are not in the checkout: those of a target, or of all that name them. */
  readonly charts?: readonly NamedChart[];
  /** The Helm whose rules hold. */
  readonly helm?: 3 | 4 | undefined;
  /** What charts may ask the cluster for, beside the APIs of Kubernetes. */
  readonly apiVersions?: readonly string[];
  /** What files hold is kept by it, for all entries of one question. */
  readonly cacheKey?: object;
  /** True to say of targets which chart they name, though it is not here. */
  readonly seesAbsentCharts?: boolean;
  /** Both versions of charts, as the user names them. */
  readonly chartPairs?: readonly ChartPair[];
  /** True where `helm pull` may bring charts that are not here. */
  readonly fetches?: boolean;
  /** The settings of a question, for an input that may have some of its own: charts that make targets are rendered with them. */
  readonly configured?: (input: {
    readonly own?: BuildSettings;
    readonly checkout?: SettledCheckout | undefined;
  }) => Pick<FoldInput, "config" | "configFile" | "settings">;
  /** Keeps what `verify` reports of all that was read. */
  readonly checks?: CheckedInputs;
  /** Shows a line on a terminal; an empty one clears it. */
  readonly progress?: (line: string) => void;
}

interface KnownSource {
  readonly url: string;
  readonly folder: string;
}

/** What `.valuefold.yaml` says. Paths are absolute. */
export interface SettledCheckout extends Required<Pick<Workspace, "sources" | "isIgnored" | "charts">> {
  /** As messages name it. */
  readonly file: string;
  /** A real path. */
  readonly top: string;
  /** Those that judge values, and say how lists merge. */
  readonly judging: Omit<CheckoutSettings, "checkout" | "schemas"> & {
    readonly schemas?: readonly SchemaRule[] | undefined;
  };
  /** The same for what is left out because of it: that is reported. */
  readonly leavesOut: (path: string) => boolean;
  /** What was left out so far, from the top. */
  readonly ignored: ReadonlySet<string>;
  readonly clusters: string | undefined;
  readonly helm: 3 | 4 | undefined;
  readonly apiVersions: readonly string[];
}

interface CheckedInputs {
  readonly patches: { readonly add: (build: PatchedBuild) => void };
  /** Names of charts that targets with values have, and that are not here. */
  readonly absentCharts: Set<string>;
}

/** `--chart NAME=OLD,NEW`. */
export interface ChartPair {
  readonly name: string;
  /** Absolute. */
  readonly paths: readonly [old: string | undefined, now: string | undefined];
}

/** A chart that the user names: for one target, or for those that name a chart of its name. */
export interface NamedChart {
  readonly target?: string | undefined;
  /** Absolute. */
  readonly path: string;
  /** As the user names it: places in it begin so. */
  readonly shown: string;
  /** True for one of the settings of a checkout: its target may be the name of the chart that targets name. */
  readonly isOwn?: true;
  /** The one that the user names, where this is the same in a revision. */
  readonly named?: NamedChart;
  /** True once it is below the values of a target. */
  isUsed?: boolean;
}
