// All schemas of a run by name: documents by `$id`, anchors, and places by JSON pointer. Resolves references among the
// given schemas only: it fetches nothing and reads no file.
import { hash } from "node:crypto";
import {
  childrenOf,
  type Document,
  entryNodes,
  entryUnder,
  Field,
  field,
  isMapping,
  isScalar,
  isSequence,
  keyText,
  type Node,
  pathText,
  scalarText,
  valueOf,
} from "../core/index.ts";
import { truthOf } from "./instance.ts";
import type { SchemaReading } from "./keywords.ts";
import type { Draft, Reference, Resource, Schema, Source } from "./schema.ts";

/** Without `http:` or `https:`: Helm accepts both. */
const drafts: ReadonlyMap<string, Draft> = new Map([
  ["json-schema.org/schema", 2020],
  ["json-schema.org/draft-04/schema", 4],
  ["json-schema.org/draft-06/schema", 6],
  ["json-schema.org/draft-07/schema", 7],
  ["json-schema.org/draft/2019-09/schema", 2019],
  ["json-schema.org/draft/2020-12/schema", 2020],
]);

function draftOf(named: string): Draft | undefined {
  return drafts.get(named.replace(/^https?:\/\//, "").replace(/#$/, ""));
}

/** Helm's default for a schema without `$schema`. */
const defaultDraft = 2020;

interface PendingReference {
  readonly schema: Schema;
  readonly reference: Reference;
}

/** A reference to no schema, or to several that differ. */
interface Unresolved extends PendingReference {
  readonly among?: readonly Schema[];
}

export class Registry {
  private readonly resources = new Map<string, Resource[]>();
  private readonly schemas = new Map<Document, Map<number, Schema>>();
  /** Members by key, of mappings that a pointer has passed. */
  private readonly children = new Map<Document, Map<number, ReadonlyMap<string, Node>>>();
  private readonly texts = new Map<Schema, string>();
  private pending: PendingReference[] = [];
  private count = 0;

  /** A document gets a generated name, which no reference can mean. Its `$id` adds another name. */
  document(source: Source): Resource {
    return this.resource(`valuefold:///${this.count++}/schema`, defaultDraft, source);
  }

  resource(uri: string, draft: Draft, source: Source): Resource {
    const made: Resource = {
      uri,
      draft,
      source,
      root: undefined,
      anchors: new Map(),
      hasUnknownDraft: false,
    };
    const known = this.resources.get(uri);
    if (known === undefined) this.resources.set(uri, [made]);
    else known.push(made);
    return made;
  }

  /** A resource of the same name in the same document. */
  namesake(uri: string, source: Source): Resource | undefined {
    return this.resources.get(uri)?.find((each) => each.source === source);
  }

  schemaAt({ doc, row }: Node): Schema | undefined {
    return this.schemas.get(doc)?.get(row);
  }

  add({ doc, row }: Node, schema: Schema): void {
    const known = this.schemas.get(doc) ?? new Map<number, Schema>();
    this.schemas.set(doc, known.set(row, schema));
  }

  defer(schema: Schema, reference: Reference): void {
    this.pending.push({ schema, reference });
  }

  /** Call once all documents are read. Some references lead to schemas that are read only now. */
  resolve(reader: SchemaReading): readonly Unresolved[] {
    const unresolved: Unresolved[] = [];
    while (this.pending.length > 0) {
      const pending = this.pending;
      this.pending = [];
      for (const each of pending) {
        const target = this.find(each.reference.text, each.schema, reader);
        if (target === undefined) unresolved.push(each);
        else if (Array.isArray(target)) unresolved.push({ ...each, among: target });
        else {
          each.reference.target = target;
          target.isReferredTo = true;
        }
      }
    }
    return unresolved;
  }

  private find(text: string, { resource }: Schema, reader: SchemaReading): Schema | Schema[] | undefined {
    const uri = joined(text, resource.uri);
    if (uri === undefined) return undefined;
    const [name = "", fragment = ""] = uri.split(/#(.*)/s);
    const all = name === resource.uri ? [resource] : this.named(name, resource.source);
    const roots = all.flatMap(({ root }) => root ?? []);
    if (roots.length > 1 && new Set(roots.map((root) => this.textOf(root))).size > 1) return roots;
    const [there] = all;
    if (there?.root === undefined) return undefined;
    if (fragment === "" || there.hasUnknownDraft) return there.root;
    if (!fragment.startsWith("/")) return there.anchors.get(decoded(fragment) ?? "");
    return this.atPointer(there.root, fragment, reader);
  }

  /** A digest of its text: the same schema may be given twice. Kept, because many references need it. */
  private textOf(schema: Schema): string {
    const known = this.texts.get(schema);
    if (known !== undefined) return known;
    const { doc, row } = valueOf(schema.node);
    const [start, end] = [field({ doc, row }, Field.start), field({ doc, row }, Field.end)];
    const text = hash("sha256", doc.bytes.subarray(start, end), "hex");
    this.texts.set(schema, text);
    return text;
  }

  /** A document's own resource takes precedence over those of the same name in others. */
  private named(uri: string, source: Source): readonly Resource[] {
    const own = this.namesake(uri, source);
    return own === undefined ? (this.resources.get(uri) ?? []) : [own];
  }

  private atPointer(root: Schema, fragment: string, reader: SchemaReading): Schema | undefined {
    let [node, nearest]: [Node | undefined, Schema] = [root.node, root];
    const path = [...root.path];
    for (const part of fragment.slice(1).split("/")) {
      const key = decoded(part)?.replaceAll("~1", "/").replaceAll("~0", "~");
      node = key === undefined || node === undefined ? undefined : this.childAt(valueOf(node), key);
      if (node === undefined) return undefined;
      nearest = this.schemaAt(valueOf(node)) ?? nearest;
      path.push(key ?? "");
    }
    const value = valueOf(node);
    const isSchema = isMapping(value) || truthOf(value) !== undefined;
    return this.schemaAt(value) ?? (isSchema ? reader.at(nearest.resource, node, path) : undefined);
  }

  /** Keeps the members of mappings: many references pass through the same definitions. */
  private childAt(node: Node, key: string): Node | undefined {
    if (isSequence(node)) return /^\d{1,9}$/.test(key) ? childrenOf(node)[Number(key)] : undefined;
    if (!isMapping(node)) return undefined;
    const known = this.children.get(node.doc) ?? new Map<number, ReadonlyMap<string, Node>>();
    this.children.set(node.doc, known);
    const children = known.get(node.row) ?? new Map(entryNodes(node).map((entry) => [keyText(entry), entry]));
    known.set(node.row, children);
    return children.get(key);
  }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Undefined if it is not a URI. */
function joined(text: string, base: string): string | undefined {
  try {
    return new URL(text, base).href;
  } catch {
    return undefined;
  }
}

function textUnder(node: Node, key: string): string | undefined {
  const entry = isMapping(node) ? entryUnder(node, key) : undefined;
  const value = entry === undefined ? undefined : valueOf(entry);
  return value !== undefined && isScalar(value) ? scalarText(value) : undefined;
}

/** The resource of a schema: a new one if the schema has an id or names its draft. */
export function enterResource(
  around: Resource,
  node: Node,
  registry: Registry,
  fault: (message: string) => void,
): Resource {
  const named = textUnder(node, "$schema");
  const ownDraft = named === undefined ? undefined : draftOf(named);
  const isRoot = around.root === undefined;
  const draft = ownDraft ?? around.draft;
  const id = idOf(node, draft);
  const hasUnknownDraft = named !== undefined && ownDraft === undefined && (isRoot || id !== undefined);
  if (hasUnknownDraft) fault("`$schema`: expected draft 4, 6, 7, 2019-09 or 2020-12");
  const uri = id === undefined ? undefined : joined(id, around.uri)?.replace(/#.*$/s, "");
  const namesake = uri === undefined ? undefined : registry.namesake(uri, around.source);
  if (namesake !== undefined)
    fault(`\`${idKey(draft)}\`: another schema of this document has it, too${placeIn(namesake)}`);
  const own =
    uri === undefined && !(isRoot && draft !== around.draft)
      ? around
      : registry.resource(uri ?? around.uri.replace("schema", `draft-${draft}`), draft, around.source);
  own.hasUnknownDraft ||= hasUnknownDraft;
  return own;
}

function idKey(draft: Draft): "id" | "$id" {
  return draft === 4 ? "id" : "$id";
}

function placeIn({ root }: Resource): string {
  return root === undefined || root.path.length === 0 ? "" : `, at \`${pathText(root.path)}\``;
}

/** Until draft 7 a reference makes its siblings void, and an id that is only a fragment is an anchor. */
function idOf(node: Node, draft: Draft): string | undefined {
  const id = textUnder(node, idKey(draft));
  const isHidden = draft <= 7 && textUnder(node, "$ref") !== undefined;
  return id === undefined || id === "" || isHidden || id.startsWith("#") ? undefined : id;
}

/** Registers the anchors of a schema in its resource. */
export function nameAnchors(schema: Schema, node: Node, fault: (message: string) => void): void {
  const { resource } = schema;
  const { draft } = resource;
  const id = textUnder(node, idKey(draft));
  const fragment = draft <= 7 && textUnder(node, "$ref") === undefined ? id?.split("#")[1] : undefined;
  const anchor = draft >= 2019 ? textUnder(node, "$anchor") : fragment;
  const dynamic = draft >= 2020 ? textUnder(node, "$dynamicAnchor") : undefined;
  if (anchor !== undefined && anchor !== "") nameAnchor(anchor, schema, fault);
  if (dynamic !== undefined) nameAnchor(dynamic, schema, fault);
}

function nameAnchor(anchor: string, schema: Schema, fault: (message: string) => void): void {
  const { anchors } = schema.resource;
  const known = anchors.get(anchor);
  if (known !== undefined && known !== schema)
    fault(`the anchor \`${anchor}\` is there already, at \`${pathText(known.path)}\``);
  anchors.set(anchor, schema);
}
