// Completion scripts: commands, their options, and files. Made from the same table as the command line.
import { diffForms } from "./diff-line.ts";
import { commands, formats, printed, type Shell, shells } from "./command-line.ts";

/** Commands that take one of a few words. */
const wordsOf: { readonly [command: string]: readonly string[] } = { completion: shells, print: printed };

/** The script a shell sources. */
export function completionFor(shell: Shell): string {
  switch (shell) {
    case "bash":
      return bash();
    case "zsh":
      return `#compdef valuefold\nautoload -U +X bashcompinit && bashcompinit\n${bash()}`;
    case "fish":
      return fish();
  }
}

function bash(): string {
  const cases = Object.entries(commands).map(
    ([command, options]) =>
      `    ${command}) words="${[...options.map((each) => `--${each}`), ...(wordsOf[command] ?? [])].join(" ")}" ;;`,
  );
  return `_valuefold() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} words
  if [ "$previous" = --format ]; then
    [ "\${COMP_WORDS[1]}" = diff ] && words="${diffForms.join(" ")}" || words="${formats.join(" ")}"
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    return
  fi
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${Object.keys(commands).join(" ")} --help --version" -- "$current"))
    return
  fi
  case \${COMP_WORDS[1]} in
${cases.join("\n")}
  esac
  case $current in
    -*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
    *) case \${COMP_WORDS[1]} in
      ${Object.keys(wordsOf).join("|")}) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
      *) COMPREPLY=($(compgen -f -- "$current")) ;;
    esac ;;
  esac
}
complete -o filenames -F _valuefold valuefold
`;
}

function fish(): string {
  const names = Object.keys(commands);
  const none = `not __fish_seen_subcommand_from ${names.join(" ")}`;
  const words = names.map((command) => `complete -c valuefold -f -n "${none}" -a ${command}`);
  const options = Object.entries(commands).flatMap(([command, own]) =>
    own.map((option) => {
      const takes =
        option === "format"
          ? ` -x -a "${(command === "diff" ? diffForms : formats).join(" ")}"`
          : ["config", "schema", "previous", "html"].includes(option)
            ? " -r -F"
            : "";
      return `complete -c valuefold -n "__fish_seen_subcommand_from ${command}" -l ${option}${takes}`;
    }),
  );
  const closed = Object.entries(wordsOf).map(
    ([command, own]) =>
      `complete -c valuefold -f -n "__fish_seen_subcommand_from ${command}" -a "${own.join(" ")}"`,
  );
  return `${[...words, ...options, ...closed].join("\n")}\n`;
}
