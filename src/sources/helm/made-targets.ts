// Charts whose templates make targets, such as an app of apps: Helm is not run, so what they make is not seen.
import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { type Diagnostic, formatItem } from "../../diagnostic.ts";
import { helmReleaseKind } from "../../kinds.ts";
import { isDirectory, readFile } from "../disk.ts";
import { notBuilt } from "../not-built.ts";

const madeKinds = new RegExp(`^kind: *(Application(?:Set)?|${helmReleaseKind.kind}) *$`, "m");

/** Nothing for a chart that makes none. @param path of a chart: an archive is not looked into */
export function madeTargets(
  path: string,
  item: NonNullable<Diagnostic["item"]>,
  at: Diagnostic["at"] = { text: formatItem(item) },
): readonly Diagnostic[] {
  const templates = join(path, "templates");
  if (!isDirectory(path) || !existsSync(templates)) return [];
  const files = readdirSync(templates, { recursive: true, encoding: "utf8" });
  const kinds = files
    .filter((file) => /\.ya?ml$/.test(file))
    .flatMap((file) => madeKinds.exec(textOf(join(templates, file)))?.[1] ?? []);
  const [kind] = kinds;
  if (kind === undefined) return [];
  return [
    notBuilt({
      message: `Helm is not run: what the chart \`${basename(path)}\` makes is missing, such as objects of kind ${kind}`,
      hint: `read what Helm makes: helm template NAME ${basename(path)} | valuefold explain -`,
      item,
      at,
    }),
  ];
}

function textOf(file: string): string {
  const bytes = readFile(file);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
}
