#!/usr/bin/env bash
# Checks INPUT_FILES; what is wrong becomes annotations.
set -euo pipefail
. "$(dirname "$0")/words.sh"

one_line config
read_files
# Without files it checks what it finds in the checkout.
[ "${#files[@]}" -gt 0 ] || files=(.)
options=(-o github)
if [ -n "$INPUT_CONFIG" ]; then options+=("--config=$INPUT_CONFIG"); fi
if [ "$INPUT_STRICT" = true ]; then options+=(--strict); fi
valuefold verify "${options[@]}" -- "${files[@]}"
