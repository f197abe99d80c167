// The stacks that a source found, as settings judge them.
import type { Place } from "../explanation.ts";
import { filePriority } from "../kinds.ts";
import { objectText } from "../object-id.ts";
import { type Named, refOf } from "../krm/index.ts";
import type { JudgedDocument, JudgedTarget } from "../layers/index.ts";
import type { Settings } from "../settings/index.ts";
import type { Node } from "../yaml/index.ts";
import { type NamedLayer, positionOf, type StackDocument } from "./document.ts";
import type { SourceTarget } from "./source-target.ts";
import { isOfFiles, titleOf } from "./titles.ts";

/** How selectors see a target that is no item. */
export function namedOf({ kind, name, namespace }: Omit<SourceTarget, "stacks">): Named {
  return { apiVersion: "", kind, name, namespace, annotations: new Map() };
}

/** Each stack is judged by itself: no consumer merges it with another. */
export function judgedStacks(targets: readonly SourceTarget[], settings: Settings): readonly JudgedTarget[] {
  const { merge, protect, schemas } = settings;
  if ((merge ?? protect ?? schemas) === undefined) return [];
  return targets.flatMap((each) => {
    const target = namedOf(each);
    const about = { target, title: titleOf(each), ...(isOfFiles(each) ? {} : { item: refOf(target) }) };
    const at = each.at === undefined ? { text: about.title } : positionOf(each.at);
    return each.stacks.map(({ documents, given = documents, rules }): JudgedTarget => ({
      ...about,
      at,
      stacks: [
        {
          documents: given.map((document) => judged(document, target)),
          below: given === documents ? [] : documents.map((document) => judged(document, target)),
          rules,
        },
      ],
    }));
  });
}

function judged(document: StackDocument, target: Named): JudgedDocument {
  const { root, isSecret, facts } = document;
  const placeOf = (entry: Node): Place | undefined =>
    isSecret ? undefined : (document.placeOfEntry?.(entry) ?? document.placeOf(entry, []));
  return {
    ...(root !== undefined && { root }),
    ...(root === undefined && unknownBy[facts.state]),
    isSecret,
    ...(isOwn(facts) && { item: refOf(target) }),
    ...ownerOf(facts, target),
    positionAt: (entry) => {
      const at = (entry && placeOf(entry)) ?? document.at();
      return at === undefined ? { text: facts.name ?? objectText(target) } : positionOf(at);
    },
  };
}

/** A document without values may set values that are not known. */
const unknownBy: { readonly [state in NamedLayer["state"]]?: Pick<JudgedDocument, "unknown"> } = {
  late: { unknown: "late-bound" },
  unseen: { unknown: "late-bound" },
  sealed: { unknown: "sealed-file" },
  unreadable: { unknown: "unreadable" },
};

function isOwn({ why }: NamedLayer): boolean {
  return why === "own" || why === "patch" || why === "parameter";
}

/** The target's own values have its name. A chart's defaults have no owner: any layer may change them. */
function ownerOf(facts: NamedLayer, target: Named): Pick<JudgedDocument, "owner"> {
  const { why, kind, name, namespace, slot } = facts;
  if (why === "chart") return {};
  if (isOwn(facts)) return { owner: { ...refOf(target), namespace: target.namespace, priority: Infinity } };
  return {
    owner: {
      ...(kind !== undefined && { kind }),
      name: name ?? slot ?? why,
      namespace,
      priority: filePriority,
    },
  };
}
