// A source of an Application that is a directory of manifests, read as Argo CD reads it.
import { relative } from "node:path";
import { decodeStream } from "../../krm/index.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import { filesBelow, isFile, readFile } from "../disk.ts";
import { looseMatch } from "../glob.ts";
import { notBuilt } from "../not-built.ts";
import { fieldIn, isTrue, type Placed, placesOfFile, textIn } from "../placed.ts";
import { placesInFile } from "../object-places.ts";
import type { FoundObjects } from "../placed-object.ts";

interface DirectoryManifests {
  /** All of them, as one stream. */
  readonly bytes: Uint8Array;
  readonly objects: readonly FoundObjects[];
  readonly unbuilt: readonly Diagnostic[];
}

/** @param fields the source's `directory` */
export function directoryManifests(
  directory: string,
  fields: Placed | undefined,
  shown: (path: string) => string,
): DirectoryManifests {
  const unbuilt: Diagnostic[] = [];
  const isIn = fitting(fields, unbuilt);
  const files = filesIn(directory, isTrue(fieldIn(fields, "recurse"))).filter((path) =>
    isIn(relative(directory, path)),
  );
  const objects = files.flatMap((path): FoundObjects[] => {
    if (path.endsWith(".jsonnet")) {
      unbuilt.push(
        notBuilt({
          message: "Jsonnet is not run",
          at: { text: shown(path), isFile: true },
          hint: "pipe in what it makes",
        }),
      );
      return [];
    }
    const bytes = readFile(path);
    const places = placesInFile(placesOfFile(shown(path), bytes));
    return "items" in decodeStream(bytes) ? [{ bytes, placesOf: () => places }] : [];
  });
  const bytes = Buffer.concat(objects.flatMap((each) => [each.bytes, Buffer.from("\n---\n")]));
  return { bytes, objects, unbuilt };
}

function filesIn(directory: string, isDeep: boolean): readonly string[] {
  return filesBelow(directory, () => isDeep).filter(
    (path) => /\.(?:ya?ml|json|jsonnet)$/i.test(path) && isFile(path),
  );
}

/** Which files of a directory are deployed, where no kustomization says so. @param fields the source's `directory` */
export function isDeployedBy(fields: Placed | undefined): (path: string) => boolean {
  const [isDeep, isIn] = [isTrue(fieldIn(fields, "recurse")), fitting(fields, [])];
  return (path) => (isDeep || !path.includes("/")) && isIn(path);
}

/** `include` and `exclude` are patterns of paths; `{a,b}` in them is one of several. */
function fitting(fields: Placed | undefined, unbuilt: Diagnostic[]): (path: string) => boolean {
  const [include, exclude] = ["include", "exclude"].map((name) => {
    const field = fieldIn(fields, name);
    const pattern = textIn(field) ?? "";
    const found = pattern === "" ? (): boolean => name === "include" : looseMatch(pattern);
    const message = `the pattern \`${name}\` has too many alternatives`;
    if (found === undefined)
      unbuilt.push(notBuilt({ message, hint: "shorten it", severity: "error", at: field?.at }));
    return found ?? ((): boolean => false);
  });
  return (path) => include?.(path) === true && exclude?.(path) !== true;
}
