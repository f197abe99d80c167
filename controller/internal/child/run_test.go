package child

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	BecomeLimited(os.Args)
	if len(os.Args) == 3 && os.Args[1] == "dial" {
		if _, err := net.DialTimeout("tcp", os.Args[2], time.Second); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func shell(text string) Command {
	return Command{Program: "/bin/sh", Args: []string{"-c", text}, Env: []string{"PATH=/usr/bin:/bin"},
		MostOutput: 1000, MostMemory: 128 << 20}
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
			if !errors.Is(err, ErrTimeout) || time.Since(begun) > 30*time.Second {
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

func TestRunLeavesTheNetworkOut(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	dial := []string{"dial", listener.Addr().String()}
	if text, err := exec.Command(os.Args[0], dial...).CombinedOutput(); err != nil {
		t.Fatalf("without limits: %s, %v", text, err)
	}
	for name, c := range map[string]Command{
		"the program":        {Program: os.Args[0], Args: dial, MostOutput: 1000, MostMemory: 512 << 20},
		"what it starts":     {Program: "/bin/sh", Args: append([]string{"-c", `"$0" "$@"`, os.Args[0]}, dial...), MostOutput: 1000, MostMemory: 512 << 20},
		"a group of its own": {Program: "/usr/bin/setsid", Args: append([]string{"-w", os.Args[0]}, dial...), MostOutput: 1000, MostMemory: 512 << 20},
	} {
		output, err := Run(t.Context(), c)
		if err != nil || output.ExitCode != 1 || !strings.Contains(string(output.Stdout), "permission denied") {
			t.Errorf("%s: got %s %s, %v", name, output.Stdout, output.Stderr, err)
		}
	}
}

func TestRunNeedsAProgram(t *testing.T) {
	if _, err := Run(t.Context(), Command{Program: "/no/such/program"}); err == nil {
		t.Fatal("expected an error")
	}
}

// In a container no other process waits for what ended programs had started.
func TestOrphansAreReaped(t *testing.T) {
	if err := ReapOrphans(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err := Run(ctx, shell("setsid sh -c 'sleep 60 & sleep 60' & sleep 60")); !errors.Is(err, ErrTimeout) {
		t.Fatalf("got %v", err)
	}
	if output, err := Run(t.Context(), shell("(sleep 0.2 &) ; true")); err != nil || output.ExitCode != 0 {
		t.Fatalf("got %+v, %v", output, err)
	}
	for range 1500 {
		if len(childrenOf(os.Getpid())) == 0 {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("left: %v", childrenOf(os.Getpid()))
}

// worker answers each line of its input by the same; it ends, hangs, talks or floods when it is asked to.
const echo = `while read -r line; do case "$line" in
	*end*) exit 3;; *hang*) sleep 60;; *talk*) head -c 3000000 /dev/zero >&2; echo "$line";; *flood*) yes '';; *pid*) echo "\"$$\"";; *) echo "$line";; esac; done`

func pool() *Pool { return &Pool{Command: shell(echo)} }

func TestAWorkerDoesOneRequestAfterAnother(t *testing.T) {
	p := pool()
	var first, second, echoed string
	if err := errors.Join(p.Do(t.Context(), "pid", &first), p.Do(t.Context(), "talk", &echoed), p.Do(t.Context(), "pid", &second)); err != nil {
		t.Fatal(err)
	}
	if first == "" || first != second || echoed != "talk" {
		t.Errorf("got %q, %q, %q", first, second, echoed)
	}
}

func TestAWorkerIsReplaced(t *testing.T) {
	for request, expected := range map[string]error{"end": ErrKilled, "hang": ErrTimeout, "flood": ErrTooLarge} {
		t.Run(request, func(t *testing.T) {
			p := pool()
			var before, after, answer string
			if err := p.Do(t.Context(), "pid", &before); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			defer cancel()
			if err := p.Do(ctx, request, &answer); !errors.Is(err, expected) {
				t.Errorf("got %v", err)
			}
			if err := p.Do(t.Context(), "pid", &after); err != nil || before == after {
				t.Errorf("got %s and %s, %v", before, after, err)
			}
		})
	}
	p, pids := pool(), map[string]bool{}
	for range mostRequests + 1 {
		var pid string
		if err := p.Do(t.Context(), "pid", &pid); err != nil {
			t.Fatal(err)
		}
		pids[pid] = true
	}
	if len(pids) != 2 {
		t.Errorf("%d workers did %d requests", len(pids), mostRequests+1)
	}
}

func TestAWorkerThatWasIdleForLongIsReplaced(t *testing.T) {
	p := pool()
	var before, after string
	if err := p.Do(t.Context(), "pid", &before); err != nil {
		t.Fatal(err)
	}
	p.idle[0].expiry.Reset(0)
	for range 3000 {
		if _, err := os.Stat("/proc/" + before); err != nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err := p.Do(t.Context(), "pid", &after); err != nil || before == after || len(p.idle) != 1 {
		t.Errorf("got %s and %s, %v, %d are idle", before, after, err, len(p.idle))
	}
}

// A worker that ends after the requests of others is no fault of the request.
func TestARequestIsTriedAgainOnANewWorker(t *testing.T) {
	p := &Pool{Command: shell(`n=0; while read -r line; do n=$((n+1)); [ $n -eq 2 ] && exit 1; echo "$line"; done`)}
	for range 4 {
		var answer string
		if err := p.Do(t.Context(), "x", &answer); err != nil {
			t.Fatal(err)
		}
	}
}
