#!/bin/sh
# run-cases.sh CASES OUT COMMAND...: runs the command in each folder of CASES, with the words in its file `words` and its
# `input` on stdin; OUT/NAME.{stdout,stderr,status} get what came. Nothing of the environment is passed on.
set -eu
cases=$1 out=$2
shift 2
for case in "$cases"/*; do
  name=${case##*/}
  cd "$case"
  status=0
  # The words hold neither spaces nor quotes.
  env -i PATH=/nowhere "$@" $(cat words) <input >"$out/$name.stdout" 2>"$out/$name.stderr" || status=$?
  echo "$status" >"$out/$name.status"
done
