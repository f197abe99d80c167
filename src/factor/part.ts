// A value of a file, or what is left of one once something is cut out of it. Equal values have equal numbers, so comparing two
// of any size costs nothing. A file is read into parts once; cuts make new parts and never change one.
import { type Document, type Node, textOf } from "../yaml/index.ts";
import { isVariable } from "../merge/index.ts";

/** A plain `${…}` may become anything, so it is of a kind of its own. */
type PartKind = "mapping" | "list" | "scalar" | "null" | "variable";

export interface Part {
  /** The entry, element or root that it is written from. */
  readonly node: Node;
  readonly kind: PartKind;
  /** Equal for values that are equal to their consumer. */
  readonly id: number;
  /** How many lines of content it takes. */
  readonly lines: number;
  /** False once something is cut out of it. */
  readonly isWhole: boolean;
  /** Of a mapping: by key, in order. */
  readonly members?: ReadonlyMap<string, Part>;
  /** Of a list. */
  readonly items?: readonly Part[];
}

type Content = Pick<Part, "kind" | "id" | "members" | "items">;

/** Makes parts, and numbers their values. */
export class Parts {
  private readonly ids = new Map<string, number>();
  /** What aliases refer to, read once. */
  private readonly targets = new WeakMap<Document, Map<number, Content>>();
  private readonly lineCounts = new WeakMap<Document, Int32Array>();
  private readonly isSpelled: boolean;

  /** @param isSpelled true where only values that are spelled alike are equal: their reader is not known */
  constructor(isSpelled = false) {
    this.isSpelled = isSpelled;
  }

  read(node: Node): Part {
    const value = node.value;
    const content = value.row === node.row ? this.contentOf(node) : this.targetOf(value);
    return { node, ...content, lines: this.linesOf(node), isWhole: true };
  }

  /** A mapping with these members: itself, if they are its own; undefined without any. */
  left(part: Part, members: ReadonlyMap<string, Part>): Part | undefined {
    if (members.size === 0) return undefined;
    return hasMembers(part, members) ? part : this.mapping(part, members);
  }

  /** A mapping with some of its members. */
  mapping(part: Part, members: ReadonlyMap<string, Part>): Part {
    const inner = sumOf(members.values());
    const lines = isInline(part.node) ? inner : inner + 1;
    return { node: part.node, ...this.mappingOf(members), lines, isWhole: false };
  }

  /** A list with some of its elements. */
  list(part: Part, items: readonly Part[]): Part {
    return { node: part.node, ...this.listOf(items), lines: sumOf(items) + 1, isWhole: false };
  }

  private contentOf(value: Node): Content {
    if (value.isMapping) {
      const entries = value.members().map((entry) => [entry.key, this.read(entry)] as const);
      return this.mappingOf(new Map(entries));
    }
    if (value.isSequence) return this.listOf(value.children().map((item) => this.read(item)));
    const { type, text } = value.resolved();
    if (isVariable(value)) return { kind: "variable", id: this.idOf(`$${text}`) };
    const kind = type === "null" ? "null" : "scalar";
    const same = `${type === "int" ? "float" : type} ${text}`;
    return { kind, id: this.idOf(this.isSpelled ? `"${sourceOf(value)}` : same) };
  }

  private targetOf(value: Node): Content {
    let known = this.targets.get(value.doc);
    if (known === undefined) this.targets.set(value.doc, (known = new Map()));
    let content = known.get(value.row);
    if (content === undefined) known.set(value.row, (content = this.contentOf(value)));
    return content;
  }

  private mappingOf(members: ReadonlyMap<string, Part>): Content {
    const keys = [...members.keys()].toSorted();
    const text = keys.map((key) => `${JSON.stringify(key)}:${members.get(key)?.id}`).join();
    return { kind: "mapping", id: this.idOf(`{${text}`), members };
  }

  private listOf(items: readonly Part[]): Content {
    return { kind: "list", id: this.idOf(`[${items.map(({ id }) => id).join()}`), items };
  }

  private idOf(text: string): number {
    let id = this.ids.get(text);
    if (id === undefined) this.ids.set(text, (id = this.ids.size));
    return id;
  }

  private linesOf(node: Node): number {
    const { doc } = node;
    let counts = this.lineCounts.get(doc);
    if (counts === undefined) this.lineCounts.set(doc, (counts = countLines(textOf(doc))));
    const entry = node.entryStart;
    const start = entry < 0 ? node.start : entry;
    const last = Math.max(start, node.end - 1);
    return Math.max(1, (counts[last] as number) - (counts[start] as number) + 1);
  }
}

/** True if a mapping has these members and no others. */
export function hasMembers({ members }: Part, others: ReadonlyMap<string, Part>): boolean {
  return members?.size === others.size && [...others].every(([key, each]) => members.get(key) === each);
}

export function sumOf(parts: Iterable<Part | undefined>): number {
  let sum = 0;
  for (const part of parts) sum += part?.lines ?? 0;
  return sum;
}

/** How many lines of a text are neither blank nor a comment, up to and with the line of each offset. */
function countLines(text: string): Int32Array {
  const counts = new Int32Array(text.length + 1);
  let [count, at] = [0, 0];
  for (const line of text.split("\n")) {
    if (isContent(line)) count++;
    counts.fill(count, at, at + line.length + 1);
    at += line.length + 1;
  }
  return counts;
}

export function isContent(line: string): boolean {
  return !/^[ \t]*(?:#|$)/.test(line);
}

/** A root has no line of its own, and the first entry of an element shares the line of its dash. */
function isInline(node: Node): boolean {
  const parent = node.parent;
  return parent === undefined || parent.isSequence;
}

function sourceOf(value: Node): string {
  return textOf(value.doc).slice(value.start, value.end);
}
