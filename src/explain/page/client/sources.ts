// Links to the lines of files, by the template that the user gives.
import type { Place } from "../../../explanation.ts";
import type { FileLinks } from "../links.ts";
import { encoded } from "./addresses.ts";

/** The address of a place; undefined where it has none. */
export type HrefOf = (at: Place | undefined) => string | undefined;

export function hrefsBy(sources: FileLinks | undefined): HrefOf {
  // The command line refuses any other; a page that was changed by hand does nothing either.
  if (sources === undefined || !/^https?:\/\//.test(sources.template)) return () => undefined;
  const paths = new Map(sources.files);
  return (at) => {
    const path = paths.get(at?.file ?? "");
    return path === undefined ? undefined : filled(sources.template, path, lineOf(at));
  };
}

/** Lines of a layer's text are no lines of its file. */
function lineOf(at: Place | undefined): number | undefined {
  return at?.of === "file" ? at.line : undefined;
}

function filled(template: string, path: string, line: number | undefined): string {
  const file = path.split("/").map(encoded).join("/");
  const whole = line === undefined ? template.replace(/#.*\{line\}.*/, "") : template;
  return whole.replaceAll("{file}", () => file).replaceAll("{line}", `${line ?? 1}`);
}
