// A value that is judged, seen as JSON: merged values (or a schema's own literal) over the tape. Read as the consumer
// reads it; what a Flux variable or an unknown reader leaves open is of any kind.
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

/** Merged values as what is judged. */
export function valueIn(tree: Tree): Value {
  switch (tree.type) {
    case "leaf":
      return tree.node;
    case "branch":
    case "list":
      return tree;
  }
}

interface Place {
  /** True if lower layers may still add keys to it, should it be a mapping. */
  readonly isOpen: boolean;
  readonly above?: Instance;
  readonly key?: string | number;
  /** True for what a schema holds: nobody fills in variables there, and nobody else reads it. */
  readonly isLiteral?: boolean;
  /** Documents whose quotes do not last until variables are filled in. */
  readonly unquoted?: ReadonlySet<Document>;
}

const none: ReadonlySet<Document> = new Set();

const few = 8;

/** Shorter whole numbers are doubles as they stand. */
const exactLength = 16;

export class Instance {
  readonly value: Value;
  readonly above: Instance | undefined;
  /** Under which key, or at which index, of what is above. */
  readonly key: string | number | undefined;
  /** True if the schema names the key: then it is no news to anybody. */
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

  constructor(value: Value, { isOpen, above, key, isLiteral = false, unquoted = none }: Place) {
    this.value = value;
    this.above = above;
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

  /** True for a null that may take the key away, as Helm does with a chart's default, or stay. */
  get isGhost(): boolean {
    return this.mayGrow && this.kind === Kind.null && this.above !== undefined;
  }

  /** The text of a scalar. */
  get text(): string {
    return (this.knownText ??= "type" in this.value ? "" : scalarText(valueOf(this.value)));
  }

  /** A number in decimal digits: of a value those of the double that Helm reads, of a schema's own whole number all. */
  get number(): string {
    const { type, text } = this.resolved;
    if (type === "float") return String(Number(this.text.replaceAll("_", "")));
    return this.isLiteral || text.length < exactLength ? text : String(Number(text));
  }

  /** What a boolean says. */
  get isTrue(): boolean {
    return this.resolved.text === "true";
  }

  /** True for text of which nobody knows all. */
  get isUnclear(): boolean {
    return !this.isLiteral && this.text.includes("${");
  }

  /** What a mapping holds; a key that a variable makes is left out. */
  members(): readonly Instance[] {
    return (this.knownMembers ??= this.kind === Kind.object ? this.readMembers() : []);
  }

  member(key: string): Instance | undefined {
    const members = this.members();
    if (members.length <= few) return members.find((each) => each.key === key);
    this.byKey ??= new Map(members.map((each) => [String(each.key), each]));
    return this.byKey.get(key);
  }

  /** What a list holds: what lies below replaces nothing in it, so nothing in it may grow. */
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
      (item, key) => new Instance(item, { isOpen: false, above: this, key, isLiteral, unquoted }),
    );
  }

  /** What the consumer's reader makes of a scalar. */
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
    // Flux prints the manifest anew before it fills in: quotes are gone where YAML needs none.
    if (this.unquoted.has(node.doc) && this.isUnclear) return Kind.any;
    const row = kindOf(node);
    const isPlain = row === Row.plain || row === Row.empty;
    if (!isPlain && tagOf(node) === undefined) return Kind.string;
    const { type } = this.resolved;
    const isOpen = isPlain && (this.isUnclear || (!this.isLiteral && isAmbiguous(node, this.text, type)));
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
      return new Instance(each, { isOpen, above: this, key, isLiteral, unquoted });
    });
  }
}

const empty = readDocument(Buffer.from("{}\n"));
if (isFault(empty)) throw new Error("an empty mapping cannot be read");

/** The values of a target that has none, and a schema that requires nothing. */
export const emptyMapping: Node = { doc: empty, row: 0 };

/** A value that a schema holds. */
export function literalOf(entry: Node): Instance {
  return new Instance(entry, { isOpen: false, isLiteral: true });
}

/** What a boolean says; undefined for anything else. */
export function truthOf(entry: Node): boolean | undefined {
  const literal = literalOf(entry);
  return literal.kind === Kind.boolean ? literal.isTrue : undefined;
}

/** A key of a mapping as a text, for `propertyNames`. */
export class NameInstance extends Instance {
  private readonly name: string;

  constructor(member: Instance) {
    super(member.value, { isOpen: false, ...(member.above === undefined ? {} : { above: member.above }) });
    this.name = String(member.key);
  }

  override get kind(): number {
    return Kind.string;
  }

  override get text(): string {
    return this.name;
  }
}
