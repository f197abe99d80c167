#!/usr/bin/env bash
# Installs valuefold by checksum and puts it on the PATH, or leaves the PATH as it was.
set -euo pipefail
. "$(dirname "$0")/words.sh"

case $INPUT_COMMAND in
  install | fold | verify | diff) ;;
  *) fail "\`command\`: expected install, fold, verify or diff, got \`$INPUT_COMMAND\`" ;;
esac

version=${INPUT_VERSION#v}
if [ -z "$version" ]; then
  version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' "$(dirname "$0")/../package.json")
fi
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ ]] ||
  fail "\`version\`: expected a version such as 1.2.3, got \`$version\`"

case ${RUNNER_OS-}/${RUNNER_ARCH-} in
  Linux/X64) target=linux-x64 ;;
  Linux/ARM64) target=linux-arm64 ;;
  macOS/X64) target=darwin-x64 ;;
  macOS/ARM64) target=darwin-arm64 ;;
  *) fail "there is no executable for ${RUNNER_OS-}/${RUNNER_ARCH-}: this action runs on Linux and macOS, X64 and ARM64" ;;
esac
# musl's ldd names itself, and fails as it is given no program.
if [ "$RUNNER_OS" = Linux ]; then
  case $(ldd --version 2>&1 || true) in *musl*) target=$target-musl ;; esac
fi

releases=${INPUT_RELEASES%/}
if [ -z "$releases" ]; then
  [ -n "$ACTION_REPOSITORY" ] ||
    fail "\`releases\`: the action is used from a folder, so no repository tells where releases are: give a URL"
  releases=$ACTION_SERVER/$ACTION_REPOSITORY/releases/download/v$version
fi

# Pinned checksums, one per line, in lower case.
pins=$(tr 'A-F' 'a-f' <<<"$INPUT_SHA256" | tr -d '[:blank:]\r' | sed '/^$/d')
bad=$(grep -vxE '[0-9a-f]{64}' <<<"$pins" | sed '/^$/d' || true)
[ -z "$bad" ] || fail "\`sha256\`: expected 64 hexadecimal digits, got \`$bad\`"

# A checksum that comes by the same way as the tarball proves nothing if anybody can change both on that way.
case $releases in
  https://* | file://*) ;;
  http://*) [ -n "$pins" ] || fail "\`releases\`: over http the input \`sha256\` is needed, too" ;;
  *) fail "\`releases\`: expected a URL with https, http or file, got \`$releases\`" ;;
esac

fetch() {
  curl --fail --silent --show-error --location --globoff --retry 3 --connect-timeout 20 --speed-time 60 --speed-limit 1000 \
    --proto '=https,http,file' --proto-redir '=https' --output "$2" --url "$1" ||
    fail "cannot get $1"
}

sum_of() {
  if command -v sha256sum >/dev/null; then sha256sum <"$1"; else shasum -a 256 <"$1"; fi | cut -d' ' -f1
}

pinned() { [ -z "$pins" ] || grep -qxF "$1" <<<"$pins"; }

name=valuefold-$version-$target
cache=${RUNNER_TOOL_CACHE:-$RUNNER_TEMP}/valuefold/$version
folder=$cache/$target

# What was unpacked whole says from where. What a job pins is downloaded and checked each time: other jobs write to the
# tool cache of a runner, too.
is_cached() {
  local from
  [ -z "$pins" ] && [ -x "$folder/valuefold" ] && [ -f "$folder.complete" ] || return 1
  IFS= read -r from <"$folder.complete" && [ "$from" = "$releases" ]
}

install() {
  local archive=$name.tar.gz sum listed
  work=$(mktemp -d "${RUNNER_TEMP:?}/valuefold.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  fetch "$releases/SHA256SUMS" "$work/SHA256SUMS"
  listed=$(awk -v name="$archive" '$2 == name || $2 == "*" name { print $1 }' "$work/SHA256SUMS")
  [ -n "$listed" ] || fail "$releases/SHA256SUMS does not list $archive"
  fetch "$releases/$archive" "$work/$archive"
  sum=$(sum_of "$work/$archive")
  [ "$sum" = "$listed" ] || fail "$archive has the checksum $sum, but SHA256SUMS says $listed"
  pinned "$sum" || fail "$archive has the checksum $sum, which the input \`sha256\` does not list"
  tar -xzf "$work/$archive" -C "$work"
  [ "$("$work/$name/valuefold" version)" = "$version" ] || fail "$archive does not run here as version $version"
  mkdir -p "$cache"
  rm -rf "$folder" "$folder.complete"
  mv "$work/$name" "$folder"
  printf '%s\n' "$releases" >"$folder.complete"
}

if is_cached; then echo "valuefold $version for $target is in the tool cache"; else install; fi
printf '%s\n' "$folder" >>"$GITHUB_PATH"
printf 'version=%s\npath=%s\n' "$version" "$folder" >>"$GITHUB_OUTPUT"
echo "valuefold $version for $target is on the PATH"
