// The Catalog's own values are below every App of the catalog. They are known only if the Catalog that
// app-operator would pick, and the object it names, are in the list; they are never part of a run. If only the second of the
// Catalogs that it may pick is in the list, the cluster may have the first.
import { exemptionOf, type LayerKind, type Stack } from "../../../layers/index.ts";
import { isNode, type Item } from "../../../krm/index.ts";
import type { Node } from "../../../yaml/index.ts";
import type { Surroundings } from "../front-end.ts";
import { objectText } from "../../../object-id.ts";

/** Where app-operator looks for a Catalog if the App names no namespace: the first that has one. */
const usualNamespaces = ["default", "giantswarm"];
const catalogPriority = 0;

/** The layers below the stack of an App. */
export function catalogBelow(
  kind: LayerKind,
  spec: Node,
  around: Surroundings,
): Pick<Stack, "below" | "likely"> {
  const unseen = around.settings.app.unseen.includes(catalogPriority) ? "unknown" : [];
  const wanted = spec.textAt("catalog") ?? "";
  const named = spec.textAt("catalogNamespace");
  const namespaces = named ? [named] : usualNamespaces;
  const [first] = namespaces;
  for (const namespace of namespaces) {
    const catalog = catalogIn(namespace, wanted, around);
    const below = catalog === undefined ? undefined : layersOf(catalog, kind, around);
    if (below === undefined) continue;
    if (namespace === first) return { below };
    const unless = objectText({ kind: "Catalog", name: wanted, namespace: first });
    return below === "unknown" ? { below } : { below: "unknown", likely: { layers: below, unless } };
  }
  return { below: unseen };
}

function catalogIn(namespace: string, name: string, { names }: Surroundings): Item | undefined {
  return names
    .named("Catalog", name)
    .find((item) => isCatalog(item) && item.name === name && item.namespace === namespace);
}

/** The values that a Catalog binds; undefined for one that cannot be read. */
function layersOf(catalog: Item, kind: LayerKind, around: Surroundings): Stack["below"] | undefined {
  const root = catalog.read();
  if (!isNode(root)) return undefined;
  const config = path(root, ["spec", "config", kind === "Secret" ? "secret" : "configMap"]);
  const name = config?.textAt("name");
  if (config === undefined || !name) return [];
  const found = around.names.find({ kind, name, namespace: config.textAt("namespace") }, catalog);
  const [item, ...others] = found;
  if (item === undefined || others.length > 0 || exemptionOf(item) !== undefined) return "unknown";
  const reference = {
    kind,
    name,
    namespace: undefined,
    slot: "catalog",
    index: undefined,
    priority: catalogPriority,
    node: config,
  };
  const layer = { item, priority: catalogPriority, key: undefined, reference };
  return around.isReadable(layer) ? [layer] : "unknown";
}

function isCatalog(item: Item): boolean {
  return item.kind === "Catalog" && item.apiVersion.startsWith("application.giantswarm.io/");
}

function path(node: Node, keys: readonly string[]): Node | undefined {
  return keys.reduce<Node | undefined>((at, key) => at?.get(key), node);
}
