// What a render asks of the world while it runs: files of a directory, sealed ones opened, templates rendered, Secrets
// sealed. The core never touches a file system.
import type { Need, Recipients, SealedText, Supply } from "../core/index.ts";
import type { Rendered, TemplateBatch } from "../engine/index.ts";

/** One file, by the pieces of its path: each says on its own whether it must be there. */
export interface FileRequest {
  /** The directory; no path leads out of it. */
  readonly root: string;
  /** Names of folders, and of the file at the end of the last one. */
  readonly pieces: readonly (readonly string[])[];
}

/** Why a file is not read, as a word; its content never comes out. */
export type FileRefusal =
  | "outside"
  | "not-a-folder"
  | "not-a-file"
  | "too-large"
  | "too-many"
  | "binary"
  | "unreadable"
  | "dangling"
  | "odd-name"
  | "no-directory"
  | "beyond-root";

export type FileAnswer =
  | { readonly bytes: Uint8Array }
  /** The first piece that is not there. */
  | { readonly missing: number }
  | { readonly refused: FileRefusal };

/** What a folder holds. */
export interface ListRequest {
  readonly root: string;
  readonly path: readonly string[];
  /** Folders right in it; or files at any depth, as paths seen from it. */
  readonly wanted: "folders" | "files";
}

/** An entry of a folder that cannot be read as a folder or file. */
export interface OddEntry {
  readonly name: string;
  readonly refused: FileRefusal;
}

export type ListAnswer =
  | { readonly names: readonly string[]; readonly odd: readonly OddEntry[] }
  | { readonly missing: true }
  | { readonly refused: FileRefusal };

/** What the world gives for each kind of need. Answers keep the order of what was asked. */
interface Answers {
  readonly files: readonly FileAnswer[];
  readonly lists: readonly ListAnswer[];
  readonly templates: readonly Rendered[];
  readonly sops: Supply;
}

export type RenderNeed =
  | { readonly files: readonly FileRequest[] }
  | { readonly lists: readonly ListRequest[] }
  | { readonly templates: TemplateBatch }
  | { readonly sops: Need };

export type RenderSupply = { [K in keyof Answers]: Pick<Answers, K> }[keyof Answers];

/** A step that may need something of the world before it ends. */
export type RenderSteps<T> = Generator<RenderNeed, T, RenderSupply>;

function* answered<K extends keyof Answers>(kind: K, need: RenderNeed): RenderSteps<Answers[K]> {
  const supply: Partial<Answers> = yield need;
  const answers = supply[kind];
  if (answers === undefined) throw new Error("an answer to another question");
  return answers;
}

export function* askFiles(files: readonly FileRequest[]): RenderSteps<readonly FileAnswer[]> {
  return files.length === 0 ? [] : yield* answered("files", { files });
}

export function* askLists(lists: readonly ListRequest[]): RenderSteps<readonly ListAnswer[]> {
  return lists.length === 0 ? [] : yield* answered("lists", { lists });
}

export function* askTemplates(templates: TemplateBatch): RenderSteps<readonly Rendered[]> {
  return templates.templates.length === 0 ? [] : yield* answered("templates", { templates });
}

export function* askToOpen(open: readonly SealedText[], keys: string | undefined): RenderSteps<Supply> {
  return open.length === 0 ? [] : yield* answered("sops", { sops: { open, keys } });
}

export function* askToSeal(
  seal: readonly Uint8Array[],
  recipients: Recipients,
  keys: string | undefined,
): RenderSteps<Supply> {
  return seal.length === 0 ? [] : yield* answered("sops", { sops: { seal, recipients, keys } });
}
