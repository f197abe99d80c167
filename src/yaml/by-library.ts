// What only the `yaml` library can do: the one door to it, so that programs load it only if something goes through.
import { parseDocument } from "yaml";
export { readByLibrary } from "./library-reader.ts";

/** Text of a quoted or folded scalar with whatever YAML allows in it; "" if it cannot be read. */
export function decodeByLibrary(source: string): string {
  const document = parseDocument(`k: ${source}`, {
    schema: "failsafe",
    prettyErrors: false,
    logLevel: "silent",
  });
  const text: unknown = document.errors.length > 0 ? undefined : document.get("k");
  return typeof text === "string" ? text : "";
}
