// The scripts with which shells complete commands and flags.
import { type Command, commandNames, commands, type FlagDefinition, flagsOf } from "./flags.ts";

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
      flag.oneOf === undefined ? [] : `    ${patternOf(name, flag)}) words="${flag.oneOf.join(" ")}" ;;\n`,
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

/** `"explain --output"|"explain -o"`. */
function patternOf(command: Command, { name, short }: FlagDefinition): string {
  const spellings = [`--${name}`, ...(short === undefined ? [] : [`-${short}`])];
  return spellings.map((each) => `"${command} ${each}"`).join("|");
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
