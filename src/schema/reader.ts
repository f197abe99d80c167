// Schemas' documents → compiled schemas. Reports every fault of a schema with its place, even if judging never uses that
// part. Resolves references among the given schemas only: it fetches nothing and reads no file.
import type { Node } from "../yaml/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { Argument, type ArgumentReading } from "./argument.ts";
import { truthOf } from "./instance.ts";
import { keywordOf, rankOf } from "./keywords.ts";
import { Kind } from "./kinds.ts";
import { NodeMap } from "./node-map.ts";
import { decoded, nameAnchors, Resources } from "./resources.ts";
import { type Check, type Resource, Schema } from "./schema.ts";
import { keywordIn, positionIn, schemaFault, type SchemaText } from "./source.ts";
import { Verdict } from "./verdict.ts";

/** Keys from the top of the document to a schema. Deeper schemas are rejected. */
const mostKeys = 400;

/** The keywords that old drafts read next to a reference: until draft 7 it makes its other siblings void. */
const readWithReference = new Set(["$ref", "definitions", "$defs"]);

/** The schema `false`. */
const never: Check = {
  keyword: "",
  kinds: Kind.any,
  judge: () => Verdict.invalid,
  says: () => "the schema does not allow it",
};

/** All schemas of a run, compiled together: one may refer to another by its `$id`. Each document is compiled once. */
export class SchemaSet implements ArgumentReading {
  private readonly faults: Diagnostic[] = [];
  private readonly resources = new Resources();
  private readonly schemas = new NodeMap<Schema>();
  /** Members by key, of mappings that a pointer has passed: many references pass through the same definitions. */
  private readonly members = new NodeMap<ReadonlyMap<string, Node>>();
  private readonly references: { readonly schema: Schema; readonly text: string }[] = [];

  /** Reads the schema at the top of a document. */
  add(source: SchemaText, root: Node): Schema {
    return this.at(this.resources.document(source), root, []);
  }

  /** Call once all documents are added. @returns the faults of all schemas */
  finish(): readonly Diagnostic[] {
    const unresolved: Diagnostic[] = [];
    // Some references lead to schemas that are read only now, and refer to others.
    for (const { schema, text } of this.references) {
      const [target, ...others] = this.find(text, schema);
      if (target === undefined || others.length > 0)
        unresolved.push(unresolvedFault(schema, text, target === undefined ? [] : [target, ...others]));
      else {
        schema.referred = target;
        target.isReferredTo = true;
      }
    }
    return [...this.faults, ...unresolved];
  }

  /** The schema at an entry, compiled once. */
  at(around: Resource, entry: Node, path: readonly string[]): Schema {
    const node = entry.value;
    const known = this.schemas.get(node);
    if (known !== undefined) return known;
    const { resource, wrong } = this.resources.enter(around, node);
    const schema = new Schema(resource, entry, path);
    for (const message of wrong) this.fault(schema, entry, message);
    this.schemas.set(node, schema);
    resource.root ??= schema;
    // In an unknown draft the meaning of keywords is unknown, too.
    if (!resource.hasUnknownDraft) this.read(schema, node);
    return schema;
  }

  private read(schema: Schema, node: Node): void {
    schema.always = truthOf(node);
    if (schema.always === false) schema.checks = [never];
    if (schema.always !== undefined) return;
    if (!node.isMapping || schema.path.length > mostKeys)
      return this.fault(schema, schema.node, "expected a schema: a mapping, or true or false");
    for (const message of nameAnchors(schema, node)) this.fault(schema, schema.node, message);
    this.readKeywords(schema, node);
  }

  private readKeywords(schema: Schema, node: Node): void {
    const { draft } = schema.resource;
    const isAlone = draft <= 7 && node.entry("$ref") !== undefined;
    for (const entry of node.members()) {
      const keyword = entry.keyText;
      if (isAlone && !readWithReference.has(keyword)) continue;
      const form = keywordOf(keyword, draft);
      const judged = form?.read(new Argument(schema, entry, [...schema.path, keyword], this));
      const check = judged && { keyword, kinds: form?.kinds ?? Kind.any, ...judged };
      if (check !== undefined) schema.checks = [...schema.checks, check];
    }
    const rank = ({ keyword }: Check): number => rankOf.get(keyword) ?? 0;
    schema.checks = schema.checks.toSorted((a, b) => rank(a) - rank(b));
  }

  refer(schema: Schema, text: string): void {
    this.references.push({ schema, text });
  }

  fault({ resource, path }: Schema, node: Node, message: string): void {
    this.faults.push(schemaFault({ resource, node, path }, message));
  }

  /** None, or several that differ, if the reference cannot be resolved. */
  private find(text: string, { resource }: Schema): readonly Schema[] {
    const { all, fragment } = this.resources.named(text, resource);
    const [root] = all;
    if (root === undefined || all.length > 1 || fragment === "" || root.resource.hasUnknownDraft) return all;
    if (fragment.startsWith("/")) return this.atPointer(root, fragment);
    const anchored = root.resource.anchors.get(decoded(fragment) ?? "");
    return anchored === undefined ? [] : [anchored];
  }

  private atPointer(root: Schema, fragment: string): readonly Schema[] {
    let [node, nearest]: [Node | undefined, Schema] = [root.node, root];
    const path = [...root.path];
    for (const part of fragment.slice(1).split("/")) {
      const key = decoded(part)?.replaceAll("~1", "/").replaceAll("~0", "~");
      node = key === undefined ? undefined : this.childAt(node.value, key);
      if (node === undefined) return [];
      nearest = this.schemas.get(node.value) ?? nearest;
      path.push(key ?? "");
    }
    const value = node.value;
    const isSchema = value.isMapping || truthOf(value) !== undefined;
    const known = this.schemas.get(value);
    if (known !== undefined) return [known];
    return isSchema ? [this.at(nearest.resource, node, path)] : [];
  }

  private childAt(node: Node, key: string): Node | undefined {
    if (node.isSequence) return /^\d{1,9}$/.test(key) ? node.children()[Number(key)] : undefined;
    if (!node.isMapping) return undefined;
    const children = this.members.get(node) ?? new Map(node.members().map((entry) => [entry.keyText, entry]));
    this.members.set(node, children);
    return children.get(key);
  }
}

/** @param among the schemas that an ambiguous reference may mean */
function unresolvedFault(schema: Schema, text: string, among: readonly Schema[]): Diagnostic {
  const part = keywordIn(schema, "$ref");
  const code = "schema-reference";
  if (among.length > 0) {
    const why = "may mean several of the schemas that are given: they have one `$id`, and differ";
    const also = among.map(positionIn);
    const hint = "give each of them an `$id` of its own, or only one of them";
    return schemaFault(part, `\`$ref\` ${why}`, { code, also, hint });
  }
  const message = "`$ref` leads to nothing in the schemas that are given";
  if (text.startsWith("#")) return schemaFault(part, message, { code });
  const hint =
    "give the schema that it means, too, under this `$id`: valuefold fetches nothing and reads no file";
  return schemaFault(part, message, { code, hint });
}
