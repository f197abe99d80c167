// Which fields of an item name a ConfigMap or a Secret. Kubernetes' own kinds are known; so are lists of layers. In
// custom kinds a field that looks like a reference is one: better one object too many than a dangling name.
// Never a namespace, a label, an annotation or text. kustomize's own list (nameReference) is covered.
import { referenceLists } from "../../kinds.ts";
import type { LayerKind } from "../../layers/index.ts";
import type { Item } from "../../krm/index.ts";
import type { Node } from "../../yaml/index.ts";

/** A scalar in an item: the keys down to it, lists left out, and the mapping that contains it. */
export interface FieldPlace {
  readonly item: Item;
  readonly keys: readonly string[];
  readonly mapping: Node;
}

/** How many values of an item are looked at: aliases may expand to millions. */
const mostSteps = 1_000_000;

/** Visits all scalars of an item, each with its place, and its path as messages spell it. */
export function eachScalar(
  root: Node,
  item: Item,
  visit: (node: Node, place: FieldPlace, path: string) => void,
): void {
  let steps = 0;
  const below = (node: Node, path: string, keys: readonly string[], mapping: Node): void => {
    if (++steps > mostSteps) return;
    const value = node.value;
    if (value.isScalar) visit(value, { item, keys, mapping }, path);
    else if (value.isMapping)
      for (const entry of value.children()) {
        const key = entry.keyText;
        below(entry, path === "" ? key : `${path}.${key}`, [...keys, key], value);
      }
    else value.children().forEach((each, index) => below(each, `${path}[${index}]`, keys, mapping));
  };
  below(root, "", [], root);
}

const both: readonly LayerKind[] = ["ConfigMap", "Secret"];
const none: readonly LayerKind[] = [];

/** The kinds of object that a name in a field may mean; empty if it is not a reference. */
export function kindsNamedAt(place: FieldPlace): readonly LayerKind[] {
  const { keys } = place;
  if (keys[0] === "metadata") return annotated(keys);
  if (keys.some(isMark)) return none;
  const own = keys.at(-1) ?? "";
  if (own === "resourceNames") return kindsInRule(place);
  if (/(?:key|namespace|kind)$/i.test(own)) return none;
  const found = kindsInName(own);
  if (found !== undefined || !isName(own)) return found ?? none;
  return (
    kindsInLayerList(place) ??
    kindsOfSibling(place) ??
    kindsInName(keys.at(-2) ?? "") ??
    kindsOfRelatives(place)
  );
}

/** Labels, selectors and metadata for other objects. */
function isMark(key: string): boolean {
  return /(?:labels|annotations)$/i.test(key) || key === "selector";
}

function isName(key: string): boolean {
  return /name$/i.test(key);
}

/** The kinds that a field's name mentions: ConfigMap, Secret, or a reference to either. */
function kindsInName(key: string): readonly LayerKind[] | undefined {
  if (/config[-_]?map/i.test(key)) return ["ConfigMap"];
  if (/secret/i.test(key)) return ["Secret"];
  return /ref(?:erence)?s?$/i.test(key) ? both : undefined;
}

/** Lists of layers in targets, in Flux Kustomizations, and in Apps by a former name. */
const layerLists = [...referenceLists, "substituteFrom", "configs"];

/** Lists of layers: `kind` next to the name gives the kind; Apps leave it out for ConfigMaps. */
function kindsInLayerList({ keys, mapping }: FieldPlace): readonly LayerKind[] | undefined {
  const isList = layerLists.includes(keys.at(-2) ?? "");
  return isList ? kindsInName(mapping.textAt("kind") || "configMap") : undefined;
}

/** The kinds by the `kind` next to the name: mostly another kind. */
function kindsOfSibling({ mapping }: FieldPlace): readonly LayerKind[] | undefined {
  const kind = mapping.textAt("kind");
  return kind === undefined ? undefined : (kindsInName(kind) ?? none);
}

/** In custom kinds: a name below or next to a field that mentions a kind. */
function kindsOfRelatives({ item, keys, mapping }: FieldPlace): readonly LayerKind[] {
  if (isBuiltIn(item)) return none;
  const siblings = mapping.children().map((each) => each.keyText);
  const found = [...keys.slice(0, -2).toReversed(), ...siblings].map(kindsInName);
  return found.find((each) => each !== undefined) ?? none;
}

/** Names in a rule of a Role, if it is about ConfigMaps or Secrets. */
function kindsInRule({ mapping }: FieldPlace): readonly LayerKind[] {
  if (!mapping.isMapping) return none;
  const resources = mapping
    .list("resources")
    .filter((each) => each.isScalar)
    .map((each) => each.text);
  if (resources.includes("*")) return both;
  return both.filter((kind) => resources.includes(`${kind.toLowerCase()}s`));
}

/** Annotations of an Ingress that name objects for its controller. */
const ingressAnnotations: ReadonlyMap<string, LayerKind> = new Map([
  ["ingress.kubernetes.io/auth-secret", "Secret"],
  ["nginx.ingress.kubernetes.io/auth-secret", "Secret"],
  ["nginx.ingress.kubernetes.io/auth-tls-secret", "Secret"],
  ["nginx.ingress.kubernetes.io/proxy-ssl-secret", "Secret"],
  ["nginx.ingress.kubernetes.io/fastcgi-params-configmap", "ConfigMap"],
]);

function annotated(keys: readonly string[]): readonly LayerKind[] {
  const kind = keys[1] === "annotations" ? ingressAnnotations.get(keys[2] ?? "") : undefined;
  return kind === undefined ? none : [kind];
}

/** Kinds of Kubernetes itself: in these a name below a reference may be anything. */
function isBuiltIn({ apiVersion }: Item): boolean {
  const [group = "", version] = apiVersion.split("/");
  if (version === undefined) return true;
  return (
    ["apps", "batch", "autoscaling", "policy", "extensions"].includes(group) || group.endsWith(".k8s.io")
  );
}
