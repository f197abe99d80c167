// All schemas of a run, compiled together: one may refer to another by its `$id`. Each document is compiled once.
import { entryUnder, type Node, valueOf } from "../core/index.ts";
import { type SchemaFault, SchemaReader } from "./reader.ts";
import { Registry } from "./registry.ts";
import type { Schema, Source } from "./schema.ts";

export class SchemaSet {
  private readonly registry = new Registry();
  private readonly reader = new SchemaReader(this.registry);

  /** Reads the schema at the top of a document. */
  add(source: Source, root: Node): Schema {
    return this.reader.at(this.registry.document(source), root, []);
  }

  /** What is wrong with any of them, once all are read. */
  finish(): readonly SchemaFault[] {
    const lost = this.registry.resolve(this.reader).map(({ schema, reference, among }): SchemaFault => {
      const { resource, node, path } = schema;
      return {
        code: "schema-reference",
        resource,
        node: entryUnder(valueOf(node), reference.keyword) ?? node,
        path: [...path, reference.keyword],
        message: `\`${reference.keyword}\` ${among === undefined ? "leads to nothing in the schemas that are given" : "may mean several of the schemas that are given: they have one `$id`, and differ"}`,
        ...(among === undefined ? {} : { among }),
        isWithin: reference.text.startsWith("#"),
      };
    });
    return [...this.reader.faults, ...lost];
  }
}
