// The files of a render. No link, `..` or absolute path leads out of its directory; sizes and counts are bounded.
import { isUtf8 } from "node:buffer";
import { join, resolve, sep } from "node:path";
import type {
  FileAnswer,
  FileRefusal,
  FileRequest,
  ListAnswer,
  ListRequest,
  OddEntry,
} from "../render/index.ts";
import { codeOf, readInside, treeOf } from "./disk.ts";
import { isIn } from "./tree.ts";
import { remembered } from "../remembered.ts";

type FileKind = "file" | "folder" | "other" | "none" | "blocked";

const mostFileBytes = 4 * 1024 * 1024;
const mostFiles = 100_000;
const mostBytes = 512 * 1024 * 1024;

/**
 * Reads for one render.
 * @param from the directory that relative directories start from
 * @param within the real path that no directory may be outside of
 */
export class RenderFiles {
  private readonly from: string;
  private readonly within: string | undefined;
  private readonly roots = new Map<string, LayersRoot>();
  private readonly kinds = new Map<string, FileKind>();
  private files = 0;
  private bytes = 0;

  constructor(from: string, within?: string) {
    this.from = from;
    this.within = within;
  }

  /** Never throws, whatever is on the disk. */
  read({ root, pieces }: FileRequest): FileAnswer {
    const found = this.rootOf(root);
    if ("refused" in found) return found;
    const { top } = found;
    let path = top;
    for (const [index, names] of pieces.entries()) {
      path = join(path, ...names);
      const kind = this.kindOf(path);
      if (kind === "none") return { missing: index };
      if (kind === "blocked")
        return { refused: this.isBlockedByFile(path, top) ? "not-a-folder" : "unreadable" };
    }
    const real = inside(path, top);
    if (real === undefined) return { refused: "outside" };
    if (this.kindOf(path) !== "file") return { refused: "not-a-file" };
    return this.contentOf(real, top);
  }

  /** Names in order. */
  list({ root, path: names, wanted }: ListRequest): ListAnswer {
    const found = this.rootOf(root);
    if ("refused" in found) return found;
    const { top } = found;
    const path = join(top, ...names);
    const kind = this.kindOf(path);
    if (kind === "none") return { missing: true };
    if (kind !== "folder") return { refused: kind === "blocked" ? "unreadable" : "not-a-folder" };
    if (inside(path, top) === undefined) return { refused: "outside" };
    const listing: Listing = { wanted, top, names: [], odd: [], seen: 0 };
    const refusal = this.listInto(listing, path, "", []);
    return refusal === undefined
      ? { names: listing.names.toSorted(inOrder), odd: listing.odd }
      : { refused: refusal };
  }

  private rootOf(name: string): LayersRoot {
    return remembered(this.roots, name, () => this.rootAt(resolve(this.from, name)));
  }

  /** What lies beyond is refused alike, whether it exists or not. */
  private rootAt(path: string): LayersRoot {
    const isFolder = this.kindOf(path) === "folder";
    const real = isFolder ? (treeOf(path).realPath(path) ?? path) : path;
    if (this.within !== undefined && !isIn(real, this.within)) return { refused: "beyond-root" };
    return isFolder ? { top: real } : { refused: "no-directory" };
  }

  private kindOf(path: string): FileKind {
    return remembered(this.kinds, path, () => kindAt(path));
  }

  private isBlockedByFile(path: string, top: string): boolean {
    const above = path.slice(0, path.lastIndexOf(sep));
    if (above.length < top.length) return false;
    return this.kindOf(above) === "file" || this.isBlockedByFile(above, top);
  }

  private contentOf(path: string, top: string): FileAnswer {
    const read = readInside(path, top, (size) => {
      if (size > mostFileBytes) return "too-large";
      this.files++;
      this.bytes += size;
      return this.files > mostFiles || this.bytes > mostBytes ? "too-many" : undefined;
    });
    if ("refused" in read) return read;
    return read.bytes.includes(0) || !isUtf8(read.bytes) ? { refused: "binary" } : read;
  }

  /** Follows links to folders, except those that lead out or into a cycle. @param above real paths on the way */
  private listInto(
    listing: Listing,
    path: string,
    prefix: string,
    above: readonly string[],
  ): FileRefusal | undefined {
    const names = namesAt(path);
    if (names === undefined) return "unreadable";
    for (const entry of names) {
      if (++listing.seen > mostFiles) return "too-many";
      if (entry.startsWith(".")) continue;
      const [name, inner] = [prefix + entry, join(path, entry)];
      const kind = this.kindOf(inner);
      const odd = oddity(kind, entry);
      if (odd !== undefined) listing.odd.push({ name, refused: odd });
      else if (kind === (listing.wanted === "files" ? "file" : "folder")) listing.names.push(name);
      else if (kind === "folder") {
        const refusal = this.listInner(listing, inner, name, above);
        if (refusal === "too-many") return refusal;
        if (refusal !== undefined) listing.odd.push({ name, refused: refusal });
      }
    }
    return undefined;
  }

  private listInner(
    listing: Listing,
    path: string,
    name: string,
    above: readonly string[],
  ): FileRefusal | undefined {
    const real = inside(path, listing.top);
    if (real === undefined) return "outside";
    if (above.includes(real)) return undefined;
    return this.listInto(listing, path, `${name}/`, [...above, real]);
  }
}

/** A directory of layers, by its real path. */
type LayersRoot = { readonly top: string } | { readonly refused: "no-directory" | "beyond-root" };

interface Listing {
  readonly wanted: ListRequest["wanted"];
  readonly top: string;
  readonly names: string[];
  readonly odd: OddEntry[];
  seen: number;
}

function inOrder(a: string, b: string): number {
  return a < b ? -1 : 1;
}

/** A name that is listed but does not exist is a dangling link, or was not UTF-8. */
function oddity(kind: FileKind, name: string): FileRefusal | undefined {
  if (kind === "blocked") return "unreadable";
  if (kind !== "none") return undefined;
  return name.includes("\uFFFD") ? "odd-name" : "dangling";
}

function namesAt(path: string): readonly string[] | undefined {
  try {
    return treeOf(path)
      .list(path)
      .map(({ name }) => name);
  } catch {
    return undefined;
  }
}

/** The real path, if it is in a directory. @param top a real path */
export function inside(path: string, top: string): string | undefined {
  const real = treeOf(path).realPath(path);
  return real !== undefined && isIn(real, top) ? real : undefined;
}

function kindAt(path: string): FileKind {
  try {
    const kind = treeOf(path).kindOf(path);
    return kind === undefined ? "none" : kind === "file" ? "file" : kind === "directory" ? "folder" : "other";
  } catch (error) {
    return codeOf(error) === "ENOENT" ? "none" : "blocked";
  }
}
