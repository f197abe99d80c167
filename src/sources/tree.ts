// Files in memory, as a disk has them: a git revision, of which nothing is written to a disk.
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";

/** What a path leads to; a link as itself, where it is not followed. */
export type PathKind = "file" | "directory" | "link" | "other";

/** Something in a directory. */
export interface TreeEntry {
  readonly name: string;
  readonly kind: PathKind;
}

/** What is below one directory. Paths are absolute. */
export interface CheckoutTree {
  /** The path that it has on the disk, where it is there in another state. */
  readonly original?: string;
  /** The path with all links followed; undefined for what is not there. */
  readonly realPath: (path: string) => string | undefined;
  /** Of what a path leads to, links followed. */
  readonly kindOf: (path: string) => PathKind | undefined;
  readonly read: (path: string) => Uint8Array;
  readonly list: (path: string) => readonly TreeEntry[];
  /** What a link says; undefined for anything else. */
  readonly linkAt: (path: string) => string | undefined;
}

/** A file, or a link. */
export interface MemoryFile {
  readonly content: () => Uint8Array;
  readonly isLink: boolean;
}

/** As many as Linux follows. */
export const mostLinks = 40;
const longestLink = 4096;

type DirectoryNames = Map<string, PathKind>;

export class MemoryTree implements CheckoutTree {
  readonly original: string;
  private readonly top: string;
  private readonly files = new Map<string, MemoryFile>();
  private readonly directories = new Map<string, DirectoryNames>();
  private readonly realPaths = new Map<string, string | undefined>();

  /**
   * @param top an absolute path that no disk has
   * @param files by their paths from there
   * @param original the path on the disk that they have in a work tree: absolute links name it
   */
  constructor(top: string, files: ReadonlyMap<string, MemoryFile>, original = top) {
    this.top = top;
    this.original = original;
    this.directories.set(top, new Map());
    for (const [path, file] of files) {
      const own = join(top, path);
      this.files.set(own, file);
      this.namesOf(dirname(own)).set(basename(own), file.isLink ? "link" : "file");
    }
  }

  realPath(path: string): string | undefined {
    const own = resolve(path);
    if (!this.realPaths.has(own)) this.realPaths.set(own, this.followed(own));
    return this.realPaths.get(own);
  }

  kindOf(path: string): PathKind | undefined {
    const real = this.realPath(path);
    return real === undefined ? undefined : this.directories.has(real) ? "directory" : "file";
  }

  read(path: string): Uint8Array {
    const real = this.realPath(path);
    const file = real === undefined ? undefined : this.files.get(real);
    if (file !== undefined) return file.content();
    throw fault(path, real === undefined ? "ENOENT" : "EISDIR");
  }

  list(path: string): readonly TreeEntry[] {
    const real = this.realPath(path);
    const names = real === undefined ? undefined : this.directories.get(real);
    if (names === undefined) throw fault(path, real === undefined ? "ENOENT" : "ENOTDIR");
    return [...names].map(([name, kind]) => ({ name, kind }));
  }

  linkAt(path: string): string | undefined {
    const above = this.realPath(dirname(path));
    const own = above === undefined ? undefined : this.files.get(join(above, basename(path)));
    return own?.isLink === true ? Buffer.from(own.content()).toString("utf8") : undefined;
  }

  private namesOf(directory: string): DirectoryNames {
    const known = this.directories.get(directory);
    if (known !== undefined) return known;
    const names: DirectoryNames = new Map();
    this.directories.set(directory, names);
    this.namesOf(dirname(directory)).set(basename(directory), "directory");
    return names;
  }

  /** Part by part, as a disk does it: `..` leaves what a link leads to, and links are counted for the whole path. */
  private followed(path: string): string | undefined {
    // What a link of a revision leads to outside of it is not a part of the revision.
    if (!isIn(path, this.top)) return undefined;
    let [at, links] = [this.top, 0];
    const rest = path.slice(this.top.length).split(sep);
    for (let part = rest.shift(); part !== undefined; part = rest.shift()) {
      if (!this.directories.has(at)) return undefined;
      at = join(at, part);
      if (!isIn(at, this.top)) return undefined;
      const file = this.files.get(at);
      if (file === undefined && !this.directories.has(at)) return undefined;
      if (file?.isLink !== true || this.directories.has(at)) continue;
      const target = Buffer.from(file.content()).toString("utf8");
      const isOwn = isIn(target, this.original);
      if (target.length > longestLink || (isAbsolute(target) && !isOwn) || links++ === mostLinks)
        return undefined;
      rest.unshift(...(isOwn ? target.slice(this.original.length) : target).split(sep));
      at = isOwn ? this.top : dirname(at);
    }
    return at;
  }
}

/** True if a path is a directory, or is in it, by their names alone. */
export function isIn(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}

function fault(path: string, code: string): Error {
  return Object.assign(new Error(code), { path, code });
}
