// What only the `yaml` library can do. Programs load the library through this file, and only when they need it.
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
