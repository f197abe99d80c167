// Keys that edits add, and that no chart reads: what was there before is not reported.
import type { Diagnostic } from "../../diagnostic.ts";
import type { Edit } from "../../difference.ts";
import { positionOf } from "../../explain/index.ts";
import { objectId, objectText } from "../../object-id.ts";
import type { ExplainedSide } from "./releases.ts";
import { valueId } from "./unread-keys.ts";
import { verifiedReleases } from "./verified.ts";

/** @param side the newer of two */
export async function unreadEdits(
  edits: readonly Edit[],
  { explanation, releases }: ExplainedSide,
): Promise<{ readonly found: readonly Diagnostic[]; readonly isCut: boolean }> {
  const added = edits.filter(({ what, was, secret }) => what === "value" && was === undefined && !secret);
  const only = new Set(added.map(({ at, path = [] }) => valueId(at && positionOf(at), path)));
  const changed = new Set(added.flatMap(({ effects }) => effects.map(({ target }) => target)));
  const targets = (explanation?.targets ?? []).filter((target) => changed.has(objectText(target)));
  const all = targets.flatMap((target) =>
    releases.of(target).map(({ release }) => ({ item: objectId(target), release })),
  );
  const { unread, isCut } = await verifiedReleases(all, only);
  const found = unread.map(({ finding }): Diagnostic => ({ ...finding, severity: "warning" }));
  return { found, isCut };
}
