// What the user typed → what is asked for. Knows nothing of files or streams.
import { parseArgs } from "node:util";
import { nearest } from "../diagnostic.ts";
import { type DiffInvocation, readDiff } from "./diff-line.ts";
import type { RenderInvocation } from "./render.ts";
import { type ExplainInvocation, isManifest, readExplain } from "./explain-line.ts";

/** How diagnostics are written. */
export const formats = ["text", "json", "github", "sarif"] as const;
export type Format = (typeof formats)[number];

/** Shells that there is a completion for. */
export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

/** What `print` prints: files that a release does not hold. */
export const printed = ["name-reference"] as const;

export interface Reading {
  readonly files: readonly string[];
  readonly config: string | undefined;
  /** Files with schemas, perhaps behind a target and `=`. */
  readonly schemas: readonly string[];
  readonly quiet: boolean;
  readonly format: Format;
}

export type Invocation =
  | { readonly command: "help" | "version" }
  | { readonly command: "completion"; readonly shell: Shell }
  | { readonly command: "print" }
  | { readonly command: "install"; readonly into: string }
  | (Reading & { readonly command: "fold"; readonly previous: string | undefined })
  | (Reading & { readonly command: "verify"; readonly strict: boolean; readonly unfolded: boolean })
  | (Reading & { readonly command: "render"; readonly asked: RenderInvocation })
  | (Reading & { readonly command: "values"; readonly target: string; readonly secrets: boolean })
  | (Reading & ExplainInvocation)
  | (Pick<Reading, "config"> & DiffInvocation)
  | { readonly command: "misused"; readonly message: string; readonly hint?: string };

const options = {
  help: { type: "boolean", short: "h" },
  version: { type: "boolean" },
  config: { type: "string", short: "c" },
  format: { type: "string" },
  quiet: { type: "boolean", short: "q" },
  schema: { type: "string", multiple: true },
  previous: { type: "string" },
  strict: { type: "boolean" },
  unfolded: { type: "boolean" },
  secrets: { type: "boolean" },
  json: { type: "boolean" },
  annotate: { type: "boolean" },
  html: { type: "string" },
  "enable-exec": { type: "boolean" },
  "exit-code": { type: "boolean" },
} as const;

const shared = ["config", "format", "quiet"] as const;

/** Commands, and the options that each takes. */
export const commands: { readonly [command: string]: readonly (keyof typeof options)[] } = {
  fold: [...shared, "schema", "previous"],
  verify: [...shared, "schema", "strict", "unfolded"],
  values: [...shared, "secrets"],
  render: [...shared, "strict", "previous"],
  explain: [...shared, "schema", "json", "annotate", "html", "enable-exec"],
  diff: ["config", "json", "format", "exit-code", "enable-exec"],
  install: [],
  completion: [],
  print: [],
  version: [],
  help: [],
};

export function parseCommandLine(args: readonly string[]): Invocation {
  try {
    return interpret(args);
  } catch (error) {
    return refused(error instanceof Error ? error.message : "bad usage");
  }
}

/** What Node says of an option, in our words. */
function refused(text: string): Invocation {
  const unknownOption = /^Unknown option '(-[^']*)'/.exec(text)?.[1];
  if (unknownOption !== undefined) {
    const near = nearest(unknownOption.replace(/^-+/, ""), Object.keys(options));
    const message = `unknown option \`${unknownOption}\``;
    return {
      command: "misused",
      message,
      ...(near === undefined ? {} : { hint: `did you mean \`--${near}\`?` }),
    };
  }
  const [message = text] = text.split(". ");
  return { command: "misused", message: message.replaceAll("'", "`").replace(/^Option/, "option") };
}

type OptionValues = ReturnType<typeof parse>["values"];

function parse(args: readonly string[]) {
  return parseArgs({ args: [...args], allowPositionals: true, options });
}

function interpret(args: readonly string[]): Invocation {
  const { values, positionals } = parse(args);
  if (values.help === true) return { command: "help" };
  if (values.version === true) return { command: "version" };
  const [command, ...rest] = positionals;
  if (command === undefined) return { command: "misused", message: "expected a command" };
  return misused(command, values) ?? meant(command, rest, values);
}

function misused(command: string, values: OptionValues): Invocation | undefined {
  const allowed = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (allowed === undefined) return unknown(command);
  const wrong = Object.keys(values).find((name) => !allowed.some((each) => each === name));
  if (wrong !== undefined) {
    const takers = Object.keys(commands).filter((each) => commands[each]?.some((name) => name === wrong));
    return {
      command: "misused",
      message: `\`--${wrong}\` is an option of ${takers.map((each) => `\`${each}\``).join(", ")}`,
    };
  }
  const { format, config } = values;
  if (config === "-" && command !== "render")
    return { command: "misused", message: "`-c -`: stdin is the input", hint: "name a file with the config" };
  if (format === undefined || isFormat(format) || command === "diff") return undefined;
  return { command: "misused", message: `\`--format\`: expected ${formats.join(", ")}, got \`${format}\`` };
}

function unknown(command: string): Invocation {
  const near = nearest(command, Object.keys(commands));
  const message = `unknown command \`${command}\``;
  return near === undefined
    ? { command: "misused", message }
    : { command: "misused", message, hint: `did you mean \`${near}\`?` };
}

function meant(command: string, rest: readonly string[], values: OptionValues): Invocation {
  const { config, previous, strict = false, unfolded = false, secrets = false } = values;
  const twice = rest.find((file, index) => rest.indexOf(file) !== index);
  if (twice !== undefined) return { command: "misused", message: `\`${twice}\` is named twice` };
  const reading = readingOf(rest, values);
  const [first, ...others] = rest;
  switch (command) {
    case "fold":
      return { command, ...reading, previous };
    case "verify":
      return { command, ...reading, strict, unfolded };
    case "render":
      if (config === undefined || others.length > 0)
        return {
          command: "misused",
          message: "expected settings and at most one directory: `valuefold render -c FILE [DIR]`",
        };
      return { command, ...reading, asked: { config, into: first, strict, previous } };
    case "values":
      if (first === undefined || !/^[A-Za-z]+\/[^/]+(?:\/[^/]+)?$/.test(first) || isManifest(first))
        return { command: "misused", message: "expected a target: `Kind/name` or `Kind/namespace/name`" };
      return { command, ...reading, target: first, files: others, secrets };
    case "explain": {
      const asked = readExplain(rest, values);
      return asked.command === "misused" ? asked : { ...reading, ...asked };
    }
    case "diff":
      return withConfig(readDiff(rest, values), config);
    default:
      return aboutItself(command, rest);
  }
}

/** Commands that read no YAML. */
function aboutItself(command: string, [first, ...others]: readonly string[]): Invocation {
  switch (command) {
    case "install":
      if (first === undefined || others.length > 0)
        return { command: "misused", message: "expected one folder to install into" };
      return { command, into: first };
    case "completion":
      if (!isShell(first)) return { command: "misused", message: `expected a shell: ${shells.join(", ")}` };
      return { command, shell: first };
    case "print":
      if (first !== "name-reference" || others.length > 0)
        return { command: "misused", message: `expected what to print: ${printed.join(", ")}` };
      return { command };
    default:
      return { command: command === "version" ? "version" : "help" };
  }
}

function readingOf(
  files: readonly string[],
  { config, schema: schemas = [], format = "text", quiet = false }: OptionValues,
): Reading {
  return { files, config, schemas, quiet, format: isFormat(format) ? format : "text" };
}

function withConfig<I extends { readonly command: string }>(
  invocation: I,
  config: string | undefined,
): I & { readonly config: string | undefined } {
  return { ...invocation, config };
}

function isFormat(text: string): text is Format {
  return formats.some((each) => each === text);
}

function isShell(text: string | undefined): text is Shell {
  return shells.some((each) => each === text);
}
