// Which source is this repository: the answer of settings, of a remote's URL, or of where the object is that names the source.
import { basename, dirname, join, posix } from "node:path";
import { isDirectory, realPathOf } from "./disk.ts";
import { passedOver } from "./not-built.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { type Repository, repositoryAround } from "./repository.ts";
import type { Workspace } from "./workspace.ts";

/** A source, and what names it. */
export interface AskedSource {
  /** Undefined where no object here has it. */
  readonly url: string | undefined;
  /** From the top of the source; undefined where any path may be meant. */
  readonly path?: string | undefined;
  /** The file that names it, as a real path. */
  readonly file?: string | undefined;
  /** The folder that something of the source says it is: what builds its own file. */
  readonly synced?: string | undefined;
}

/** The directory that a source is, or why no directory here is it. */
export type Located =
  | {
      readonly top: string;
      /** Nothing but its content says so: its URL is not here, or is that of no remote. */
      readonly assumed?: "absent" | "other";
    }
  /** `isOther` for one whose URL says that it is another repository. */
  | { readonly why: string; readonly isOther?: true };

export class Locator {
  /** A real path. */
  readonly top: string;
  private readonly remotes: readonly string[];
  /** Directories that a user names, by URL. */
  private readonly named: ReadonlyMap<string, string>;

  constructor({ top, remotes }: Repository, named: ReadonlyMap<string, string> = new Map()) {
    this.top = top;
    this.remotes = remotes.filter(isOnHost).map(plainUrl);
    this.named = new Map([...named].map(([url, directory]) => [plainUrl(url), directory]));
  }

  /** In this order: what the user says, what builds its own file, a remote, and what has the path. */
  locate({ url, path, file, synced }: AskedSource): Located {
    const plain = url === undefined ? undefined : plainUrl(url);
    const named = plain === undefined ? undefined : this.named.get(plain);
    if (named !== undefined) return { top: named };
    const isOther = plain !== undefined && this.isOtherPlain(plain);
    if (synced !== undefined) return { top: synced, ...(isOther && { assumed: "other" }) };
    if (!isOther && plain !== undefined && this.remotes.length > 0) return { top: this.top };
    const top = this.topWith(url, path, file);
    if (plain === undefined) return { top: top ?? this.top, assumed: "absent" };
    return top !== undefined && (!isOther || this.isAlike(plain, top))
      ? { top, assumed: "other" }
      : { why: "it is another repository", isOther: true };
  }

  /** True for the URL of no remote, where one is known. */
  isOther(url: string | undefined): boolean {
    return url !== undefined && this.isOtherPlain(plainUrl(url));
  }

  private isOtherPlain(plain: string): boolean {
    return this.remotes.length > 0 && !this.remotes.includes(plain);
  }

  /** The topmost directory around a file that has a path, or else the name of the repository. All of a source is any directory. */
  private topWith(
    url: string | undefined,
    path: string | undefined,
    file: string | undefined,
  ): string | undefined {
    if (path !== undefined && isWhole(path)) return undefined;
    const tops = file === undefined ? [this.top] : foldersAbove(file, this.top);
    if (path !== undefined) return tops.find((each) => directoryAt(each, path) !== undefined);
    return tops.find((each) => url !== undefined && basename(plainUrl(url)) === basename(each)) ?? this.top;
  }

  /** True for a fork, a mirror or a copy: repositories keep their names. */
  isAlike(url: string, top: string): boolean {
    const names = [basename(top), ...this.remotes.map((each) => basename(each))];
    return names.includes(basename(plainUrl(url)));
  }
}

/** The locator of the repository around a directory. */
export function locatorAround(directory: string, workspace: LocatedWorkspace): Locator {
  const repository = repositoryAround(directory, workspace);
  const folders = (workspace.sources ?? []).flatMap(({ url, folder }): [string, string][] => {
    const own = directoryAt(repository.top, folder);
    return own === undefined ? [] : [[url, own]];
  });
  const checkouts = [...(workspace.repositories ?? [])].map(([url, path]): [string, string] => [
    url,
    realPathOf(path),
  ]);
  return new Locator(repository, new Map([...folders, ...checkouts]));
}

export type LocatedWorkspace = Pick<Workspace, "top" | "remotes" | "sources" | "repositories">;

/** What was assumed: it is reported once. */
export class Assumed {
  private readonly absent = new Set<string>();
  private readonly urls = new Map<string, string>();

  /** @param shown the source, for one whose URL is not here */
  add(located: Located, url: string | undefined, shown: string): void {
    if (!("top" in located) || located.assumed === undefined) return;
    if (url === undefined) this.absent.add(shown);
    else this.urls.set(plainUrl(url), this.urls.get(plainUrl(url)) ?? url);
  }

  notes(): readonly Diagnostic[] {
    const [absent, urls] = [[...this.absent], [...this.urls.values()]].map((all) => all.join(", "));
    return [
      ...(absent === "" ? [] : [passedOver(`not here: ${absent}; its paths are read in this repository`)]),
      ...(urls === ""
        ? []
        : [
            passedOver(
              `no git remote has the URL ${urls}: this checkout is read for it, as it has the named files`,
              "name its checkout: --repo URL=DIR",
            ),
          ]),
    ];
  }
}

/** Host and path, whatever the protocol: `ssh://git@host/path.git` and `https://host/path` are one repository. */
export function plainUrl(url: string): string {
  return url
    .replace(/^[a-z+]+:\/\//i, "")
    .replace(/^[^@/]*@/, "")
    .replace(/\/$/, "")
    .replace(/\.git$/, "")
    .replace(/^([^/:]+)(?::\d+)?[:/]/, "$1/")
    .toLowerCase();
}

function isOnHost(url: string): boolean {
  return /^(?:[a-z+]+:\/\/|[^/@]+@)[^/]/i.test(url) && !url.startsWith("file:");
}

/** The directory of a path in a source; undefined where none is there. As in the controller `..` ends at the top. */
export function directoryAt(top: string, path: string): string | undefined {
  const directory = join(top, rooted(path));
  return isDirectory(directory) ? directory.replace(/(?<=.)\/$/, "") : undefined;
}

/** A path from a top, which `..` does not leave. */
export function rooted(path: string): string {
  return posix.normalize(`/${path}`);
}

export function isWhole(path: string): boolean {
  return rooted(path) === "/";
}

/** The topmost first. */
export function foldersAbove(file: string, top: string): readonly string[] {
  const folder = dirname(file);
  if (folder === top) return [top];
  return folder.startsWith(`${top}/`) ? [...foldersAbove(folder, top), folder] : [];
}
