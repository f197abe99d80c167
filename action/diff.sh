#!/usr/bin/env bash
# Compares two revisions, files or directories; what changes goes to the summary of the job.
set -euo pipefail
. "$(dirname "$0")/words.sh"

one_line config before after

read_patterns
[ -n "$INPUT_BEFORE" ] || fail "\`before\`: expected a git revision, a file or a directory"
sides=("$INPUT_BEFORE")
if [ -n "$INPUT_AFTER" ]; then sides+=("$INPUT_AFTER"); fi
options=(-o markdown)
if [ -n "$INPUT_CONFIG" ]; then options+=("--config=$INPUT_CONFIG"); fi

comparison=$(mktemp "${RUNNER_TEMP:?}/valuefold-diff.XXXXXX")
valuefold diff "${options[@]}" -- "${sides[@]}" ${files[@]+"${files[@]}"} >"$comparison"

# A comparison in which nothing changes is its heading alone. What could not be compared may have changed.
changed=false
if [ "$(wc -l <"$comparison")" -gt 1 ] || grep -q "not compared:" "$comparison"; then changed=true; fi
cat "$comparison" >>"$GITHUB_STEP_SUMMARY"
printf 'changed=%s\ncomparison=%s\n' "$changed" "$comparison" >>"$GITHUB_OUTPUT"
