// What becomes of Repeats and templates: they are never applied. Where the output is the next input they stay for it.
import { annotate, metadataOf } from "../wire/annotate.ts";
import { Mark } from "../wire/annotation-names.ts";
import { withoutComments } from "../wire/comments.ts";
import { addEntry, removeEntries } from "../wire/edit.ts";
import type { Edit } from "../wire/envelope.ts";
import { childOf, isNode, type Item } from "../wire/item.ts";
import { removeItems } from "../wire/remove.ts";
import { doubleQuote, quoteReadably } from "../yaml/quote.ts";
import { isFlow } from "../yaml/tape.ts";
import { templateSuffix } from "./notes.ts";
import { isFromKustomize } from "./clones.ts";
import { leavesOf } from "./leaves.ts";
import { told, type Told } from "./faults.ts";
import { isRepeat } from "./is-repeat.ts";
import type { Repeat } from "./model.ts";
import { wasLocal, writeRecord } from "./record.ts";
import type { Round } from "./wanted.ts";

/** Nothing at all would look like a pipe that broke. */
export function nothingLeft(
  templates: ReadonlyMap<Item, Repeat>,
  { envelope, settings, repeats }: Round,
): Told | undefined {
  const [repeat] = repeats;
  const stays = (item: Item): boolean => !isRepeat(item) && !templates.has(item);
  if (repeat === undefined || !isPruned({ envelope, settings }) || envelope.items.some(stays))
    return undefined;
  return told(
    "repeat-count",
    { repeat: repeat.item, field: "spec" },
    "there is no instance, and nothing else is in the stream, so nothing would come out",
    "add an instance, or say `layers: local` to keep the template as local-config",
  );
}

function isPruned({ envelope, settings }: Pick<Round, "envelope" | "settings">): boolean {
  return envelope.form === "stream" && (settings.layers ?? "prune") === "prune";
}

/** Repeats and templates are never applied: a plain stream loses them, elsewhere a later run wants them again. */
export function retired(
  templates: ReadonlyMap<Item, Repeat>,
  { envelope, settings }: Round,
): readonly Edit[] {
  const repeats = envelope.items.filter(isRepeat);
  if (isPruned({ envelope, settings }))
    return removeItems(envelope, new Set([...repeats, ...templates.keys()]));
  const released = envelope.items.filter(
    (item) => item.annotations.has(Mark.templateOf) && !templates.has(item),
  );
  return [
    ...repeats.flatMap((item) => marked(item, [[Mark.localConfig, "true"]])),
    ...[...templates].flatMap(([item, repeat]) =>
      marked(item, [
        [Mark.localConfig, "true"],
        [Mark.templateOf, templateNote(item, repeat)],
        ...suffixesOf(item),
      ]),
    ),
    ...released.flatMap((item) => withoutComments(item, unmarked(item))),
  ];
}

/** kustomize tells items that had one name apart by what was put behind it since. */
function suffixesOf(item: Item): (readonly [key: string, value: string])[] {
  const suffixes = (item.annotations.get(Mark.suffixes) ?? "").split(",").filter((each) => each !== "");
  if (!isFromKustomize(item) || suffixes.includes(templateSuffix)) return [];
  return [[Mark.suffixes, [templateSuffix, ...suffixes].join(",")]];
}

/** An overlay of kustomize must tell what it changes in a template from what it changes in a clone. */
function templateNote(item: Item, { item: { name } }: Repeat): string {
  const root = item.read();
  const isOurs = item.annotations.has(Mark.templateOf) && !wasLocal(item);
  const local = item.annotations.has(Mark.localConfig) && !isOurs ? { local: true } : {};
  if (!isFromKustomize(item) || !isNode(root)) return writeRecord({ repeat: name, ...local });
  return writeRecord({ repeat: name, leaves: Object.fromEntries(leavesOf(root, item.kind)), ...local });
}

/** Annotations that say what an item is from now on. */
function marked(item: Item, marks: readonly (readonly [key: string, value: string])[]): readonly Edit[] {
  const metadata = metadataOf(item);
  if (metadata === undefined) return [];
  const isBare = childOf(metadata, "annotations") === undefined && metadata.doc.targets.size === 0;
  const text = isFlow(metadata) ? doubleQuote : quoteReadably;
  const edits = isBare
    ? [
        addEntry(
          metadata,
          "annotations",
          marks.map(([key, value]) => [key, text(value)] as const),
        ),
      ]
    : marks.flatMap(([key, value]) => (isSaid(item, key) ? [] : annotate(item, key, value)));
  return withoutComments(item, edits);
}

/** A template stays one of the Repeat that named it first, whatever that is called since. */
function isSaid(item: Item, key: string): boolean {
  return key === Mark.templateOf && item.annotations.has(key) && !isFromKustomize(item);
}

/** A template that no Repeat clones any more is an item like any other again. */
function unmarked(item: Item): readonly Edit[] {
  const metadata = metadataOf(item);
  const annotations = metadata === undefined ? undefined : childOf(metadata, "annotations");
  if (metadata === undefined || annotations === undefined || metadata.doc.targets.size > 0) return [];
  const ours = wasLocal(item) ? [Mark.templateOf] : [Mark.localConfig, Mark.templateOf];
  const present = ours.flatMap((key) => childOf(annotations, key) ?? []);
  return removeEntries(present, metadata);
}
