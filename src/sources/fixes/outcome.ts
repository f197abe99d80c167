// What a checkout gives: what each target gets, what its chart makes of that, and which values are of no use in it.
import { givenValues, idleValues } from "../../explain/index.ts";
import { objectId, objectText } from "../../object-id.ts";
import { pathText } from "../../merge/index.ts";
import type { ExplainedTarget, Place } from "../../explanation.ts";
import type { CheckoutEntry } from "../entry.ts";
import { explained, type ExplainOptions } from "../explained.ts";
import { readEntries } from "../read-entries.ts";
import { Releases } from "../rendered/releases.ts";
import { rendered } from "../rendered/render.ts";
import type { VerifiedRelease } from "../rendered/unread-keys.ts";
import { verifiedReleases } from "../rendered/verified.ts";
import { UsageError } from "../usage-error.ts";
import type { WantedCut } from "./cuts.ts";

export type FixCode = "unread-key" | "idle-value";

/** A value that may go. */
export interface Useless extends WantedCut {
  readonly file: string;
}

/** Texts of all targets that have to stay the same. */
export interface Given {
  readonly texts: readonly string[];
  readonly useless: readonly Useless[];
}

/** @throws UsageError for what cannot be read: it may need the values that go */
export async function givenBy(
  code: FixCode,
  entries: readonly CheckoutEntry[],
  options: ExplainOptions,
): Promise<Given> {
  const [texts, useless, all]: [string[], Useless[], VerifiedRelease[]] = [[], [], []];
  for await (const { name, input } of readEntries(entries, undefined, undefined)) {
    if (input instanceof UsageError) throw input;
    const releases = new Releases();
    const { explanation } = await explained(releases.in(input), options);
    for (const target of explanation?.targets ?? []) {
      const own = releases.of(target).map(({ release }) => ({ item: objectId(target), release }));
      all.push(...own);
      texts.push(...(await textsOf(code, `${name} ${objectText(target)}`, target, own)));
      if (code === "idle-value") useless.push(...idleIn(target));
    }
  }
  return { texts, useless: code === "idle-value" ? useless : await unreadIn(all) };
}

/** Of a key that no chart reads only what the chart makes stays the same, where that is known. */
async function textsOf(
  code: FixCode,
  title: string,
  { stacks }: ExplainedTarget,
  releases: readonly VerifiedRelease[],
): Promise<readonly string[]> {
  const texts: string[] = [];
  let isMade = releases.length > 0;
  for (const { release } of releases) {
    const { answer } = await rendered(release, { ask: "render" });
    isMade &&= answer !== undefined;
    for (const [file, bytes] of answer?.files ?? [])
      texts.push(`${file}\n${Buffer.from(bytes).toString("latin1")}`);
    if (code === "idle-value") texts.push(Buffer.from(givenValues(release.given).bytes).toString("latin1"));
  }
  const values = stacks.map((stack) => stack.values.map(({ path, text }) => [path, text]));
  if (!isMade || code === "idle-value") texts.push(JSON.stringify(values));
  return [title, ...texts];
}

function uselessAt(at: Omit<Place, "of"> | undefined, path: readonly string[], length: number): Useless[] {
  if (at?.file === undefined || at.line === undefined || at.column === undefined) return [];
  return [{ file: at.file, line: at.line, column: at.column, path, length }];
}

function idleIn({ stacks }: ExplainedTarget): readonly Useless[] {
  return stacks.flatMap((stack) =>
    stack.layers.flatMap(({ id }) => {
      const idle = new Set(idleValues([{ stack, id }], "layer"));
      return stack.values.flatMap(({ by, at, path, over }) => {
        if (!idle.has(pathText(path))) return [];
        const own = [{ by, at }, ...over].find((each) => each.by === id);
        return uselessAt(own?.at, path, path.length);
      });
    }),
  );
}

async function unreadIn(all: readonly VerifiedRelease[]): Promise<readonly Useless[]> {
  const { unread } = await verifiedReleases(all);
  return unread.flatMap(({ finding: { code, at }, path, length }) =>
    code === "unread-key" && at?.isFile === true ? uselessAt({ ...at, file: at.text }, path, length) : [],
  );
}
