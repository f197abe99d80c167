// What a render asks of the world while it runs: files of a directory, sealed ones opened, templates rendered, Secrets
// sealed. The core never touches a file system.
import type { Need, Recipients, SealedText, Supply } from "../core/index.ts";

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

/** A schema may name several functions that include: `includes` are those of `include`. */
export interface IncludingBatch extends TemplateBatch {
  readonly functions: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

export type RenderNeed =
  | { readonly files: readonly FileRequest[] }
  | { readonly lists: readonly ListRequest[] }
  | { readonly templates: IncludingBatch }
  | { readonly sops: Need };

export type RenderSupply =
  | { readonly files: readonly FileAnswer[] }
  | { readonly lists: readonly ListAnswer[] }
  | { readonly templates: readonly Rendered[] }
  | { readonly sops: Supply };

/** A step that may need something of the world before it ends. */
export type RenderSteps<T> = Generator<RenderNeed, T, RenderSupply>;

/** Answers keep the order of what was asked. */
export function* askFiles(files: readonly FileRequest[]): RenderSteps<readonly FileAnswer[]> {
  if (files.length === 0) return [];
  const supply = yield { files };
  return "files" in supply ? supply.files : mistaken();
}

export function* askLists(lists: readonly ListRequest[]): RenderSteps<readonly ListAnswer[]> {
  if (lists.length === 0) return [];
  const supply = yield { lists };
  return "lists" in supply ? supply.lists : mistaken();
}

export function* askTemplates(templates: IncludingBatch): RenderSteps<readonly Rendered[]> {
  if (templates.templates.length === 0) return [];
  const supply = yield { templates };
  return "templates" in supply ? supply.templates : mistaken();
}

export function* askToOpen(open: readonly SealedText[], keys: string | undefined): RenderSteps<Supply> {
  if (open.length === 0) return [];
  const supply = yield { sops: { open, keys } };
  return "sops" in supply ? supply.sops : mistaken();
}

export function* askToSeal(
  seal: readonly Uint8Array[],
  recipients: Recipients,
  keys: string | undefined,
): RenderSteps<Supply> {
  if (seal.length === 0) return [];
  const supply = yield { sops: { seal, recipients, keys } };
  return "sops" in supply ? supply.sops : mistaken();
}

function mistaken(): never {
  throw new Error("an answer to another question");
}

/** One batch: every template of a render at once, so that the engine is loaded once. */
export interface TemplateBatch {
  /** Texts that `include` finds, by the name a template calls them. */
  readonly includes: ReadonlyMap<string, string>;
  readonly templates: readonly Template[];
}
export interface Template {
  /** Its file, for messages. */
  readonly file: string;
  readonly text: string;
  /** What `.` is: JSON text of an object. Numbers become float64, as konfigure's do. */
  readonly values: string;
}
export type Rendered = { readonly text: string } | { readonly fault: TemplateFault };
/** Never holds a value: `what` is one of our own clauses; `name` is a key, function or include that the template spells out itself. */
export interface TemplateFault {
  readonly what:
    | "parse"
    | "missing-key"
    | "function"
    | "impure"
    | "include"
    | "type"
    | "too-long"
    | "too-large"
    | "failed";
  readonly file: string; // the template or the include
  readonly line?: number; // 1-based
  readonly column?: number;
  readonly name?: string;
}
/** Loaded by the edge only when a template holds `{{`. One result for each template, in order. */
export type RenderTemplates = (batch: TemplateBatch) => Promise<readonly Rendered[]>;
