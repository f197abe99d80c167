package program

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"valuefold.dev/controller/api/v1alpha1"
	"valuefold.dev/controller/internal/child"
	"valuefold.dev/controller/internal/fault"
)

func TestMain(m *testing.M) {
	child.BecomeLimited(os.Args)
	os.Exit(m.Run())
}

// script is a program that prints something and ends with a status.
func script(t *testing.T, text string) *Program {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o700); err != nil {
		t.Fatal(err)
	}
	return New(path, "/usr/bin:/bin", 1000, 128<<20)
}

func failuresOf(t *testing.T, err error) []v1alpha1.Failure {
	t.Helper()
	var found *fault.Fault
	if !errors.As(err, &found) {
		t.Fatalf("got %v", err)
	}
	return found.Failures
}

// With keys a run has a process of its own.
var keys = []string{"SOPS_AGE_KEY=key"}

const report = `{"version": 1, "diagnostics": [
 {"code": "scope-miss", "severity": "warning", "message": "the include is missed", "hint": "add it", "at": {"text": "x", "instance": "gone"}},
 {"code": "not-a-mapping", "severity": "error", "message": "expected a mapping", "hint": "indent it",
  "item": {"kind": "ConfigMap", "name": "c", "namespace": "n"},
  "at": {"text": "ConfigMap/n/c values", "line": 1, "column": 2, "source": {"file": "/srv/build/built.yaml", "line": 3, "column": 4}}},
 {"code": "template-failed", "severity": "error", "message": "no key", "reason": "the map has none", "at": {"text": "a.yaml", "line": 5, "column": 6, "instance": "shop"}}]}`

func TestFailuresMissesAndWarnings(t *testing.T) {
	p := script(t, "cat >&2 <<'E'\n"+report+"\nE\nexit 1\n")
	got, err := p.Run(t.Context(), Call{Step: "fold", Keys: keys, Hidden: []string{"/srv/build"}})
	failures := failuresOf(t, err)
	if len(failures) != 2 || got.Output != nil {
		t.Fatalf("got %+v, %v", got, err)
	}
	first, second := failures[0], failures[1]
	if first.Subject != "ConfigMap/n/c" || first.At != "ConfigMap/n/c values:1:2 in built.yaml:3:4" ||
		first.Step != "fold" || first.Code != "not-a-mapping" || first.Hint != "indent it" {
		t.Errorf("got %+v", first)
	}
	if second.Subject != "shop" || second.Message != "no key; the map has none" || second.At != "a.yaml:5:6" {
		t.Errorf("got %+v", second)
	}
	if len(got.Misses) != 1 || got.Misses[0] != "the include is missed: add it" || len(got.Warnings) != 1 {
		t.Errorf("got %v, %v", got.Misses, got.Warnings)
	}
}

func TestAPlaceIsLocated(t *testing.T) {
	p := script(t, "cat >&2 <<'E'\n"+report+"\nE\nexit 1\n")
	_, err := p.Run(t.Context(), Call{Step: "fold", Keys: keys, Locate: func(Position) string { return "apps/a.yaml:1:2" }})
	if got := failuresOf(t, err); got[0].At != "ConfigMap/n/c values:1:2 in apps/a.yaml:1:2" {
		t.Fatalf("got %+v, %v", got, err)
	}
}

func TestVerifyReportsOnStdout(t *testing.T) {
	p := script(t, "cat <<'E'\n"+report+"\nE\nexit 1\n")
	_, err := p.Run(t.Context(), Call{Step: "verify", Keys: keys})
	if got := failuresOf(t, err); len(got) != 2 {
		t.Fatalf("got %+v, %v", got, err)
	}
}

func TestAMistakeOfUsageIsAFailure(t *testing.T) {
	p := script(t, "echo 'error[usage]: `/srv/build/x` does not exist' >&2; exit 1\n")
	_, err := p.Run(t.Context(), Call{Step: "fold", Keys: keys, Hidden: []string{"/srv/build"}})
	if got := failuresOf(t, err); len(got) != 1 || got[0].Message != "error[usage]: `x` does not exist" {
		t.Fatalf("got %+v, %v", got, err)
	}
}

func TestABugIsAnErrorForTheLog(t *testing.T) {
	_, err := script(t, "echo stack >&2; exit 2\n").Run(t.Context(), Call{Step: "fold", Keys: keys})
	if !errors.Is(err, ErrBug) || !strings.Contains(err.Error(), "stack") {
		t.Fatalf("got %v", err)
	}
}

func TestOutputIsBounded(t *testing.T) {
	_, err := script(t, "yes\n").Run(t.Context(), Call{Step: "fold", Keys: keys})
	if got := failuresOf(t, err); len(got) != 1 || !strings.Contains(got[0].Message, "1000 bytes") {
		t.Fatalf("got %+v, %v", got, err)
	}
}

func TestKeysReachTheProgramAndNothingElseDoes(t *testing.T) {
	t.Setenv("KUBERNETES_TOKEN", "secret")
	got, err := script(t, "env\n").Run(t.Context(), Call{Step: "fold", Keys: keys})
	if err != nil || !strings.Contains(string(got.Output), "SOPS_AGE_KEY=key") || strings.Contains(string(got.Output), "secret") {
		t.Fatalf("got %s, %v", got.Output, err)
	}
}

// Without keys one process does one run after another, and finds no sops.
func TestRunsWithoutKeysShareAProcess(t *testing.T) {
	p := script(t, `[ "$1" = worker ] || exit 2
while read -r line; do printf '{"exitCode": 0, "stdout": "%s", "messages": ""}\n' "$(printf %s "$$" | base64)"; done
`)
	first, err := p.Run(t.Context(), Call{Step: "fold"})
	if err != nil {
		t.Fatal(err)
	}
	second, err := p.Run(t.Context(), Call{Step: "verify"})
	if err != nil || len(first.Output) == 0 || string(first.Output) != string(second.Output) {
		t.Fatalf("got %s and %s, %v", first.Output, second.Output, err)
	}
}

func TestWithoutKeysSopsIsNotTheCure(t *testing.T) {
	const sealed = `{"diagnostics": [{"code": "sops-failed", "severity": "error", "message": "not installed", "hint": "install it"}]}`
	for hint, call := range map[string]Call{"install it": {Keys: keys}, "set spec.decryption: without it, sops does not run": {}} {
		_, got, isRead := readDiagnostics(call, []byte(sealed))
		if !isRead || got.Failures[0].Hint != hint || got.MayPass != (len(call.Keys) > 0) {
			t.Errorf("got %+v", got)
		}
	}
}
