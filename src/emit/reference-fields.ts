// Which fields of an item name a ConfigMap or a Secret. Kubernetes' own kinds are known; so are lists of layers. In
// kinds that nobody knows a field counts if it looks like a reference: better one object too many than a dangling name.
// Never a namespace, a label, an annotation or text. kustomize's own list (nameReference) is covered.
import type { LayerKind } from "../model.ts";
import { type Item, listAt, textAt } from "../wire/item.ts";
import { childrenOf, isMapping, isScalar, type Node } from "../yaml/tape.ts";
import { keyText, scalarText } from "../yaml/scalar.ts";

/** A scalar in an item: the keys down to it, lists left out, and the mapping it stands in. */
export interface Place {
  readonly item: Item;
  readonly keys: readonly string[];
  readonly mapping: Node;
}

const both: readonly LayerKind[] = ["ConfigMap", "Secret"];
const none: readonly LayerKind[] = [];

/** The kinds of object that a name may mean in a place; none where it is no reference. */
export function kindsNamedAt(place: Place): readonly LayerKind[] {
  const { keys } = place;
  if (keys[0] === "metadata") return annotated(keys);
  if (keys.some(isMark)) return none;
  const own = keys.at(-1) ?? "";
  if (own === "resourceNames") return ruledIn(place);
  if (/(?:key|namespace|kind)$/i.test(own)) return none;
  const said = saidBy(own);
  if (said !== undefined || !isName(own)) return said ?? none;
  return listed(place) ?? saidBeside(place) ?? saidBy(keys.at(-2) ?? "") ?? saidAround(place);
}

/** Labels, selectors and what is put on other objects. */
function isMark(key: string): boolean {
  return /(?:labels|annotations)$/i.test(key) || key === "selector";
}

function isName(key: string): boolean {
  return /name$/i.test(key);
}

/** What the name of a field says: ConfigMap, Secret, or a reference to either. */
function saidBy(key: string): readonly LayerKind[] | undefined {
  if (/config[-_]?map/i.test(key)) return ["ConfigMap"];
  if (/secret/i.test(key)) return ["Secret"];
  return /ref(?:erence)?s?$/i.test(key) ? both : undefined;
}

/** Lists of layers: `kind` next to the name tells which; Apps leave it out for ConfigMaps. */
function listed({ keys, mapping }: Place): readonly LayerKind[] | undefined {
  const isList = ["valuesFrom", "substituteFrom", "extraConfigs", "configs"].includes(keys.at(-2) ?? "");
  return isList ? saidBy(textAt(mapping, "kind") || "configMap") : undefined;
}

/** What the `kind` next to the name says: mostly something else. */
function saidBeside({ mapping }: Place): readonly LayerKind[] | undefined {
  const kind = textAt(mapping, "kind");
  return kind === undefined ? undefined : (saidBy(kind) ?? none);
}

/** In kinds that nobody knows: a name below a field that says so, or next to one. */
function saidAround({ item, keys, mapping }: Place): readonly LayerKind[] {
  if (isBuiltIn(item)) return none;
  const beside = childrenOf(mapping).map(keyText);
  const said = [...keys.slice(0, -2).toReversed(), ...beside].map(saidBy);
  return said.find((each) => each !== undefined) ?? none;
}

/** Names in a rule of a Role, where it speaks of ConfigMaps or Secrets. */
function ruledIn({ mapping }: Place): readonly LayerKind[] {
  if (!isMapping(mapping)) return none;
  const resources = listAt(mapping, "resources").filter(isScalar).map(scalarText);
  if (resources.includes("*")) return both;
  return both.filter((kind) => resources.includes(`${kind.toLowerCase()}s`));
}

/** Annotations of an Ingress by which its controller finds objects. */
const ingressAnnotations: { readonly [annotation: string]: LayerKind } = {
  "ingress.kubernetes.io/auth-secret": "Secret",
  "nginx.ingress.kubernetes.io/auth-secret": "Secret",
  "nginx.ingress.kubernetes.io/auth-tls-secret": "Secret",
  "nginx.ingress.kubernetes.io/proxy-ssl-secret": "Secret",
  "nginx.ingress.kubernetes.io/fastcgi-params-configmap": "ConfigMap",
};

function annotated(keys: readonly string[]): readonly LayerKind[] {
  const kind = keys[1] === "annotations" ? ingressAnnotations[keys[2] ?? ""] : undefined;
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
