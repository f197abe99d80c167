// Something known of each of some nodes.
import type { Document, Node } from "../yaml/index.ts";

export class NodeMap<T> {
  private readonly byDocument = new Map<Document, Map<number, T>>();

  get({ doc, row }: Node): T | undefined {
    return this.byDocument.get(doc)?.get(row);
  }

  set({ doc, row }: Node, known: T): void {
    const rows = this.byDocument.get(doc) ?? new Map<number, T>();
    this.byDocument.set(doc, rows.set(row, known));
  }
}
