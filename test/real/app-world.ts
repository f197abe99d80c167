// What the cluster computes from a list: annotated layers as references, late-bound ones bound, the
// platform's own layers injected, Flux' variables filled in.
import type { AppCase, LayerKind } from "../support/generate-app.ts";
import { type ClusterObject, lateObjects, substitute } from "../support/app-list.ts";

interface Slot {
  name: string;
  namespace: string;
}

interface AppObject extends ClusterObject {
  readonly spec: {
    catalog: string;
    config?: { [kind: string]: Slot };
    userConfig?: { [kind: string]: Slot };
    extraConfigs?: (Slot & { kind?: string; priority?: number })[];
  };
}

export interface World {
  readonly app: AppObject;
  readonly catalog: object;
  readonly configMaps: readonly ClusterObject[];
  readonly secrets: readonly ClusterObject[];
}

const kinds = ["configMap", "secret"] as const;

/** @param annotatedToo whether annotated layers count as references: in the input, not in the output */
export function worldOf(one: AppCase, items: readonly ClusterObject[], annotatedToo: boolean): World {
  const app = structuredClone(items.find(({ kind }) => kind === "App")) as AppObject;
  const late = lateObjects(one);
  const objects = [
    ...items.filter((item) => isLayer(item) && !late.some((object) => isSame(object, item))),
    ...late,
  ];
  if (annotatedToo) referenceAnnotated(app, items);
  const platform = injectPlatform(app, one);
  const all = [...objects, ...platform.objects].map((object) => substitute(object, one.variables));
  const ofKind = (kind: LayerKind): ClusterObject[] => all.filter((object) => object.kind === kind);
  return { app, catalog: platform.catalog, configMaps: ofKind("ConfigMap"), secrets: ofKind("Secret") };
}

function isLayer({ kind }: ClusterObject): boolean {
  return kind === "ConfigMap" || kind === "Secret";
}

function isSame(a: ClusterObject, b: ClusterObject): boolean {
  return (
    a.kind === b.kind && a.metadata.name === b.metadata.name && a.metadata.namespace === b.metadata.namespace
  );
}

function referenceAnnotated(app: AppObject, items: readonly ClusterObject[]): void {
  app.spec.extraConfigs ??= [];
  for (const { kind, metadata } of items.filter(
    ({ metadata: { annotations } }) => annotations?.["valuefold.dev/into"] !== undefined,
  )) {
    const priority = Number(metadata.annotations?.["valuefold.dev/priority"] ?? 25);
    app.spec.extraConfigs.push({
      kind: camel(kind),
      name: metadata.name,
      namespace: metadata.namespace,
      priority,
    });
  }
}

function injectPlatform(app: AppObject, one: AppCase): { objects: ClusterObject[]; catalog: object } {
  const objects: ClusterObject[] = [];
  const bind = (kind: (typeof kinds)[number], priority: number): Slot => {
    const name = `unseen-${priority}-${kind.toLowerCase()}`;
    const text = one.platform[(priority + kind.length) % one.platform.length] ?? "";
    const metadata = { name, namespace: "platform" };
    objects.push(
      kind === "secret"
        ? { kind: "Secret", metadata, stringData: { values: text } }
        : { kind: "ConfigMap", metadata, data: { values: text } },
    );
    return metadata;
  };
  for (const priority of one.unseen.filter((each) => each > 0 && !(each === 1 && one.inCluster))) {
    for (const kind of kinds) {
      if (priority !== 100) (app.spec.extraConfigs ??= []).push({ kind, ...bind(kind, priority), priority });
      else if (app.spec.userConfig?.[kind] === undefined)
        (app.spec.userConfig ??= {})[kind] = bind(kind, priority);
    }
  }
  return { objects, catalog: catalogOf(app, one, bind) };
}

function catalogOf(
  { spec }: AppObject,
  one: AppCase,
  bind: (kind: (typeof kinds)[number], priority: number) => Slot,
): object {
  const known = spec.catalog === "giantswarm" ? one.catalogLayers : undefined;
  const config =
    known !== undefined
      ? Object.fromEntries(known.map(({ kind, name, namespace }) => [camel(kind), { name, namespace }]))
      : one.unseen.includes(0)
        ? Object.fromEntries(kinds.map((kind) => [kind, bind(kind, 0)]))
        : undefined;
  return { metadata: { name: spec.catalog, namespace: "default" }, spec: { config: config ?? null } };
}

function camel(kind: string): string {
  return kind === "Secret" ? "secret" : "configMap";
}
