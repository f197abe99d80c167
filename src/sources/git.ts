// What git has in its objects. A repository counts as hostile: nothing that its settings, hooks or attributes name is run, its
// index is neither read nor written, and nothing is fetched.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { basename, join, relative } from "node:path";
import { environmentOf } from "../core/index.ts";
import { filesBelow, isThere, linkAt, readFile } from "./disk.ts";
import { grouped } from "../grouped.ts";
import { type ProgramOptions, runProgram } from "./program.ts";
import { submoduleFolder } from "./repository.ts";
import type { MemoryFile, TreeEntry } from "./tree.ts";
import { UsageError } from "./usage-error.ts";

/** A file of a revision: a link has what it leads to as its content. */
interface GitFile {
  readonly id: string;
  /** Not a number where git lacks it. */
  readonly bytes: number;
  readonly isLink: boolean;
  /** The repository or the submodule that has it. */
  readonly of: GitRepository;
}

/** What a revision has, by paths from the top. */
export interface GitTree {
  /** Those of submodules, too. */
  readonly files: ReadonlyMap<string, GitFile>;
  readonly submodules: ReadonlyMap<string, Submodule>;
}

interface Submodule {
  readonly commit: string;
  /** False where git does not have the commit here. */
  readonly isHere: boolean;
}

export class GitRepository {
  private readonly top: string;
  private readonly folder: string;
  private readonly running: ProgramOptions;

  /** @param top of the work tree @param folder where git keeps it */
  constructor(top: string, { env, stop }: Pick<ProgramOptions, "env" | "stop">, folder = join(top, ".git")) {
    this.top = top;
    this.folder = folder;
    this.running = { env: { ...environmentOf(env, /^GIT_CONFIG_/), ...offline }, stop };
  }

  /** Undefined for what is no revision. */
  async treeAt(revision: string): Promise<GitTree | undefined> {
    const { status, output } = await this.git([
      "ls-tree",
      "-r",
      "-l",
      "-z",
      "--full-tree",
      `${revision}^{tree}`,
    ]);
    if (status !== "done") return undefined;
    const files = new Map<string, GitFile>();
    const submodules = new Map<string, Submodule>();
    const lines = Buffer.from(output).toString("utf8").split("\0");
    for (const { mode, id, bytes, path } of lines.flatMap(entryIn)) {
      if (mode !== submoduleMode) {
        files.set(path, { id, bytes, isLink: mode === linkMode, of: this });
        continue;
      }
      const own = await this.submodule(path)?.treeAt(id);
      submodules.set(path, { commit: id, isHere: own !== undefined });
      for (const [name, file] of own?.files ?? []) files.set(`${path}/${name}`, file);
      for (const [name, each] of own?.submodules ?? []) submodules.set(`${path}/${name}`, each);
    }
    return { files, submodules };
  }

  private submodule(path: string): GitRepository | undefined {
    const folder = submoduleFolder(this.top, path);
    return folder === undefined ? undefined : new GitRepository(join(this.top, path), this.running, folder);
  }

  /** The name of a commit; undefined for what is not a commit. */
  commitOf(revision: string): Promise<string | undefined> {
    return this.lineOf(["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`]);
  }

  /** The newest commit that two have in common. */
  mergeBase(one: string, other: string): Promise<string | undefined> {
    return this.lineOf(["merge-base", one, other]);
  }

  async isShallow(): Promise<boolean> {
    return (await this.lineOf(["rev-parse", "--is-shallow-repository"])) === "true";
  }

  async remotes(): Promise<readonly string[]> {
    const { output } = await this.git(["remote"]);
    return Buffer.from(output)
      .toString("utf8")
      .split("\n")
      .filter((line) => line !== "");
  }

  /** The one line that git prints; undefined if it fails. */
  private async lineOf(args: readonly string[]): Promise<string | undefined> {
    const { status, output } = await this.git(args);
    const line = Buffer.from(output).toString("utf8").trim();
    return status === "done" && line !== "" ? line : undefined;
  }

  /** The files of a tree. Large ones are read where something asks for them. */
  async filesIn({ files }: GitTree): Promise<ReadonlyMap<string, MemoryFile>> {
    const [lost] = [...files].find(([, { bytes }]) => Number.isNaN(bytes)) ?? [];
    if (lost !== undefined) throw lacking(lost);
    const found = new Map<string, MemoryFile>();
    for (const [repository, own] of grouped([...files], ([, { of }]) => of)) {
      for (const batch of batchesOf(own.filter(([, { bytes }]) => bytes <= largeBytes)))
        for (const [path, file] of await repository.smallFiles(batch)) found.set(path, file);
      for (const [path, { id, bytes, isLink }] of own)
        if (bytes > largeBytes)
          found.set(path, { content: () => repository.largeFile(path, id, bytes), isLink });
    }
    return found;
  }

  private async smallFiles(
    batch: readonly (readonly [string, GitFile])[],
  ): Promise<readonly (readonly [string, MemoryFile])[]> {
    const input = Buffer.from(batch.map(([, { id }]) => `${id}\n`).join(""));
    const { output } = await this.git(["cat-file", "--batch"], input);
    let at = 0;
    return batch.map(([path, { id, bytes, isLink }]) => {
      const head = Buffer.from(`${id} blob ${bytes}\n`);
      if (!head.equals(output.subarray(at, at + head.length))) throw lacking(path);
      const start = at + head.length;
      at = start + bytes + 1;
      const content = output.subarray(start, start + bytes);
      return [path, { content: () => content, isLink }];
    });
  }

  /** The files of the work tree that differ from those of a tree, and those that only one of them has. */
  changedIn({ files, submodules }: GitTree): readonly string[] {
    const here = new Set<string>();
    const isOwn = (path: string): boolean =>
      submodules.has(path) || submoduleFolder(this.top, path) !== undefined;
    const changed = filesIn(this.top, isOwn).filter((path) => {
      here.add(path);
      const file = files.get(path);
      return file === undefined || !isSame(join(this.top, path), file);
    });
    return [...changed, ...[...files.keys()].filter((path) => !here.has(path))];
  }

  private largeFile(path: string, id: string, bytes: number): Uint8Array {
    const args = [...this.own(), "cat-file", "blob", id];
    const { stdout } = spawnSync("git", args, { env: this.running.env, maxBuffer: bytes + 1 });
    if (stdout?.length === bytes) return stdout;
    throw lacking(path);
  }

  private own(): readonly string[] {
    return ["--no-pager", `--git-dir=${this.folder}`, `--work-tree=${this.top}`, ...harmless];
  }

  private async git(args: readonly string[], input?: Uint8Array): ReturnType<typeof runProgram> {
    const result = await runProgram("git", [...this.own(), ...args], this.running, input);
    if (result.status === "missing")
      throw new UsageError("`git` is not on the PATH", "install it, or name two files or directories");
    return result;
  }
}

function lacking(path: string): UsageError {
  return new UsageError(`git lacks \`${path}\``, "fetch it, or see what is wrong: git fsck");
}

const harmless = ["core.fsmonitor=false", "core.hooksPath=/dev/null", "safe.bareRepository=explicit"].flatMap(
  (setting) => ["-c", setting],
);

/** A repository that lacks objects may name a place to fetch them from. */
const offline = {
  GIT_ALLOW_PROTOCOL: "none",
  GIT_NO_LAZY_FETCH: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
};

/** The files that differ between two trees. */
export function changedBetween(old: GitTree, now: GitTree): readonly string[] {
  const paths = new Set([...old.files.keys(), ...now.files.keys()]);
  return [...paths].filter((path) => old.files.get(path)?.id !== now.files.get(path)?.id);
}

/** The submodules of which git does not have all commits that the trees name. */
export function lackingIn(old: GitTree, now: GitTree): readonly LackingSubmodule[] {
  const paths = new Set([...old.submodules.keys(), ...now.submodules.keys()]);
  return [...paths].flatMap((path) => {
    const [before, after] = [old.submodules.get(path), now.submodules.get(path)];
    const isWhole = before?.isHere !== false && after?.isHere !== false;
    return isWhole ? [] : { path, isMoved: before?.commit !== after?.commit };
  });
}

interface LackingSubmodule {
  readonly path: string;
  /** True where it has another commit, or is in one of them only. */
  readonly isMoved: boolean;
}

export function hasFilesBelow({ files }: GitTree, directory: string): boolean {
  return [...files.keys()].some((path) => path.startsWith(`${directory}/`));
}

interface TreeLine {
  readonly mode: string;
  readonly id: string;
  readonly bytes: number;
  readonly path: string;
}

/** `100644 blob ID SIZE\tPATH`, with `BAD` as the size of what git lacks; nothing for a path that no work tree has. */
function entryIn(line: string): readonly TreeLine[] {
  const [, mode = "", id = "", size, path = ""] =
    /^(\d+) (?:blob|commit) (\w+) +(\d+|BAD|-)\t(.+)$/s.exec(line) ?? [];
  const isUnsafe = path.split("/").some((part) => /^(?:|\.|\.\.|\.git)$/i.test(part));
  return id === "" || isUnsafe ? [] : [{ mode, id, bytes: Number(size), path }];
}

const linkMode = "120000";
const submoduleMode = "160000";

const batchBytes = 64 * 1024 * 1024;
const largeBytes = 1024 * 1024;

function batchesOf<T extends readonly [string, GitFile]>(files: readonly T[]): readonly (readonly T[])[] {
  const batches: T[][] = [];
  let bytes = batchBytes;
  for (const each of files) {
    if (bytes >= batchBytes) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)?.push(each);
    bytes += each[1].bytes;
  }
  return batches;
}

/** The paths of all files and links that may be read: not what is in another repository, or was installed. */
function filesIn(directory: string, isSubmoduleAt: (path: string) => boolean): readonly string[] {
  const isOwn = ({ name }: TreeEntry, path: string): boolean =>
    name !== ".git" &&
    name !== "node_modules" &&
    (!isThere(join(path, ".git")) || isSubmoduleAt(relative(directory, path)));
  return filesBelow(directory, isOwn)
    .filter((path) => basename(path) !== ".git")
    .map((path) => relative(directory, path));
}

function isSame(path: string, { id, isLink }: GitFile): boolean {
  try {
    const content = isLink ? Buffer.from(linkAt(path) ?? "") : readFile(path);
    const hash = createHash(id.length === sha1Length ? "sha1" : "sha256");
    return hash.update(`blob ${content.length}\0`).update(content).digest("hex") === id;
  } catch {
    // What cannot be read, or is no link, is not the same.
    return false;
  }
}

const sha1Length = 40;
