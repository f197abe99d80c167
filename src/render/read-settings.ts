// Documents of our kinds, and of konfigure-operator's → the renders that they ask for, in one form. The report gets all
// faults; what has one is undefined.
import * as v from "valibot";
import { Labels } from "../settings/index.ts";
import type { Node } from "../yaml/index.ts";
import type { Report } from "../report/index.ts";
import {
  knownVersion,
  konfiguration,
  konfigurationSchema,
  type Owner,
  ownerText,
  renderKind,
  renderKindOf,
} from "./kinds.ts";
import { legacyApps, legacySchema, legacyVariables } from "./legacy.ts";
import { readSchema, readSchemaText, type SchemaSource } from "./schema.ts";
import {
  ClusterConfiguration,
  Iteration,
  Konfiguration,
  KonfigurationSchema,
  RenderSpec,
} from "./settings.ts";
import {
  anotherKind,
  anotherVersion,
  checked,
  nameless,
  nothingInScope,
  nothingToRender,
  outsideSpec,
  remoteSchema,
  schemaMissing,
  type SettingsPlace,
  unfitOf,
} from "./settings-faults.ts";
import type { Variables } from "./variables.ts";

/** One document that asks for a render. */
export interface Render extends Omit<RenderSpec, "schema" | "variables" | "instances"> {
  readonly owner: Owner;
  readonly schema: SchemaSource;
  readonly variables: Variables;
  readonly instances: ReadonlyMap<string, Variables>;
}

/** Reads all documents; several may ask for a render, and a KonfigurationSchema is what others refer to. */
export function readRenders(documents: readonly Node[], report: Report): readonly Render[] | undefined {
  const renders = documents.map((document) => {
    const kind = renderKindOf(document);
    if (kind === undefined) report.report(anotherKind(document));
    return kind === undefined || kind === konfigurationSchema
      ? undefined
      : readOne(kind, document, documents, report);
  });
  const read = renders.filter((render) => render !== undefined);
  if (read.length === 0 && !report.failed) report.report(nothingToRender);
  return report.failed ? undefined : read;
}

function readOne(kind: string, document: Node, all: readonly Node[], report: Report): Render | undefined {
  const metadata = document.get("metadata");
  const textIn = (key: string): string => metadata?.textAt(key) ?? "";
  const version = document.textAt("apiVersion") ?? "";
  const [group = ""] = version.split("/");
  const owner = { group, kind, name: textIn("name"), namespace: textIn("namespace") };
  const unfit =
    version !== `${group}/${knownVersion}`
      ? [anotherVersion(owner)]
      : owner.name === ""
        ? [nameless(kind)]
        : unfitOf(document, ownerText(owner));
  report.all(unfit);
  if (unfit.length > 0) return undefined;
  report.all(outsideSpec(document, owner));
  const where = { kind: ownerText(owner), root: "spec", report };
  const spec = readSpec(owner, plainSpec(document), all, where);
  if (spec === undefined) return undefined;
  const { exact, regex } = spec.scope?.includes ?? { exact: [], regex: [] };
  if (spec.instances.size + exact.length + regex.length > 0) return { ...spec, owner };
  report.report(nothingInScope(where));
  return undefined;
}

function plainSpec(document: Node): unknown {
  const spec = document.get("spec");
  return spec === undefined ? {} : spec.plain(undefined);
}

type ReadSpec = Omit<Render, "owner"> | undefined;

function readSpec({ kind }: Owner, plain: unknown, all: readonly Node[], where: SettingsPlace): ReadSpec {
  if (kind === renderKind) return ownSpec(plain, where);
  return kind === konfiguration ? konfigurationSpec(plain, all, where) : clusterSpec(plain, where);
}

function ownSpec(plain: unknown, where: SettingsPlace): ReadSpec {
  const spec = checked(RenderSpec, plain, where);
  if (spec === undefined) return undefined;
  const schema =
    typeof spec.schema === "string" ? { file: spec.schema } : readSchema(spec.schema, under(where, "schema"));
  const instances = instancesOf(spec.instances, Labels, under(where, "instances"));
  if (schema === undefined || instances === undefined) return undefined;
  return { ...spec, schema, variables: new Map(Object.entries(spec.variables)), instances };
}

function konfigurationSpec(plain: unknown, all: readonly Node[], where: SettingsPlace): ReadSpec {
  const spec = checked(Konfiguration, plain, where);
  if (spec === undefined) return undefined;
  const { targets, destination } = spec;
  const schema = referencedSchema(targets.schema.reference, all, where);
  const instances = instancesOf(targets.iterations, Iteration, under(where, "targets.iterations"));
  if (schema === undefined || instances === undefined) return undefined;
  return { ...foreign(destination), schema, variables: new Map(Object.entries(targets.defaults)), instances };
}

function clusterSpec(plain: unknown, where: SettingsPlace): ReadSpec {
  const spec = checked(ClusterConfiguration, plain, where);
  const schema = readSchema(legacySchema, where);
  if (spec === undefined || schema === undefined) return undefined;
  const { cluster, applications } = spec.configuration;
  const scope = { variable: legacyVariables.app, directories: legacyApps, ...applications };
  const variables = new Map([[legacyVariables.cluster, cluster.name]]);
  return { ...foreign(spec.destination), schema, variables, scope, instances: new Map() };
}

/** What only our own kind can say, as its defaults. */
function foreign(
  destination: v.InferOutput<typeof Konfiguration>["destination"],
): Pick<RenderSpec, "destination" | "sops"> {
  const spec = v.parse(RenderSpec, { schema: "-", destination, sops: {} });
  return { destination: spec.destination, sops: spec.sops };
}

function referencedSchema(
  { name, namespace }: { readonly name: string; readonly namespace: string },
  all: readonly Node[],
  where: SettingsPlace,
): SchemaSource | undefined {
  const { report } = where;
  const found = all.find((each) => {
    const metadata = renderKindOf(each) === konfigurationSchema ? each.get("metadata") : undefined;
    if (metadata === undefined) return false;
    return metadata.textAt("name") === name && (metadata.textAt("namespace") ?? "") === namespace;
  });
  const unfit = found === undefined ? [schemaMissing(name, where)] : unfitOf(found, konfigurationSchema);
  report.all(unfit);
  if (found === undefined || unfit.length > 0) return undefined;
  const spec = checked(KonfigurationSchema, plainSpec(found), {
    kind: konfigurationSchema,
    root: "spec",
    report,
  });
  if (spec === undefined) return undefined;
  const { content, remote } = spec.raw;
  if (remote.url === "")
    return readSchemaText(Buffer.from(content, "utf8"), "KonfigurationSchema spec.raw.content", report);
  report.report(remoteSchema);
  return undefined;
}

function instancesOf(
  plain: { readonly [name: string]: unknown },
  shape: typeof Labels | typeof Iteration,
  where: SettingsPlace,
): ReadonlyMap<string, Variables> | undefined {
  const instances = Object.entries(plain).map(([name, own]) => {
    const read = checked(shape, own, under(where, name));
    return read === undefined ? undefined : ([name, new Map(Object.entries(read))] as const);
  });
  const sound = instances.filter((each) => each !== undefined);
  return sound.length < instances.length ? undefined : new Map(sound);
}

function under(where: SettingsPlace, field: string): SettingsPlace {
  return { ...where, root: `${where.root}.${field}` };
}
