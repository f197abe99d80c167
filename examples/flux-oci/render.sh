#!/bin/sh
# render.sh OVERLAY FILE: what the cluster shall apply, folded and verified. Any failure leaves FILE alone.
set -eu
built=$(mktemp)
folded=$2.part # beside FILE, so that the last step is one rename
trap 'rm -f "$built" "$folded"' EXIT
kustomize build "$1" >"$built"
valuefold fold "$built" >"$folded"
valuefold verify "$folded"
mv "$folded" "$2"
