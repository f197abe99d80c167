// The words of `diff` → what they compare: two files or directories, or entries in two git revisions.
import { basename, isAbsolute, join, relative, resolve } from "node:path";
import { type Diagnostic, meantOr } from "../diagnostic.ts";
import { checkoutFile } from "../settings/index.ts";
import { hasOtherHelm } from "./argo/argo-helm.ts";
import { isThere, isThereAsDirectory, realPathOf } from "./disk.ts";
import { type ComparedSide, readChanged, type Sides } from "./map/changes.ts";
import { isManifest, filesIn } from "./names.ts";
import { entriesAndRest } from "./named.ts";
import { notBuilt } from "./not-built.ts";
import { nearPath } from "./path-hint.ts";
import { expanded, isPattern } from "./glob.ts";
import { repositoryOf } from "./repository.ts";
import { atRevision, changedFiles, comparedHere } from "./revision.ts";
import { revisionWord } from "./revision-words.ts";
import { UsageError } from "./usage-error.ts";
import type { Workspace } from "./workspace.ts";

export interface Compared {
  readonly sides: readonly Sides[];
  /** What is reported of the words. */
  readonly notes: readonly Diagnostic[];
}

/** @param words without any, the last commit is compared with the work tree */
export async function readSides(
  [before = "HEAD", after, ...files]: readonly string[],
  here: Workspace,
): Promise<Compared> {
  const isPresent = (name: string): boolean => name === "-" || isThere(resolve(here.from, name));
  const exists = (word: string): boolean => filesIn(word, here.from).every(isPresent);
  if (exists(before)) {
    if (after === undefined || files.length > 0)
      throw new UsageError(
        "expected two files or directories",
        "or two git revisions, and the directories to compare",
      );
    const starts = [before, after].map((word) => startOf(word, here.from));
    const sides = await readChanged(ofWord(before, here), ofWord(after, here), undefined);
    return {
      sides: sides.map((each) => ({ ...each, starts: [starts[0] ?? "", starts[1] ?? ""] })),
      notes: [],
    };
  }
  refuseMissing(filesIn(before, here.from), isPresent);
  const said = revisionWord(before);
  const isRevision = said.after === undefined && after !== undefined && !(isPattern(after) || exists(after));
  const revision = isRevision ? after : said.after;
  const words = isRevision || after === undefined ? files : [after, ...files];
  // Two words are two revisions, as they are.
  const isTip = isRevision || said.isTip;
  const base = isTip ? { revision: said.before } : await comparedHere(said.before, revision ?? "HEAD", here);
  // Three dots ask for it.
  const notes = base.note === undefined || before.includes("..") ? [] : [base.note];
  const compared = await sidesAt(base.revision, revision, words, here);
  return { ...compared, notes: [...notes, ...compared.notes] };
}

function sidesAt(
  before: string,
  revision: string | undefined,
  words: readonly string[],
  here: Workspace,
): Promise<Compared> {
  return atRevision(before, here, async (old) => {
    const compared = async (now: Workspace): Promise<Compared> => {
      const named = words.length === 0 ? ["."] : words;
      const [one, other] = [sideOf(named, old, before), sideOf(named, now, revision)];
      refuseLost(words, one, other);
      // What programs read is not known.
      const { files: changed, unknown = [] } =
        (here.enableExec ? undefined : await changedFiles([before, revision], here)) ?? {};
      const isOtherHelm = here.helm === undefined && hasOtherHelm(changed ?? [], [one, other]);
      // Settings of the checkout may bear on all of it.
      const isOther = isOtherHelm || changed?.includes(checkoutFile) === true;
      const sides = await readChanged(one, other, isOther ? undefined : changed);
      const hasFlux = [one, other].some(({ entries }) => entries.some(({ kind }) => kind === "Flux"));
      const ignores = hasFlux ? (changed ?? []).filter((file) => basename(file) === ".sourceignore") : [];
      return { sides, notes: [...unknown.map(submoduleNote), ...ignores.map(ignoreNote)] };
    };
    // A signal ends all of it.
    const own = { ...here, tidily: old.tidily };
    return revision === undefined ? compared(own) : atRevision(revision, own, compared);
  });
}

function submoduleNote(path: string): Diagnostic {
  return notBuilt({
    message: `the submodule \`${path}\` is not compared: git does not have its commits here`,
    at: { text: path, isFile: true },
    hint: "git submodule update --init",
  });
}

function ignoreNote(path: string): Diagnostic {
  return notBuilt({
    message: `\`${path}\` is not compared: what Flux leaves out by it is read here all the same`,
    at: { text: path, isFile: true },
  });
}

/** What the names of files in a directory start with, as places show them. */
function startOf(word: string, from: string): string {
  const shown = isThereAsDirectory(resolve(from, word)) ? relative(from, resolve(from, word)) : "";
  return shown === "" ? "" : `${shown}/`;
}

/** A word that ends like a manifest is no revision. */
function refuseMissing(names: readonly string[], isPresent: (name: string) => boolean): void {
  const missing = names.find((name) => isManifest(name) && !isPresent(name));
  const [, revision, path] = /^([^:\s]+):(\S.*)$/.exec(missing ?? "") ?? [];
  if (missing !== undefined)
    throw new UsageError(
      `\`${missing}\` does not exist`,
      revision === undefined
        ? "name two files, two directories, or two git revisions"
        : `a revision is a word of its own: valuefold diff ${revision} '${path}'`,
    );
}

function refuseLost(words: readonly string[], old: WordsSide, now: WordsSide): void {
  const lost = words.find((word) => !old.words.has(word) && !now.words.has(word));
  if (lost === undefined) return;
  const { from } = now.workspace;
  const near = nearPath(resolve(from, lost));
  throw new UsageError(
    `\`${lost}\` is on neither side`,
    meantOr(
      near && relative(from, near),
      "name directories or files of the repository by their paths from here",
    ),
  );
}

interface WordsSide extends ComparedSide {
  /** The words that name something here. */
  readonly words: ReadonlySet<string>;
}

/** One of two words: what they name is compared whatever it is called. */
function ofWord(word: string, workspace: Workspace): WordsSide {
  const entries = entriesAndRest(filesIn(word, workspace.from), workspace);
  return { words: new Set([word]), entries, top: "", prefix: word, workspace };
}

/** Words with patterns fit other names on each side. */
function sideOf(words: readonly string[], workspace: Workspace, revision: string | undefined): WordsSide {
  const { from, top = repositoryOf(resolve(from)) ?? from } = workspace;
  const matches = new Map(words.map((word) => [word, isAbsolute(word) ? [word] : expanded(word, from)]));
  const isPresent = (name: string): boolean =>
    !isAbsolute(name) && filesIn(name, from).every((file) => isThere(join(from, file)));
  const present = [...new Set([...matches.values()].flat())].filter(isPresent);
  const isHere = (word: string): boolean => (matches.get(word) ?? []).some(isPresent);
  return {
    words: new Set(words.filter(isHere)),
    entries: entriesAndRest(present, workspace),
    top: realPathOf(top),
    prefix: "",
    workspace,
    revision,
  };
}
