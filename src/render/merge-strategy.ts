// Which value files a template reads, by its merge strategy, lowest first.
import type { LayerOf, PartKind, Schema } from "./schema.ts";

export interface ValuesOf {
  readonly layer: string;
  readonly kind: PartKind;
}

export function valuesFor({ layers }: Schema, layer: LayerOf, kind: PartKind): readonly ValuesOf[] {
  const { strategy, options } = layer.templates[kind].values.merge;
  const all = (of: PartKind): ValuesOf[] => layers.map(({ id }) => ({ layer: id, kind: of }));
  const own = (of: PartKind): ValuesOf => ({ layer: layer.id, kind: of });
  switch (strategy) {
    case "ConfigMapsInLayerOrder":
      return all("configMap");
    case "SecretsInLayerOrder":
      return all("secret");
    case "SameTypeInLayerOrder":
      return all(kind);
    case "SameTypeFromCurrentLayer":
      return [own(kind)];
    case "ConfigMapAndSecretFromCurrentLayer":
      return [own("configMap"), own("secret")];
    case "ConfigMapsAndSecretsInLayerOrder":
      return [...all("configMap"), ...all("secret")];
    case "CustomOrder":
      return (options?.order ?? []).map(({ layerId, type }) => ({ layer: layerId, kind: type }));
  }
}
