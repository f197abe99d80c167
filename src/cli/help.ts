// What `--help` prints: all commands, or one with its options. Both come from flags.ts.
import { grouped } from "../grouped.ts";
import { targetKinds } from "../kinds.ts";
import { docs } from "../version.ts";
import { type Command, commandNames, commands, flagsOf, spellingOf } from "./flags.ts";
import { wrapped } from "../report/index.ts";
import { UsageError } from "../sources/index.ts";

/** @param words a command, or nothing */
export function helpOf([name]: readonly string[]): string {
  if (name === undefined) return helpText();
  const command = commandNames.find((each) => each === name);
  if (command === undefined) throw new UsageError(`unknown command \`${name}\``);
  return commandHelp(command);
}

const columns = 80;

export function helpText(): string {
  const names = rows(commandNames.map((name) => [name, commands[name].about]));
  return `valuefold shows, checks and merges layered Helm values before the cluster does.

usage: valuefold COMMAND ...  (valuefold COMMAND --help: options, examples)
       valuefold              KRM function: a ResourceList on stdin and stdout

commands:
${names}
exit status: 0 = ok, 1 = faults (see stderr), 2 = a bug,
             3 = invalid function config
  diff --exit-code: 1 = values differ, 2 = not all was compared
  values --strict: 3 = values are missing
VALUEFOLD_FAULTS=stdout: the function prints its first fault on stdout, for
  callers that show no stderr

Targets: App, HelmRelease, ConfigMap, Secret; Kyma overrides if the setting
\`targets\` names them. A layer is a ConfigMap or Secret that a target references,
or that has the first of these annotations:
${rows([
  [
    "valuefold.dev/into: KIND/NAME",
    "its target, or `KIND/NAMESPACE/NAME`; several with commas; `*` for any name",
  ],
  ['valuefold.dev/priority: "75"', `default: ${defaultsOfKinds()}`],
  ["valuefold.dev/key: values", "its data key, if there are several"],
  ["valuefold.dev/format: yaml", "yaml, json or text: how data keys of a ConfigMap or Secret merge"],
  ['valuefold.dev/keep: "true"', "keeps the layer as it is after folding"],
]).trimEnd()}
An annotation of a target: valuefold.dev/fold: "false" leaves it alone

docs: ${docs}
`;
}

/** `App 25, HelmRelease 75, ConfigMap and Secret 50` */
function defaultsOfKinds(): string {
  const kinds = targetKinds.filter(({ withoutItem }) => withoutItem !== true);
  const byPriority = grouped(kinds, ({ defaultPriority }) => defaultPriority);
  return [...byPriority]
    .map(([priority, all]) => `${all.map(({ kind }) => kind).join(" and ")} ${priority}`)
    .join(", ");
}

function commandHelp(name: Command): string {
  const { words, about, examples, page }: CommandFacts = commands[name];
  const options = flagsOf(name).map((flag) => {
    const indent = flag.short === undefined ? "    " : "";
    return [indent + spellingOf(flag), flag.about] as const;
  });
  return `${lines(`valuefold ${name}: ${about}`, 2)}

${lines(`usage: valuefold ${name} ${words}`.trimEnd(), 7)}

options:
${rows(options)}
examples:
${examples.map((each) => `  ${each}\n`).join("")}${page === undefined ? "" : `\nmore: ${docs}/${page}\n`}`;
}

interface CommandFacts {
  readonly words: string;
  readonly about: string;
  readonly examples: readonly string[];
  readonly page?: string;
}

/** Two columns. */
function rows(all: readonly (readonly [left: string, right: string])[]): string {
  const width = Math.max(...all.map(([left]) => left.length));
  return all.map(([left, right]) => `${lines(`  ${left.padEnd(width)}  ${right}`, width + 4)}\n`).join("");
}

function lines(text: string, indent: number): string {
  return wrapped(text, columns, indent).join("\n");
}
