// Values of layers, merged from the lowest to the highest, and the files that each merge strategy takes. konfigure merges as
// valuefold does, with one difference: an explicit null at the top removes all values of lower layers. Templates read merged
// values as JSON; apps of one installation share them, so each merge is made once.
import type { Diagnostic } from "../diagnostic.ts";
import { leafOf, merge, type Tree } from "../merge/index.ts";
import type { Reader, TextFile } from "./document.ts";
import { jsonOf, plain } from "./plain-values.ts";
import type { LayerPart } from "./instances.ts";
import { fileOf, type Loaded, type LoadedFile } from "./load.ts";
import type { LayerOf, LayerPartKind, LayoutSchema } from "./schema.ts";
import type { Origins } from "./origins.ts";
import { errorAt, warningAt } from "./faults.ts";

export interface TemplateValues {
  readonly json: string;
  readonly diagnostics: readonly Diagnostic[];
}

export class ComposedValues {
  private readonly known = new Map<string, TemplateValues>();
  private readonly numbers = new Map<Uint8Array, number>();
  private readonly reader: Reader;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  of(used: readonly LoadedFile[]): TemplateValues {
    const key = used.map(({ bytes }) => this.numberOf(bytes)).join(",");
    let merged = this.known.get(key);
    if (merged === undefined) this.known.set(key, (merged = this.merge(used)));
    return merged;
  }

  private merge(used: readonly LoadedFile[]): TemplateValues {
    const diagnostics: Diagnostic[] = [];
    let tree: Tree | undefined;
    for (const { path, bytes } of used) {
      const next = stacked(tree, { path, bytes, isRendered: false }, this.reader);
      for (const each of next.diagnostics) diagnostics.push(each);
      ({ tree } = next);
    }
    const last = used.at(-1)?.path ?? "";
    const named = used.length > 1 ? `values up to ${last}` : last;
    const onNumber = (number: string | undefined, path: readonly string[]): void => {
      const fault = numberFault(number, path.join("."), named);
      if (fault !== undefined) diagnostics.push(fault);
    };
    const json = tree === undefined ? "{}" : jsonOf(plain(tree), onNumber);
    return { json, diagnostics };
  }

  private numberOf(bytes: Uint8Array): number {
    let number = this.numbers.get(bytes);
    if (number === undefined) this.numbers.set(bytes, (number = this.numbers.size));
    return number;
  }
}

/** The values that templates of a layer read, lowest first: those that exist. */
export function valuesFor(loaded: Loaded, layer: LayerOf, kind: LayerPartKind): readonly LoadedFile[] {
  return wantedBy(loaded.instance.schema, layer, kind).flatMap(
    (wanted) => fileOf(loaded, { ...wanted, part: "values" }) ?? [],
  );
}

function wantedBy(
  { layers }: LayoutSchema,
  layer: LayerOf,
  kind: LayerPartKind,
): readonly Omit<LayerPart, "part">[] {
  const { strategy, options } = layer.templates[kind].values.merge;
  const all = (of: LayerPartKind): Omit<LayerPart, "part">[] =>
    layers.map(({ id }) => ({ layer: id, kind: of }));
  const own = (of: LayerPartKind): Omit<LayerPart, "part"> => ({ layer: layer.id, kind: of });
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

export interface Stacked {
  /** Undefined for nothing. */
  readonly tree: Tree | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Lays one text over what is merged so far. */
export function stacked(
  base: Tree | undefined,
  source: TextFile,
  reader: Reader,
  origins?: Origins,
): Stacked {
  const { root, isNull, diagnostics } = reader.read(source);
  if (root === undefined)
    return isNull && base !== undefined
      ? { tree: undefined, diagnostics: [...diagnostics, wiped(source)] }
      : { tree: base, diagnostics };
  origins?.note(root.doc, source);
  if (base === undefined) return { tree: leafOf(root), diagnostics };
  origins?.noteOverridden(base, root);
  return { tree: merge(base, root), diagnostics };
}

/** konfigure's template engine makes 64-bit floats of all numbers. A message shows the keys of one, and never the number. */
function numberFault(number: string | undefined, path: string, named: string): Diagnostic | undefined {
  if (number === undefined)
    return errorAt(
      "layer-unreadable",
      named,
      `JSON has no number for \`${path}\`, so no template can read it`,
      "quote it",
    );
  if (!/^-?\d+$/.test(number) || Number.isSafeInteger(Number(number))) return undefined;
  return warningAt(
    "large-number",
    named,
    `templates read numbers as floats, which do not hold \`${path}\` exactly`,
    "quote it, if a template uses it",
  );
}

function wiped({ path, isRendered }: TextFile): Diagnostic {
  return warningAt(
    "values-wiped",
    isRendered ? `${path} as it is rendered` : path,
    "null at the top drops the values of all lower layers",
    "leave the file empty if nothing is meant; a comment alone drops nothing",
  );
}
