// Where every value of a run came from, and what it overrode. Runs only for `explain`, never for the output: it walks
// all values again. Returns paths and positions, never a value.
import type { LayerReader } from "../layer/layers.ts";
import { headOfTree, type Members, membersOf, membersOfNode, type Tree } from "../merge/tree.ts";
import type { Layer, ValueOrigin, ValuePosition } from "../model.ts";
import { textOfKey } from "../yaml/key.ts";
import { type Document, Field, field, isMapping, lineIndex, type Node, valueOf } from "../yaml/tape.ts";

export interface Origins {
  readonly layers: readonly Layer[];
  /** The layer of each document. */
  readonly byDocument: ReadonlyMap<Document, Layer>;
  readonly reader: LayerReader;
}

/**
 * Origins of all values, in the order they are written. A list is one value, and so is an empty mapping; in a list merged
 * by a rule (setting `merge`) each element is one, at `[0]`, `[1]`, ….
 */
export function originsOf(tree: Tree | undefined, run: Origins): ValueOrigin[] {
  const locate = locator(run);
  const lower = new Lower(run);
  const origins: ValueOrigin[] = [];
  const visit = (path: readonly string[], at: Tree): void => {
    const members = membersOf(at);
    if (members !== undefined && (members.size > 0 || path.length === 0))
      for (const member of members.values()) visit([...path, textOfKey(headOfTree(member))], member);
    else if (at.type === "list" && at.elements.values().length > 0)
      for (const [index, item] of at.elements.values().entries()) visit([...path, `[${index}]`], item);
    else {
      const winner = locate(headOfTree(at));
      if (winner !== undefined)
        origins.push({ path, ...winner, overrode: lower.at(path, winner.layer, locate) });
    }
  };
  if (tree !== undefined) visit([], tree);
  return origins;
}

type Locate = (node: Node) => ValuePosition | undefined;

function locator({ byDocument }: Origins): Locate {
  const indexes = new Map<Document, ReturnType<typeof lineIndex>>();
  return (node) => {
    const layer = byDocument.get(node.doc);
    if (layer === undefined || layer.dotted !== undefined) return layer === undefined ? undefined : { layer };
    let index = indexes.get(node.doc);
    if (index === undefined) indexes.set(node.doc, (index = lineIndex(node.doc.bytes)));
    return {
      layer,
      ...index(field(node, Field.entry) < 0 ? field(node, Field.start) : field(node, Field.entry)),
    };
  };
}

/** The values that lower layers of the run set at a path. */
class Lower {
  private readonly members = new Map<Node["doc"], Map<number, Members>>();
  private readonly run: Origins;

  constructor(run: Origins) {
    this.run = run;
  }

  at(path: readonly string[], below: Layer, locate: Locate): ValuePosition[] {
    const { layers, reader } = this.run;
    return layers.slice(0, layers.indexOf(below)).flatMap((layer) => {
      const { root } = reader.valuesOf(layer);
      const found = root === undefined ? undefined : this.nodeAt(root, path);
      return found === undefined ? [] : (locate(found) ?? []);
    });
  }

  private nodeAt(root: Node, path: readonly string[]): Node | undefined {
    let at: Node | undefined = root;
    for (const key of path) {
      const member: Tree | undefined = at === undefined ? undefined : this.membersOf(valueOf(at))?.get(key);
      at = member === undefined ? undefined : headOfTree(member);
    }
    return at;
  }

  /** Cached per mapping, because every value in it needs the members. */
  private membersOf(mapping: Node): Members | undefined {
    if (!isMapping(mapping)) return undefined;
    let known = this.members.get(mapping.doc);
    if (known === undefined) this.members.set(mapping.doc, (known = new Map()));
    let members = known.get(mapping.row);
    if (members === undefined) known.set(mapping.row, (members = membersOfNode(mapping)));
    return members;
  }
}
