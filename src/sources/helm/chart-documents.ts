// A chart as the lowest documents of a stack.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Diagnostic } from "../../diagnostic.ts";
import { fileDocument, type StackDocument } from "../../explain/index.ts";
import { readFile } from "../disk.ts";

interface ChartDocuments {
  readonly documents: readonly StackDocument[];
  readonly faults: readonly Diagnostic[];
}

/** @param directory that of the chart, where it is here */
export function chartDocuments(
  directory: string | undefined,
  shown: (path: string) => string,
): ChartDocuments {
  const file = directory === undefined ? undefined : join(directory, "values.yaml");
  if (file === undefined || !existsSync(file)) return { documents: [], faults: [] };
  const { document, diagnostics } = fileDocument(readFile(file), {
    name: shown(file),
    why: "chart",
    state: "folded",
  });
  return { documents: [document], faults: diagnostics };
}
