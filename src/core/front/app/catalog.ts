// The Catalog's own values are below every App of the catalog. They are known only if the Catalog that
// app-operator would pick, and the object it names, are in the list; they are never part of a run.
import type { LayerKind, Stack } from "../../model.ts";
import { childOf, isNode, type Item, textAt } from "../../wire/item.ts";
import type { Node } from "../../yaml/tape.ts";
import type { Surroundings } from "../front-end.ts";

/** The namespace of a Catalog if the App leaves it out. */
const defaultNamespace = "default";
const catalogPriority = 0;

/** The layers below the stack of an App. */
export function catalogBelow(kind: LayerKind, spec: Node, around: Surroundings): Stack["below"] {
  const { names, settings } = around;
  const unseen = settings.app.unseen.includes(catalogPriority) ? "unknown" : [];
  const wanted = textAt(spec, "catalog") ?? "";
  const namespace = textAt(spec, "catalogNamespace") || defaultNamespace;
  const catalog = names
    .named("Catalog", wanted)
    .find((item) => isCatalog(item) && item.name === wanted && item.namespace === namespace);
  const root = catalog?.read();
  if (catalog === undefined || root === undefined || !isNode(root)) return unseen;
  const config = path(root, ["spec", "config", kind === "Secret" ? "secret" : "configMap"]);
  const name = config === undefined ? undefined : textAt(config, "name");
  if (config === undefined || !name) return [];
  const found = names.find({ kind, name, namespace: textAt(config, "namespace") }, catalog);
  const [item, ...others] = found;
  if (item === undefined || others.length > 0) return "unknown";
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
  return keys.reduce<Node | undefined>((at, key) => (at === undefined ? undefined : childOf(at, key)), node);
}
