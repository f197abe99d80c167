// Where every value of a run came from, and what it overrode. Only asked for, never on the way to the output: it walks
// all values again. Says paths and positions, never a value.
import type { LayerReader } from "../layer/layers.ts";
import { headOfTree, leafOf, membersOf, type Tree } from "../merge/tree.ts";
import type { Layer, ValueOrigin, ValuePosition } from "../model.ts";
import { textOfKey } from "../yaml/key.ts";
import { type Document, Field, field, lineIndex, type Node } from "../yaml/tape.ts";

export interface Origins {
  readonly layers: readonly Layer[];
  /** Whose document each node belongs to. */
  readonly byDocument: ReadonlyMap<Document, Layer>;
  readonly reader: LayerReader;
}

/** Origins of all values, in the order they are written. A list is one value, and so is an empty mapping. */
export function originsOf(tree: Tree | undefined, run: Origins): ValueOrigin[] {
  const locate = locator(run);
  const origins: ValueOrigin[] = [];
  const visit = (path: readonly string[], at: Tree): void => {
    const members = membersOf(at);
    if (members !== undefined && (members.size > 0 || path.length === 0))
      for (const member of members.values()) visit([...path, textOfKey(headOfTree(member))], member);
    else if (at.type === "leaf") {
      const winner = locate(at.node);
      if (winner !== undefined)
        origins.push({ path, ...winner, overrode: overrode(path, winner, run, locate) });
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
    if (layer === undefined || layer.text !== undefined) return layer === undefined ? undefined : { layer };
    let index = indexes.get(node.doc);
    if (index === undefined) indexes.set(node.doc, (index = lineIndex(node.doc.bytes)));
    return {
      layer,
      ...index(field(node, Field.entry) < 0 ? field(node, Field.start) : field(node, Field.entry)),
    };
  };
}

/** What lower layers of the run say at the path. */
function overrode(
  path: readonly string[],
  winner: ValuePosition,
  { layers, reader }: Origins,
  locate: Locate,
): ValuePosition[] {
  return layers.slice(0, layers.indexOf(winner.layer)).flatMap((layer) => {
    const { root } = reader.valuesOf(layer);
    const found = root === undefined ? undefined : nodeAt(leafOf(root), path);
    return found === undefined ? [] : (locate(found) ?? []);
  });
}

function nodeAt(tree: Tree, [key, ...rest]: readonly string[]): Node | undefined {
  if (tree.type === "branch") return undefined;
  if (key === undefined) return tree.node;
  const member = membersOf(tree)?.get(key);
  return member === undefined ? undefined : nodeAt(member, rest);
}
