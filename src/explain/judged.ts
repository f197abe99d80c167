// The stacks that a source found, as settings judge them.
import { formatItem } from "../diagnostic.ts";
import type { ExplainedLayer } from "../explanation.ts";
import { helmReleaseKind } from "../kinds.ts";
import type { Named } from "../krm/index.ts";
import type { JudgedDocument, JudgedTarget, LayerOwner } from "../layers/index.ts";
import type { Settings } from "../settings/index.ts";
import type { StackDocument } from "./document.ts";
import { positionOf, type SourceTarget } from "./source-target.ts";
import { isOfFiles, titleOf } from "./titles.ts";

/** How selectors see a target that is no item. */
export function namedOf({ kind, name, namespace }: Omit<SourceTarget, "stacks">): Named {
  return { apiVersion: "", kind, name, namespace, annotations: new Map() };
}

/** Each stack by itself: a consumer merges none with another. */
export function judgedStacks(targets: readonly SourceTarget[], settings: Settings): readonly JudgedTarget[] {
  const { merge, protect, schemas } = settings;
  if ((merge ?? protect ?? schemas) === undefined) return [];
  return targets.flatMap((each) => {
    const target = namedOf(each);
    const { kind, name, namespace, at } = each;
    const item = { kind, name, ...(namespace === undefined ? {} : { namespace }) };
    const title = titleOf(each);
    const about = isOfFiles(each) ? { target, title } : { target, title, item };
    const place = at === undefined ? { text: title } : positionOf(at);
    return each.stacks.map(({ documents, rules }): JudgedTarget => ({
      ...about,
      at: place,
      stacks: [{ documents: documents.map((document) => judged(document, target)), rules }],
    }));
  });
}

function judged(document: StackDocument, target: Named): JudgedDocument {
  const { root, isSecret } = document;
  const layer = document.layer("", { sets: 0, overridden: 0 });
  const owner = ownerOf(layer, target);
  const unknown = layer.state === "late" || layer.state === "unseen" ? "late-bound" : layer.state;
  const whole = (): ReturnType<JudgedDocument["positionAt"]> => {
    const at = document.at() ?? layer.at;
    return at === undefined ? { text: layer.name ?? formatItem(target) } : positionOf(at);
  };
  return {
    ...(root === undefined ? { ...(isUnread(layer) && { unknown }) } : { root }),
    isSecret,
    ...(owner && { owner }),
    positionAt: (entry) => {
      const at =
        isSecret || entry === undefined
          ? undefined
          : (document.placeOfEntry?.(entry) ?? document.placeOf(entry, []));
      return at === undefined ? whole() : positionOf(at);
    },
  };
}

function isUnread({ state }: ExplainedLayer): boolean {
  return state !== "folded" && state !== "apart";
}

/** The target's own values have its name. A chart's defaults have no owner: any layer may change them. */
function ownerOf(
  { why, kind, name, namespace, slot }: ExplainedLayer,
  target: Named,
): LayerOwner | undefined {
  if (why === "chart") return undefined;
  if (why === "own" || why === "parameter")
    return { kind: target.kind, name: target.name, namespace: target.namespace, priority: Infinity };
  const { listPriority: priority } = helmReleaseKind.references;
  return { ...(kind !== undefined && { kind }), name: name ?? slot ?? why, namespace, priority };
}
