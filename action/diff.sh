#!/usr/bin/env bash
# Compares two revisions, files or directories; what changes goes to the summary of the job.
set -euo pipefail
. "$(dirname "$0")/words.sh"

one_line config before after

# Whether a side is neither a file nor a revision of this checkout.
is_missing() { [ ! -e "$1" ] && ! git rev-parse --quiet --verify --end-of-options "$1^{tree}" >/dev/null; }

read_patterns
[ -n "$INPUT_BEFORE" ] || fail "\`before\`: expected a git revision, a file or a directory"
sides=("$INPUT_BEFORE")
if [ -n "$INPUT_AFTER" ]; then sides+=("$INPUT_AFTER"); fi
options=(-o markdown)
if [ -n "$INPUT_CONFIG" ]; then options+=("--config=$INPUT_CONFIG"); fi

comparison=$(mktemp "${RUNNER_TEMP:?}/valuefold-diff.XXXXXX")
status=0
valuefold diff "${options[@]}" -- "${sides[@]}" ${files[@]+"${files[@]}"} >"$comparison" || status=$?
if [ "$status" -ne 0 ]; then
  # The usual reason on GitHub: a checkout has one commit, unless it is told otherwise.
  if is_missing "$INPUT_BEFORE" && [ "$(git rev-parse --is-shallow-repository)" = true ]; then
    notice "this checkout has no \`$INPUT_BEFORE\`: give actions/checkout \`fetch-depth: 2\`, or 0 for all commits"
  fi
  exit "$status"
fi

# A comparison in which nothing changes is its heading alone. What could not be compared may have changed.
changed=false
if [ "$(wc -l <"$comparison")" -gt 1 ] || grep -q "not compared:" "$comparison"; then changed=true; fi
cat "$comparison" >>"$GITHUB_STEP_SUMMARY"
printf 'changed=%s\ncomparison=%s\n' "$changed" "$comparison" >>"$GITHUB_OUTPUT"
