// Charts whose templates make targets, such as an app of apps, known by their texts: what they make is seen once they are rendered.
import { join } from "node:path";
import type { Diagnostic } from "../../diagnostic.ts";
import { objectText } from "../../object-id.ts";
import { helmReleaseKind } from "../../kinds.ts";
import { entriesIn, ifReadable, isDirectory, isFile, readFile } from "../disk.ts";
import { notBuilt } from "../not-built.ts";
import { bufferOf } from "../../yaml/index.ts";

const madeKinds = new RegExp(
  `^kind: *["']?(Application(?:Set)?|${helmReleaseKind.kind}|Kustomization|HelmChart(?:Config)?)\\b`,
  "m",
);
const madeGroups = /argoproj\.io|fluxcd\.io|helm\.cattle\.io/;

/** Nothing for a chart that makes none. @param chart as messages name it @param kind that of the targets that it makes */
export function madeFaults(
  chart: string,
  kind: string | undefined,
  item: NonNullable<Diagnostic["item"]>,
  at: Diagnostic["at"] = { text: objectText(item) },
): readonly Diagnostic[] {
  if (kind === undefined) return [];
  const message = `Helm is not run: what the chart \`${chart}\` makes is missing, such as objects of kind ${kind}`;
  const hint = `read what Helm makes: helm template NAME ${chart} | valuefold explain -`;
  return [notBuilt({ message, hint, item, at })];
}

/** The kind of targets that a chart makes, or one below it; undefined where it makes none. */
export function madeBy(chart: string): string | undefined {
  const [templates, charts] = [join(chart, "templates"), join(chart, "charts")];
  const own = ifReadable(() => (isDirectory(templates) ? kindIn(templates) : undefined));
  const below = own === undefined ? ifReadable(() => (isDirectory(charts) ? entriesIn(charts) : [])) : [];
  return below?.reduce<string | undefined>(
    (found, { kind, name }) => found ?? (kind === "directory" ? madeBy(join(charts, name)) : undefined),
    own,
  );
}

function kindIn(templates: string): string | undefined {
  for (const entry of entriesIn(templates)) {
    const path = join(templates, entry.name);
    const isText = /\.(?:ya?ml|tpl)$/.test(entry.name) && isFile(path);
    const kind = entry.kind === "directory" ? kindIn(path) : isText ? kindInText(readFile(path)) : undefined;
    if (kind !== undefined) return kind;
  }
  return undefined;
}

/** The same for a template. */
export function kindInText(bytes: Uint8Array): string | undefined {
  const text = bufferOf(bytes).toString("latin1");
  return madeGroups.test(text) ? madeKinds.exec(text)?.[1] : undefined;
}
