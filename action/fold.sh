#!/usr/bin/env bash
# Folds INPUT_FILES into INPUT_OUTPUT. A failure leaves that file as it was.
set -euo pipefail
. "$(dirname "$0")/words.sh"

one_line config output
read_files
[ "${#files[@]}" -gt 0 ] || fail "\`files\`: expected what to fold, one path per line"
[ -n "$INPUT_OUTPUT" ] || fail "\`output\`: expected the file to write"
[ ! -d "$INPUT_OUTPUT" ] || fail "\`output\`: \`$INPUT_OUTPUT\` is a directory"
options=(--format github)
if [ -n "$INPUT_CONFIG" ]; then options+=("--config=$INPUT_CONFIG"); fi

folder=$(dirname -- "$INPUT_OUTPUT")
mkdir -p -- "$folder"
# In the same folder, so that the last step is a rename.
folded=$(mktemp "${folder/#-/./-}/.valuefold.XXXXXX")
trap 'rm -f -- "$folded"' EXIT
# GitHub reads annotations from either stream.
valuefold fold "${options[@]}" -- "${files[@]}" 2>&1 >"$folded"
chmod "$(printf '%o' $((0666 & ~0$(umask))))" "$folded"
mv -f -- "$folded" "$INPUT_OUTPUT"
