// An empty mapping: the values of a target that has none, and a schema that asks for nothing.
import { isFault, type Node, readDocument } from "../core/index.ts";

const doc = readDocument(Buffer.from("{}\n"));
if (isFault(doc)) throw new Error("an empty mapping reads");

export const nodeOfNothing: Node = { doc, row: 0 };
