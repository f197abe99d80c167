// The commands and flags of src/cli/flags.ts → the tables in docs/command-line.md, between its markers.
import { commandNames, commands, flags, spellingOf } from "../src/cli/flags.ts";

const start = "<!-- by `npm run schema` from src/cli/flags.ts -->";
const end = "<!-- end -->";

/** The page with its tables made again. */
export function withTables(page: string): string {
  const [before, after] = [page.indexOf(start) + start.length, page.indexOf(end)];
  return `${page.slice(0, before)}\n\n${commandTable()}\n${flagTable()}\n${page.slice(after)}`;
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
