// Keys of a HelmRelease, Kustomization or Application that are a slip of a field which decides values: no controller reads them.
//
//     chartref: {kind: OCIRepository, name: podinfo}     # did you mean `chartRef`?
import { helmReleaseKind } from "../../kinds.ts";
import { isNode, type Item, placeOf, refOf } from "../../krm/index.ts";
import { type Diagnostic, nearest } from "../../diagnostic.ts";
import type { Node } from "../../yaml/index.ts";

interface KnownFields {
  readonly kind: string;
  readonly group: string;
  /** Of the mapping with the fields, below `spec`; lists on the way are passed through. */
  readonly path: readonly string[];
  /** The fields that are read. None is a slip of another, or of a field that is not read. */
  readonly fields: readonly string[];
}

const helmRelease = { kind: helmReleaseKind.kind, group: "helm.toolkit.fluxcd.io/" };
const kustomization = { kind: "Kustomization", group: "kustomize.toolkit.fluxcd.io/" };
const application = { kind: "Application", group: "argoproj.io/" };
const sourceFields = ["chart", "helm", "kustomize", "repoURL", "targetRevision"];
const helmFields = ["fileParameters", "ignoreMissingValueFiles", "parameters", "valueFiles", "valuesObject"];

/** Slips of `valuesFrom` are reported by whatever reads references. */
const knownFields: readonly KnownFields[] = [
  { ...helmRelease, path: [], fields: ["chart", "chartRef", "postRenderers", "targetNamespace", "values"] },
  { ...helmRelease, path: ["chart", "spec"], fields: ["chart", "sourceRef", "valuesFiles", "version"] },
  { ...kustomization, path: [], fields: ["components", "patches", "postBuild", "sourceRef"] },
  { ...kustomization, path: ["postBuild"], fields: ["substitute", "substituteFrom"] },
  { ...application, path: [], fields: ["destination", "source", "sources"] },
  { ...application, path: ["source"], fields: sourceFields },
  { ...application, path: ["sources"], fields: sourceFields },
  { ...application, path: ["source", "helm"], fields: [...helmFields, "values"] },
  { ...application, path: ["sources", "helm"], fields: [...helmFields, "values"] },
];

export function fieldSlips(item: Item): readonly Diagnostic[] {
  const known = knownFields.filter(
    ({ kind, group }) => item.kind === kind && item.apiVersion.startsWith(group),
  );
  const root = known.length === 0 ? undefined : item.read();
  const spec = root !== undefined && isNode(root) ? root.get("spec") : undefined;
  return known.flatMap(({ path, fields }) =>
    mappingsAt(spec, "spec", path).flatMap(({ mapping, field }) =>
      [...mapping.entries()].flatMap(([key, node]) =>
        slip(item, { key, node, field: `${field}.${key}` }, fields),
      ),
    ),
  );
}

interface SpelledMapping {
  readonly mapping: Node;
  readonly field: string;
}

function mappingsAt(
  node: Node | undefined,
  field: string,
  path: readonly string[],
): readonly SpelledMapping[] {
  const value = node?.value;
  if (value?.isSequence === true)
    return value.children().flatMap((child, index) => mappingsAt(child, `${field}[${index}]`, path));
  if (value?.isMapping !== true) return [];
  const [key, ...rest] = path;
  return key === undefined
    ? [{ mapping: value, field }]
    : mappingsAt(value.get(key), `${field}.${key}`, rest);
}

interface SpelledField {
  readonly key: string;
  readonly node: Node;
  readonly field: string;
}

function slip(
  item: Item,
  { key, node, field }: SpelledField,
  fields: readonly string[],
): readonly Diagnostic[] {
  const meant = fields.find((each) => each.toLowerCase() === key.toLowerCase()) ?? nearest(key, fields, 1);
  if (fields.includes(key) || meant === undefined) return [];
  const found: Diagnostic = {
    code: "unknown-field",
    severity: "warning",
    message: `\`${field}\` is not a field of this ${item.kind}`,
    reason: "it is not read",
    hint: `did you mean \`${meant}\`?`,
    field,
    item: refOf(item),
    at: { ...placeOf(item), offset: node.keyStart },
  };
  return [found];
}
