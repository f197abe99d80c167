// The documents that a build made an object's inline values of, lowest first: each is a layer, with the places of its values.
// The edge finds them; what is here makes a document of each that the walk can read.
import type { Place, RemovedValue, Variable } from "../explanation.ts";
import { remembered } from "../remembered.ts";
import { isFault, Node, quote, readDocument } from "../yaml/index.ts";

/** One value of a document. */
export interface ChainValue {
  readonly path: readonly string[];
  /** One line of YAML. */
  readonly text: string;
  readonly at: Place;
  readonly variables?: readonly Variable[];
}

/** A document that sets values, or a kustomization, where its documents are not known. */
export interface ChainDocument {
  readonly at: Place;
  /** False for the resource that is patched. */
  readonly isPatch: boolean;
  /** True for values that a build took from a Secret. */
  readonly isSecret: boolean;
  /** Those that count, and those that a higher document overrides. */
  readonly values: readonly ChainValue[];
}

export interface Chain {
  /** Lowest first. What all of them merge to is what the object holds. */
  readonly documents: readonly ChainDocument[];
  readonly removed: readonly RemovedValue[];
}

/** Listed values as the walk reads them. */
export interface ListedValues {
  readonly root: Node;
  readonly placeOf: (node: Node) => Place;
  readonly variablesOf: (node: Node) => readonly Variable[];
}

type ChainMembers = Map<string, ChainMembers | ChainValue>;

/** A document of listed values. @param at of all of them */
export function readListed(listed: readonly ChainValue[], at: Place): ListedValues {
  const values = new Map<number, ChainValue>();
  const lines: Buffer[] = [];
  write(membersOf(listed), "", { lines, values, length: 0 });
  const doc = readDocument(Buffer.concat(lines));
  if (isFault(doc)) throw new Error(`unreadable document of a chain: ${doc.message}`);
  const root = new Node(doc);
  const valueAt = (node: Node): ChainValue | undefined => values.get(node.offset);
  // A mapping is where the first value in it is; the whole is the document.
  const firstIn = (node: Node): ChainValue | undefined => {
    const value = node.value;
    const first = value.isMapping ? value.first : undefined;
    return valueAt(node) ?? (first && firstIn(first));
  };
  return {
    root,
    placeOf: (node) => (node.row === root.row ? undefined : firstIn(node)?.at) ?? at,
    variablesOf: (node) => valueAt(node)?.variables ?? [],
  };
}

/** As a tree. Of a value and another inside of it the first counts. */
function membersOf(values: readonly ChainValue[]): ChainMembers {
  const root: ChainMembers = new Map();
  for (const value of values) {
    let members: ChainMembers | undefined = root;
    for (const key of value.path.slice(0, -1)) {
      const next: ChainMembers | ChainValue | undefined =
        members && remembered<string, ChainMembers | ChainValue>(members, key, () => new Map());
      members = next instanceof Map ? next : undefined;
    }
    const last = value.path.at(-1);
    if (members !== undefined && last !== undefined) remembered(members, last, () => value);
  }
  return root;
}

interface Writing {
  readonly lines: Buffer[];
  /** By their offsets. */
  readonly values: Map<number, ChainValue>;
  length: number;
}

function write(members: ChainMembers, indent: string, to: Writing): void {
  if (members.size === 0) add("{}\n", to);
  for (const [key, member] of members) {
    add(`${indent}${quote(key)}:`, to);
    if (member instanceof Map) {
      add("\n", to);
      write(member, `${indent}  `, to);
    } else {
      to.values.set(to.length + 1, member);
      add(` ${member.text}\n`, to);
    }
  }
}

function add(text: string, to: Writing): void {
  const bytes = Buffer.from(text, "utf8");
  to.lines.push(bytes);
  to.length += bytes.length;
}
