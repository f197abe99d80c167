// A Repeat without `clone`: the items of its KOTS Config say themselves what is cloned for each of their values.
//
//     templates: [{ apiVersion: v1, kind: Service, name: proxy, yamlPath: "spec.ports[0]" }]
import {
  childOf,
  isFault,
  type Item,
  listAt,
  type Node,
  readDocument,
  textAt,
  valueOf,
} from "../core/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { attempt, refusal } from "./faults.ts";
import { enough, kotsSource, type Sources } from "./instances.ts";
import { fromConfig } from "./kots.ts";
import type { Entry, Pattern, Repeat } from "./model.ts";
import { listEntry } from "./list-entry.ts";
import type { Spec } from "./schema.ts";

/** One Repeat for each item of the Config that has templates. */
export function declaredRepeats(
  repeat: Item,
  { plain: { from, minimumCount = 0 } }: Spec,
  sources: Sources,
  faults: Diagnostic[],
): readonly Repeat[] {
  if (from === undefined) return [];
  const { item: wanted, group } = from;
  const where = { repeat, field: "spec.from" };
  const { config, root } = kotsSource(repeat, from, sources.names);
  if (wanted !== undefined || group !== undefined) fromConfig(root, from, where);
  const found = declarationsIn(root).filter(
    ({ item, inGroup }) =>
      item === (wanted ?? item) && (wanted !== undefined || inGroup === (group ?? inGroup)),
  );
  if (found.length === 0) {
    const message = `${wanted === undefined ? "no item has" : `item \`${wanted}\` has no`} \`templates\``;
    throw refusal(where, message, "write what is cloned for each instance: `clone: […]`", [config]);
  }
  return found.flatMap(({ item, templates, field }) => {
    const only = wanted === undefined ? { item } : from;
    const instances = attempt(faults, () => enough(fromConfig(root, only, where), minimumCount, where));
    const declared = { config, name: item };
    const entries = templates.flatMap((template, index) => {
      const place = { repeat, declared, field: `${field}[${index}]` };
      return attempt(faults, () => entryOf(valueOf(template), place)) ?? [];
    });
    return instances === undefined ? [] : [{ item: repeat, entries, instances }];
  });
}

interface Declaration {
  readonly item: string;
  readonly inGroup: string;
  readonly templates: readonly Node[];
  /** Path of its templates. */
  readonly field: string;
}

function declarationsIn(root: Node): readonly Declaration[] {
  const spec = childOf(root, "spec");
  const groups = spec === undefined ? [] : listAt(spec, "groups").map(valueOf);
  return groups.flatMap((group, at) =>
    listAt(group, "items").flatMap((node, index): Declaration[] => {
      const templates = listAt(valueOf(node), "templates");
      const item = textAt(valueOf(node), "name") ?? "";
      const field = `spec.groups[${at}].items[${index}].templates`;
      return templates.length === 0 ? [] : [{ item, inGroup: textAt(group, "name") ?? "", templates, field }];
    }),
  );
}

function entryOf(template: Node, place: Required<Pick<Entry, "repeat" | "declared" | "field">>): Entry {
  const text = (key: string): string | undefined => textAt(template, key) || undefined;
  const where = { repeat: place.declared.config, field: place.field };
  const [kind, name, path] = [text("kind"), text("name"), text("yamlPath")];
  if (kind === undefined || name === undefined)
    throw refusal(
      where,
      "expected `kind` and `name`",
      "write the kind and the name of the item that is cloned",
    );
  const common = {
    ...place,
    kind,
    name,
    apiVersion: text("apiVersion"),
    namespace: text("namespace"),
    each: undefined,
    sets: [],
  };
  if (path !== undefined) return listEntry(common, path, { ...where, field: `${place.field}.yamlPath` });
  return { ...common, as: byKey(`${place.field}.name`), values: undefined };
}

/** KOTS names a clone by the key of its value. */
function byKey(field: string): Pattern {
  const doc = readDocument(Buffer.from('"{name}"', "utf8"));
  if (isFault(doc)) throw new Error("a pattern of our own cannot be read");
  return { node: { doc, row: 0 }, field };
}
