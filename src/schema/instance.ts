// A value to judge, as JSON: merged values, or a literal of a schema. Scalars have the kind that the consumer reads.
// Values that a Flux variable or an unknown reader may change have `Kind.any`.
import {
  type Document,
  isFault,
  Kind as Row,
  Node,
  type Resolved,
  readDocument,
  resolveValue,
} from "../yaml/index.ts";
import { headOfTree, itemsOf, leafOf, membersOf, type Tree } from "../merge/index.ts";
import { isAmbiguous, Kind, kindOfScalar } from "./kinds.ts";

interface InstanceOptions {
  /** True if lower layers may add keys to it, in case it is a mapping. */
  readonly isOpen: boolean;
  readonly parent?: JudgedValue;
  readonly key?: string | number;
  /** True for a literal of a schema: it has no variables, and only Helm reads it. */
  readonly isLiteral?: boolean;
  /** Its text, for a key that is judged as a value. */
  readonly name?: string;
  /** Documents that Flux prints without quotes before it substitutes variables. */
  readonly unquoted?: ReadonlySet<Document>;
}

const none: ReadonlySet<Document> = new Set();

/** An index is made of larger mappings only. */
const mostScanned = 8;

export class JudgedValue {
  readonly tree: Tree;
  readonly parent: JudgedValue | undefined;
  /** The key or index in the parent. */
  readonly key: string | number | undefined;
  /** True if the schema names the key: then messages may name it even in a Secret. */
  isNamed = false;
  private readonly isLiteral: boolean;
  private readonly unquoted: ReadonlySet<Document>;
  private readonly mayGrow: boolean;
  private knownKind = 0;
  private knownMembers: readonly JudgedValue[] | undefined;
  private byKey: ReadonlyMap<string, JudgedValue> | undefined;
  private readonly name: string | undefined;
  private knownText: string | undefined;
  private knownResolved: Resolved | undefined;
  private hasVariableKey = false;

  constructor(tree: Tree, options: InstanceOptions) {
    const { isOpen, parent, key, isLiteral = false, name, unquoted = none } = options;
    this.tree = tree;
    this.parent = parent;
    this.key = key;
    this.isLiteral = isLiteral;
    this.name = name;
    this.unquoted = unquoted;
    this.mayGrow = isOpen;
  }

  get kind(): number {
    return (this.knownKind ||= this.readKind());
  }

  /** True for a mapping that may get more keys. */
  get isOpen(): boolean {
    this.members();
    return this.mayGrow || this.hasVariableKey;
  }

  /** True for a null that may remove its key, as Helm does with a chart's default, or remain. */
  get mayBeAbsent(): boolean {
    return this.mayGrow && this.kind === Kind.null && this.parent !== undefined;
  }

  /** The entry or element (or root) that gives its position. */
  get head(): Node {
    return headOfTree(this.tree);
  }

  /** The text of a scalar. */
  get text(): string {
    return (this.knownText ??= this.name ?? (this.node === undefined ? "" : this.node.text));
  }

  /** A number, as the double that Helm reads. */
  get number(): number {
    const { type, text } = this.resolved;
    return Number(type === "float" ? this.text.replaceAll("_", "") : text);
  }

  /** The value of a boolean. */
  get isTrue(): boolean {
    return this.resolved.text === "true";
  }

  /** True for text with a Flux variable: its final value is unknown. */
  get hasVariable(): boolean {
    return !this.isLiteral && this.text.includes("${");
  }

  /** Characters, keys or elements. */
  get size(): number {
    const { kind } = this;
    if (kind === Kind.string) return this.text.length >> 4;
    return kind === Kind.object ? this.members().length : this.items().length;
  }

  /** The members of a mapping, without keys that contain a variable. */
  members(): readonly JudgedValue[] {
    return (this.knownMembers ??= this.kind === Kind.object ? this.readMembers() : []);
  }

  member(key: string): JudgedValue | undefined {
    const members = this.members();
    if (members.length <= mostScanned) return members.find((each) => each.key === key);
    this.byKey ??= new Map(members.map((each) => [String(each.key), each]));
    return this.byKey.get(key);
  }

  /** The elements of a list. Lower layers add nothing to a list, so no mapping in it is open. */
  items(): readonly JudgedValue[] {
    return (this.knownMembers ??= this.kind === Kind.array ? this.readItems() : []);
  }

  /** The value, if it is of one document. */
  private get node(): Node | undefined {
    return this.tree.type === "leaf" ? this.tree.node.value : undefined;
  }

  private readItems(): JudgedValue[] {
    const { isLiteral, unquoted } = this;
    return (itemsOf(this.tree) ?? []).map(
      (item, key) => new JudgedValue(item, { isOpen: false, parent: this, key, isLiteral, unquoted }),
    );
  }

  private readMembers(): JudgedValue[] {
    const { mayGrow: isOpen, isLiteral, unquoted } = this;
    return (membersOf(this.tree)?.values() ?? []).flatMap((tree) => {
      const key = headOfTree(tree).key;
      const hasVariable = !isLiteral && key.includes("${");
      this.hasVariableKey ||= hasVariable;
      return hasVariable ? [] : new JudgedValue(tree, { isOpen, parent: this, key, isLiteral, unquoted });
    });
  }

  /** A scalar as its consumer reads it. */
  private get resolved(): Resolved {
    const { text, node } = this;
    if (node === undefined) return { type: "string", text };
    return (this.knownResolved ??= resolveValue(node, text) ?? { type: "string", text });
  }

  private readKind(): number {
    const { tree, name } = this;
    if (name !== undefined) return Kind.string;
    if (tree.type === "leaf") return this.kindOfNode(tree.node.value);
    return tree.type === "branch" ? Kind.object : Kind.array;
  }

  private kindOfNode(node: Node): number {
    if (node.isMapping) return Kind.object;
    if (node.isSequence) return Kind.array;
    // Flux prints the manifest again before it substitutes variables, without quotes that YAML does not need.
    if (this.unquoted.has(node.doc) && this.hasVariable) return Kind.any;
    const row = node.kind;
    const isPlain = row === Row.plain || row === Row.empty;
    if (!isPlain && node.tag === undefined) return Kind.string;
    const { type } = this.resolved;
    const isOpen = isPlain && (this.hasVariable || (!this.isLiteral && isAmbiguous(node, this.text, type)));
    return isOpen ? Kind.any : kindOfScalar(type, this.number);
  }
}

const empty = readDocument(Buffer.from("{}\n"));
if (isFault(empty)) throw new Error("an empty mapping cannot be read");

/** The values of a target that has none, and a schema that requires nothing. */
export const emptyMapping: Node = new Node(empty);

/** A value in a schema. */
export function literalOf(entry: Node): JudgedValue {
  return new JudgedValue(leafOf(entry), { isOpen: false, isLiteral: true });
}

/** The value of a boolean; undefined for anything else. */
export function truthOf(entry: Node): boolean | undefined {
  const literal = literalOf(entry);
  return literal.kind === Kind.boolean ? literal.isTrue : undefined;
}

/** A key of a mapping as a text, for `propertyNames`. */
export function nameInstance({ tree, parent, key }: JudgedValue): JudgedValue {
  const name = String(key);
  return new JudgedValue(tree, { isOpen: false, name, ...(parent === undefined ? {} : { parent }) });
}
