// A Repeat runs once: its clones take its place. Where the output is the next input, that would use up the source, so a Repeat
// must say that it is meant. What remains of Repeats that ran there in earlier versions is refused: no run finds clones again.
import { type Context, isRepeat } from "../core/index.ts";
import { isFromKpt, isNode, type Item, Mark } from "../krm/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { objectText } from "../object-id.ts";
import { readCloneOrigin } from "./clone-origin.ts";
import { faultOf } from "./faults.ts";

/** Faults of Repeats that may not run here, and of what earlier versions left on items. */
export function repeatsInPlace(
  items: readonly Item[],
  { replacesInput }: Pick<Context, "replacesInput">,
): readonly Diagnostic[] {
  const left = recordsIn(items);
  const repeats = items.filter(isRepeat);
  if (left.length > 0 || repeats.length === 0) return left;
  return replacesInput || items.some(isFromKpt) ? repeats.filter((each) => !isOnce(each)).map(usedUp) : [];
}

/** For `verify`: Repeats that did not run, and records of those that ran in place. */
export function repeatsLeft(items: readonly Item[]): readonly Diagnostic[] {
  return [...recordsIn(items), ...items.filter(isRepeat).map(notRepeated)];
}

function isOnce(repeat: Item): boolean {
  const root = repeat.read();
  const spec = isNode(root) ? root.get("spec") : undefined;
  return spec !== undefined && spec.textAt("once") === "true";
}

function usedUp(repeat: Item): Diagnostic {
  const message = `\`${objectText(repeat)}\` would be used up: the output is the next input`;
  const hint =
    "run it where the input stays (a stream, kustomize), or write `once: true` into its spec: then its clones take its place";
  return faultOf("repeat-in-place", repeat, message, hint);
}

function notRepeated(repeat: Item): Diagnostic {
  const message = `\`${objectText(repeat)}\` was not repeated`;
  const hint = "run the function: kustomize skips it silently without `--enable-exec`";
  return faultOf("repeat-left", repeat, message, hint);
}

/** Without a Repeat a clone is an item like any other. */
function recordsIn(items: readonly Item[]): readonly Diagnostic[] {
  const marked = items.filter((item) => item.annotations.size > 0 && recordOf(item) !== undefined);
  const hasRepeat = marked.length > 0 && items.some(isRepeat);
  return marked.flatMap((item) => {
    const record = recordOf(item);
    if (record === undefined || (record === records.clone && !hasRepeat)) return [];
    const message = `\`${objectText(item)}\` ${record.what} in place`;
    return [faultOf("repeat-in-place", item, message, record.cure)];
  });
}

const records = {
  template: {
    what: "is a template that an earlier version kept",
    cure: "delete it, and its Repeat: the clones stay, as items like any other",
  },
  lists: {
    what: "holds list elements that an earlier version cloned",
    cure: `take the annotation \`${Mark.repeatedLists}\` off, and delete the Repeat: the elements stay`,
  },
  clone: {
    what: "is a clone that an earlier version made",
    cure: "delete the Repeat, and the clone stays; or delete the clone",
  },
} as const;

function recordOf(item: Item): (typeof records)[keyof typeof records] | undefined {
  if (item.annotations.has(Mark.templateOf)) return records.template;
  if (item.annotations.has(Mark.repeatedLists)) return records.lists;
  if (!item.annotations.has(Mark.repeatedFrom)) return undefined;
  return readCloneOrigin(item)?.made === undefined ? undefined : records.clone;
}
