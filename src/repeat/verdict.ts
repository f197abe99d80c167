// Whether a clone that is there stays, is made again, or was edited by somebody.
import { describe, type Item } from "../wire/item.ts";
import type { Made, Making } from "./clone.ts";
import { type Clone, contentNow, isFromKustomize } from "./clones.ts";
import type { Content } from "./content.ts";
import type { Decision } from "./decision.ts";
import { isTold, type Told, told } from "./faults.ts";
import { whereIs } from "./model.ts";
import { inOverlay } from "./overlay.ts";
import { wantedFields } from "./setting.ts";
import type { Wanted } from "./wanted.ts";

export interface Case {
  readonly wanted: Wanted;
  readonly making: Making;
  readonly made: Made;
  readonly from: string;
  readonly named: Decision["named"];
  readonly key: string;
  readonly present: Clone | undefined;
  readonly part?: "values";
  /** True where it is made again, though it is as it should be. */
  readonly isForced?: boolean;
}

type Verdict = "edited" | "same" | "record" | "fields" | "anew";

/** Where the output becomes the next input, a user may have edited what is there. */
export function verdictOf({ present, from }: Case, content: Content): Verdict {
  if (present === undefined) return "anew";
  const { record, item } = present;
  const now = contentNow(item);
  if (now?.own !== record.own && now?.own !== content.own) return "edited";
  if (content.whole === record.made && now?.own === record.own && from === record.from) return "same";
  return now?.whole === content.whole ? "record" : content.whole === record.made ? "record" : "anew";
}

/** A layer's template is the instance itself. */
export function verdictInKustomize({ present, made, making, wanted, from, part }: Case): Verdict | Told {
  if (present === undefined) return "anew";
  if (part !== undefined) return present.record.from === from ? "same" : "anew";
  const fields = wantedFields(wanted.entry, wanted.scope, present.item.kind);
  return isTold(fields)
    ? fields
    : inOverlay(present.item, making.template, made.root, fields, present.record);
}

/** A clone that is to go, and that somebody edited. */
export function editedAndGone({ item, record }: Clone, repeat: Item): Told | undefined {
  if (isFromKustomize(item) || contentNow(item)?.own === record.own) return undefined;
  return told(
    "repeat-edited",
    { repeat, field: "spec" },
    `\`${describe(item)}\` was edited since it was made for instance \`${record.instance}\`, for which it is made no more`,
    "delete it; or take the annotation `valuefold.dev/repeated-from` off, and it is yours",
    [item],
  );
}

export function edited({ present, wanted: { entry, scope }, key }: Case): Told {
  const name = present === undefined ? key : describe(present.item);
  if (present !== undefined && isFromKustomize(present.item))
    return told(
      "repeat-edited",
      whereIs(entry),
      `the overlay changes both \`${name}\`, made for instance \`${scope.instance.name}\`, and its template or instance`,
      "change the clone in an overlay above, or by its instance",
      [present.item],
    );
  return told(
    "repeat-edited",
    whereIs(entry),
    `\`${name}\` was edited since it was made for instance \`${scope.instance.name}\``,
    "make the change in the template, in the instance or with `set`, and delete the clone: it is made again; or take the annotation `valuefold.dev/repeated-from` off the clone and its instance out, and it is yours",
    present === undefined ? [] : [present.item],
  );
}
