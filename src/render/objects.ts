// What was composed → ConfigMaps and Secrets: names, labels, annotations. Both are there for every instance, even if empty,
// so that every pod that mounts them finds them.
import type { Diagnostic } from "../diagnostic.ts";
import { objectText } from "../object-id.ts";
import { Mark, type NewItem, withSeal } from "../krm/index.ts";
import { maxDataBytes, withText } from "../layers/index.ts";
import type { Composed } from "./compose.ts";
import type { RenderInstance } from "./instances.ts";
import { type SealedSecret, sealRecord } from "./kept-seal.ts";
import { nameOf, ownerLabels } from "./naming.ts";
import { ownerText } from "./kinds.ts";
import type { LayerPartKind } from "./schema.ts";
import { errorAt, warningAt } from "./faults.ts";

export interface RenderedObject {
  readonly instance: RenderInstance;
  readonly item: NewItem;
}

export function objectOf(
  instance: RenderInstance,
  part: LayerPartKind,
  { text, record }: Composed,
  sealed?: SealedSecret,
): RenderedObject {
  const { owner, destination } = instance.render;
  const kind = part === "secret" ? "Secret" : "ConfigMap";
  const own = new Map([
    ...Object.entries(destination.annotations).map(
      ([key, value]) => [key, value.replaceAll("{name}", instance.name)] as const,
    ),
    [Mark.renderedFrom, sealed === undefined ? record : withSeal(record, sealRecord(sealed))] as const,
  ]);
  const item = {
    kind,
    name: nameOf(instance),
    namespace: destination.namespace,
    labels: new Map([...Object.entries(destination.labels), ...ownerLabels(owner)]),
    annotations: own,
    dataKey: destination.keys[part],
    unencoded: false,
    ...(sealed === undefined ? {} : { sops: sealed.sops }),
  } as const;
  return { instance, item: withText(item, sealed?.text ?? text) };
}

/** Objects that two instances would both write. */
export function conflictsAmong(objects: readonly RenderedObject[]): Diagnostic[] {
  const known = new Map<string, RenderedObject>();
  return objects.flatMap((object) => {
    const id = objectText(object.item);
    const other = known.get(id);
    known.set(id, other ?? object);
    return other === undefined ? [] : [conflict(id, object.instance, instanceText(other.instance))];
  });
}

/** The API server would refuse it; a client that reads streams may still split it. */
export function tooLargeAmong(objects: readonly RenderedObject[]): Diagnostic[] {
  return objects
    .filter(({ item }) => item.text.length > maxDataBytes)
    .map(({ item, instance }) =>
      warningAt(
        "fold-too-large",
        `instance ${instance.name}`,
        `\`${objectText(item)}\` holds more than 1 MiB, and the API server takes no more`,
        "make the layers smaller",
      ),
    );
}

function instanceText({ name, render }: RenderInstance): string {
  return `instance \`${name}\` of \`${ownerText(render.owner)}\``;
}

/** @param holder the owner that has the object already */
export function conflict(id: string, instance: RenderInstance, holder: string): Diagnostic {
  return errorAt(
    "owner-conflict",
    `instance ${instance.name}`,
    `\`${id}\` is rendered for ${instanceText(instance)}, and exists already for ${holder}`,
    "give them other names: rename one, or change `spec.destination`",
  );
}
