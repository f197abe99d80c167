#!/usr/bin/env bash
# Keeps one comment of a pull request up to date. curl, as the installation needs it anyway: gh is not in
# every container and on every runner of one's own, and neither is jq.
set -euo pipefail
. "$(dirname "$0")/words.sh"
# Texts are bytes here, whatever the runner's language.
export LC_ALL=C

if [ -z "$PULL_REQUEST" ]; then
  echo "no pull request here, so no comment"
  exit 0
fi
why_not() {
  if [ -z "$INPUT_TOKEN" ]; then
    echo "there is no token"
  elif [ "$HEAD_REPOSITORY" != "$GITHUB_REPOSITORY" ]; then
    echo "a pull request from a fork has no token that may write"
  fi
}
reason=$(why_not)
if [ -n "$reason" ]; then
  notice "no comment: $reason. The summary of the job tells what changes"
  exit 0
fi

work=$(mktemp -d "${RUNNER_TEMP:?}/valuefold-comment.XXXXXX")
trap 'rm -rf "$work"' EXIT
api=$GITHUB_API_URL/repos/$GITHUB_REPOSITORY/issues
# Two comparisons of other files keep a comment each.
marker="<!-- valuefold diff $(printf '%s' "$INPUT_FILES" | cksum | tr ' ' '-') -->"

# ask METHOD URL [FILE]: prints the status; the answer is in $work/answer. The token is in no argument: others see those.
ask() {
  local how=(--retry 3)
  # What writes is not tried again: it may have arrived.
  if [ $# -gt 2 ]; then how=(--data-binary "@$3"); fi
  curl --silent --show-error --connect-timeout 20 --max-time 60 --request "$1" --output "$work/answer" --write-out '%{http_code}' \
    --header 'Accept: application/vnd.github+json' --header 'X-GitHub-Api-Version: 2022-11-28' \
    --header 'Content-Type: application/json' --config <(printf 'header = "Authorization: Bearer %s"\n' "$INPUT_TOKEN") \
    "${how[@]}" --url "$2" || fail "cannot reach $GITHUB_API_URL"
}

# Ends the step unless the status is as expected. A token that may not write is no fault of the change.
expect() {
  case $1 in
    2*) ;;
    401 | 403 | 404)
      notice "no comment: GitHub answers $1. The job needs \`permissions: {pull-requests: write}\`; Dependabot's have none"
      exit 0
      ;;
    *) fail "GitHub answers $1 to a comment" ;;
  esac
}

# The id of the first comment in a page of the API that a bot wrote and that starts with the marker. grep makes tokens
# of the JSON, so nothing inside a text is taken for a key.
own_comment() {
  grep -oE '"([^"\\]|\\.)*"|[][{},:]|[^][{},:"[:space:]]+' "$1" | awk -v marker="\"$marker" '
    $0 == "{" || $0 == "[" { depth++; if (depth == 2) id = type = body = ""; if (depth == 3) object = key; key = ""; next }
    $0 == "}" || $0 == "]" { if (depth == 2 && !found && type == "\"Bot\"" && index(body, marker) == 1) { found = 1; print id } depth--; next }
    $0 == ":" { key = last; next }
    $0 == "," { key = ""; next }
    key == "" { last = $0; next }
    depth == 2 && key == "\"id\"" { id = $0 }
    depth == 2 && key == "\"body\"" { body = $0; gsub(/\\u003[cC]/, "<", body); gsub(/\\u003[eE]/, ">", body) }
    depth == 3 && object == "\"user\"" && key == "\"type\"" { type = $0 }
  '
}

find_comment() {
  local page=1 status
  comment=
  while [ -z "$comment" ]; do
    status=$(ask GET "$api/$PULL_REQUEST/comments?per_page=100&page=$page")
    expect "$status"
    grep -q '"id"' "$work/answer" || return 0
    comment=$(own_comment "$work/answer")
    page=$((page + 1))
  done
}

# {"body": …}: control characters that no text needs are left out. valuefold cuts a comparison at a whole change
# below 60,000 characters, and says so in it; GitHub takes 65,536.
{
  printf '{"body":"'
  { printf '%s\n' "$marker" && cat "$COMPARISON"; } | tr -d '\000-\010\013-\037' |
    sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e $'s/\t/\\\\t/g' | awk '{ printf "%s\\n", $0 }'
  printf '"}'
} >"$work/body"

find_comment
if [ -n "$comment" ]; then
  status=$(ask PATCH "$api/comments/$comment" "$work/body")
elif [ "$CHANGED" = true ]; then
  status=$(ask POST "$api/$PULL_REQUEST/comments" "$work/body")
else
  echo "nothing changes, and nothing was said before"
  exit 0
fi
expect "$status"
echo "the comment on pull request $PULL_REQUEST tells what changes"
