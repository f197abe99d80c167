// Words → the entries that they name: a directory, what is found below one, a stack of values files, a list of files.
import { join, relative, resolve } from "node:path";
import { entriesBelow, type FoundEntry, readsOf } from "./map/entries.ts";
import { Applications } from "./argo/applications.ts";
import { Directory, type Opened, withCharts } from "./directory.ts";
import { holdsTargets } from "./read-kinds.ts";
import { isThere, isDirectory, readFile, realPathOf } from "./disk.ts";
import { yamlIn } from "./manifest-index.ts";
import { count } from "../core/index.ts";
import type { CheckoutEntry, Input } from "./entry.ts";
import { fleetTargets, isFleet } from "./helm/fleet.ts";
import { isOfMaker, targetsOfChart } from "./helm/values-beside.ts";
import { orStdin, partOf } from "./input.ts";
import { noObjects, type PlacedParts, objectsIn, PartsReader, withSets } from "./read-parts.ts";
import { hasManifests } from "./manifests.ts";
import { filesIn, shownFrom } from "./names.ts";
import { openNamed, openWorkspace, repositoryOf } from "./repository.ts";
import { allIgnored, settled } from "./checkout-settings.ts";
import { atRevision, inRevision } from "./revision.ts";
import { unfollowedFaults } from "./unfollowed.ts";
import { UsageError } from "./usage-error.ts";
import type { Workspace } from "./workspace.ts";

/**
 * Each directory is an entry, or has several in it; so is each stack; all plain files are one list.
 *
 * @param isOne true if a directory that is an entry is meant alone, whatever is below it
 */
export function entriesNamed(
  words: readonly string[],
  workspace: Workspace,
  isOne = false,
): readonly CheckoutEntry[] {
  return entriesAndRest(words, workspace, isOne, false);
}

/** The same with what nothing here follows, unless that is not asked for. */
export function entriesAndRest(
  words: readonly string[],
  around: Workspace,
  isOne = false,
  hasRest = true,
): readonly CheckoutEntry[] {
  const { from } = around;
  const workspace = { ...around, cacheKey: {} };
  openWords(words, workspace);
  const isPlain = (word: string): boolean => {
    const path = resolve(from, word);
    return !isDirectory(path) && filesIn(word, from).length < 2 && !isOfMaker(path);
  };
  const plain = words.filter(isPlain);
  const [first] = plain;
  return words.flatMap((word): readonly CheckoutEntry[] => {
    if (!isPlain(word)) {
      const all = entriesAt(word, workspace, hasRest);
      const own = isOne ? all.filter(({ name }) => resolve(from, name) === resolve(from, word)) : [];
      return own.length > 0 ? own : all;
    }
    return word === first ? [filesEntry("plain files", plain, settledFor(plain, workspace))] : [];
  });
}

/**
 * Each word by itself: a directory, a file, a stack of values files, each perhaps as it is in a revision: `main:overlays/prod`,
 * or with a name: `prod=base.yaml,prod.yaml`.
 */
export function entryPerWord(words: readonly string[], around: Workspace): readonly CheckoutEntry[] {
  const workspace = { ...around, cacheKey: {} };
  openWords(words, workspace);
  const named = words.map((word) => withName(word, workspace.from));
  const names = shortNames(named.map(({ word }) => word));
  return named.flatMap(({ word, name: own }, index): readonly CheckoutEntry[] => {
    const name = own ?? names[index] ?? word;
    const isHere = isThere(resolve(workspace.from, word));
    const [, revision, rest = word] = isHere ? [] : (revisionWord.exec(word) ?? []);
    if (revision !== undefined)
      return [
        {
          ...filesEntry(name, [rest], workspace),
          read: () =>
            atRevision(revision, workspace, (there) => inRevision(revision, () => readOne(rest, there))),
        },
      ];
    const entries = entriesAt(word, workspace, false);
    const [only, ...others] = entries;
    return only === undefined || others.length > 0
      ? entries
      : [{ ...only, name: only.isFound ? only.name : name }];
  });
}

function openWords(words: readonly string[], workspace: Workspace): void {
  openWorkspace(workspace);
  for (const file of words.flatMap((word) => filesIn(withName(word, workspace.from).word, workspace.from)))
    if (file !== "-") openNamed(resolve(workspace.from, file));
}

/** `NAME=` before a word that is no file as it is written. */
function withName(word: string, directory: string): { readonly name?: string; readonly word: string } {
  const [, name, rest] = isThere(resolve(directory, word)) ? [] : (/^([\w.-]+)=(.+)$/.exec(word) ?? []);
  return name === undefined || rest === undefined || !isUnnamed(rest, directory)
    ? { word }
    : { name, word: rest };
}

const revisionWord = /^([^:,[\]"\s]+):(\S.*)$/;

/** True for a word that names an entry, and is neither a target nor a path in values. */
export function isEntry(word: string, directory: string): boolean {
  return isUnnamed(withName(word, directory).word, directory);
}

function isUnnamed(word: string, directory: string): boolean {
  return isThere(resolve(directory, word)) || revisionWord.test(word) || word.includes(",");
}

/** A directory above several builds is all of them. */
function entriesAt(word: string, around: Workspace, hasRest: boolean): readonly CheckoutEntry[] {
  const path = resolve(around.from, word);
  if (!isDirectory(path)) {
    const files = filesIn(word, around.from);
    const own = settledFor(files, around);
    return [isOfMaker(path) ? chartEntry(word, path, own) : filesEntry(word, files, own)];
  }
  const workspace = settled(inItsRepository(path, around), path);
  const found = entriesBelow(path, workspace);
  const own = found.filter(({ unfollowed }) => unfollowed === undefined);
  const rest = hasRest ? found.filter(({ unfollowed }) => unfollowed !== undefined) : [];
  const [only, second] = own;
  // What is beside its Applications is a part of the directory that is named.
  const isItself =
    only?.kind === "Argo CD" && only.name === "." && second === undefined && hasMore(path, only.files ?? []);
  if (only !== undefined && !isItself)
    return [...own, ...rest].map((each) => foundEntry(each, word, workspace));
  if (only === undefined) refuseIgnored(path, word, workspace);
  const hasOwn = isItself || rest.length === 0 || hasManifests(path, workspace.from);
  return [
    ...(hasOwn ? [directoryEntry(word, path, workspace)] : []),
    ...rest.map((each) => foundEntry(each, word, workspace)),
  ];
}

/** Where all that is built is ignored, what is left is what it builds, and no list. */
function refuseIgnored(path: string, word: string, { settings, ...workspace }: Workspace): void {
  if (settings === undefined) return;
  const all = entriesBelow(path, { ...workspace, isIgnored: () => false });
  const [first] = all.filter(({ unfollowed }) => unfollowed === undefined);
  if (first !== undefined) throw allIgnored(settings, word, join(word, first.name));
}

/** The settings of the checkout that files are in. What comes by stdin is in none. */
function settledFor(files: readonly string[], workspace: Workspace): Workspace {
  const first = files.find((file) => file !== "-");
  return first === undefined ? workspace : settled(workspace, resolve(workspace.from, first));
}

/** True for a directory with other targets next to some files. */
function hasMore(directory: string, files: readonly string[]): boolean {
  const others = yamlIn(realPathOf(directory)).filter((file) => !files.includes(file));
  return others.some((file) => holdsTargets(readFile(file)));
}

/** What is in another repository is read there. */
function inItsRepository(path: string, workspace: Workspace): Workspace {
  const { from, top } = workspace;
  const own = isDirectory(path) ? repositoryOf(realPathOf(path)) : undefined;
  const isElsewhere = top === undefined && own !== undefined && own !== repositoryOf(realPathOf(from));
  return isElsewhere ? { ...workspace, top: own } : workspace;
}

function foundEntry(
  { name, kind, reads, files, mayMake, fault, isGuess = false, unfollowed }: FoundEntry,
  word: string,
  workspace: Workspace,
): CheckoutEntry {
  const shown = join(word, name);
  const path = resolve(workspace.from, word, name);
  if (fault !== undefined)
    return {
      name: shown,
      kind,
      isFound: true,
      reads,
      read: () => Promise.reject(new UsageError(fault, "make it readable")),
    };
  if (unfollowed !== undefined) {
    const faults = unfollowedFaults(unfollowed, shownFrom(workspace.from));
    const input: Input = { input: noObjects, files: [], unbuilt: faults };
    const read = (): Promise<Input> => Promise.resolve(input);
    return { name: shown, kind, isFound: true, reads, mayMake: () => false, unfollowed: faults, read };
  }
  if (kind === "chart")
    return {
      ...chartEntry(shown, path, workspace),
      isFound: true,
      reads,
    };
  const own = files?.map((file) => relative(realPathOf(workspace.from), file));
  const entry =
    own === undefined
      ? directoryEntry(shown, path, workspace, kind === "Flux" && !isGuess)
      : filesEntry(shown, own, workspace);
  return { ...entry, kind, isFound: true, isGuess, reads, ...(mayMake && { mayMake }) };
}

/** @param isSynced true where a sync is known that builds it */
function directoryEntry(name: string, path: string, workspace: Workspace, isSynced = false): CheckoutEntry {
  const directory = new Directory(path, workspace, isSynced);
  let reads: CheckoutEntry["reads"] | undefined;
  return {
    name,
    kind: "kustomization",
    isFound: false,
    reads: (file) => (reads ??= readsOf(path, workspace))(file),
    read: (wanted) => directory.read(wanted),
    parts: () => directory.parts(),
  };
}

/** A chart that nothing here deploys, or a values file beside it. */
function chartEntry(name: string, path: string, workspace: Workspace): CheckoutEntry {
  const read = async (): Promise<Input> => {
    const found = withCharts({ parts: [], unbuilt: [] }, await targetsOfChart(path, workspace));
    return new PartsReader({ read: () => found }, undefined, workspace).read();
  };
  return { name, kind: "chart", isFound: false, reads: () => true, read };
}

/** Files that make one list, or one stack. */
function filesEntry(name: string, files: readonly string[], workspace: Workspace): CheckoutEntry {
  const { from, stdin } = workspace;
  const paths = new Set(files.map((file) => resolve(from, file)));
  const open = async (): Promise<Pick<Opened, "reader" | "applications">> => {
    const all = orStdin(files).map((file) => partOf(file, stdin, from));
    const fleets = all.flatMap(({ path, bytes }) =>
      path !== undefined && isFleet(path, () => bytes) ? path : [],
    );
    const parts = all.filter(({ path }) => path === undefined || !fleets.includes(path));
    const charts = await Promise.all(fleets.map((path) => fleetTargets(realPathOf(path), workspace)));
    const found = charts.reduce<PlacedParts>(withCharts, await withSets({ parts, unbuilt: [] }));
    const applications = await Applications.find(objectsIn(found), workspace);
    return { reader: new PartsReader({ read: () => found }, applications, workspace), applications };
  };
  let opened: ReturnType<typeof open> | undefined;
  return {
    name,
    kind: files.length > 1 && name !== "plain files" ? "stack" : "files",
    isFound: false,
    reads: (path) => paths.has(path),
    read: async (wanted) => {
      const { reader } = await (opened ??= open());
      return reader.read(wanted);
    },
    parts: async () => {
      const { applications } = await (opened ??= open());
      return applications?.parts() ?? [];
    },
  };
}

/** What a word names, as one input. */
export function readOne(word: string, workspace: Workspace): Promise<Input> {
  const [entry, ...others] = entriesNamed([word], workspace, true);
  if (entry !== undefined && others.length === 0) return entry.read();
  throw new UsageError(
    `\`${word}\` is no build: it has ${count(others.length + 1, "build")} in it`,
    `name one of them: ${entry?.name ?? word}`,
  );
}

/** Stacks without the files that all of them have. */
function shortNames(words: readonly string[]): readonly string[] {
  const stacks = words.map((word) => word.split(","));
  const [first = []] = stacks;
  const shared = new Set(first.filter((file) => stacks.every((stack) => stack.includes(file))));
  return stacks.map((stack, index) => {
    const own = stack.filter((file) => !shared.has(file));
    return own.length === 0 ? (words[index] ?? "") : own.join(",");
  });
}
