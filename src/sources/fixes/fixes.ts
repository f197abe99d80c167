// Values that are of no use → the files without their lines. What a checkout gives is computed with and without them, before a
// file is written: a line whose absence changes a byte stays.
import { resolve } from "node:path";
import { grouped } from "../../grouped.ts";
import type { CheckoutEntry } from "../entry.ts";
import { isFile, linkAt, readFile, withEdited } from "../disk.ts";
import type { ExplainOptions } from "../explained.ts";
import { type CutLines, CutFile, without } from "./cuts.ts";
import { type FixCode, givenBy, type Useless } from "./outcome.ts";

export type { FixCode } from "./outcome.ts";

/** A value whose lines go, or why they stay. */
interface Fix extends Useless {
  readonly cut: CutLines | string;
}

export interface Fixes {
  readonly fixed: readonly Useless[];
  readonly kept: readonly (Useless & { readonly why: string })[];
  /** By their paths. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

interface FixCall {
  readonly code: FixCode;
  readonly directory: string;
  /** Reads the checkout again. */
  readonly entries: () => readonly CheckoutEntry[];
  readonly options: ExplainOptions;
}

export async function fixesOf({ code, directory, entries, options }: FixCall): Promise<Fixes> {
  const given = await givenBy(code, entries(), options);
  const before = JSON.stringify(given.texts);
  const all = cutsOf(given.useless, directory);
  const editedBy = (some: readonly Fix[]): ReadonlyMap<string, Uint8Array> =>
    new Map(
      [...grouped(some, ({ file }) => file)].map(([file, own]) => {
        const path = resolve(directory, file);
        return [
          path,
          without(
            Buffer.from(readFile(path)),
            own.flatMap(({ cut }) => (typeof cut === "string" ? [] : [cut])),
          ),
        ];
      }),
    );
  const isFine = async (some: readonly Fix[]): Promise<boolean> => {
    const work = (): Promise<{ readonly texts: readonly string[] }> => givenBy(code, entries(), options);
    const after = await withEdited(editedBy(some), work).catch(() => undefined);
    return after !== undefined && JSON.stringify(after.texts) === before;
  };
  const proven = await settled(
    all.filter(({ cut }) => typeof cut !== "string"),
    [],
    isFine,
  );
  const kept = all.flatMap(({ cut, ...each }) => {
    if (typeof cut === "string") return [{ ...each, why: cut }];
    return proven.some((own) => own.cut === cut) ? [] : [{ ...each, why: "something changes without it" }];
  });
  return { fixed: proven, kept, files: editedBy(proven) };
}

/** A value in several targets is one. */
function cutsOf(useless: readonly Useless[], directory: string): readonly Fix[] {
  const alike = [...grouped(useless, ({ file, line, column }) => `${file}:${line}:${column}`).values()];
  const files = new Map<string, CutFile | string>();
  const all = alike.flatMap(([each]): Fix[] => {
    if (each === undefined) return [];
    const file = files.get(each.file) ?? fileAt(resolve(directory, each.file));
    files.set(each.file, file);
    return [{ ...each, cut: typeof file === "string" ? file : file.cut(each) }];
  });
  return all.map((each) => (isEmptied(each, all) ? { ...each, cut: "its mapping has nothing else" } : each));
}

function fileAt(path: string): CutFile | string {
  const isOwn = isFile(path) && linkAt(path) === undefined;
  return isOwn ? new CutFile(Buffer.from(readFile(path))) : "it is in no file of its own";
}

function isEmptied({ file, cut }: Fix, all: readonly Fix[]): boolean {
  if (typeof cut === "string") return false;
  const own = all.flatMap((each) =>
    each.file === file && typeof each.cut !== "string" && each.cut.mapping === cut.mapping
      ? [each.cut.start]
      : [],
  );
  return new Set(own).size === cut.entries;
}

/** Those that can go with all that are known so far, by halves. */
async function settled(
  all: readonly Fix[],
  known: readonly Fix[],
  isFine: (some: readonly Fix[]) => Promise<boolean>,
): Promise<readonly Fix[]> {
  if (all.length === 0) return known;
  if (await isFine([...known, ...all])) return [...known, ...all];
  if (all.length === 1) return known;
  const half = Math.ceil(all.length / 2);
  return settled(all.slice(half), await settled(all.slice(0, half), known, isFine), isFine);
}
