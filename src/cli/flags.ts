// The commands and their flags, each defined once. The parser, `--help`, completion and the tables in
// docs/command-line.md (by `npm run schema`) are made of these two lists.

/** Forms of messages. */
const formats = ["text", "json", "github", "sarif"] as const;
export type Format = (typeof formats)[number];

/** Forms of a difference. */
const diffForms = ["text", "json", "markdown"] as const;
/** Forms of a comparison. */
const comparisonForms = ["text", "json", "markdown", "csv"] as const;
/** Shells that have a completion script. */
const shells = ["bash", "zsh", "fish"] as const;

interface CommandDefinition {
  /** The words after the command. */
  readonly words: string;
  /** What the first of them must be; without it they are names of files. */
  readonly oneOf?: readonly string[];
  /** What the command does, on one line. */
  readonly about: string;
  /** A page of `docs/` that says more. */
  readonly page?: string;
}

/**
 * A flag of one or several commands. A name may have several definitions, each for other commands.
 *
 *     { name: "previous", value: "FILE", of: ["fold", "render"], about: "an earlier output" }
 */
interface FlagDefinition {
  readonly name: string;
  /** One letter. */
  readonly short?: string;
  /** What `--help` calls the value. A name that ends in `FILE` completes to files. Absent for a switch. */
  readonly value?: string;
  /** What the value must be. */
  readonly oneOf?: readonly string[];
  /** The flag may be given several times. */
  readonly many?: true;
  readonly of: readonly Command[];
  /** What the flag does, on one line. */
  readonly about: string;
  /** A page of `docs/` that says more. */
  readonly page?: string;
}

export const commands = {
  fold: { words: "[FILE...|-]", about: "folds a plain multi-document YAML stream" },
  merge: {
    words: "FILE...",
    about: "merges bare values files as `helm -f` does, and prints the result",
    page: "values-files.md",
  },
  verify: {
    words: "[FILE...|-]",
    about: "for CI: fails on unfolded layers and on dangling names, warns of odd layers",
    page: "pipelines.md#verifying",
  },
  explain: {
    words: "[TARGET] [PATH] [FILE...|DIR...|-]",
    about: "shows which layer sets which value, and what it overrides",
    page: "explain.md",
  },
  diff: {
    words: "A B [DIR...]",
    about: "shows what changes between two files, directories or git revisions",
    page: "explain.md#diff",
  },
  compare: {
    words: "[TARGET] [PATH] DIR...",
    about: "shows which values differ between builds: directories, or stacks of values files",
    page: "compare.md",
  },
  values: {
    words: "[TARGET] [FILE...|-]",
    about: "prints the final values of one target (Kind/name or Kind/namespace/name), or of values files",
  },
  factor: {
    words: "FILE...|DIR...",
    about: "takes copied values files apart: a base, and a small layer for each (experimental)",
    page: "factor.md",
  },
  render: {
    words: "-c FILE [DIR]",
    about: "makes ConfigMaps and Secrets from directories of layers: a stream for fold",
    page: "render.md",
  },
  install: { words: "DIR", about: "copies the executable, with its libraries, into a folder" },
  completion: { words: "SHELL", oneOf: shells, about: "prints a completion script for bash, zsh or fish" },
  print: {
    words: "name-reference",
    oneOf: ["name-reference"],
    about: "prints a configuration with which kustomize renames references in Apps and HelmReleases",
    page: "pipelines.md#kustomize",
  },
  version: { words: "", about: "the same as --version" },
  help: { words: "", about: "the same as --help" },
} as const satisfies { readonly [command: string]: CommandDefinition };

export type Command = keyof typeof commands;
export const commandNames = Object.keys(commands) as Command[];

export const flags = [
  {
    name: "config",
    short: "c",
    value: "FILE",
    of: ["fold", "merge", "verify", "explain", "diff", "compare", "values", "render"],
    about: "function config: a ValueFold or a ConfigMap; of render a ValueFoldRender, `-` for stdin",
    page: "settings.md",
  },
  {
    name: "format",
    value: "FORMAT",
    oneOf: formats,
    of: ["fold", "merge", "verify", "explain", "values", "render"],
    about: "form of messages: text, json, github or sarif",
    page: "#forms-of-messages",
  },
  {
    name: "quiet",
    short: "q",
    of: ["fold", "verify", "explain", "values", "render"],
    about: "no summary",
  },
  {
    name: "schema",
    value: "[TARGET=]FILE",
    many: true,
    of: ["fold", "merge", "verify", "explain"],
    about: "JSON Schema for the values of a target, or of all; may be repeated",
    page: "schemas.md",
  },
  {
    name: "previous",
    value: "FILE",
    of: ["fold", "render"],
    about: "an earlier output: sealed Secrets keep their bytes where nothing changed",
    page: "secrets.md#keeping-a-seal",
  },
  { name: "strict", of: ["verify"], about: "fails on any reference that is not in the list" },
  { name: "strict", of: ["render"], about: "fails on an include of the scope that finds nothing" },
  {
    name: "unfolded",
    of: ["verify"],
    about: "the stream is not folded yet: unfolded layers are not a fault",
  },
  { name: "json", of: ["explain"], about: "prints JSON", page: "explain.md#other-forms" },
  { name: "json", of: ["merge"], about: "prints JSON" },
  {
    name: "annotate",
    of: ["explain"],
    about: "prints the values as YAML, each with its origin in a comment",
    page: "explain.md#other-forms",
  },
  {
    name: "html",
    value: "FILE",
    of: ["explain"],
    about: "writes one page with everything, to look around in",
    page: "explain.md#the-page",
  },
  {
    name: "html",
    value: "FILE",
    of: ["compare"],
    about: "writes one page: a matrix of paths and builds",
    page: "compare.md#forms",
  },
  {
    name: "enable-exec",
    of: ["explain", "diff", "compare"],
    about: "kustomize runs functions that are programs when it builds a directory",
  },
  { name: "json", of: ["diff", "compare"], about: "the same as --format json" },
  {
    name: "format",
    value: "FORMAT",
    oneOf: diffForms,
    of: ["diff"],
    about: "form of the difference: text, json or markdown",
  },
  {
    name: "format",
    value: "FORMAT",
    oneOf: comparisonForms,
    of: ["compare"],
    about: "form of the comparison: text, json, markdown or csv",
  },
  { name: "all", of: ["compare"], about: "values that are equal in all builds, too" },
  {
    name: "exit-code",
    of: ["diff"],
    about: "exit status 1 if values differ, 2 if something could not be compared",
  },
  {
    name: "out",
    value: "DIR",
    of: ["factor"],
    about: "writes base and layers into a new directory",
  },
  { name: "in-place", of: ["factor"], about: "writes over the files, in a clean git work tree" },
  {
    name: "list-key",
    value: "PATH=KEY",
    many: true,
    of: ["factor"],
    about: "merges lists at a path by a key of their elements; auto finds those that save lines",
    page: "factor.md#lists",
  },
  {
    name: "reorder",
    of: ["factor"],
    about: "elements of such lists may come back in another order",
    page: "factor.md#lists",
  },
  {
    name: "shared",
    value: "WHICH",
    oneOf: ["most", "all"],
    of: ["factor"],
    about: "what goes into the base: values of most files (default), or only those of all",
  },
  { name: "middle", of: ["factor"], about: "layers between the base and the files, shared by some of them" },
  {
    name: "below",
    value: "FILE",
    many: true,
    of: ["factor"],
    about: "a file below all others that stays as it is: what it says already goes",
  },
  { name: "kustomize", of: ["factor"], about: "writes a kustomization of base and overlays" },
  { name: "list", of: ["factor"], about: "lists values that not all files share, and lost comments" },
  { name: "secrets", of: ["values"], about: "includes values of Secrets" },
  { name: "help", short: "h", of: commandNames, about: "prints commands and options" },
  { name: "version", of: commandNames, about: "prints the version" },
] as const satisfies readonly FlagDefinition[];

type Row = (typeof flags)[number];
type ValueOf<F> = F extends { oneOf: readonly (infer W)[] }
  ? W
  : F extends { value: string }
    ? F extends { many: true }
      ? readonly string[]
      : string
    : boolean;

/** The values of a command's flags. Absent if a flag is not given. */
export type FlagValues<C extends Command> = {
  readonly [F in Row as C extends F["of"][number] ? F["name"] : never]?: ValueOf<F>;
};

export function flagsOf(command: Command): readonly FlagDefinition[] {
  return flags.filter((flag: FlagDefinition) => flag.of.includes(command));
}

/** `-c, --config FILE`. */
export function spellingOf({ name, short, value }: FlagDefinition): string {
  return `${short === undefined ? "" : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`;
}
