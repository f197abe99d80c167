// The documents of a file, of a patch in a kustomization, or of a generator → the same with marks, as JSON.
import { basename } from "node:path";
import { decodeStream, isNode } from "../../krm/index.ts";
import {
  isFault,
  Kind,
  lineIndex,
  Node,
  placesInLiteral,
  readDocument,
  scalarBytes,
} from "../../yaml/index.ts";
import type { Place } from "../../explanation.ts";
import {
  type Marks,
  plainOf,
  pointerTo,
  scalarOf,
  type SourceDocument,
  type SourceText,
  written,
} from "./marks.ts";
import { asFields, type Fields } from "../plain.ts";

export interface MarkedText {
  readonly text: string;
  /** The documents of the text. */
  readonly documents: readonly SourceDocument[];
}

/** Resources, or patches of any form; undefined for what cannot be read. */
export function markedText(
  source: SourceText,
  role: "resource" | "patch",
  marks: Marks,
): MarkedText | undefined {
  const envelope = decodeStream(source.bytes);
  if (!("items" in envelope)) return role === "patch" ? markedOperations(source, marks) : undefined;
  const documents: SourceDocument[] = [];
  const texts = envelope.items.map((item): string | undefined => {
    const root = item.read();
    if (!isNode(root)) return undefined;
    const { kind, name } = item;
    const { placeAt, variablesAt } = source;
    const at = placeAt(root.offset);
    const document = marks.document({
      role,
      kind,
      name,
      at,
      placeAt,
      ...(variablesAt && { variablesAt }),
      root,
    });
    documents.push(document);
    return written(annotated(marks.marked(document, root), marks.annotationOf(document)));
  });
  return texts.includes(undefined) ? undefined : { text: texts.join("---\n"), documents };
}

/** The text of a scalar in a text: only lines of a literal block are lines of the file. */
export function partOf(
  node: Node,
  placeAt: SourceText["placeAt"],
  variablesAt?: SourceText["variablesAt"],
): SourceText {
  const bytes = scalarBytes(node);
  const whole = placeAt(node.offset);
  if (node.kind !== Kind.literal || whole.line === undefined) {
    const isOneLine = !node.doc.bytes.toString("latin1", node.offset, node.end).includes("\n");
    const { line } = whole;
    const at: Place = {
      of: "file",
      file: whole.file ?? "",
      ...(isOneLine && line !== undefined && { line }),
    };
    return { bytes, placeAt: () => at, ...(variablesAt && { variablesAt: () => variablesAt(node.offset) }) };
  }
  const [placed, offsetOf] = [lineIndex(bytes), placesInLiteral(node)];
  const ownAt = (offset: number): number => {
    const { line, column } = placed(offset);
    return offsetOf(line, column);
  };
  return {
    bytes,
    placeAt: (offset) => placeAt(ownAt(offset)),
    ...(variablesAt && { variablesAt: (offset) => variablesAt(ownAt(offset)) }),
  };
}

function annotated(object: unknown, annotations: Readonly<Record<string, string>>): unknown {
  const root = asFields(object);
  const metadata = asFields(root["metadata"]);
  return {
    ...root,
    metadata: { ...metadata, annotations: { ...asFields(metadata["annotations"]), ...annotations } },
  };
}

/** As kustomize reads it: with what an alias and `<<` bring, and keys as Go has them. */
export function asGo({ value }: Node): unknown {
  if (value.isMapping)
    return Object.fromEntries([...value.entries()].map(([key, entry]) => [key, asGo(entry)]));
  return value.isSequence ? value.children().map(asGo) : value.plain(null);
}

/** A `test` of a value would fail, as the value is a mark. */
function markedOperations(source: SourceText, marks: Marks): MarkedText | undefined {
  const doc = readDocument(source.bytes);
  const root = isFault(doc) ? undefined : new Node(doc).value;
  if (root === undefined || !root.isSequence) return undefined;
  const operations = root.children().map((node) => ({
    op: node.textAt("op") ?? "",
    path: stepsOf(node.textAt("path") ?? ""),
    from: stepsOf(node.textAt("from") ?? ""),
    value: node.get("value"),
    node,
  }));
  const { placeAt, variablesAt } = source;
  const document = marks.document({
    role: "operations",
    kind: "",
    name: "",
    at: placeAt(root.offset),
    placeAt,
    ...(variablesAt && { variablesAt }),
    operations,
  });
  const kept = operations.filter(({ op }) => op !== "test");
  const texts = kept.map(({ node, path, value }) => ({
    ...asFields(plainOf(node, scalarOf)),
    ...pointersOf(node),
    ...(value === undefined ? {} : { value: marks.marked(document, value, path) }),
  }));
  return { text: written(texts), documents: [document] };
}

function pointersOf(operation: Node): Readonly<Record<string, string>> {
  const named = ["path", "from"].map((field) => [field, operation.textAt(field)] as const);
  return Object.fromEntries(
    named.flatMap(([field, text]) => (text === undefined ? [] : [[field, pointerTo(text)]])),
  );
}

/** The steps of a JSON pointer. */
function stepsOf(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The lists of generators in a kustomization. */
export const generatorKinds = { configMapGenerator: "ConfigMap", secretGenerator: "Secret" } as const;

/** A generator with marks in place of its literals, and the annotation that shows what it reached. */
export function markedGenerator(
  generator: Node,
  kind: string,
  placeAt: SourceText["placeAt"],
  marks: Marks,
): { readonly fields: Fields; readonly document: SourceDocument } {
  const name = generator.textAt("name") ?? "";
  const at = placeAt(generator.offset);
  const document = marks.document({ role: "generator", kind, name, at, placeAt, root: generator });
  const plain = asFields(asGo(generator));
  const options = asFields(plain["options"]);
  const literals = generator.list("literals").map((entry) => {
    const [, key = "", text = ""] = /^([^=]*=)([^]*)$/.exec(entry.text) ?? [];
    const value = Buffer.from(text.replaceAll(/^(["'])([^]*)\1$/g, "$2"), "utf8");
    return key + marks.mark({ document, at: placeAt(entry.offset), value });
  });
  const annotations = { ...asFields(options["annotations"]), ...marks.annotationOf(document) };
  const fields = {
    ...plain,
    options: { ...options, annotations },
    ...(literals.length === 0 ? {} : { literals }),
  };
  return { fields, document };
}

/** True if a generator makes a data key. */
export function hasKey(generator: Node, key: string): boolean {
  const names = [...generator.list("literals"), ...generator.list("files")].map((entry) => entry.text);
  return names.some(
    (name) => (name.includes("=") ? name.slice(0, name.indexOf("=")) : basename(name)) === key,
  );
}
