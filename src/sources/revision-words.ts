// The revisions that words of `diff` mean, as git users write them, and why one is not here.
//
//     main         the commit where this branch left main
//     main..       the tip of main
//     main..dev    two revisions; main...dev starts where dev left main
import type { Diagnostic } from "../diagnostic.ts";
import type { GitRepository } from "./git.ts";
import { UsageError } from "./usage-error.ts";

/** Revisions as a word has them. @see comparedRevision */
export interface RevisionWord {
  readonly before: string;
  /** Undefined for the work tree, and where another word names it. */
  readonly after: string | undefined;
  /** True if the commit itself is meant, and not the one where the other side left it. */
  readonly isTip: boolean;
}

export function revisionWord(word: string): RevisionWord {
  const [, before, dots, after] = /^([^\s.](?:\S*[^\s./])?)(\.{2,3})([^\s./]\S*)?$/.exec(word) ?? [];
  if (before === undefined) return { before: word, after: undefined, isTip: false };
  return { before, after, isTip: dots === ".." };
}

export interface ComparedRevision {
  readonly revision: string;
  /** Printed where the revision is not the one that was named. */
  readonly note?: Diagnostic;
}

/** Where `other` left a revision: what is newer there is no change of this side. */
export async function comparedRevision(
  named: string,
  other: string,
  repository: GitRepository,
): Promise<ComparedRevision> {
  const [tip, own] = [await repository.commitOf(named), await repository.commitOf(other)];
  if (tip === undefined || own === undefined) return { revision: named };
  const base = await repository.mergeBase(tip, own);
  if (base === tip) return { revision: named };
  if (base !== undefined) return { revision: base.slice(0, 10), note: movedNote(named, base.slice(0, 10)) };
  const message = `\`${named}\` has no commit in common with this branch here: compared with its tip`;
  const isShallow = await repository.isShallow();
  return {
    revision: named,
    note: noteOf(message, isShallow ? "this clone is shallow: git fetch --unshallow" : undefined),
  };
}

function movedNote(named: string, base: string): Diagnostic {
  // A shell may read other names as more than a name.
  const command = /^[\w./@-]+$/.test(named)
    ? `to compare with its tip: valuefold diff ${named}..`
    : undefined;
  return noteOf(`\`${named}\` has moved: compared with ${base}, where this branch left it`, command);
}

function noteOf(message: string, hint: string | undefined): Diagnostic {
  return { code: "usage", severity: "info", message, ...(hint === undefined ? {} : { hint }) };
}

/** Why a word is no revision here. */
export async function unknownRevision(word: string, repository: GitRepository): Promise<UsageError> {
  if (/^HEAD\b/.test(word) && (await repository.commitOf("HEAD")) === undefined)
    return new UsageError("nothing is committed yet", "commit first, or name two files or directories");
  const [, remote, branch] = /^([\w.-]+)\/([\w./-]+)$/.exec(word) ?? [];
  if (remote !== undefined && branch !== undefined && (await repository.remotes()).includes(remote))
    return new UsageError(
      `\`${word}\` is not fetched`,
      `fetch it: git fetch ${remote} ${branch}:refs/remotes/${word}`,
    );
  if (await repository.isShallow())
    return new UsageError(
      `\`${word}\` is not in this clone, which is shallow`,
      "fetch its commits: git fetch --unshallow (actions/checkout: fetch-depth: 0)",
    );
  if (/^HEAD~\d*$/.test(word))
    return new UsageError(
      `\`${word}\` is before the first commit here`,
      "see the commits: git log --oneline",
    );
  const near = /^[\w./-]+$/.test(word) ? await remoteBranch(word, repository) : undefined;
  return new UsageError(
    `\`${word}\` is neither a file nor a git revision`,
    near === undefined ? "name two files, two directories or two revisions" : `did you mean \`${near}\`?`,
  );
}

/** A clone has one branch of its own: the others are those of a remote. */
async function remoteBranch(word: string, repository: GitRepository): Promise<string | undefined> {
  for (const remote of await repository.remotes()) {
    const name = `${remote}/${word}`;
    if ((await repository.commitOf(name)) !== undefined) return name;
  }
  return undefined;
}
