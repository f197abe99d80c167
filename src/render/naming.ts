// Names and labels of rendered objects: names are those of konfigure-operator; labels say whose they are, so that no two
// renders write one object.
import type { Diagnostic } from "../diagnostic.ts";
import { Mark } from "../wire/annotation-names.ts";
import type { Instance } from "./instances.ts";
import { type Owner, ownerText } from "./owner.ts";
import type { Render } from "./read-settings.ts";

/** Of a DNS subdomain, which names of objects are. */
const longestName = 253;
const dnsName = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const labelValue = /^(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;

/** `[prefix-]instance[-suffix]`. */
export function nameOf({ name, render }: Pick<Instance, "name" | "render">): string {
  const { prefix = "", suffix = "", useSeparator } = render.destination.naming;
  const separator = useSeparator ? "-" : "";
  const front = prefix === "" ? "" : prefix + separator;
  const back = suffix === "" ? "" : separator + suffix;
  return front + name + back;
}

export function nameFault(instance: Instance): Diagnostic | undefined {
  const name = nameOf(instance);
  if (name.length <= longestName && dnsName.test(name)) return undefined;
  const message =
    name.length > longestName
      ? `a name of ${name.length} characters, and ${longestName} are the most`
      : `\`${name}\` is no name of an object: lower-case letters, digits, \`-\` and \`.\``;
  return {
    code: "invalid-name",
    severity: "error",
    message,
    at: { text: `instance ${instance.name}` },
    hint: "rename the folder or the instance, or change `spec.destination.naming`",
  };
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

export function ownerFaults({ owner, destination }: Render): Diagnostic[] {
  const faults = [...ownerLabels(owner)]
    .filter(([, value]) => !labelValue.test(value))
    .map(([label]): Diagnostic => {
      const field = label.endsWith("namespace") ? "metadata.namespace" : "metadata.name";
      return {
        code: "invalid-name",
        severity: "error",
        message: `the owner's label \`${label}\` takes at most 63 letters, digits, \`-\`, \`_\` and \`.\``,
        field,
        at: { text: ownerText(owner) },
        hint: `shorten \`${field}\``,
      };
    });
  const { namespace } = destination;
  if (namespace === undefined || (dnsName.test(namespace) && namespace.length <= 63)) return faults;
  return [
    ...faults,
    {
      code: "invalid-name",
      severity: "error",
      message: `\`${namespace}\` is no name of a namespace`,
      field: "spec.destination.namespace",
      at: { text: ownerText(owner) },
      hint: "at most 63 lower-case letters, digits and `-`",
    },
  ];
}
