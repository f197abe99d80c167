// A JSON patch (RFC 6902) in YAML → its operations. What konfigure takes for an operation and the RFC does not is refused.
import type { Diagnostic } from "../diagnostic.ts";
import { checkDocument, type Document, isFault, lineAndColumn, Node, normalizeText } from "../yaml/index.ts";
import { readSound } from "../layers/index.ts";
import type { Report } from "../report/index.ts";
import { errorAt } from "./faults.ts";

const names = ["add", "remove", "replace", "move", "copy", "test"] as const;
type OperationName = (typeof names)[number];

export interface PatchOperation {
  readonly op: OperationName;
  readonly path: readonly string[];
  readonly from: readonly string[];
  /** The entry that holds the value; absent for null and without a value. */
  readonly value: Node | undefined;
  /** True where there should be a value, and none is written. */
  readonly lacksValue: boolean;
  /** Its position in its file, 1-based. */
  readonly line: number;
  readonly column: number;
}

/** Reads a patch; an empty file is one of no operations. Undefined where it does not read: the report says why. */
export function readPatch(
  file: string,
  bytes: Uint8Array,
  report: Report,
): readonly PatchOperation[] | undefined {
  const text = normalizeText(bytes);
  const doc = readSound(text);
  const wrong = isFault(doc) ? [doc] : checkDocument(doc).faults;
  for (const { message, offset } of wrong) {
    const place = offset === undefined ? {} : lineAndColumn(isFault(doc) ? text : doc.bytes, offset);
    report.report(failed(message, { text: file, ...place }, "correct the YAML at this place"));
  }
  if (isFault(doc) || wrong.length > 0) return undefined;
  const root = new Node(doc).value;
  if (root.isScalar && root.isNull) return [];
  if (!root.isSequence) {
    report.report(failed("a patch is a list of operations", { text: file, line: 1, column: 1 }, hint));
    return undefined;
  }
  const operations = root.children().map((item) => operationIn(item, file, doc));
  const faults = operations.filter((each) => "code" in each);
  report.all(faults);
  return faults.length > 0 ? undefined : operations.filter((each) => "op" in each);
}

const hint = "an operation is `{op: add, path: /a/b, value: 1}`: see RFC 6902";

function operationIn(item: Node, file: string, doc: Document): PatchOperation | Diagnostic {
  const node = item.value;
  const place = lineAndColumn(doc.bytes, item.entryStart);
  const at = { text: file, ...place };
  if (!node.isMapping) return failed("an operation is a mapping", at, hint);
  const entries = node.entries();
  const op = names.find((name) => name === textIn(entries.get("op")));
  if (op === undefined) return failed(`expected an \`op\`: ${names.join(", ")}`, at, hint);
  const path = pointer(textIn(entries.get("path")));
  if (path === undefined) return failed("expected a `path` such as `/a/b`", at, hint);
  const needsFrom = op === "move" || op === "copy";
  const from = needsFrom ? pointer(textIn(entries.get("from"))) : [];
  if (from === undefined) return failed(`\`${op}\` needs a \`from\` such as \`/a/b\``, at, hint);
  const value = entries.get("value");
  const isNothing = value === undefined || (value.value.isScalar && value.value.isNull);
  const lacksValue = value === undefined && (op === "add" || op === "replace" || op === "test");
  return { op, path, from, value: isNothing ? undefined : value, lacksValue, ...place };
}

/** Text of a scalar that is text. */
function textIn(entry: Node | undefined): string | undefined {
  const node = entry?.value;
  if (node === undefined || !node.isScalar || node.resolved().type !== "string") return undefined;
  return node.text;
}

/** The steps of a JSON pointer; undefined for other text. */
function pointer(text: string | undefined): string[] | undefined {
  if (text === undefined || (text !== "" && !text.startsWith("/"))) return undefined;
  return text
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** As a patch spells it. */
export function pointerText(path: readonly string[]): string {
  if (path.length === 0) return '""';
  return path.map((step) => `/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

function failed(message: string, at: Diagnostic["at"] & object, cure: string): Diagnostic {
  return errorAt("patch-failed", at, message, cure);
}
