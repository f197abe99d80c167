// Files that a checkout names: a YAML file with the place of each of its parts, and a values file as a document of a stack.
import { isFault, Node, readDocument } from "../yaml/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { fileDocument, type NamedLayer, type ReadDocument } from "../explain/index.ts";
import { isSopsFile } from "../layers/index.ts";
import { readFile } from "./disk.ts";
import { partOf } from "./kustomize/documents.ts";
import { type Placed, placed, placesOfFile } from "./placed.ts";
import { notBuilt } from "./not-built.ts";

/** A fault if it is no YAML, or encrypted. @param file how places name it */
export function readPlaced(path: string, file: string): Placed | Diagnostic {
  const bytes = readFile(path);
  if (isSopsFile(bytes))
    return notBuilt({
      message: "an encrypted file is not read",
      at: { text: file, isFile: true },
      hint: "decrypt it first: sops -d -i FILE, in a copy",
    });
  const doc = readDocument(bytes);
  const placeAt = placesOfFile(file, bytes);
  if (isFault(doc)) {
    const message = `a file cannot be read: ${doc.message}`;
    return notBuilt({ message, severity: "error", at: placeAt(doc.offset ?? 0) });
  }
  return placed(new Node(doc), (node) => ({ at: placeAt(node.offset), source: partOf(node, placeAt) }));
}

/**
 * An encrypted one is a layer that may set anything.
 * @param shown how places name it
 * @param endsLine whether its reader is Helm 4: asked where that matters
 */
export function valuesFile(
  path: string,
  shown: (path: string) => string,
  facts: Pick<NamedLayer, "why" | "slot">,
  endsLine: () => boolean,
): ReadDocument {
  return fileDocument(readFile(path), { name: shown(path), ...facts, state: "folded" }, { endsLine });
}
