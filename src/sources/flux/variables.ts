// The variables of Kustomizations of Flux: written in them, or in ConfigMaps that were built. Those of Secrets are never read.
import { isNode, type Item } from "../../krm/index.ts";
import type { BuildOrigins } from "../kustomize/origins.ts";
import type { Lookup } from "./expression.ts";
import { type FluxKustomization, idOf, type ReferencedObject } from "./kustomization.ts";

export interface BuiltObject {
  readonly item: Item;
  readonly origins: BuildOrigins;
}

export class ClusterVariables {
  /** Variables that were asked for, and that only the cluster has. */
  readonly unknown = new Set<string>();
  private readonly byName: ReadonlyMap<string, BuiltObject>;

  /** @param byName what is built so far, and later */
  constructor(byName: ReadonlyMap<string, BuiltObject>) {
    this.byName = byName;
  }

  /** False while a ConfigMap with some of them is not built. */
  areKnown({ variableSources }: FluxKustomization): boolean {
    return variableSources.every((each) => each.kind === "Secret" || this.byName.has(idOf(each)));
  }

  /** Undefined without variables: Flux replaces nothing then. */
  lookupFor({ variables, variableSources, isAlwaysSubstituted }: FluxKustomization): Lookup | undefined {
    if (variables.size + variableSources.length === 0 && !isAlwaysSubstituted) return undefined;
    const sources = variableSources.map((each) => this.lookupIn(each)).toReversed();
    return (name) => {
      const inline = variables.get(name);
      if (inline === "unknown") this.unknown.add(name);
      if (inline !== undefined) return inline;
      for (const source of sources) {
        const found = source === undefined ? "unknown" : source(name);
        if (found === "unknown") this.unknown.add(name);
        if (found !== "unset") return found;
      }
      return "unset";
    };
  }

  /** Undefined for what is not here. */
  private lookupIn(source: ReferencedObject): Lookup | undefined {
    const found = this.byName.get(idOf(source));
    const root = found?.item.read();
    if (found === undefined || root === undefined || !isNode(root)) return undefined;
    const fields = source.kind === "Secret" ? ["data", "stringData"] : ["data"];
    const entries = new Map(fields.flatMap((field) => [...(root.get(field)?.entries() ?? [])]));
    const taken = found.origins.takenKeys(found.item);
    return (name) => {
      const node = entries.get(name);
      if (node === undefined) return "unset";
      if (source.kind === "Secret" || taken.includes(name)) return "unknown";
      const text = node.text;
      const { item, origins } = found;
      const known = origins.sourceOf(item, ["data", name], node);
      const at = known?.placeAt(0) ?? {
        of: "file",
        file: origins.findText(item, name, Buffer.from(text, "utf8")).file,
      };
      return { name, at, value: text.replaceAll("\n", "") };
    };
  }
}
