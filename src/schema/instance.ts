// A value to judge, as JSON: merged values, or a literal of a schema. Scalars have the kind that the consumer reads.
// Values that a Flux variable or an unknown reader may change have `Kind.any`.
import {
  type Branch,
  childrenOf,
  type Document,
  entryNodes,
  headOfTree,
  isFault,
  isMapping,
  isSequence,
  Kind as Row,
  kindOf,
  type ListBranch,
  type Node,
  type Resolved,
  readDocument,
  resolveValue,
  scalarText,
  tagOf,
  textOfKey,
  type Tree,
  valueOf,
} from "../core/index.ts";
import { isAmbiguous, Kind, kindOfScalar } from "./kinds.ts";

type Value = Node | Branch | ListBranch;

/** Merged values in the form that an `Instance` takes. */
export function valueIn(tree: Tree): Value {
  switch (tree.type) {
    case "leaf":
      return tree.node;
    case "branch":
    case "list":
      return tree;
  }
}

interface InstanceOptions {
  /** True if lower layers may add keys to it, in case it is a mapping. */
  readonly isOpen: boolean;
  readonly parent?: Instance;
  readonly key?: string | number;
  /** True for a literal of a schema: it has no variables, and only Helm reads it. */
  readonly isLiteral?: boolean;
  /** Documents that Flux prints without quotes before it substitutes variables. */
  readonly unquoted?: ReadonlySet<Document>;
}

const none: ReadonlySet<Document> = new Set();

/** In mappings of at most this many keys, searching is faster than an index. */
const mostScanned = 8;

/** Every whole number of fewer characters is exact as a double. */
const exactLength = 16;

export class Instance {
  readonly value: Value;
  readonly parent: Instance | undefined;
  /** The key or index in the parent. */
  readonly key: string | number | undefined;
  /** True if the schema names the key: then messages may name it even in a Secret. */
  isNamed = false;
  private readonly isLiteral: boolean;
  private readonly unquoted: ReadonlySet<Document>;
  private readonly mayGrow: boolean;
  private knownKind = 0;
  private knownMembers: readonly Instance[] | undefined;
  private byKey: ReadonlyMap<string, Instance> | undefined;
  private knownText: string | undefined;
  private knownResolved: Resolved | undefined;
  private hasVariableKey = false;

  constructor(value: Value, { isOpen, parent, key, isLiteral = false, unquoted = none }: InstanceOptions) {
    this.value = value;
    this.parent = parent;
    this.key = key;
    this.isLiteral = isLiteral;
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

  /** The text of a scalar. */
  get text(): string {
    return (this.knownText ??= "type" in this.value ? "" : scalarText(valueOf(this.value)));
  }

  /** A number in decimal digits: of the double that Helm reads. A whole number in a schema keeps all digits. */
  get number(): string {
    const { type, text } = this.resolved;
    if (type === "float") return String(Number(this.text.replaceAll("_", "")));
    return this.isLiteral || text.length < exactLength ? text : String(Number(text));
  }

  /** The value of a boolean. */
  get isTrue(): boolean {
    return this.resolved.text === "true";
  }

  /** True for text with a Flux variable: its final value is unknown. */
  get hasVariable(): boolean {
    return !this.isLiteral && this.text.includes("${");
  }

  /** The members of a mapping, without keys that contain a variable. */
  members(): readonly Instance[] {
    return (this.knownMembers ??= this.kind === Kind.object ? this.readMembers() : []);
  }

  member(key: string): Instance | undefined {
    const members = this.members();
    if (members.length <= mostScanned) return members.find((each) => each.key === key);
    this.byKey ??= new Map(members.map((each) => [String(each.key), each]));
    return this.byKey.get(key);
  }

  /** The elements of a list. Lower layers add nothing to a list, so no mapping in it is open. */
  items(): readonly Instance[] {
    return (this.knownMembers ??= this.kind === Kind.array ? this.readItems() : []);
  }

  private readItems(): Instance[] {
    const { value, isLiteral, unquoted } = this;
    const items =
      "type" in value
        ? value.type === "list"
          ? value.elements.values().map(valueIn)
          : []
        : childrenOf(valueOf(value));
    return items.map(
      (item, key) => new Instance(item, { isOpen: false, parent: this, key, isLiteral, unquoted }),
    );
  }

  /** A scalar as its consumer reads it. */
  private get resolved(): Resolved {
    if ("type" in this.value) return { type: "string", text: "" };
    const { text } = this;
    return (this.knownResolved ??= resolveValue(valueOf(this.value), text) ?? { type: "string", text });
  }

  private readKind(): number {
    const { value } = this;
    if (!("type" in value)) return this.kindOfNode(valueOf(value));
    return value.type === "branch" ? Kind.object : Kind.array;
  }

  private kindOfNode(node: Node): number {
    if (isMapping(node)) return Kind.object;
    if (isSequence(node)) return Kind.array;
    // Flux prints the manifest again before it substitutes variables, without quotes that YAML does not need.
    if (this.unquoted.has(node.doc) && this.hasVariable) return Kind.any;
    const row = kindOf(node);
    const isPlain = row === Row.plain || row === Row.empty;
    if (!isPlain && tagOf(node) === undefined) return Kind.string;
    const { type } = this.resolved;
    const isOpen = isPlain && (this.hasVariable || (!this.isLiteral && isAmbiguous(node, this.text, type)));
    return isOpen ? Kind.any : kindOfScalar(type, this.number);
  }

  private readMembers(): Instance[] {
    const { value, mayGrow: isOpen, isLiteral, unquoted } = this;
    const trees =
      "type" in value
        ? (value.type === "branch" ? value.members.values() : []).map((tree) => {
            return { key: textOfKey(headOfTree(tree)), value: valueIn(tree) };
          })
        : entryNodes(valueOf(value)).map((node) => ({ key: textOfKey(node), value: node }));
    return trees.flatMap(({ key, value: each }) => {
      if (!isLiteral && key.includes("${")) {
        this.hasVariableKey = true;
        return [];
      }
      return new Instance(each, { isOpen, parent: this, key, isLiteral, unquoted });
    });
  }
}

const empty = readDocument(Buffer.from("{}\n"));
if (isFault(empty)) throw new Error("an empty mapping cannot be read");

/** The values of a target that has none, and a schema that requires nothing. */
export const emptyMapping: Node = { doc: empty, row: 0 };

/** A value in a schema. */
export function literalOf(entry: Node): Instance {
  return new Instance(entry, { isOpen: false, isLiteral: true });
}

/** The value of a boolean; undefined for anything else. */
export function truthOf(entry: Node): boolean | undefined {
  const literal = literalOf(entry);
  return literal.kind === Kind.boolean ? literal.isTrue : undefined;
}

/** A key of a mapping as a text, for `propertyNames`. */
export class NameInstance extends Instance {
  private readonly name: string;

  constructor(member: Instance) {
    super(member.value, { isOpen: false, ...(member.parent === undefined ? {} : { parent: member.parent }) });
    this.name = String(member.key);
  }

  override get kind(): number {
    return Kind.string;
  }

  override get text(): string {
    return this.name;
  }
}
