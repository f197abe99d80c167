// Names and labels of rendered objects. Names are those of konfigure-operator; labels name the owner, so that no two
// renders write one object.
import type { Diagnostic } from "../diagnostic.ts";
import { Mark } from "../krm/index.ts";
import type { RenderInstance } from "./instances.ts";
import { type Owner, ownerText } from "./kinds.ts";
import type { Render } from "./read-settings.ts";
import { errorAt } from "./faults.ts";

/** The longest DNS subdomain: names of objects have that form. */
const longestName = 253;
const dnsName = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const notAKey = "is not a valid key of a label or annotation";
const labelValue = /^(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;

/** `[prefix-]instance[-suffix]`. */
export function nameOf({ name, render }: Pick<RenderInstance, "name" | "render">): string {
  const { prefix = "", suffix = "", useSeparator } = render.destination.naming;
  const separator = useSeparator ? "-" : "";
  const front = prefix === "" ? "" : prefix + separator;
  const back = suffix === "" ? "" : separator + suffix;
  return front + name + back;
}

export function nameFault(instance: RenderInstance): Diagnostic | undefined {
  const name = nameOf(instance);
  if (name.length <= longestName && dnsName.test(name)) return undefined;
  const message =
    name.length > longestName
      ? `a name of ${name.length} characters, and ${longestName} are the most`
      : `\`${name}\` is not a valid name of an object: lower-case letters, digits, \`-\` and \`.\``;
  return errorAt(
    "invalid-name",
    `instance ${instance.name}`,
    message,
    "rename the folder or the instance, or change `spec.destination.naming`",
  );
}

/** The owner's version and a revision are not among them: they would change every object for nothing. */
export function ownerLabels({ group, kind, name, namespace }: Owner): Map<string, string> {
  return new Map([
    [`${Mark.owner}group`, group],
    [`${Mark.owner}kind`, kind],
    [`${Mark.owner}name`, name],
    [`${Mark.owner}namespace`, namespace],
  ]);
}

/** True for a key of a label or annotation: a name, perhaps after a domain and `/`. */
function isKey(key: string): boolean {
  const [name = "", domain, ...more] = key.split("/").toReversed();
  const isDomain = domain === undefined || (domain.length <= longestName && dnsName.test(domain));
  return more.length === 0 && isDomain && name !== "" && labelValue.test(name);
}

/** What is wrong with the owner of a render and with its destination. */
export function ownerFaults({ owner, destination }: Render): Diagnostic[] {
  const faults: Diagnostic[] = [];
  const wrong = (field: string, message: string, hint: string): unknown =>
    faults.push(errorAt("invalid-name", ownerText(owner), message, hint, field));
  const characters = "letters, digits, `-`, `_` and `.`";
  for (const [label, value] of ownerLabels(owner)) {
    const field = label.endsWith("namespace") ? "metadata.namespace" : "metadata.name";
    if (!labelValue.test(value))
      wrong(field, `the owner's label \`${label}\` takes at most 63 ${characters}`, `shorten \`${field}\``);
  }
  const keyCure = "write `name` or `domain/name`";
  for (const [key, value] of Object.entries(destination.labels)) {
    const field = `spec.destination.labels.${key}`;
    const message = `\`${field}\`: a label holds at most 63 ${characters}, with a letter or digit at each end`;
    if (!isKey(key)) wrong(field, `\`${key}\` ${notAKey}`, keyCure);
    else if (!labelValue.test(value)) wrong(field, message, "correct it, or make it an annotation");
  }
  for (const key of Object.keys(destination.annotations))
    if (!isKey(key)) wrong(`spec.destination.annotations.${key}`, `\`${key}\` ${notAKey}`, keyCure);
  const { namespace } = destination;
  if (namespace !== undefined && !(dnsName.test(namespace) && namespace.length <= 63))
    wrong(
      "spec.destination.namespace",
      `\`${namespace}\` is not a valid name of a namespace`,
      "at most 63 lower-case letters, digits and `-`",
    );
  return faults;
}
