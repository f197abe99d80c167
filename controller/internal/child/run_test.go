package child

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	BecomeLimited(os.Args)
	os.Exit(m.Run())
}

func shell(text string) Command {
	return Command{Program: "/bin/sh", Args: []string{"-c", text}, Env: []string{"PATH=/usr/bin:/bin"},
		MostOutput: 1000, MostMemory: 64 << 20}
}

func TestRunGivesOutputAndStatus(t *testing.T) {
	c := shell("cat; echo no >&2; exit 3")
	c.Stdin = []byte("yes")
	output, err := Run(t.Context(), c)
	if err != nil || string(output.Stdout) != "yes" || string(output.Stderr) != "no\n" || output.ExitCode != 3 {
		t.Fatalf("got %+v, %v", output, err)
	}
}

func TestRunPassesNothingOfTheEnvironment(t *testing.T) {
	t.Setenv("TOKEN", "secret")
	output, err := Run(t.Context(), shell("env"))
	if err != nil || strings.Contains(string(output.Stdout), "secret") {
		t.Fatalf("got %s, %v", output.Stdout, err)
	}
}

func TestRunEndsAProgramThatTakesTooLong(t *testing.T) {
	// The inner shell is a child of the child, in its group or in one of its own.
	for _, inner := range []string{"sh", "setsid sh"} {
		t.Run(inner, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "late")
			ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
			defer cancel()
			begun := time.Now()
			_, err := Run(ctx, shell(inner+" -c 'sleep 1; touch "+file+"' & wait"))
			if !errors.Is(err, ErrTimeout) || time.Since(begun) > 3*time.Second {
				t.Fatalf("got %v after %s", err, time.Since(begun))
			}
			time.Sleep(1500 * time.Millisecond)
			if _, err := os.Stat(file); err == nil {
				t.Fatal("a program that the child started went on")
			}
		})
	}
}

func TestRunBoundsOutput(t *testing.T) {
	_, err := Run(t.Context(), shell("yes"))
	if !errors.Is(err, ErrTooLarge) {
		t.Fatalf("got %v", err)
	}
}

func TestRunBoundsMemory(t *testing.T) {
	c := shell("dd if=/dev/zero of=/dev/null bs=256M count=1")
	output, err := Run(t.Context(), c)
	if err != nil || output.ExitCode == 0 {
		t.Fatalf("256 MiB were allocated: %+v, %v", output, err)
	}
}

func TestRunTellsAKilledProgram(t *testing.T) {
	_, err := Run(t.Context(), shell("kill -9 $$"))
	if !errors.Is(err, ErrKilled) {
		t.Fatalf("got %v", err)
	}
}

func TestRunNeedsAProgram(t *testing.T) {
	if _, err := Run(t.Context(), Command{Program: "/no/such/program"}); err == nil {
		t.Fatal("expected an error")
	}
}
