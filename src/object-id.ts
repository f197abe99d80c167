// An object by its kind, namespace and name: as messages name it, as the key of a map, and as a word of a user means it.
import type { ItemRef } from "./diagnostic.ts";
import { isKindNamed } from "./kinds.ts";

export interface ObjectId {
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** Of a file, and of a bare name, no kind is known. */
type NamedObject = Pick<ObjectId, "namespace" | "name"> & { readonly kind?: string | undefined };

/** `Kind/name`, or `Kind/namespace/name`; without a kind, the name. */
export function objectText({ kind, namespace, name }: NamedObject): string {
  if (kind === undefined) return name;
  return namespace === undefined ? `${kind}/${name}` : `${kind}/${namespace}/${name}`;
}

/** What a text names: one of another form is a name. */
export function parseObject(text: string): NamedObject {
  const [kind, ...names] = text.split("/");
  const [name, namespace] = names.toReversed();
  if (name === undefined || names.length > 2) return { name: text };
  return { kind, name, ...(namespace !== undefined && { namespace }) };
}

/** One text for each object. No namespace is an empty one. */
export function objectKey({ kind, namespace = "", name }: ObjectId): string {
  return `${kind}/${namespace}/${name}`;
}

/** The id of an object, without what else it has. */
export function objectId({ kind, name, namespace }: ObjectId): ItemRef {
  return { kind, name, ...(namespace === undefined ? {} : { namespace }) };
}

/** True if a text may mean an object; without a namespace it may mean several. */
export function isNamedAs({ kind, namespace, name }: ObjectId, text: string): boolean {
  const wanted = parseObject(text);
  // Users type the name that a generator has, not the hash that kustomize adds.
  if (name !== wanted.name && hashless(name) !== wanted.name) return false;
  if (wanted.kind === undefined) return true;
  return isKindNamed(kind, wanted.kind) && (wanted.namespace ?? namespace) === namespace;
}

/** With the kind that its first word means: names are alike where kinds are spelled alike. */
export function withKind(text: string, objects: readonly Pick<ObjectId, "kind">[]): string {
  const { kind: word } = parseObject(text);
  const meant = objects.find(({ kind }) => word !== undefined && isKindNamed(kind, word));
  return meant === undefined ? text : `${meant.kind}${text.slice(text.indexOf("/"))}`;
}

/** kustomize's hash is made of these letters and digits. */
const hashSuffix = /-[2456789bcdfghkmt]{10}$/;

/** A name without the hash that kustomize adds to it. */
export function hashless(name: string): string {
  return name.replace(hashSuffix, "");
}
