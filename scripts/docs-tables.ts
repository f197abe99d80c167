// Commands, flags and fault codes → the lists in docs/command-line.md and docs/faults.md, between their markers.
import { faultCodes } from "../src/fault-codes.ts";
import { commandNames, commands, listedFlags, spellingOf } from "../src/cli/flags.ts";

const start = "<!-- by `npm run schema` from src/cli/flags.ts -->";
const startOfFaults = "<!-- by `npm run schema` from src/fault-codes.ts -->";
const end = "<!-- end -->";

/** docs/command-line.md with its lists made again. */
export function withTables(page: string): string {
  return between(page, start, `${commandList()}\n${sharedFlags()}\n${ownFlags()}`);
}

/** docs/faults.md with its list made again. */
export function withFaults(page: string): string {
  const lines = Object.entries(faultCodes).map(([name, [cause]]) => item(code(name), cause));
  return between(page, startOfFaults, lines.join(""));
}

function between(page: string, marker: string, text: string): string {
  const [before, after] = [page.indexOf(marker) + marker.length, page.indexOf(end)];
  return `${page.slice(0, before)}\n\n${text}\n${page.slice(after)}`;
}

function commandList(): string {
  return commandNames
    .map((name) => item(code(`${name} ${commands[name].words}`.trimEnd()), aboutOf(commands[name])))
    .join("");
}

/** Flags of the same commands are together, those of most commands first. */
function sharedFlags(): string {
  const sets = new Map(listedFlags.map(({ of }): [string, readonly string[]] => [of.toString(), of]));
  const shared = [...sets].filter(([, of]) => of.length > 1);
  return shared
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([key, of]) => {
      const group = listedFlags.filter((flag) => flag.of.toString() === key);
      return `${headOf(of)}:\n\n${group.map((flag) => item(code(spellingOf(flag)), aboutOf(flag))).join("")}`;
    })
    .join("\n");
}

/** One line for each command: `--help` says what its own flags do. */
function ownFlags(): string {
  const lines = commandNames.flatMap((name) => {
    const own = listedFlags.filter(({ of: [first, ...more] }) => first === name && more.length === 0);
    return own.length === 0 ? [] : [item(code(name), own.map((flag) => code(spellingOf(flag))).join(", "))];
  });
  return `Of one command (\`valuefold COMMAND --help\` explains them):\n\n${lines.join("")}`;
}

function headOf(of: readonly string[]): string {
  return of.length === commandNames.length ? "Of all commands" : `Of ${of.map(code).join(", ")}`;
}

function aboutOf(definition: { readonly about: string; readonly page?: string }): string {
  const { about, page } = definition;
  return page === undefined ? about : `${about} ([more](${page}))`;
}

function code(text: string): string {
  return `\`${text}\``;
}

function item(name: string, about: string): string {
  return `- ${name}: ${about}\n`;
}
