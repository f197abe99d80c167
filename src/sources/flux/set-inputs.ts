// The inputs of a ResourceSet: those that are written in it, and those of static ResourceSetInputProviders that are here. Of a
// provider of another type a service knows the inputs.
import type { Place } from "../../explanation.ts";
import { isSelected } from "../argo/selector.ts";
import { nested, noParameters, type SetParameters, withValues } from "../argo/parameters-of-sets.ts";
import { fieldIn, holdsSecret, listIn, type Placed, textIn } from "../placed.ts";
import type { PlacedObject } from "../placed-object.ts";
import { objectId } from "../../object-id.ts";

/** A ResourceSet, or a ResourceSetInputProvider. */
export interface OperatorObject extends PlacedObject {
  readonly apiVersion: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** Inputs that are not known, and why. */
export interface MissingInputs {
  readonly reason: string;
  readonly at: Place | undefined;
}

interface SetInputs {
  readonly inputs: readonly SetParameters[];
  readonly missing: readonly MissingInputs[];
}

/** As many as flux-operator makes of one set. */
export const mostInputs = 10_000;

/** An object with the inputs that it has. */
interface InputSource {
  readonly object: OperatorObject;
  readonly inputs: readonly SetParameters[];
}

/** "too many" where flux-operator fails, too. */
export function inputsOf(set: OperatorObject, providers: readonly OperatorObject[]): SetInputs | "too many" {
  const missing: MissingInputs[] = [];
  const own = listIn(fieldIn(set.spec, "inputs"));
  const references = listIn(fieldIn(set.spec, "inputsFrom"));
  const chosen = references.flatMap((each) => providersFor(each, set, { providers, missing }));
  const sources = [
    ...(own.length === 0 ? [] : [{ object: set, inputs: own.map(nested) }]),
    ...[...new Set(chosen)].flatMap((each) => staticInputs(each, missing)),
  ];
  const isPermuted = textIn(fieldIn(set.spec, "inputStrategy", "name")) === "Permute";
  // Without inputs, what is written is made once.
  const isPlain = own.length + references.length === 0;
  const all = isPlain ? [{ object: set, inputs: [noParameters] }] : sources;
  const sizes = all.map(({ inputs }) => inputs.length);
  const count = isPermuted ? sizes.reduce((a, b) => a * b, 1) : sizes.reduce((a, b) => a + b, 0);
  if (count > mostInputs) return "too many";
  // What is not known is a part of every permutation.
  const isUnknown = isPermuted && missing.length > 0;
  return { missing, inputs: isUnknown ? [] : isPermuted ? permuted(all) : all.flatMap(flattened) };
}

/** Those that an entry of `inputsFrom` names. */
function providersFor(
  reference: Placed,
  { namespace }: OperatorObject,
  {
    providers,
    missing,
  }: { readonly providers: readonly OperatorObject[]; readonly missing: MissingInputs[] },
): readonly OperatorObject[] {
  const name = textIn(fieldIn(reference, "name"));
  const selector = fieldIn(reference, "selector");
  const found = providers.filter(
    (each) =>
      each.namespace === namespace &&
      (name === undefined ? isSelected(selector, each.labels) : each.name === name),
  );
  const reason =
    name === undefined
      ? "no ResourceSetInputProvider here has the labels of its selector"
      : `ResourceSetInputProvider/${name} is not here`;
  if (found.length === 0) missing.push({ reason, at: reference.at });
  return found;
}

function staticInputs(provider: OperatorObject, missing: MissingInputs[]): readonly InputSource[] {
  const type = textIn(fieldIn(provider.spec, "type")) ?? "";
  const shown = `${provider.kind}/${provider.name}`;
  const values = fieldIn(provider.spec, "defaultValues");
  const refuse = (why: string): readonly InputSource[] => {
    missing.push({ reason: `${shown} ${why}`, at: provider.at });
    return [];
  };
  if (holdsSecret(provider.spec)) return refuse("has values of a Secret");
  if (type !== "Static")
    return refuse(`asks a service: its type is ${/^\w+$/.test(type) ? type : "another"}`);
  return [{ object: provider, inputs: [values === undefined ? noParameters : nested(values)] }];
}

/** The id of an input follows from what only the cluster has: a template that reads it fails here. */
function builtIn({ object }: InputSource, input: SetParameters): SetParameters {
  const { id: _id, ...values } = input.values;
  const provider = { apiVersion: object.apiVersion, ...objectId(object) };
  return withValues({ ...input, values }, { provider });
}

function flattened(source: InputSource): readonly SetParameters[] {
  return source.inputs.map((each) => builtIn(source, each));
}

/** One of each source, by the name of its object. */
function permuted(sources: readonly InputSource[]): readonly SetParameters[] {
  return sources.reduce<readonly SetParameters[]>(
    (all, source) =>
      all.flatMap(({ values, places }) =>
        source.inputs.map((input) => {
          const key = normalized(source.object.name);
          const own = builtIn(source, input);
          // An id that is written in a set is that of its inputs there.
          const id = source.object.kind === "ResourceSet" ? pick(input.values, "id") : {};
          const below = [...own.places].map(([name, at]) => [`${key}.${name}`, at] as const);
          return {
            values: { ...values, [key]: { ...own.values, ...id } },
            places: new Map([...places, ...below]),
          };
        }),
      ),
    [noParameters],
  );
}

function pick(values: SetParameters["values"], key: string): SetParameters["values"] {
  return key in values ? { [key]: values[key] } : {};
}

/** A name as a key of a template: `my-app.eu` → `my_app_eu`. */
function normalized(name: string): string {
  return name
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "")
    .join("_");
}
