package child

import (
	"context"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// started are the processes that a Cmd waits for.
var started = struct {
	sync.Mutex
	pids map[int]bool
}{pids: map[int]bool{}}

func start(cmd *exec.Cmd) error {
	started.Lock()
	defer started.Unlock()
	err := cmd.Start()
	if err == nil {
		started.pids[cmd.Process.Pid] = true
	}
	return err
}

// wait waits for a program, and ends what it started, which may outlive it.
func wait(cmd *exec.Cmd) error {
	err := cmd.Wait()
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	started.Lock()
	defer started.Unlock()
	delete(started.pids, cmd.Process.Pid)
	return err
}

// ReapOrphans waits for what ended programs had started, until the context ends: in a container no other process does,
// and each would keep its entry in the table of processes.
func ReapOrphans(ctx context.Context) error {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return err
	}
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGCHLD)
	go func() {
		defer signal.Stop(ended)
		for {
			select {
			case <-ctx.Done():
				return
			case <-ended:
				reap()
			}
		}
	}()
	return nil
}

func reap() {
	started.Lock()
	defer started.Unlock()
	for _, pid := range childrenOf(os.Getpid()) {
		if !started.pids[pid] {
			_, _ = syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
		}
	}
}

func childrenOf(pid int) (children []int) {
	lists, _ := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/children")
	for _, list := range lists {
		text, _ := os.ReadFile(list)
		for _, each := range strings.Fields(string(text)) {
			if child, err := strconv.Atoi(each); err == nil {
				children = append(children, child)
			}
		}
	}
	return children
}

// endTree ends a program and all that it started, also in groups of their own: valuefold starts sops in one.
func endTree(pid int) {
	// It starts no more.
	_ = syscall.Kill(pid, syscall.SIGSTOP)
	for _, child := range childrenOf(pid) {
		endTree(child)
	}
	_ = syscall.Kill(-pid, syscall.SIGKILL)
	_ = syscall.Kill(pid, syscall.SIGKILL)
}
