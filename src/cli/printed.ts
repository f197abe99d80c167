// What `--help`, `completion` and `print` print. Commands and flags are those of flags.ts.
import { referencingKinds } from "../core/index.ts";
import { type Command, commandNames, commands, flags, flagsOf, spellingOf } from "./flags.ts";

const textColumn = 36;

export function helpText(): string {
  const groups = new Map<string, string[]>();
  for (const flag of flags) {
    const head = `options of ${flag.of.length === commandNames.length ? "every command" : listed(flag.of)}:`;
    const indent = "short" in flag ? "" : "    ";
    groups.set(head, [...(groups.get(head) ?? []), line(indent + spellingOf(flag), flag.about)]);
  }
  const usage = commandNames.map((name) =>
    line(`valuefold ${name} ${commands[name].words}`.trimEnd(), commands[name].about),
  );
  return `valuefold folds layered values, held in ConfigMaps and Secrets, into one document per app.

usage:
${line("valuefold", "KRM function: ResourceList on stdin, ResourceList on stdout")}${usage.join("")}
${[...groups].map(([head, lines]) => `${head}\n${lines.join("")}`).join("")}
exit status: 0 ok, 1 faults (see stderr), 2 a bug, 3 invalid function config
VALUEFOLD_FAULTS=stdout: the function prints its first fault on stdout, for callers that show no stderr

Targets: App, HelmRelease, ConfigMap, Secret; Kyma overrides if the setting \`targets\` names them. A layer
is a ConfigMap or Secret that a target references, or that has the first of these annotations:
  valuefold.dev/into: KIND/NAME     its target (Kind/[namespace/]name, several with commas, * for any)
  valuefold.dev/priority: "75"      default: App 25, HelmRelease 75, ConfigMap and Secret 50
  valuefold.dev/key: values         its data key, if there are several
  valuefold.dev/format: yaml        yaml, json or text: how data keys of a ConfigMap or Secret merge
  valuefold.dev/keep: "true"        keeps the layer as it is after folding
An annotation of a target: valuefold.dev/fold: "false" leaves it alone
`;
}

function line(left: string, right: string): string {
  const gap = left.length + 4 > textColumn ? `\n${" ".repeat(textColumn)}` : "";
  return `  ${gap === "" ? left.padEnd(textColumn - 2) : left + gap}${right}\n`;
}

function listed(words: readonly string[]): string {
  return words.join(", ").replace(/, (?=\w+$)/, " and ");
}

/** The script that a shell sources. */
export function completionFor(shell: string | undefined): string {
  if (shell === "fish") return fish();
  const start = shell === "zsh" ? "#compdef valuefold\nautoload -U +X bashcompinit && bashcompinit\n" : "";
  return start + bash();
}

/** The words that a command takes in place of files. */
function wordsOf(name: Command): readonly string[] {
  const command = commands[name];
  return "oneOf" in command ? command.oneOf : [];
}

function bash(): string {
  const own = commandNames.map((name) => {
    const words = [...flagsOf(name).map((flag) => `--${flag.name}`), ...wordsOf(name)];
    return `    ${name}) words="${words.join(" ")}" ;;\n`;
  });
  const values = commandNames.flatMap((name) =>
    flagsOf(name).flatMap((flag) =>
      flag.oneOf === undefined ? [] : `    "${name} --${flag.name}") words="${flag.oneOf.join(" ")}" ;;\n`,
    ),
  );
  const worded = commandNames.filter((name) => wordsOf(name).length > 0);
  return `_valuefold() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} words=
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commandNames.join(" ")} --help --version" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]} $previous" in
${values.join("")}  esac
  if [ -n "$words" ]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    return
  fi
  case \${COMP_WORDS[1]} in
${own.join("")}  esac
  case "$current \${COMP_WORDS[1]}" in
    ${["-*", ...worded.map((name) => `*" ${name}"`)].join("|")}) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
    *) COMPREPLY=($(compgen -f -- "$current")) ;;
  esac
}
complete -o filenames -F _valuefold valuefold
`;
}

function fish(): string {
  const start = "complete -c valuefold";
  const none = `not __fish_seen_subcommand_from ${commandNames.join(" ")}`;
  const names = commandNames.map(
    (name) => `${start} -f -n "${none}" -a ${name} -d ${quoted(commands[name].about)}\n`,
  );
  const own = commandNames.flatMap((name) => {
    const seen = `${start} -n "__fish_seen_subcommand_from ${name}"`;
    const words = wordsOf(name);
    return [
      ...flagsOf(name).map((flag) => {
        const short = flag.short === undefined ? "" : ` -s ${flag.short}`;
        const files = flag.value?.endsWith("FILE") === true ? " -r -F" : "";
        const takes = flag.oneOf === undefined ? files : ` -x -a "${flag.oneOf.join(" ")}"`;
        return `${seen} -l ${flag.name}${short}${takes} -d ${quoted(flag.about)}\n`;
      }),
      ...(words.length === 0 ? [] : [`${seen} -f -a "${words.join(" ")}"\n`]),
    ];
  });
  return [...names, ...own].join("");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "\\'")}'`;
}

function fieldSpecs(part: "configMap" | "secret"): string {
  const lines = referencingKinds.flatMap(({ kind, apiVersions: [version = ""], references }) => {
    const { slots = [], lists = [] } = references ?? {};
    const paths = [...slots.map((slot) => `${slot}/${part}`), ...lists];
    const [group] = version.split("/");
    return paths.map((path) => `      - { path: spec/${path}/name, group: ${group}, kind: ${kind} }\n`);
  });
  return lines.join("");
}

/** A configuration for kustomize. config/name-reference.yaml is made of it. */
export const nameReference = `# For kustomize (\`configurations: [name-reference.yaml]\`): an overlay's namePrefix, nameSuffix or hash reaches
# the references that Apps and HelmReleases hold, those to folded items included.
nameReference:
  - kind: ConfigMap
    version: v1
    fieldSpecs:
${fieldSpecs("configMap")}  - kind: Secret
    version: v1
    fieldSpecs:
${fieldSpecs("secret")}`;
