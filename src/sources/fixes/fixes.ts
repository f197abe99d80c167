// Values that are of no use → the files without their lines. What a checkout gives is computed with and without them: a line whose
// absence changes a byte stays. Nothing is written here.
import { resolve } from "node:path";
import { grouped } from "../../grouped.ts";
import type { CheckoutEntry } from "../entry.ts";
import { isFile, linkAt, readFile, realPathOf, withEdited } from "../disk.ts";
import type { ExplainOptions } from "../explained.ts";
import { type CutLines, CutFile, without, withoutLines } from "./cuts.ts";
import { type FixCode, type Given, givenBy, type Useless } from "./outcome.ts";

export type { FixCode } from "./outcome.ts";

/** A value whose lines go, or why they stay. */
interface Fix extends Useless {
  /** Of its file, with all links followed. */
  readonly real: string;
  readonly cut: CutLines | string;
}

/** A value by its line in the file as it was. */
interface NamedFix extends Useless {
  readonly code: FixCode;
}

export interface Fixes {
  readonly fixed: readonly NamedFix[];
  readonly kept: readonly (NamedFix & { readonly why: string })[];
  /** By their paths. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

interface FixCall {
  readonly codes: readonly FixCode[];
  readonly directory: string;
  /** Reads the checkout again. */
  readonly entries: () => readonly CheckoutEntry[];
  readonly options: ExplainOptions;
}

/** What goes may free another value: a run leaves nothing for the next one. */
export async function fixesOf(call: FixCall): Promise<Fixes> {
  const run = new FixRun(call);
  const fixed: NamedFix[] = [];
  for (;;) {
    const passes: Omit<Fixes, "files">[] = [];
    for (const code of call.codes) passes.push(await run.pass(code));
    const found = passes.flatMap((each) => each.fixed);
    if (found.length === 0) return { fixed, kept: passes.flatMap(({ kept }) => kept), files: run.files };
    fixed.push(...found);
  }
}

class FixRun {
  /** As they are after the passes so far. */
  readonly files = new Map<string, Uint8Array>();
  /** Of each line of such a file, its number in the file as it was. */
  private readonly lines = new Map<string, readonly number[]>();
  private readonly call: FixCall;

  constructor(call: FixCall) {
    this.call = call;
  }

  async pass(code: FixCode): Promise<Omit<Fixes, "files">> {
    const given = await this.given(code, this.files);
    const before = JSON.stringify(given.texts);
    const all = this.cutsOf(given.useless);
    const isFine = async (some: readonly Fix[]): Promise<boolean> => {
      const after = await this.given(code, this.edited(some)).catch(() => undefined);
      return after !== undefined && JSON.stringify(after.texts) === before;
    };
    const proven = await settled(
      all.filter(({ cut }) => typeof cut !== "string"),
      [],
      isFine,
    );
    const named = (each: Fix): NamedFix => ({ ...each, code, line: this.lineOf(each) });
    const kept = all.flatMap((each) => {
      const why = typeof each.cut === "string" ? each.cut : "something changes without it";
      return proven.includes(each) ? [] : [{ ...named(each), why }];
    });
    const found = { fixed: proven.map(named), kept };
    this.delete(proven);
    return found;
  }

  private given(code: FixCode, files: ReadonlyMap<string, Uint8Array>): Promise<Given> {
    const { entries, options } = this.call;
    return withEdited(files, () => givenBy(code, entries(), options));
  }

  private bytes(path: string): Uint8Array {
    return this.files.get(path) ?? Buffer.from(readFile(path));
  }

  private lineOf({ real, line }: Fix): number {
    return this.lines.get(real)?.[line - 1] ?? line;
  }

  private edited(some: readonly Fix[]): ReadonlyMap<string, Uint8Array> {
    const own = [...cutsIn(some)].map(([path, cuts]) => [path, without(this.bytes(path), cuts)] as const);
    return new Map([...this.files, ...own]);
  }

  private delete(some: readonly Fix[]): void {
    for (const [path, cuts] of cutsIn(some)) {
      const bytes = this.bytes(path);
      this.lines.set(path, withoutLines(bytes, cuts, this.lines.get(path)));
      this.files.set(path, without(bytes, cuts));
    }
  }

  /** A value in several targets is one. */
  private cutsOf(useless: readonly Useless[]): readonly Fix[] {
    const placed = useless.map((each) => ({
      ...each,
      real: realPathOf(resolve(this.call.directory, each.file)),
    }));
    const alike = [...grouped(placed, ({ real, line, column }) => `${real}:${line}:${column}`).values()];
    const files = new Map<string, CutFile | string>();
    const all = alike.flatMap(([each]): Fix[] => {
      if (each === undefined) return [];
      const file = files.get(each.file) ?? this.fileOf(each);
      files.set(each.file, file);
      return [{ ...each, cut: typeof file === "string" ? file : file.cut(each) }];
    });
    return all.map((each) =>
      isEmptied(each, all) ? { ...each, cut: "its mapping has nothing else" } : each,
    );
  }

  private fileOf({ file, real }: Omit<Fix, "cut">): CutFile | string {
    const isOwn = isFile(real) && linkAt(resolve(this.call.directory, file)) === undefined;
    return isOwn ? new CutFile(this.bytes(real)) : "it is in no file of its own";
  }
}

function cutsIn(all: readonly Fix[]): ReadonlyMap<string, readonly CutLines[]> {
  const cutsOf = (some: readonly Fix[]): readonly CutLines[] =>
    some.flatMap(({ cut }) => (typeof cut === "string" ? [] : [cut]));
  return new Map([...grouped(all, ({ real }) => real)].map(([path, own]) => [path, cutsOf(own)]));
}

function isEmptied({ real, cut }: Fix, all: readonly Fix[]): boolean {
  if (typeof cut === "string") return false;
  const own = all.flatMap((each) =>
    each.real === real && typeof each.cut !== "string" && each.cut.mapping === cut.mapping
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
