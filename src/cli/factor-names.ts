// Names for what `factor` writes of each file and build. No two are alike, and none is the name of what they share.
import { basename, relative } from "node:path";
import { isOwnName } from "../factor/index.ts";
import { UsageError } from "../sources/index.ts";

/** `values-prod.yaml` is the overlay `prod`. @throws UsageError if two files get one name */
export function overlaysOfFiles(paths: readonly string[]): readonly string[] {
  const stems = paths.map((path) => path.replace(/\.ya?ml$/, ""));
  const short = stems.map((stem) => stem.replace(/^values[-._]|[-._]values$/, ""));
  return distinct([short, stems].map(objectNames), paths);
}

/** A build has the name of its directory, or that of the way to it. @throws UsageError if two get one name */
export function namesOfBuilds(
  directories: readonly string[],
  from: string,
  isForObjects: boolean,
): readonly string[] {
  const paths = directories.map((each) => relative(from, each) || ".");
  const long = paths.map((path) => path.replaceAll(/[^\w.]+/g, "-"));
  const styles = [directories.map((each) => basename(each)), long, long.map((name) => `build-${name}`)];
  return distinct(isForObjects ? styles.map(objectNames) : styles, paths);
}

/** Names that objects in a cluster can have; empty where nothing is left. */
function objectNames(texts: readonly string[]): readonly string[] {
  return texts.map((text) =>
    text
      .toLowerCase()
      .replaceAll(/[^a-z0-9.-]/g, "-")
      .replaceAll(/^[.-]+|[.-]+$/g, ""),
  );
}

/** The first style in which no two names are alike, and none is taken. @param of what has the names */
function distinct(styles: readonly (readonly string[])[], of: readonly string[]): readonly string[] {
  const found = styles.find(
    (names) =>
      new Set(names).size === names.length &&
      names.every((name) => name !== "" && !isOwnName(`${name}.yaml`)),
  );
  if (found !== undefined) return found;
  const last = styles.at(-1) ?? [];
  const index = last.findIndex((name, place) => name === "" || last.indexOf(name) < place);
  const [name = "", one = "", other = ""] = [last[index], of[last.indexOf(last[index] ?? "")], of[index]];
  throw new UsageError(
    name === ""
      ? `no name can be made of \`${other}\``
      : `\`${one}\` and \`${other}\` get one name: \`${name}\``,
    "rename one: names of objects are made of the letters a to z, digits, `-` and `.`",
  );
}
