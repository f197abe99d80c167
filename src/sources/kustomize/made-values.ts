// Values as kustomize built them, and the same once variables are replaced: a variable may stand in a key, and its value may be read
// as something else than a text. Documents are found for what kustomize built, and shown with what became of it.
import type { Node } from "../../yaml/index.ts";
import { membersOf, type NodeAt } from "./marks.ts";

export class MadeValues {
  private readonly values = new Map<string, Node>();
  private readonly keys = new Map<string, string>();
  /** Mappings that have other entries than what kustomize built: none of them is known. */
  readonly others: NodeAt[] = [];

  /** @param built before variables are replaced */
  constructor(built: Node, made: Node) {
    this.pair([], built, made);
  }

  private pair(path: readonly string[], built: Node, made: Node): void {
    const isOpen = built.value.isMapping && built.value.entries().size > 0;
    if (!isOpen) this.values.set(JSON.stringify(path), made);
    const members = isOpen ? membersMade(built, made) : [];
    if (isOpen && members.length === 0) this.others.push({ path, node: made });
    for (const { key, madeKey, built: own, made: other } of members) {
      const inner = [...path, key];
      if (key !== madeKey) this.keys.set(JSON.stringify(inner), madeKey);
      this.pair(inner, own, other);
    }
  }

  /** What became of a value. @param path its path before variables are replaced */
  valueAt(path: readonly string[], built: Node): Node {
    return this.values.get(JSON.stringify(path)) ?? built;
  }

  pathOf(path: readonly string[]): readonly string[] {
    if (this.keys.size === 0) return path;
    return path.map((key, index) => this.keys.get(JSON.stringify(path.slice(0, index + 1))) ?? key);
  }
}

/** A member of a collection that kustomize built, and what became of it. */
interface MadeMember {
  readonly key: string;
  readonly madeKey: string;
  readonly built: Node;
  readonly made: Node;
}

/** Of two members that have one key in the end the last is left. None where the collections do not fit together. */
export function membersMade(built: Node, made: Node): readonly MadeMember[] {
  if (built.value.isMapping !== made.value.isMapping || made.value.isScalar) return [];
  const own = [...membersOf(built.value)];
  const all = made.value.children().map((entry) => [entry.key, entry] as const);
  const others = all.length === own.length ? all : [...membersOf(made.value)];
  if (others.length !== own.length) return [];
  const pairs = others.map(([name, entry], index): readonly [string, MadeMember] => {
    const [key, node] = own[index] as readonly [string, Node];
    const madeKey = made.value.isMapping ? name : String(index);
    return [madeKey, { key, madeKey, built: node, made: entry }];
  });
  return [...new Map(pairs).values()];
}
