# A repository in which main has moved since this branch left it: sourced, it becomes the working directory.
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b.example GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b.example
export GIT_AUTHOR_DATE=2026-01-01T00:00:00Z GIT_COMMITTER_DATE=2026-01-01T00:00:00Z
commit() { git add -A && git commit -qm "$1"; }

cd "$(mktemp -d)" && git init -q -b main home && cd home || exit 1
printf 'replicas: 1\nhost: a\n' >values.yaml && commit "the start"
git switch -qc mine && printf 'replicas: 2\nhost: a\n' >values.yaml && commit "my change"
git switch -q main && printf 'replicas: 1\nhost: b\n' >values.yaml && commit "a change by someone else"
git switch -q mine
