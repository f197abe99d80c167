// In the place of the fast reader: refuses everything, so that the library reads every document.
import type { Refusal } from "../../src/yaml/fast-reader.ts";

export function readFast(): Refusal {
  return { refused: "region" };
}
