// The order of an App's layers, written naively from the six steps of the multi-layer proposal. Shares no
// code with the program.
import type { AppCase, LayerKind, LayerObject } from "./generate-app.ts";

export interface Placed {
  readonly label: string;
  readonly object: LayerObject | undefined;
  readonly priority: number;
  readonly why: "layer" | "late-bound" | "sealed" | "broken" | "unseen" | "reserved";
  readonly from: "slot" | "list" | "annotation" | "platform";
}

/** Layers of one kind, lowest first, the catalog left out. */
export function naiveOrder(one: AppCase, kind: LayerKind): Placed[] {
  return [
    ...band(one, kind, 0, 50),
    ...slot(one.config, kind, 50, false),
    ...unseen(one, kind, 50),
    ...band(one, kind, 50, 100),
    ...slot(one.userConfig, kind, 100, one.catalog === "default"),
    ...unseen(one, kind, 100),
    ...band(one, kind, 100, 150),
  ];
}

/** Entries with above < priority <= upTo, ascending; list entries before annotated ones before the platform's. */
function band(one: AppCase, kind: LayerKind, above: number, upTo: number): Placed[] {
  const placed: Placed[] = [];
  for (let priority = above + 1; priority <= upTo; priority++) {
    for (const extra of one.extras) {
      if (extra.object.kind === kind && (extra.priority ?? 25) === priority)
        placed.push(place(extra.object, priority, "list"));
    }
    for (const object of one.annotated) {
      const own = object.annotated === "default" ? 25 : object.annotated;
      if (object.kind === kind && own === priority) placed.push(place(object, priority, "annotation"));
    }
    if (priority !== 50 && priority !== 100) placed.push(...unseen(one, kind, priority));
  }
  return placed;
}

function slot(
  objects: readonly LayerObject[],
  kind: LayerKind,
  priority: number,
  reserved: boolean,
): Placed[] {
  return objects
    .filter((object) => object.kind === kind)
    .map((object) =>
      reserved
        ? { ...place(object, priority, "slot"), why: "reserved" as const }
        : place(object, priority, "slot"),
    );
}

function unseen(one: AppCase, kind: LayerKind, priority: number): Placed[] {
  if (!one.unseen.includes(priority)) return [];
  if (priority === 1 && one.inCluster) return [];
  if (priority === 100 && one.userConfig.some((object) => object.kind === kind)) return [];
  return [{ label: `unseen ${priority}`, object: undefined, priority, why: "unseen", from: "platform" }];
}

function place(object: LayerObject, priority: number, from: Placed["from"]): Placed {
  const why = object.state === "present" ? "layer" : object.state === "missing" ? "late-bound" : object.state;
  return { label: object.name, object, priority, why, from };
}
