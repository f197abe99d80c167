// Documents of our kinds, and of konfigure-operator's → the renders that they ask for, in one form; or all their faults.
import * as v from "valibot";
import type { Diagnostic } from "../diagnostic.ts";
import { childOf, Labels, type Node, textAt, toPlain } from "../core/index.ts";
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
import { ClusterConfiguration, Iteration, Konfiguration, KonfigurationSchema, Spec } from "./settings.ts";
import {
  anotherKind,
  anotherVersion,
  outsideSpec,
  checked,
  nameless,
  nothingInScope,
  nothingToRender,
  type Outcome,
  remoteSchema,
  schemaMissing,
  unfitOf,
  type SettingsPlace,
} from "./settings-faults.ts";
import type { Variables } from "./variables.ts";

/** One document that asks for a render. */
export interface Render {
  readonly owner: Owner;
  readonly directory: string | undefined;
  readonly schema: SchemaSource;
  readonly variables: Variables;
  readonly scope: Spec["scope"];
  readonly instances: ReadonlyMap<string, Variables>;
  readonly destination: Spec["destination"];
  readonly sops: Spec["sops"];
}

/** Reads all documents; several may ask for a render, and a KonfigurationSchema is what others refer to. */
export function readRenders(documents: readonly Node[]): Outcome<{
  readonly renders: readonly Render[];
  /** Warnings about documents that do not ask for a render. */
  readonly passed: readonly Diagnostic[];
}> {
  const renders: Render[] = [];
  const faults: Diagnostic[] = [];
  const passed: Diagnostic[] = [];
  for (const document of documents) {
    const kind = renderKindOf(document);
    if (kind === konfigurationSchema) continue;
    if (kind === undefined) {
      passed.push(anotherKind(document));
      continue;
    }
    const outcome = readOne(kind, document, documents);
    if ("faults" in outcome) for (const each of outcome.faults) faults.push(each);
    else renders.push(outcome);
  }
  for (const each of passed.filter(({ severity }) => severity === "error")) faults.push(each);
  if (renders.length === 0 && faults.length === 0) return { faults: [...passed, nothingToRender] };
  return faults.length > 0 ? { faults } : { renders, passed };
}

function readOne(kind: string, document: Node, all: readonly Node[]): Outcome<Render> {
  const metadata = childOf(document, "metadata");
  const owner = {
    group: (textAt(document, "apiVersion") ?? "").split("/")[0] ?? "",
    kind,
    name: (metadata === undefined ? undefined : textAt(metadata, "name")) ?? "",
    namespace: (metadata === undefined ? undefined : textAt(metadata, "namespace")) ?? "",
  };
  const version = textAt(document, "apiVersion") ?? "";
  if (version !== `${owner.group}/${knownVersion}`) return { faults: [anotherVersion(owner)] };
  if (owner.name === "") return { faults: [nameless(kind)] };
  const unfit = unfitOf(document, ownerText(owner));
  if (unfit.length > 0) return { faults: unfit };
  const read = readSpec(plainSpec(document), owner, all);
  const others = outsideSpec(document, owner);
  if (others.length === 0) return read;
  return { faults: [...others, ...("faults" in read ? read.faults : [])] };
}

function readSpec(plain: unknown, owner: Owner, all: readonly Node[]): Outcome<Render> {
  const where = { kind: ownerText(owner), root: "spec" };
  if (owner.kind === renderKind) return fromOwn(owner, plain, where);
  return owner.kind === konfiguration
    ? fromKonfiguration(owner, plain, all, where)
    : fromClusterConfiguration(owner, plain, where);
}

function plainSpec(document: Node): unknown {
  const spec = childOf(document, "spec");
  return spec === undefined ? {} : toPlain(spec, undefined);
}

function fromOwn(owner: Owner, plain: unknown, where: SettingsPlace): Outcome<Render> {
  const spec = checked(Spec, plain, where);
  if ("faults" in spec) return spec;
  const { directory, scope, destination, sops } = spec.output;
  const schema = ownSchema(spec.output.schema, where);
  const instances = instancesOf(Object.entries(spec.output.instances), Labels, under(where, "instances"));
  const faults = [schema, instances].flatMap((each) => ("faults" in each ? each.faults : []));
  if ("faults" in schema || "faults" in instances) return { faults };
  if (scope === undefined && instances.size === 0) return { faults: [nothingInScope(where)] };
  const variables = new Map(Object.entries(spec.output.variables));
  return { owner, directory, schema, variables, scope, instances, destination, sops };
}

function ownSchema(schema: Spec["schema"], where: SettingsPlace): Outcome<SchemaSource> {
  return typeof schema === "string"
    ? { file: schema }
    : readSchema(schema, { ...where, root: "spec.schema" });
}

function fromKonfiguration(
  owner: Owner,
  plain: unknown,
  all: readonly Node[],
  where: SettingsPlace,
): Outcome<Render> {
  const spec = checked(Konfiguration, plain, where);
  if ("faults" in spec) return spec;
  const { targets, destination } = spec.output;
  const schema = referencedSchema(targets.schema.reference, all, where);
  const instances = instancesOf(
    Object.entries(targets.iterations),
    Iteration,
    under(where, "targets.iterations"),
  );
  const faults = [schema, instances].flatMap((each) => ("faults" in each ? each.faults : []));
  if ("faults" in schema || "faults" in instances) return { faults };
  if (instances.size === 0) return { faults: [nothingInScope(where)] };
  const variables = new Map(targets.defaults.variables.map(({ name, value }) => [name, value]));
  return { ...foreign(owner, destination), schema, variables, scope: undefined, instances };
}

/** What only our own kind can say, as its defaults. */
function foreign(
  owner: Owner,
  { namespace, naming }: { readonly namespace: string; readonly naming: Spec["destination"]["naming"] },
): Pick<Render, "owner" | "directory" | "destination" | "sops"> {
  const { destination } = v.parse(Spec, { schema: "-", destination: { namespace, naming } });
  return { owner, directory: undefined, destination, sops: { mac: "strict", allowPlaintext: false } };
}

function fromClusterConfiguration(owner: Owner, plain: unknown, where: SettingsPlace): Outcome<Render> {
  const spec = checked(ClusterConfiguration, plain, where);
  if ("faults" in spec) return spec;
  const { configuration, destination } = spec.output;
  const { includes, excludes } = configuration.applications;
  const { exactMatchers: exact, regexMatchers: regex } = includes;
  const scope = {
    variable: legacyVariables.app,
    directories: legacyApps,
    includes: { exact, regex },
    excludes: { exact: excludes.exactMatchers, regex: excludes.regexMatchers },
  };
  if (exact.length + regex.length === 0) return { faults: [nothingInScope(where)] };
  const variables = new Map([[legacyVariables.cluster, configuration.cluster.name]]);
  const schema = readSchema(legacySchema, where);
  if ("faults" in schema) return schema;
  return { ...foreign(owner, destination), schema, variables, scope, instances: new Map() };
}

function referencedSchema(
  { name, namespace }: { readonly name: string; readonly namespace: string },
  all: readonly Node[],
  where: SettingsPlace,
): Outcome<SchemaSource> {
  const found = all.find((each) => {
    const metadata = renderKindOf(each) === konfigurationSchema ? childOf(each, "metadata") : undefined;
    if (metadata === undefined) return false;
    return textAt(metadata, "name") === name && (textAt(metadata, "namespace") ?? "") === namespace;
  });
  if (found === undefined) return { faults: [schemaMissing(name, where)] };
  const place = { kind: konfigurationSchema, root: "spec" };
  const unfit = unfitOf(found, konfigurationSchema);
  if (unfit.length > 0) return { faults: unfit };
  const raw = checked(KonfigurationSchema, plainSpec(found), place);
  if ("faults" in raw) return raw;
  if (raw.output.raw.remote.url !== "") return { faults: [remoteSchema] };
  return readSchemaText(Buffer.from(raw.output.raw.content, "utf8"), "KonfigurationSchema spec.raw.content");
}

function instancesOf(
  entries: readonly (readonly [string, unknown])[],
  shape: typeof Labels | typeof Iteration,
  where: SettingsPlace,
): Outcome<ReadonlyMap<string, Variables>> {
  const instances = new Map<string, Variables>();
  const faults: Diagnostic[] = [];
  for (const [name, plain] of entries) {
    const read = checked(shape, plain ?? {}, { ...where, root: `${where.root}.${name}` });
    if ("faults" in read) for (const each of read.faults) faults.push(each);
    else instances.set(name, new Map(pairsOf(read.output)));
  }
  return faults.length > 0 ? { faults } : instances;
}

function under({ kind, root }: SettingsPlace, field: string): SettingsPlace {
  return { kind, root: `${root}.${field}` };
}

function pairsOf(output: v.InferOutput<typeof Labels> | v.InferOutput<typeof Iteration>): [string, string][] {
  const listed = output?.["variables"];
  if (!Array.isArray(listed)) return Object.entries(output ?? {}) as [string, string][];
  return (listed as { name: string; value: string }[]).map(({ name, value }) => [name, value]);
}
