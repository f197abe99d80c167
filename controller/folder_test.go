package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "folder" {
		own, err := ownFolder(os.Args[2])
		if err != nil {
			panic(err)
		}
		if err := os.WriteFile(filepath.Join(own, "left"), nil, 0o600); err != nil {
			panic(err)
		}
		os.Exit(0) // as kill -9 does: nothing is removed
	}
	os.Exit(m.Run())
}

func TestTheOwnFolder(t *testing.T) {
	temporary := t.TempDir()
	mine := filepath.Join(temporary, "sources", "important.txt")
	if err := os.MkdirAll(filepath.Dir(mine), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(mine, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	first, err := ownFolder(temporary)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := exec.Command(os.Args[0], "folder", temporary).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	second, err := ownFolder(temporary)
	if err != nil || second == first {
		t.Fatalf("got %s, %v", second, err)
	}
	for _, kept := range []string{first, second, mine} {
		if _, err := os.Stat(kept); err != nil {
			t.Error(err)
		}
	}
	if all, err := filepath.Glob(filepath.Join(temporary, name, "run-*")); err != nil || len(all) != 2 {
		t.Errorf("got %v, %v", all, err)
	}
	linked := t.TempDir()
	if err := os.Symlink(temporary, filepath.Join(linked, name)); err != nil {
		t.Fatal(err)
	}
	if own, err := ownFolder(linked); err == nil {
		t.Errorf("a link was taken: %s", own)
	}
}
