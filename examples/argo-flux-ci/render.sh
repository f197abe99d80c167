#!/bin/sh
# render.sh OVERLAY FILE: what the cluster shall apply, folded and verified. Any failure leaves FILE alone.
set -eu
folded=$(mktemp)
trap 'rm -f "$folded" "$folded.in"' EXIT
kustomize build "$1" >"$folded.in"
valuefold fold "$folded.in" >"$folded"
valuefold verify "$folded"
cp "$folded" "$2"
