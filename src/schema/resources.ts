// Parts of documents by name: by `$id`, and the anchors in each.
import type { Node } from "../yaml/index.ts";
import { pathText } from "../merge/index.ts";
import type { SchemaDraft, Resource, Schema } from "./schema.ts";
import type { SchemaText } from "./source.ts";

/** Without `http:` or `https:`: Helm accepts both. */
const drafts: ReadonlyMap<string, SchemaDraft> = new Map([
  ["json-schema.org/schema", 2020],
  ["json-schema.org/draft-04/schema", 4],
  ["json-schema.org/draft-06/schema", 6],
  ["json-schema.org/draft-07/schema", 7],
  ["json-schema.org/draft/2019-09/schema", 2019],
  ["json-schema.org/draft/2020-12/schema", 2020],
]);

function draftOf(named: string): SchemaDraft | undefined {
  return drafts.get(named.replace(/^https?:\/\//, "").replace(/#$/, ""));
}

/** Helm's default for a schema without `$schema`. */
const defaultDraft = 2020;

export class Resources {
  private readonly all = new Map<string, Resource[]>();
  private count = 0;

  /** A document gets a generated name, which no reference can mean. Its `$id` adds another name. */
  document(source: SchemaText): Resource {
    return this.add(`valuefold:///${this.count++}/schema`, defaultDraft, source);
  }

  private add(uri: string, draft: SchemaDraft, source: SchemaText): Resource {
    const made: Resource = {
      uri,
      draft,
      source,
      root: undefined,
      anchors: new Map(),
      hasUnknownDraft: false,
    };
    const known = this.all.get(uri);
    if (known === undefined) this.all.set(uri, [made]);
    else known.push(made);
    return made;
  }

  /** The resource of a schema: a new one if the schema has an id or names its draft. */
  enter(around: Resource, node: Node): { readonly resource: Resource; readonly wrong: readonly string[] } {
    const named = textUnder(node, "$schema");
    const ownDraft = named === undefined ? undefined : draftOf(named);
    const isRoot = around.root === undefined;
    const draft = ownDraft ?? around.draft;
    const id = idOf(node, draft);
    const uri = id === undefined ? undefined : joined(id, around.uri)?.replace(/#.*$/s, "");
    const wrong: string[] = [];
    const hasUnknownDraft = named !== undefined && ownDraft === undefined && (isRoot || id !== undefined);
    if (hasUnknownDraft) wrong.push("`$schema`: expected draft 4, 6, 7, 2019-09 or 2020-12");
    const [namesake] = uri === undefined ? [] : this.inDocument(uri, around.source);
    if (namesake !== undefined)
      wrong.push(`\`${idKey(draft)}\`: another schema of this document has it, too${placeIn(namesake)}`);
    const isSame = uri === undefined && !(isRoot && draft !== around.draft);
    const resource = isSame
      ? around
      : this.add(uri ?? around.uri.replace("schema", `draft-${draft}`), draft, around.source);
    resource.hasUnknownDraft ||= hasUnknownDraft;
    return { resource, wrong };
  }

  /** The schemas that a reference names, and where it leads in them. Several if they differ. */
  named(text: string, from: Resource): { readonly all: readonly Schema[]; readonly fragment: string } {
    const [name = "", fragment = ""] = joined(text, from.uri)?.split(/#(.*)/s) ?? [];
    const own = name === from.uri ? [from] : this.inDocument(name, from.source).slice(0, 1);
    // A document's own resource takes precedence over those of the same name in others.
    const all = own.length > 0 ? own : (this.all.get(name) ?? []);
    const roots = all.flatMap(({ root }) => root ?? []);
    const [first] = roots;
    // The same schema may be given twice.
    const isOne = first !== undefined && roots.every((each) => textOf(each).equals(textOf(first)));
    return { all: isOne ? [first] : roots, fragment };
  }

  private inDocument(uri: string, source: SchemaText): readonly Resource[] {
    return this.all.get(uri)?.filter((each) => each.source === source) ?? [];
  }
}

function textOf({ node }: Schema): Buffer {
  const value = node.value;
  return value.doc.bytes.subarray(value.start, value.end);
}

export function decoded(text: string): string | undefined {
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
  const entry = node.isMapping ? node.entry(key) : undefined;
  const value = entry?.value;
  return value !== undefined && value.isScalar ? value.text : undefined;
}

function idKey(draft: SchemaDraft): "id" | "$id" {
  return draft === 4 ? "id" : "$id";
}

function placeIn({ root }: Resource): string {
  return root === undefined || root.path.length === 0 ? "" : `, at \`${pathText(root.path)}\``;
}

/** Until draft 7 a reference makes its siblings void, and an id that is only a fragment is an anchor. */
function idOf(node: Node, draft: SchemaDraft): string | undefined {
  const id = textUnder(node, idKey(draft));
  const isHidden = draft <= 7 && textUnder(node, "$ref") !== undefined;
  return id === undefined || id === "" || isHidden || id.startsWith("#") ? undefined : id;
}

/** Registers the anchors of a schema in its resource. @returns what is wrong with them */
export function nameAnchors(schema: Schema, node: Node): string[] {
  const { draft, anchors } = schema.resource;
  const id = textUnder(node, idKey(draft));
  const fragment = draft <= 7 && textUnder(node, "$ref") === undefined ? id?.split("#")[1] : undefined;
  const anchor = draft >= 2019 ? textUnder(node, "$anchor") : fragment;
  const dynamic = draft >= 2020 ? textUnder(node, "$dynamicAnchor") : undefined;
  return [anchor, dynamic].flatMap((name) => {
    if (name === undefined || name === "") return [];
    const known = anchors.get(name);
    anchors.set(name, schema);
    return known === undefined || known === schema
      ? []
      : [`the anchor \`${name}\` exists already, at \`${pathText(known.path)}\``];
  });
}
