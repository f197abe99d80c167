// What questions are asked of: a build, or anything else that is read as one.
import type { FoldInput } from "../core/index.ts";
import type { SourceFile } from "../report/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import type { ObjectId } from "../object-id.ts";
import type { Entry as PublicEntry } from "../public.ts";
import type { OverChartOf, SourceTarget, ReadValuesFile } from "../explain/index.ts";
import type { PlacesOf } from "./object-places.ts";
import type { BuildSettings } from "./fold-settings.ts";
import type { RenderOutput } from "./local-renders.ts";
import type { Workspace } from "./workspace.ts";

/** What an entry comes to. */
export interface Input extends Pick<FoldInput, "input"> {
  readonly files: SourceFile[];
  readonly sources?: PlacesOf;
  /** Bare values files, lowest first. There is no other input then. */
  readonly values?: readonly ReadValuesFile[];
  /** The charts of objects. */
  readonly overChart?: OverChartOf;
  /** The version of Helm that the user names. */
  readonly helm?: Workspace["helm"];
  /** The objects whose charts are here: some have no values of their own. */
  readonly released?: readonly ObjectId[];
  /** Variables of Flux that only the cluster has, where the others are replaced already. */
  readonly variables?: ReadonlySet<string>;
  /** Targets that are no objects to fold. */
  readonly targets?: readonly SourceTarget[];
  /** What is not in the input: warnings about what is missing, infos about what was passed over. */
  readonly unbuilt?: readonly Diagnostic[];
  /** The settings of the fold that its directory runs. */
  readonly own?: BuildSettings;
  /** Those of the checkout that it is in. */
  readonly checkout?: Workspace["settings"];
  /** True where all was read, though less was asked for. */
  readonly isWhole?: boolean;
  /** What was rendered for it. */
  readonly rendered?: readonly RenderOutput[];
}

/** `files` is a list of plain files, or stdin; `stack` is values files, lowest first. */
export type EntryKind = PublicEntry["kind"];

export interface CheckoutEntry {
  /** As the user names it, from the working directory. */
  readonly name: string;
  readonly kind: EntryKind;
  /** True if it was found below a directory that was named. */
  readonly isFound: boolean;
  /** True for a file, as a real path, that it may read. */
  readonly reads: (path: string) => boolean;
  /** False for the name of a target that it cannot have; absent where that is not known. */
  readonly mayMake?: (name: string) => boolean;
  /** True if nothing says that it is built: that it cannot be is no error then. */
  readonly isGuess?: boolean;
  /** What is reported of it, if nothing here follows it. It has no objects then. */
  readonly unfollowed?: readonly Diagnostic[];
  /** Reads all of it, or what may bear on what is asked. */
  readonly read: (wanted?: WantedParts) => Promise<Input>;
  /** Its parts, where it is made of several builds. */
  readonly parts?: () => Promise<readonly EntryPart[]>;
}

/** What is asked for: the name of a target, or some parts. */
export type WantedParts = { readonly target: string } | { readonly parts: ReadonlySet<string> };

/** A build among those of an entry. */
export interface EntryPart {
  readonly id: string;
  /** What its build is given besides files: two parts without a changed file are equal if this is. */
  readonly definition: string;
  readonly reads: (path: string) => boolean;
  /** True if it may have to do with one of some objects. */
  readonly mentions: (names: ReadonlySet<string>) => boolean;
  /** The names of objects that other parts may refer to. */
  readonly names: () => readonly string[];
  /** The names of targets that another part may have, too. */
  readonly targets: () => readonly string[];
  /** True if it may have a target of the name. */
  readonly mayHave: (name: string) => boolean;
}

/** The parts that may differ on two sides: what reads a changed file, and what refers to objects of these or has one of their targets. */
export function changedParts(
  before: readonly EntryPart[],
  after: readonly EntryPart[],
  isChanged: (part: EntryPart) => boolean,
): ReadonlySet<string> {
  const [old, now] = [before, after].map((all) => new Map(all.map((part) => [part.id, part.definition])));
  const all = [...before, ...after];
  const changed = new Set(
    all.filter((part) => old?.get(part.id) !== now?.get(part.id) || isChanged(part)).map(({ id }) => id),
  );
  for (let size = -1; size !== changed.size;) {
    size = changed.size;
    const known = all.filter(({ id }) => changed.has(id));
    const names = new Set(known.flatMap((part) => part.names()));
    const targets = new Set(known.flatMap((part) => part.targets()));
    for (const part of all.filter(({ id }) => !changed.has(id)))
      if (part.mentions(names) || [...targets].some((each) => part.mayHave(each))) changed.add(part.id);
  }
  return changed;
}
