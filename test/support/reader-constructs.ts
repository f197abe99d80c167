// What an accepted document shows of a reader: the tests demand that each of these is met often.
import { type Document, Field, fieldCount, Kind } from "../../src/yaml/tape.ts";

const kinds = Object.fromEntries(Object.entries(Kind).map(([name, kind]) => [kind, name]));

export function constructsOf(doc: Document, blank: number): Set<string> {
  const found = new Set<string>();
  const add = (name: string, holds: boolean): boolean => holds && found.size < found.add(name).size;
  for (let row = 0; row * fieldCount < doc.rows.length; row++) addRow(doc, row, add);
  for (const [name, holds] of Object.entries(doc.plain ?? {})) add(name, holds);
  add("blank region", blank > 0);
  add("first line marked", doc.markers.length > 0);
  return found;
}

function addRow(doc: Document, row: number, add: (name: string, holds: boolean) => boolean): void {
  const at = (name: number, of = row): number => doc.rows[of * fieldCount + name] as number;
  const [kind, parent, body] = [at(Field.kind), at(Field.parent), at(Field.body)];
  const home = parent < 0 ? "root" : (kinds[at(Field.kind, parent)] ?? "");
  add(`${kinds[kind]} in ${home}`, true);
  add(`${kinds[at(Field.keyKind)]} key`, at(Field.keyKind) > 0);
  const isBlock = kind === Kind.blockMapping || kind === Kind.blockSequence;
  const text = Buffer.from(doc.bytes.subarray(at(Field.entry) < 0 ? body : at(Field.entry), at(Field.end)));
  const before = text.toString("latin1", 0, body - Math.max(at(Field.entry), 0));
  add(`compact ${kinds[kind]}`, isBlock && home === "blockSequence" && !before.includes("\n"));
  add(
    "sequence at its key's column",
    kind === Kind.blockSequence && at(Field.keyKind) > 0 && at(Field.column) === at(Field.column, row + 1),
  );
  add("comment before a value", isBlock && before.includes("#"));
  add("`<<`", Buffer.from(doc.bytes.subarray(at(Field.keyStart), at(Field.keyEnd))).toString() === "<<");
  if (kind === Kind.literal || kind === Kind.folded) addHeader(doc, row, add);
}

function addHeader(doc: Document, row: number, add: (name: string, holds: boolean) => boolean): void {
  const [body, end] = [Field.body, Field.end].map((name) => doc.rows[row * fieldCount + name] as number);
  const [header = "", first = ""] = Buffer.from(doc.bytes.subarray(body, end)).toString("latin1").split("\n");
  add("block scalar with a digit", /^.[-+]?[1-9]/.test(header));
  add("block scalar `-`", /^.\d?-/.test(header));
  add("block scalar `+`", /^.\d?\+/.test(header));
  add("block scalar with a comment", header.includes("#"));
  add("block scalar without text", (end as number) - (body as number) <= header.length + 1);
  add("block scalar that starts with a blank line", /^ *$/.test(first));
  add("block scalar at the end without a line feed", end === doc.end && doc.bytes[doc.end - 1] !== 10);
}
