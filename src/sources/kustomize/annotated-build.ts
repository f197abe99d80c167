// What kustomize built → the same with annotations for those that read it: where items are from, what they were named, and which
// keys of ConfigMaps have values of Secrets. Elsewhere such values are taken out.
import {
  annotate,
  decodeStream,
  encode,
  type Item,
  Mark,
  metadataOf,
  replaceText,
  type TextEdit,
} from "../../krm/index.ts";
import { hidden } from "../../explain/index.ts";
import { hashless } from "../../object-id.ts";
import type { BuildOrigins } from "./origins.ts";

/**
 * Origins are paths from `from` and not from the folder where it was built; if it is asked for, an item that kustomize renamed has
 * its former name, as a function in the build sees it.
 */
export function withSources(
  bytes: Uint8Array,
  items: readonly Item[],
  {
    shownOrigin,
    origins,
    hasFormerNames,
  }: {
    readonly shownOrigin: (path: string) => string;
    readonly origins: BuildOrigins;
    readonly hasFormerNames: boolean;
  },
): Uint8Array {
  const envelope = decodeStream(bytes);
  if (!("items" in envelope)) return bytes;
  const edits = items.flatMap((item): TextEdit[] => {
    const metadata = metadataOf(item);
    const annotations = metadata && metadata.get("annotations");
    const node = annotations && annotations.get(Mark.origin);
    const origin =
      node === undefined || !node.isScalar ? [] : [replaceText(node, originFrom(node.text, shownOrigin))];
    const own = [...origin, ...origins.hiddenIn(item).map((each) => replaceText(each, hidden))];
    const former = hasFormerNames && node !== undefined ? origins.documentOf(item)?.name : undefined;
    const taken = origins.takenKeys(item);
    const more = {
      ...(former === undefined ? {} : marksOf(item, former)),
      ...(taken.length === 0 ? {} : { [Mark.fromSecret]: JSON.stringify(taken) }),
    };
    const all = Object.keys(more).length === 0 ? own : [...own, ...annotate(item, more)];
    item.release();
    return all;
  });
  return Buffer.concat(encode({ ...envelope, items }, edits, []));
}

/** What is fetched has paths of its own repository. */
function originFrom(origin: string, shown: (path: string) => string): string {
  if (/^repo: /m.test(origin)) return origin;
  return origin.replace(
    /^(path|configuredIn): (.+)$/m,
    (_, field: string, path: string) => `${field}: ${shown(path)}`,
  );
}

/** What kustomize annotates for functions, and removes from its output. It only adds to names. */
function marksOf(item: Item, former: string): Readonly<Record<string, string>> {
  const { name, namespace = "default" } = item;
  const at = name.indexOf(former);
  if (former === "" || former === name || at < 0) return {};
  return {
    [Mark.previousNames]: former,
    [Mark.previousNamespaces]: namespace,
    [Mark.prefixes]: name.slice(0, at),
    [Mark.suffixes]: hashless(name.slice(at + former.length)),
    [Mark.kustomizeId]: "1",
  };
}
