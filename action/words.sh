# What the steps share: messages that nobody's input can break out of, and paths, one per line.

# Workflow commands end at a line's end, so text in them has none.
as_one_line() {
  local text=${1//'%'/%25}
  text=${text//$'\r'/%0D}
  printf '%s' "${text//$'\n'/%0A}"
}

notice() { printf '::notice title=valuefold::%s\n' "$(as_one_line "$1")"; }

fail() {
  printf '::error title=valuefold::%s\n' "$(as_one_line "$1")" >&2
  exit 1
}

# Inputs that are one line each: what valuefold says of a longer one could start a line with a workflow command.
one_line() {
  local name variable
  for name in "$@"; do
    variable=INPUT_$(tr '[:lower:]' '[:upper:]' <<<"$name")
    case ${!variable} in *[$'\r\n']*) fail "\`$name\`: expected one line, got \`${!variable}\`" ;; esac
  done
}

# Reads INPUT_FILES into the array `files`, patterns as they are: each side of a comparison has other files.
read_patterns() {
  local line
  files=()
  while IFS= read -r line || [ -n "$line" ]; do
    line=${line%$'\r'}
    [ -z "$line" ] || files+=("$line")
  done <<<"$INPUT_FILES"
}

# Reads INPUT_FILES into the array `files`. What is there as it is written is no pattern.
read_files() {
  local line found
  files=()
  while IFS= read -r line || [ -n "$line" ]; do
    line=${line%$'\r'}
    case $line in
      '') ;;
      *[*?[]*)
        if [ -e "$line" ]; then found=("$line"); else matches_of "$line"; fi
        files+=("${found[@]}")
        ;;
      *) files+=("$line") ;;
    esac
  done <<<"$INPUT_FILES"
}

# Only the pattern is expanded: with no IFS, nothing is split.
matches_of() {
  local IFS=
  shopt -s nullglob
  found=($1)
  shopt -u nullglob
  [ "${#found[@]}" -gt 0 ] || fail "\`files\`: nothing fits \`$1\`"
}
