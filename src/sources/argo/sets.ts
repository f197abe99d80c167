// An ApplicationSet → the Applications that it makes. One that cannot be made is a fault at its line, and the others are made.
import { isFault, readDocument, Node } from "../../yaml/index.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import { objectText } from "../../object-id.ts";
import type { Place } from "../../explanation.ts";
import { grouped } from "../../grouped.ts";
import { notBuilt } from "../not-built.ts";
import {
  fieldIn,
  hide,
  holdsSecret,
  isHidden,
  isTrue,
  listIn,
  membersIn,
  opened,
  type Placed,
  placed,
  type PlacedMembers,
  textIn,
} from "../placed.ts";
import type { PlacedObject } from "../placed-object.ts";
import type { GeneratorSurroundings } from "./generator-scene.ts";
import { Generators, mostResults } from "./generators.ts";
import type { SetParameters } from "./parameters-of-sets.ts";
import { type FillFault, filled, type TemplateForm } from "./template.ts";

interface MadeApplications {
  readonly applications: readonly PlacedObject[];
  readonly unbuilt: readonly Diagnostic[];
}

/** @param set read as an Application is */
export async function applicationsOfSet(
  set: PlacedObject,
  around: GeneratorSurroundings,
): Promise<MadeApplications> {
  const { spec } = set;
  const options = listIn(fieldIn(spec, "goTemplateOptions")).flatMap((each) => textIn(each) ?? []);
  const form: TemplateForm = { isGo: isTrue(fieldIn(spec, "goTemplate")), options };
  const item = { kind: "ApplicationSet", name: set.name };
  const generators = new Generators(form, around, objectText(item));
  const applications: PlacedObject[] = [];
  const faults: Diagnostic[] = [];
  let count = 0;
  for (const generator of listIn(fieldIn(spec, "generators"))) {
    const parameters = await generators.generate(generator);
    count += parameters?.length ?? 0;
    if (count > mostResults) {
      generators.refuseMany(generator);
      applications.length = 0;
      break;
    }
    const made = await applicationsMade(set, templateFor(spec, generator), parameters ?? [], form);
    for (const each of made)
      if ("fault" in each) faults.push(faultOf(set, each));
      else applications.push(each);
  }
  const named = grouped(applications, ({ name }) => name);
  const twice = [...named.values()].flatMap(([one, second]) =>
    one === undefined || second === undefined ? [] : namedTwice(set, one),
  );
  return {
    // Argo CD takes none of several with one name.
    applications: applications.filter(({ name }) => named.get(name)?.length === 1),
    unbuilt: [...generators.faults.map((each) => ({ ...each, item })), ...faults, ...twice],
  };
}

function namedTwice(set: PlacedObject, { name, at = set.at }: PlacedObject): Diagnostic {
  const item = { kind: "ApplicationSet", name: set.name };
  const message = `\`${objectText(item)}\` makes several Applications \`${name}\`: Argo CD takes none of them`;
  return notBuilt({ item, message, at });
}

/** The template of a generator, with that of the set where it says nothing. */
function templateFor(spec: Placed, generator: Placed): Placed {
  const own = [...membersIn(generator).values()].flatMap((each) => fieldIn(each, "template") ?? [])[0];
  const common = fieldIn(spec, "template") ?? { value: new Map(), at: spec.at };
  return own === undefined ? common : completed(own, common);
}

function completed(own: Placed, common: Placed): Placed {
  if (isEmpty(own)) return common;
  if (!(own.value instanceof Map) || !(common.value instanceof Map)) return own;
  const members = new Map(own.value as PlacedMembers);
  for (const [key, each] of common.value as PlacedMembers) {
    const mine = members.get(key);
    if (mine === undefined) members.set(key, each);
    // Values that are written out are one value.
    else if (key !== "valuesObject") members.set(key, completed(mine, each));
  }
  return { ...own, value: members };
}

function isEmpty({ value }: Placed): boolean {
  if (value instanceof Map) return value.size === 0;
  return Array.isArray(value) ? value.length === 0 : [null, "", 0, false].includes(value as null);
}

async function applicationsMade(
  set: PlacedObject,
  template: Placed,
  parameters: readonly SetParameters[],
  form: TemplateForm,
): Promise<readonly (PlacedObject | FillFault)[]> {
  const patch = fieldIn(set.spec, "templatePatch");
  const name = fieldIn(template, "metadata", "name");
  if ([name, patch].some((each) => each !== undefined && mayHoldSecret(each, set)))
    return [{ fault: "a Secret may set a part of its name", at: name?.at }];
  const field: Placed = {
    value: new Map([["template", template], ...(patch === undefined ? [] : [["patch", patch] as const])]),
    at: template.at,
  };
  const fields = await filled(
    parameters.map((each) => ({ field, parameters: each })),
    form,
  );
  return fields.map((each) => ("fault" in each ? each : applicationIn(set, each)));
}

/** It is not known which parameters a text is made of. */
function mayHoldSecret(text: Placed, { spec }: PlacedObject): boolean {
  const generators = fieldIn(spec, "generators");
  const isFilled = textIn(text)?.includes("{{") === true;
  return isHidden(text) || (isFilled && generators !== undefined && holdsSecret(generators));
}

function applicationIn(set: PlacedObject, made: Placed): PlacedObject | FillFault {
  const template = fieldIn(made, "template") ?? made;
  const text = fieldIn(made, "patch");
  const patched = text === undefined ? template : withPatch(template, text);
  if ("fault" in patched) return patched;
  const name = textIn(fieldIn(patched, "metadata", "name"));
  const spec = fieldIn(patched, "spec");
  if (name === undefined || spec === undefined)
    return { fault: "the template has no name, or no `spec`", at: template.at };
  const own = holdsSecret(set.spec) ? hide(spec) : spec;
  return { kind: "Application", name, namespace: set.namespace, at: template.at ?? set.at, spec: own };
}

/** A strategic merge patch: no list of an Application merges by a key. */
function withPatch(template: Placed, text: Placed): Placed | FillFault {
  const { source, at = { of: "text" } } = opened(text);
  const doc = readDocument(Buffer.from(textIn(opened(text)) ?? "", "utf8"));
  if (isFault(doc)) return { fault: `\`templatePatch\` cannot be read: ${doc.message}`, at: text.at };
  const placeAt = (offset: number): Place => source?.placeAt(offset) ?? at;
  const patch = placed(new Node(doc), (node) => ({ at: placeAt(node.offset) }));
  // A condition may leave nothing of it.
  if (patch.value === null) return template;
  return (
    merged(template, patch, false) ?? {
      fault: "Argo CD cannot merge mappings in `valuesObject` by `templatePatch`",
      at: patch.at,
    }
  );
}

/** Undefined where Argo CD fails: it knows no fields inside of values. */
function merged(base: Placed, patch: Placed, isInValues: boolean): Placed | undefined {
  if (!(base.value instanceof Map) || !(patch.value instanceof Map)) return patch;
  const members = new Map(base.value as PlacedMembers);
  for (const [key, each] of patch.value as PlacedMembers) {
    const lower = members.get(key);
    if (each.value === null) members.delete(key);
    else if (lower === undefined) members.set(key, each);
    else if (isInValues && lower.value instanceof Map && each.value instanceof Map) return undefined;
    else {
      const both = merged(lower, each, key === "valuesObject");
      if (both === undefined) return undefined;
      members.set(key, both);
    }
  }
  return { ...base, value: members };
}

function faultOf(set: PlacedObject, { fault, at = set.at }: FillFault): Diagnostic {
  const item = { kind: "ApplicationSet", name: set.name };
  const message = `an Application of \`${objectText(item)}\` cannot be made: ${fault}`;
  return notBuilt({ item, message, severity: "error", at });
}
