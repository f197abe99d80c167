// The commands and their flags, each defined once. The parser, `--help`, completion and the lists in
// docs/command-line.md (by `npm run schema`) are made of these two lists.

/** Forms of messages. */
const formats = ["text", "json", "github", "sarif"] as const;

/** Forms of what commands print. */
const explainForms = ["text", "json", "markdown", "yaml", "html", "name"] as const;
const diffForms = ["text", "json", "markdown"] as const;
const comparisonForms = ["text", "json", "markdown", "csv", "html"] as const;
const valuesForms = ["yaml", "json"] as const;
const reportForms = ["text", "json", "github", "junit", "sarif"] as const;
/** When to colour. */
const colours = ["auto", "always", "never"] as const;
/** Pipelines for which `init` writes files. */
const pipelines = ["kustomize", "kpt", "pipe"] as const;
/** What `print` prints. */
const printed = ["name-reference", "schema"] as const;
/** Shells that have a completion script. */
const shells = ["bash", "zsh", "fish"] as const;

interface CommandDefinition {
  /** The words after the command. */
  readonly words: string;
  /** What the first of them must be; without it they are names of files. */
  readonly oneOf?: readonly string[];
  /** What the command does, on one line. */
  readonly about: string;
  /** Command lines as users type them. */
  readonly examples: readonly [string, string];
  /** A page of `docs/` that says more. */
  readonly page?: string;
}

/**
 * A flag of one or several commands. A name may have several definitions, each for other commands.
 *
 *     { name: "previous", value: "FILE", of: ["fold", "render"], about: "an earlier output" }
 */
export interface FlagDefinition {
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
  /** True for a spelling of earlier versions: it is read for one more release, and not listed. */
  readonly isEarlier?: true;
}

export const commands = {
  explain: {
    words: "[TARGET] [PATH] [FILE...|DIR...|-]",
    about: "shows which layer sets which value, and what it overrides",
    examples: [
      "valuefold explain App/shop image.tag overlays/prod",
      "valuefold explain --html values.html clusters/*",
    ],
    page: "explain.md",
  },
  diff: {
    words: "[A] [B] [FILE...|DIR...]",
    about: "shows what changes between two files, directories or git revisions",
    examples: ["valuefold diff main", "valuefold diff before.yaml after.yaml"],
    page: "explain.md#diff",
  },
  compare: {
    words: "[TARGET] [PATH] [FILE...|DIR...]",
    about: "shows which values differ between builds: directories, or stacks of values files",
    examples: [
      "valuefold compare HelmRelease/shop replicas clusters/*",
      "valuefold compare --html fleet.html clusters/*",
    ],
    page: "compare.md",
  },
  values: {
    words: "[TARGET] [FILE...|DIR...|-]",
    about: "prints the final values of one target (Kind/name or Kind/namespace/name), or of values files",
    examples: [
      "valuefold values HelmRelease/shop rendered.yaml",
      "kustomize build . | valuefold values HelmRelease/shop | helm template shop ./chart -f -",
    ],
    page: "command-line.md#values",
  },
  verify: {
    words: "[FILE...|DIR...|-]",
    about: "finds misspelt keys, missing references, layers without effect",
    examples: [
      "valuefold verify rendered.yaml",
      "valuefold verify --format sarif -o valuefold.sarif clusters/*",
    ],
    page: "ci.md#verifying",
  },
  upgrade: {
    words: "CHART VERSION|PATH [FILE...|DIR...]",
    about: "shows what another version of a chart does to your values, in all clusters",
    examples: [
      "valuefold upgrade podinfo 6.14.1",
      "valuefold upgrade traefik ./traefik-41.3.0.tgz clusters/*",
    ],
    page: "upgrades.md",
  },
  fold: {
    words: "[FILE...|-]",
    about: "merges layers in a YAML stream",
    examples: [
      "kustomize build overlays/prod | valuefold fold > rendered.yaml",
      "valuefold fold -c fold.yaml -o rendered.yaml base.yaml prod.yaml",
    ],
    page: "command-line.md#fold",
  },
  merge: {
    words: "FILE...",
    about: "merges bare values files as `helm -f` does, and prints the result",
    examples: [
      "valuefold merge base.yaml stages/prod.yaml",
      "valuefold merge base.yaml prod.yaml | helm template shop ./chart -f -",
    ],
    page: "values-files.md",
  },
  render: {
    words: "-c FILE [DIR]",
    about: "makes ConfigMaps and Secrets from directories of layers: a stream for fold",
    examples: ["valuefold render -c render.yaml config", "valuefold render -c render.yaml | valuefold fold"],
    page: "render.md",
  },
  factor: {
    words: "FILE...|DIR...",
    examples: [
      "valuefold factor values-dev.yaml values-prod.yaml",
      "valuefold factor --list-key auto --out factored values-*.yaml",
    ],
    about: "splits copied values files into a base and a small layer for each (experimental)",
    page: "factor.md",
  },
  init: {
    words: "[TARGET] [DIR]",
    about: "writes a sample layer and the settings of the fold",
    examples: ["valuefold init --for kustomize shop", "valuefold init HelmRelease/shop overlays/prod"],
    page: "command-line.md#init",
  },
  doctor: {
    words: "[DIR]",
    about: "checks tools and the setup of a build",
    examples: ["valuefold doctor", "valuefold doctor overlays/prod"],
    page: "command-line.md#doctor",
  },
  install: {
    words: "DIR",
    about: "copies the executable, with its libraries, into a folder",
    examples: ["valuefold install /shared", "valuefold install ~/.local/bin"],
    page: "command-line.md#install",
  },
  completion: {
    words: "SHELL",
    oneOf: shells,
    about: "prints a completion script for bash, zsh or fish",
    examples: [
      "source <(valuefold completion bash)",
      "valuefold completion fish -o ~/.config/fish/completions/valuefold.fish",
    ],
    page: "command-line.md#completion",
  },
  print: {
    words: printed.join("|"),
    oneOf: printed,
    about: "prints kustomize's configuration for references, or the schema of settings",
    examples: [
      "valuefold print name-reference -o name-reference.yaml",
      "valuefold print schema > valuefold.schema.json",
    ],
    page: "kustomize.md",
  },
  version: {
    words: "",
    about: "the same as --version",
    examples: ["valuefold version", "valuefold --version"],
  },
  help: {
    words: "[COMMAND]",
    about: "prints the commands, or what one of them takes",
    examples: ["valuefold help explain", "valuefold explain --help"],
  },
} as const satisfies { readonly [command: string]: CommandDefinition };

export type Command = keyof typeof commands;
export const commandNames = Object.keys(commands) as Command[];

export const flags = [
  {
    name: "for",
    value: "PIPELINE",
    oneOf: pipelines,
    of: ["init"],
    about: "kustomize, kpt or pipe; by default what the directory is for",
  },
  {
    name: "config",
    short: "c",
    value: "FILE",
    of: ["fold", "merge", "verify", "explain", "diff", "upgrade", "compare", "values", "render"],
    about: "function config: a ValueFold or a ConfigMap; of render a ValueFoldRender, `-` for stdin",
    page: "settings.md",
  },
  {
    name: "format",
    value: "FORMAT",
    oneOf: formats,
    of: ["fold", "merge", "explain", "values", "render"],
    about: "form of messages: text, json, github or sarif",
    page: "#forms-of-output",
  },
  {
    name: "output",
    short: "o",
    value: "FORM",
    oneOf: explainForms,
    of: ["explain"],
    about: "form of the answer: text, json, markdown, yaml, html or name (the names of targets)",
    page: "#forms-of-output",
  },
  {
    name: "output",
    short: "o",
    value: "FORM",
    oneOf: diffForms,
    of: ["diff", "upgrade"],
    about: "form of the difference: text, json or markdown",
    page: "#forms-of-output",
  },
  {
    name: "output",
    short: "o",
    value: "FORM",
    oneOf: comparisonForms,
    of: ["compare"],
    about: "form of the comparison: text, json, markdown, csv or html",
    page: "#forms-of-output",
  },
  {
    name: "output",
    short: "o",
    value: "FORM",
    oneOf: reportForms,
    of: ["verify"],
    about: "form of the report: text, json, github, junit or sarif",
    page: "#forms-of-output",
  },
  {
    name: "output",
    short: "o",
    value: "FORM",
    oneOf: valuesForms,
    of: ["values", "merge"],
    about: "form of the values: yaml or json",
    page: "#forms-of-output",
  },
  {
    name: "output-file",
    value: "FILE",
    of: [
      "fold",
      "merge",
      "verify",
      "explain",
      "diff",
      "upgrade",
      "compare",
      "values",
      "render",
      "print",
      "completion",
    ],
    about: "writes to FILE in place of stdout; `fold`, `merge` and `render` leave it as it was if they fail",
  },
  {
    name: "color",
    value: "WHEN",
    oneOf: colours,
    of: ["fold", "merge", "verify", "explain", "diff", "upgrade", "compare", "values", "render", "factor"],
    about: "colours: auto (on a terminal), always or never",
  },
  {
    name: "quiet",
    short: "q",
    of: ["fold", "verify", "explain", "values", "render"],
    about: "no summary",
  },
  {
    name: "verbose",
    short: "v",
    of: ["fold", "merge", "verify", "explain", "diff", "upgrade", "compare", "values", "render"],
    about: "prints infos, and all messages of each code",
    page: "faults.md#messages",
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
    about: "an earlier output: encrypted Secrets keep their bytes where nothing changed",
    page: "secrets.md#keeping-ciphertext",
  },
  {
    name: "fix",
    value: "CODES",
    of: ["verify"],
    about:
      "deletes lines of unread-key, idle-value or both in the files, where renders prove that nothing changes",
  },
  {
    name: "strict",
    of: ["verify"],
    about: "fails on any reference that is not in the list, and on what was not built",
  },
  {
    name: "strict",
    of: ["values"],
    about: "exits with 3 if the cluster has values that are missing here; a warning always names them",
  },
  {
    name: "strict",
    of: ["render"],
    about: "fails on an include of the scope, or a path, that finds nothing",
  },
  {
    name: "root",
    value: "DIR",
    of: ["render"],
    about: "reads no settings, layers or keys from outside DIR",
    page: "render.md#files",
  },
  {
    name: "unfolded",
    of: ["verify"],
    about: "the stream is not folded yet: unfolded layers are not a fault",
  },
  {
    name: "manifests",
    of: ["explain"],
    about: "shows what becomes of the values in the objects that charts make",
    page: "manifests.md",
  },
  {
    name: "manifests",
    of: ["diff"],
    about: "shows what changes in the objects of large charts, too",
    page: "manifests.md",
  },
  {
    name: "source-url",
    value: "URL",
    of: ["explain"],
    about: "with -o html: links places to lines; `{file}` and `{line}` in it are filled in",
    page: "explain.md#the-page",
  },
  {
    name: "enable-exec",
    of: ["explain", "diff", "upgrade", "compare", "verify"],
    about: "kustomize runs programs and containers, and fetches, when it builds a directory",
  },
  {
    name: "repo",
    value: "URL=DIR",
    many: true,
    of: ["explain", "diff", "upgrade", "compare", "verify", "values"],
    about: "a checkout of another repository that Applications name; may be repeated",
    page: "argo-cd.md#applications",
  },
  {
    name: "clusters",
    value: "FILE",
    of: ["explain", "diff", "upgrade", "compare", "verify", "values"],
    about: "the clusters that Argo CD knows: a list with name, server, labels, annotations",
    page: "argo-cd.md#applicationsets",
  },
  {
    name: "chart",
    value: "[NAME=]PATH",
    many: true,
    of: ["explain", "diff", "upgrade", "compare", "verify", "values"],
    about:
      "a chart, its archive, or a directory of charts: its defaults are the lowest layer; may be repeated",
    page: "charts.md",
  },
  {
    name: "helm",
    value: "VERSION",
    oneOf: ["3", "4"],
    of: ["explain", "diff", "upgrade", "compare", "verify", "values"],
    about: "Helm version (3 or 4) whose rules apply; without it that of Flux or Argo CD",
    page: "charts.md#helm-3-and-helm-4",
  },
  {
    name: "fetch",
    of: ["diff", "upgrade"],
    about: "runs `helm pull` for both versions of a chart, where they are not here",
    page: "upgrades.md",
  },
  { name: "all", of: ["compare"], about: "values that are equal in all builds, too" },
  {
    name: "exit-code",
    of: ["diff"],
    about: "exit status 1 if values differ, 2 if something could not be compared",
  },
  {
    name: "exit-code",
    of: ["upgrade"],
    about: "exit status 1 if a value is dead or breaks the chart, 2 if something could not be compared",
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
    about: "a file that is merged first and not changed; the others lose values that equal its own",
  },
  { name: "kustomize", of: ["factor"], about: "writes a kustomization of base and overlays" },
  { name: "list", of: ["factor"], about: "lists values that not all files share, and lost comments" },
  { name: "secrets", of: ["values"], about: "includes values of Secrets" },
  {
    name: "json",
    of: ["explain", "merge", "diff", "upgrade", "compare"],
    about: "now `-o json`",
    isEarlier: true,
  },
  { name: "annotate", of: ["explain"], about: "now `-o yaml`", isEarlier: true },
  {
    name: "html",
    value: "FILE",
    of: ["explain", "compare"],
    about: "now `-o html --output-file FILE`",
    isEarlier: true,
  },
  {
    name: "format",
    value: "FORM",
    of: ["verify", "diff", "upgrade", "compare"],
    about: "now `-o FORM`",
    isEarlier: true,
  },
  { name: "help", short: "h", of: commandNames, about: "prints commands and options" },
  { name: "version", of: commandNames, about: "prints the version" },
] as const satisfies readonly FlagDefinition[];

/** Commands read no earlier spelling. */
type FlagRow = Exclude<(typeof flags)[number], { isEarlier: true }>;
type ValueOf<F> = F extends { oneOf: readonly (infer W)[] }
  ? W
  : F extends { value: string }
    ? F extends { many: true }
      ? readonly string[]
      : string
    : boolean;

/** The values of a command's flags. Absent if a flag is not given. */
export type FlagValues<C extends Command> = {
  readonly [F in FlagRow as C extends F["of"][number] ? F["name"] : never]?: ValueOf<F>;
};

export const listedFlags: readonly FlagDefinition[] = flags.filter(
  ({ isEarlier }: FlagDefinition) => isEarlier !== true,
);

/** Those that are listed. */
export function flagsOf(command: Command): readonly FlagDefinition[] {
  return listedFlags.filter(({ of }) => of.includes(command));
}

/** With earlier spellings. */
export function allFlagsOf(command: Command): readonly FlagDefinition[] {
  return flags.filter((flag: FlagDefinition) => flag.of.includes(command));
}

/** `-c, --config FILE`. */
export function spellingOf({ name, short, value }: FlagDefinition): string {
  return `${short === undefined ? "" : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`;
}
