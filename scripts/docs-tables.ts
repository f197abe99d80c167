// Commands, flags and fault codes → the tables in docs/command-line.md and docs/faults.md, between their markers.
import { codes } from "../src/diagnostic.ts";
import { catalogue } from "../src/cli/fault-catalogue.ts";
import { commandNames, commands, flags, spellingOf } from "../src/cli/flags.ts";

const start = "<!-- by `npm run schema` from src/cli/flags.ts -->";
const startOfFaults = "<!-- by `npm run schema` from src/cli/fault-catalogue.ts -->";
const end = "<!-- end -->";

/** docs/command-line.md with its tables made again. */
export function withTables(page: string): string {
  return between(page, start, `${commandTable()}\n${flagTable()}`);
}

/** docs/faults.md with its table made again. */
export function withFaults(page: string): string {
  const rows = codes.map((name) => {
    const { severity, cause, cure } = catalogue[name];
    return [code(name), severity, cause, cure].map((cell) => cell.replaceAll(/(?<!\\)\|/g, "\\|"));
  });
  return between(page, startOfFaults, table([["code", "severity", "cause", "cure"], ...rows]));
}

function between(page: string, marker: string, text: string): string {
  const [before, after] = [page.indexOf(marker) + marker.length, page.indexOf(end)];
  return `${page.slice(0, before)}\n\n${text}\n${page.slice(after)}`;
}

function commandTable(): string {
  const rows = commandNames.map((name) => {
    const command = commands[name];
    return [code(`valuefold ${name} ${command.words}`.trimEnd()), aboutOf(command)];
  });
  return table([["command", "what it does"], ...rows]);
}

function flagTable(): string {
  const rows = flags.map((flag) => {
    const of = flag.of.length === commandNames.length ? "all" : flag.of.join(", ");
    const spellings = spellingOf(flag).split(", ").map(code).join(", ");
    return [spellings, of, aboutOf(flag)];
  });
  return table([["option", "of", "what it does"], ...rows]);
}

function aboutOf(definition: { readonly about: string; readonly page?: string }): string {
  const { about, page } = definition;
  return page === undefined ? about : `${about} ([more](${page}))`;
}

function code(text: string): string {
  return `\`${text.replaceAll("|", "\\|")}\``;
}

/** In the form of oxfmt: columns of one width. */
function table([head = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = head.map((_, at) => Math.max(...[head, ...rows].map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |\n`;
  return [head, widths.map((width) => "-".repeat(width)), ...rows].map(line).join("");
}
