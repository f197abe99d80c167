// A Repeat without `clone`: the items of its KOTS Config say themselves what is cloned for each of their values.
//
//     templates: [{ apiVersion: v1, kind: Service, name: proxy, yamlPath: "spec.ports[0]" }]
import type { Item } from "../krm/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { declaredEntry } from "./entries.ts";
import { attempt, refusal } from "./faults.ts";
import { enough, kotsSource, type Sources } from "./instances.ts";
import { fromConfig, itemsOf } from "./kots.ts";
import type { Repeat } from "./model.ts";
import type { SpecOfRepeat } from "./schema.ts";

/** One Repeat for each item of the Config that has templates. */
export function declaredRepeats(
  repeat: Item,
  { plain: { from, minimumCount = 0 } }: SpecOfRepeat,
  sources: Sources,
  faults: Diagnostic[],
): readonly Repeat[] {
  if (from === undefined) return [];
  const { item: wanted, group } = from;
  const where = { repeat, field: "spec.from" };
  const { config, root } = kotsSource(repeat, from, sources.names);
  if (wanted !== undefined || group !== undefined) fromConfig(root, from, where);
  const found = itemsOf(root).filter(
    (each) =>
      each.node.list("templates").length > 0 &&
      (wanted === undefined ? each.group === (group ?? each.group) : each.name === wanted),
  );
  if (found.length === 0) {
    const message = `${wanted === undefined ? "no item has" : `item \`${wanted}\` has no`} \`templates\``;
    throw refusal(where, message, "write what is cloned for each instance: `clone: […]`", [config]);
  }
  return found.flatMap(({ node, name, field }) => {
    const only = wanted === undefined ? { item: name } : from;
    const instances = attempt(faults, () => enough(fromConfig(root, only, where), minimumCount, where));
    const declared = { config, name };
    const entries = node.list("templates").flatMap((template, index) => {
      const place = { repeat, declared, field: `${field}.templates[${index}]` };
      return attempt(faults, () => declaredEntry(template.value, place)) ?? [];
    });
    return instances === undefined ? [] : [{ item: repeat, entries, instances }];
  });
}
