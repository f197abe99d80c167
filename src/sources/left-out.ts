// What an input was built without, added to what is reported about it: "no value changes" is never said of what was not
// compared.
import type { Explained } from "../explain/index.ts";
import { Exit, type Outcome } from "../report/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { objectText } from "../object-id.ts";
import type { Input } from "./entry.ts";
import { dependenciesField, notBuilt } from "./not-built.ts";
import { itemsIn, linesOf } from "./items.ts";
import { type ExplainedSide, loneReleases } from "./rendered/releases.ts";

/** @param isWhole true if all targets of the input are explained */
export function withLeftOut(explained: Explained, input: Input, isWhole: boolean): Explained {
  const { explanation, outcome } = explained;
  const unread = isWhole && explanation !== undefined ? unreadRenders(input, explanation) : [];
  const all = [...(input.unbuilt ?? []), ...unread];
  if (all.length === 0) return explained;
  const isBroken = all.some(({ severity }) => severity === "error");
  const exitCode = isBroken && outcome.exitCode === Exit.ok ? Exit.faults : outcome.exitCode;
  return { explanation, outcome: { ...outcome, exitCode, diagnostics: [...all, ...outcome.diagnostics] } };
}

/** Renders of which no target here reads an object: what they change cannot be seen. */
function unreadRenders(
  { rendered = [] }: Input,
  { targets }: NonNullable<Explained["explanation"]>,
): Diagnostic[] {
  const layers = targets.flatMap(({ stacks }) => stacks.flatMap((stack) => stack.layers));
  const read = new Set(
    layers.flatMap(({ kind, name, namespace }) =>
      kind === undefined || name === undefined ? [] : objectText({ kind, name, namespace }),
    ),
  );
  const unread = rendered.filter(
    ({ objects }) => objects.length > 0 && !objects.some((each) => read.has(each)),
  );
  return unread.map(({ item, file, objects: [first = ""] }) =>
    notBuilt({
      item,
      message: `no target here reads what \`${objectText(item)}\` renders, such as \`${first}\``,
      at: { text: file, isFile: true },
      hint: "name the manifests of its apps, too",
    }),
  );
}

/** A side of `diff`. */
interface ComparedInput extends ExplainedSide {
  readonly input: Input | undefined;
}

/**
 * What is not read of two sides that differ: the charts that a target has on one of them only, and objects whose values are not read,
 * as those of a slot that the platform fills.
 */
export function changedUnread(before: ComparedInput, after: ComparedInput): readonly string[] {
  return [...changedObjects(before, after), ...loneReleases(before, after)];
}

function changedObjects(before: ComparedInput, after: ComparedInput): readonly string[] {
  const ids = new Set([before, after].flatMap(unreadLayersIn));
  if (ids.size === 0) return [];
  const [old, now] = [before, after].map(({ input }) => textsOf(ids, input));
  return [...ids].filter((id) => old?.get(id) !== now?.get(id));
}

function unreadLayersIn({ explanation }: ComparedInput): readonly string[] {
  const layers = (explanation?.targets ?? []).flatMap(({ stacks }) => stacks.flatMap((each) => each.layers));
  return layers.flatMap(({ kind, name, namespace, state, sets }) =>
    state !== "apart" || sets !== undefined || kind === undefined || name === undefined
      ? []
      : objectText({ kind, name, namespace }),
  );
}

function textsOf(ids: ReadonlySet<string>, input: Input | undefined): ReadonlyMap<string, string> {
  const items = input === undefined ? [] : itemsIn(input.input);
  const wanted = items.map((item) => [objectText(item), item] as const).filter(([id]) => ids.has(id));
  return new Map(wanted.map(([id, item]) => [id, linesOf(item).toString("latin1")]));
}

/** What was not built of an input, and may have what is asked for. */
export function unbuiltIn(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.filter(({ code, severity }) => code === "not-built" && severity !== "info");
}

/** True for a selector in settings that matches nothing. */
export function isUnmatched({ code, field, item }: Diagnostic): boolean {
  return code === "unmatched-selector" && item === undefined && field?.startsWith("spec.") === true;
}

/** What is missing in a comparison, by names. */
export function missingIn(diagnostics: readonly Diagnostic[]): readonly string[] {
  return unbuiltIn(diagnostics).map(nameOf);
}

/** True if one side was built without something that the other one has: that may hold more targets. */
export function lacksMore(own: Outcome | undefined, other: Outcome | undefined): boolean {
  const known = new Set(
    unbuiltIn(other?.diagnostics ?? []).flatMap((each) => [nameOf(each), ...dependenciesIn(each)]),
  );
  return unbuiltIn(own?.diagnostics ?? []).some((each) => {
    const names = dependenciesIn(each);
    // A chart that another one depends on is the same, whichever depends on it.
    return !known.has(nameOf(each)) && (names.length === 0 || names.some((name) => !known.has(name)));
  });
}

function dependenciesIn({ field, message }: Diagnostic): readonly string[] {
  return field === dependenciesField ? message.replace(/^.*: /, "").split(", ") : [];
}

function nameOf({ item, at, message }: Diagnostic): string {
  return item === undefined ? (at?.text ?? message) : objectText(item);
}
