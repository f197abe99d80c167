// A comparison as a table: Markdown for people, CSV with a line per path and build for programs.
import type { ComparedTarget, Comparison } from "../../comparison.ts";
import { pathText } from "../../merge/index.ts";
import { cutAround } from "../cut-around.ts";
import { code, plain, tableCode } from "../markdown-text.ts";
import { titleOf } from "../titles.ts";
import { buildsTexts, originText, rowTitle, totalOf, valueText } from "./view.ts";

/** A table per target: a line for each value of a path. */
export function comparisonMarkdown(comparison: Comparison): string {
  const tables = comparison.targets
    .filter(({ rows }) => rows.length > 0)
    .map((target) => tableOf(target, comparison.builds));
  return [...tables, `${plain(totalOf(comparison))}\n`].join("\n");
}

function tableOf(target: ComparedTarget, builds: readonly string[]): string {
  const lines = target.rows.flatMap((row) => {
    const values = cutAround(row.groups.map(valueText));
    const named = buildsTexts(row.groups, builds, 12);
    return row.groups.map((group, index) => {
      const origins = [...new Set(group.cells.map(originText))].filter((text) => text !== "");
      const cells = [
        index === 0 ? tableCode(rowTitle(row)) : "",
        tableCode(values[index] ?? ""),
        plain(named[index] ?? ""),
      ];
      return `| ${[...cells, origins.map(tableCode).join(", ")].join(" | ")} |\n`;
    });
  });
  return `**${code(titleOf(target))}**\n\n| path | value | builds | from |\n|---|---|---|---|\n${lines.join("")}`;
}

/** RFC 4180, with a header. Values of Secrets are `(secret)`. */
export function comparisonCsv({ builds, targets }: Comparison): string {
  const rows = targets.flatMap((target) =>
    target.rows.flatMap(({ stack = "", path, groups }) =>
      groups
        .flatMap((group) =>
          group.cells.flatMap((cell) =>
            cell.builds.map((build) => ({
              build,
              fields: [
                titleOf(target),
                stack,
                pathText(path),
                builds[build] ?? "",
                valueText(group),
                originText(cell),
              ],
            })),
          ),
        )
        .toSorted((a, b) => a.build - b.build),
    ),
  );
  const header = ["target", "stack", "path", "build", "value", "from"];
  return [header, ...rows.map(({ fields }) => fields)]
    .map((fields) => `${fields.map(field).join(",")}\r\n`)
    .join("");
}

/** A program that opens tables takes text with one of these in front for a formula. */
const formula = /^[=+\-@\t\r]/;

function field(text: string): string {
  const isNumber = /^[-+]?[0-9]+(?:\.[0-9]+)?$/.test(text);
  const safe = formula.test(text) && !isNumber ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
