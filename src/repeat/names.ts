// Names of clones: what Kubernetes takes, and no other item has.
import { type Item, type Named, scalarText } from "../core/index.ts";
import { escapes } from "./setting.ts";
import { isFailure, fail, type Failure } from "./faults.ts";
import type { ResourceEntry, Scope } from "./model.ts";
import { fillAsText } from "./placeholders.ts";

const label = "[a-z0-9](?:[-a-z0-9]*[a-z0-9])?";
const subdomain = new RegExp(`^${label}(?:\\.${label})*$`);
const longestName = 253;
const longestLabel = 63;
/** Kinds whose names are one DNS label. */
const labelKinds: readonly string[] = ["Service", "Namespace"];
/** Kinds whose names may be nearly anything. */
const freeGroup = "rbac.authorization.k8s.io/";

/** What kustomize put before and after a template's name since the Repeat was written. */
interface Affixes {
  readonly before: string;
  readonly behind: string;
}

function affixesOf(template: Item, { name }: ResourceEntry): Affixes {
  const at = template.name.indexOf(name);
  if (at < 0 || template.name === name) return { before: "", behind: "" };
  return { before: template.name.slice(0, at), behind: template.name.slice(at + name.length) };
}

/** What a clone is called: now, and as the Repeat spells it. */
export interface CloneName {
  readonly name: string;
  /** Without what kustomize put around the template's name. */
  readonly bareName: string;
}

/** The name of a clone, as it is to be now. */
export function nameOf(entry: ResourceEntry, scope: Scope, template: Item): CloneName | Failure {
  const filled = fillAsText(entry.as, scope, entry.repeat);
  if (!filled.mayGoTo(template, "metadata"))
    return escapes(entry, { path: "metadata.name", value: entry.as }, `${entry.kind}'s name`);
  const bare = filled.writeTo(template, "metadata");
  if (isFailure(bare)) return bare;
  const { before, behind } = affixesOf(template, entry);
  const name = before + bare.text + behind;
  return wrongName(name, entry, template) ?? { name, bareName: bare.text };
}

function wrongName(name: string, entry: ResourceEntry, { apiVersion }: Named): Failure | undefined {
  const isLabel = labelKinds.includes(entry.kind);
  const longest = isLabel ? longestLabel : longestName;
  const where = { repeat: entry.repeat, ...entry.as };
  if (name.length > longest)
    return fail(
      "repeat-name",
      where,
      `a ${entry.kind} would have a name of ${name.length} characters, and Kubernetes takes ${longest}`,
      "shorten `as`, or the instance's name",
    );
  if (apiVersion.startsWith(freeGroup) && name !== "" && !/[/%]|^\.\.?$/.test(name)) return undefined;
  if (subdomain.test(name) && !(isLabel && name.includes("."))) return undefined;
  return fail(
    "repeat-name",
    where,
    `\`${name}\` is no name for a ${entry.kind}: expected lower-case letters, digits${isLabel ? " and `-`" : ", `-` and `.`"}, and a letter or digit at both ends`,
    `rename the instance, or take a value of it instead of \`{name}\` in \`${scalarText(entry.as.node)}\``,
  );
}

/** By this the API server knows an item. */
export function identityOf({
  apiVersion,
  kind,
  name,
  namespace,
}: Pick<Named, "apiVersion" | "kind" | "name" | "namespace">): string {
  const group = apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
  return `${group}/${kind}/${namespace ?? ""}/${name}`;
}
