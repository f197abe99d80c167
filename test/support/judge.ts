// Shortcuts for tests: a schema and a value as JSON, and what judging says.
import { readValues } from "../../src/layers/values.ts";
import { leafOf } from "../../src/merge/tree.ts";
import { type Finding, Findings } from "../../src/schema/findings.ts";
import { JudgedValue } from "../../src/schema/instance.ts";
import { SchemaSet } from "../../src/schema/reader.ts";
import { Judge, type Schema } from "../../src/schema/schema.ts";
import type { Diagnostic } from "../../src/diagnostic.ts";
import { Verdict } from "../../src/schema/verdict.ts";
import { isFault, readDocument } from "../../src/yaml/read.ts";
import { Node } from "../../src/yaml/node.ts";

export function nodeOf(value: unknown): Node {
  return nodeOfText(JSON.stringify(value));
}

export function nodeOfText(text: string): Node {
  const doc = readDocument(Buffer.from(text, "utf8"));
  if (isFault(doc)) throw new Error(`${doc.message}: ${text.slice(0, 200)}`);
  return new Node(doc);
}

export interface Compiled {
  readonly schema: Schema;
  readonly faults: readonly Diagnostic[];
}

/** @param others documents that the schema may refer to */
export function compiled(schema: unknown, others: readonly unknown[] = []): Compiled {
  const set = new SchemaSet();
  const [own] = [schema, ...others].map((each, index) =>
    set.add({ position: { text: `schema ${index}` } }, nodeOf(each)),
  );
  return { schema: own as Schema, faults: set.finish() };
}

const words = { [Verdict.invalid]: "invalid", [Verdict.undecided]: "undecided", [Verdict.valid]: "valid" };

/** @param isOpen true for values that lower layers may add to */
export function judged(schema: Schema, value: Node, isOpen = false): string {
  const instance = new JudgedValue(leafOf(value), { isOpen });
  return words[new Judge().judge(schema, instance)];
}

export function findingsOf(schema: Schema, value: Node, isOpen = false): readonly Finding[] {
  const findings = new Findings();
  new Judge(findings).judge(schema, new JudgedValue(leafOf(value), { isOpen }));
  return findings.all;
}

/** As layers are read: checked, and with their variables. */
export function layerOf(text: string): Node {
  const { root, faults } = readValues(Buffer.from(text, "utf8"));
  if (root === undefined) throw new Error(faults[0]?.message ?? "nothing there");
  return root;
}
