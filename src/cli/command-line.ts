// The words on the command line → a command, its flags, and all other words. Reads no file.
import { parseArgs, type ParseArgsConfig } from "node:util";
import { nearest } from "../diagnostic.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { allFlagsOf, type Command, commandNames, commands, flags, type FlagValues } from "./flags.ts";
import { type ParsedValues, spelledNow } from "./spellings.ts";
import { UsageError } from "../sources/index.ts";

/** A command, and the flags that it may have: those that flags.ts gives it. */
export type Invocation = {
  readonly [C in Command]: {
    readonly command: C;
    readonly words: readonly string[];
    readonly flags: FlagValues<C>;
  };
}[Command];

/** With what is reported of its spelling. */
export type ParsedCommandLine = Invocation & { readonly notes: readonly Diagnostic[] };

/** @throws UsageError */
export function parseCommandLine(args: readonly string[]): ParsedCommandLine {
  const { values, positionals } = parse(args);
  const [name, ...words] = positionals;
  if (values["help"] === true)
    return { command: "help", words: name === undefined ? [] : [name], flags: {}, notes: [] };
  const asksVersion = values["version"] === true || (name === undefined && values["verbose"] === true);
  if (asksVersion) return { command: "version", words: [], flags: {}, notes: [] };
  if (name === undefined) throw new UsageError("expected a command");
  const command = commandNames.find((each) => each === name);
  if (command === undefined) throw unknownCommand(name);
  checkFlags(command, values);
  checkWords(command, words);
  const { values: own, notes } = spelledNow(command, values);
  return { command, words, flags: own, notes };
}

function parse(args: readonly string[]): {
  readonly values: ParsedValues;
  readonly positionals: readonly string[];
} {
  const options: NonNullable<ParseArgsConfig["options"]> = {};
  for (const flag of flags)
    options[flag.name] = {
      type: "value" in flag ? "string" : "boolean",
      multiple: "many" in flag,
      ...("short" in flag ? { short: flag.short } : {}),
    };
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    throw inOurWords(error instanceof Error ? error.message : "bad usage");
  }
}

/** Commands of kubectl, helm and linters, with the ones that answer the same question here. */
const otherCommands: Readonly<Record<string, Command>> = {
  check: "verify",
  describe: "explain",
  get: "explain",
  lint: "verify",
  show: "values",
  template: "values",
  validate: "verify",
};

function unknownCommand(name: string): UsageError {
  const message = `unknown command \`${name}\``;
  const other = Object.hasOwn(otherCommands, name) ? otherCommands[name] : undefined;
  return other === undefined
    ? unknown(message, name, commandNames, "")
    : new UsageError(message, `did you mean \`${other}\`?`);
}

/** What users of helm and kubectl type. */
const habits: Readonly<Record<string, string>> = {
  "-f": "name files without it: base.yaml prod.yaml",
  "--values": "name files without it: base.yaml prod.yaml",
  "--set": "write the value into a file, and name it last",
  "-n": "name the namespace in the target: KIND/NAMESPACE/NAME",
  "--namespace": "name the namespace in the target: KIND/NAMESPACE/NAME",
  "-A": "all clusters and namespaces are read unless you name some",
  "--all-namespaces": "all clusters and namespaces are read unless you name some",
};

/** Node's message about a flag, in the style of ours. */
function inOurWords(text: string): UsageError {
  const name = /^Unknown option '(-[^']*)'/.exec(text)?.[1];
  const cure = name === undefined ? undefined : habits[name];
  if (cure !== undefined) return new UsageError(`unknown option \`${name}\``, cure);
  if (name !== undefined) {
    const known = flags.map((flag) => flag.name);
    return unknown(`unknown option \`${name}\``, name.replace(/^-+/, ""), known, "--");
  }
  const [message = text] = text.split(". ");
  return new UsageError(message.replaceAll("'", "`").replace(/^Option/, "option"));
}

function unknown(message: string, word: string, known: readonly string[], lead: string): UsageError {
  const near = nearest(word, known, Math.ceil(word.length / 3));
  return new UsageError(message, near === undefined ? undefined : `did you mean \`${lead}${near}\`?`);
}

function checkFlags(command: Command, values: ParsedValues): void {
  const own = allFlagsOf(command);
  for (const [name, value] of Object.entries(values)) {
    if (value === "") throw new UsageError(`\`--${name}\` is empty`, emptyHint);
    // `-o` and its earlier spellings are judged together.
    if (name === "output" && own.some((each) => each.name === "output-file")) continue;
    const flag = own.find((each) => each.name === name);
    if (flag === undefined) {
      const takers = commandNames.filter((each) => allFlagsOf(each).some((other) => other.name === name));
      throw new UsageError(`\`--${name}\` is an option of ${takers.map((each) => `\`${each}\``).join(", ")}`);
    }
    if (flag.oneOf?.some((each) => each === value) === false)
      throw new UsageError(`\`--${name}\`: expected ${flag.oneOf.join(", ")}, got \`${String(value)}\``);
  }
  if (values["config"] === "-" && command !== "render")
    throw new UsageError("`-c -`: stdin is the input", "name a file with the config");
}

/** `explain "$DIR"` would read the working directory. */
const emptyHint = "is a variable of the shell not set?";

function checkWords(name: Command, words: readonly string[]): void {
  const twice = words.find((word, index) => words.indexOf(word) !== index);
  if (twice !== undefined)
    throw new UsageError(
      `\`${twice}\` is named twice`,
      "name two different ones; files of one stack are joined by commas: base.yaml,prod.yaml",
    );
  if (words.includes("")) throw new UsageError("an argument is empty", emptyHint);
  const command = commands[name];
  if ("oneOf" in command && !(words.length === 1 && command.oneOf.some((each) => each === words[0])))
    throw new UsageError(
      `\`${name}\`: expected one of ${command.oneOf.join(", ")}`,
      `write one of them: valuefold ${name} ${command.oneOf[0]}`,
    );
}
