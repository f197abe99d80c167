// A values file that a target names, as a document of its stack. An encrypted one is a layer that may set anything.
import { fileDocument, type NamedLayer, type ReadDocument } from "../explain/index.ts";
import { readFile } from "./disk.ts";

/** @param shown how places name it */
export function valuesFile(
  path: string,
  shown: (path: string) => string,
  facts: Pick<NamedLayer, "why" | "slot">,
): ReadDocument {
  return fileDocument(readFile(path), { name: shown(path), ...facts, state: "folded" });
}
