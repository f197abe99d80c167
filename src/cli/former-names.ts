// The names that items had before kustomize gave them prefixes, suffixes and hashes: while it builds, it remembers them for
// functions, and in what it writes they are gone. Whoever asks the files finds them again.
import { resolve } from "node:path";
import { decodeStream, isNode, type Item, listAt, Mark, placeOf, textAt } from "../core/index.ts";
import { readStream, type Stream } from "./origin-files.ts";

/** The stream with what kustomize tells a function of names; items whose origin is not found stay as they are. */
export function withFormerNames(bytes: Uint8Array, from: string): Uint8Array {
  const envelope = decodeStream(bytes);
  if (!("items" in envelope)) return bytes;
  const streams = new Map<string, Stream | undefined>();
  const streamOf = (file: string): Stream | undefined => {
    if (!streams.has(file)) streams.set(file, readStream(resolve(from, file)));
    return streams.get(file);
  };
  const parts: Uint8Array[] = [];
  let end = 0;
  for (const item of envelope.items) {
    const text = Buffer.from(envelope.bytes.subarray(item.start, item.end)).toString("utf8");
    const told = withMarks(text, item, formerName(item, streamOf));
    parts.push(envelope.bytes.subarray(end, item.start), Buffer.from(told, "utf8"));
    ({ end } = item);
  }
  return Buffer.concat([...parts, envelope.bytes.subarray(end)]);
}

/** The longest name in the item's own name that its origin knows. */
function formerName(item: Item, streamOf: (file: string) => Stream | undefined): string | undefined {
  const { file } = placeOf(item);
  const stream = file === undefined ? undefined : streamOf(file);
  if (stream === undefined) return undefined;
  const names = [...namesOfItems(stream, item), ...namesOfGenerators(stream, item)];
  return names
    .filter((name) => name !== "" && item.name.includes(name))
    .toSorted((a, b) => b.length - a.length)[0];
}

function namesOfItems({ items }: Stream, { kind, apiVersion }: Item): string[] {
  return items.flatMap((each) => (each.kind === kind && each.apiVersion === apiVersion ? each.name : []));
}

function namesOfGenerators({ items }: Stream, { kind }: Item): string[] {
  const root = items[0]?.read();
  const list = { ConfigMap: "configMapGenerator", Secret: "secretGenerator" }[kind];
  if (root === undefined || !isNode(root) || list === undefined) return [];
  return listAt(root, list).flatMap((generator) => textAt(generator, "name") ?? []);
}

/** kustomize writes annotations as a block, and an origin is one of them: what is told of names goes before it. */
function withMarks(
  text: string,
  { kind, name, namespace = "default" }: Item,
  former: string | undefined,
): string {
  if (former === undefined || former === name) return text;
  const [prefix = "", ...rest] = name.split(former);
  const suffix = rest.join(former).replace(/-[0-9a-z]{10}$/, "");
  const marks = {
    [Mark.previousNames]: former,
    [Mark.previousNamespaces]: namespace,
    [Mark.previousKinds]: kind,
    [Mark.prefixes]: prefix,
    [Mark.suffixes]: suffix,
    [Mark.kustomizeId]: "1",
  };
  const lines = Object.entries(marks).map(([mark, value]) => `    ${mark}: ${JSON.stringify(value)}\n`);
  return text.replace(/^ {4}config\.kubernetes\.io\/origin: \|\n/m, (origin) => lines.join("") + origin);
}
