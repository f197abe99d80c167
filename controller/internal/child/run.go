// Package child runs other programs: each in a process group of its own, bounded in time, memory and output, with
// nothing of this process' environment.
package child

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Command is a program to run.
type Command struct {
	Program string
	Args    []string
	// Env is the whole environment of the program.
	Env   []string
	Dir   string
	Stdin []byte
	// MostOutput bounds stdout, in bytes.
	MostOutput int64
	// MostMemory bounds the private memory of the program and of each that it starts, in bytes.
	MostMemory int64
}

// Output is what a program wrote, and its exit status.
type Output struct {
	Stdout, Stderr []byte
	ExitCode       int
}

var (
	// ErrTimeout means that the context ended first.
	ErrTimeout = errors.New("took longer than spec.timeout")
	// ErrTooLarge means that the program wrote more than MostOutput.
	ErrTooLarge = errors.New("wrote more than is allowed")
	// ErrKilled means that a signal ended the program, as a lack of memory does.
	ErrKilled = errors.New("was killed")
)

const (
	mostMessages = 1 << 20
	patience     = 5 * time.Second
)

// Run runs a program to its end. An exit status is no error.
func Run(ctx context.Context, c Command) (Output, error) {
	stdout, stderr := &bounded{left: c.MostOutput}, &bounded{left: mostMessages}
	self, err := os.Executable()
	if err != nil {
		return Output{}, err
	}
	args := append([]string{limitWord, strconv.FormatInt(c.MostMemory, 10), c.Program}, c.Args...)
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Dir, cmd.Env = c.Dir, c.Env
	cmd.Stdout, cmd.Stderr = stdout, stderr
	if c.Stdin != nil {
		cmd.Stdin = bytes.NewReader(c.Stdin)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error {
		endTree(cmd.Process.Pid)
		return nil
	}
	cmd.WaitDelay = patience
	if err := cmd.Start(); err != nil {
		return Output{}, err
	}
	err = cmd.Wait()
	// What it started may outlive it.
	_ = killGroup(cmd.Process)
	output := Output{stdout.buffer.Bytes(), stderr.buffer.Bytes(), cmd.ProcessState.ExitCode()}
	switch {
	case ctx.Err() != nil:
		return output, ErrTimeout
	case stdout.left < 0:
		return output, ErrTooLarge
	case output.ExitCode == exitNotStarted:
		return output, fmt.Errorf("cannot start: %s", output.Stderr)
	case output.ExitCode < 0:
		return output, fmt.Errorf("%w (%v)", ErrKilled, cmd.ProcessState)
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = nil
	}
	return output, err
}

// limitWord is the first argument of this program where it only sets a limit and then becomes another program.
const limitWord = "limited"

// BecomeLimited returns unless this process is to become another one: main calls it first, and TestMain where a test
// runs a program. The limit is there before the program is: nothing can be allocated in between.
func BecomeLimited(args []string) {
	if len(args) < 4 || args[1] != limitWord {
		return
	}
	most, err := strconv.ParseUint(args[2], 10, 64)
	if err == nil {
		err = unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: most, Max: most})
	}
	if err == nil {
		err = unix.Exec(args[3], args[3:], os.Environ())
	}
	fmt.Fprintf(os.Stderr, "%s: %v", args[3], err)
	os.Exit(exitNotStarted)
}

const exitNotStarted = 127

// endTree ends a program and all that it started, also in groups of their own: valuefold starts sops in one.
func endTree(pid int) {
	// It starts no more.
	_ = syscall.Kill(pid, syscall.SIGSTOP)
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, list := range lists {
		text, _ := os.ReadFile(list)
		for _, each := range strings.Fields(string(text)) {
			if started, err := strconv.Atoi(each); err == nil {
				endTree(started)
			}
		}
	}
	_ = syscall.Kill(-pid, syscall.SIGKILL)
	_ = syscall.Kill(pid, syscall.SIGKILL)
}

func killGroup(process *os.Process) error {
	return syscall.Kill(-process.Pid, syscall.SIGKILL)
}

// bounded refuses what passes its size: the program then gets an error or a signal from its write. It embeds no
// buffer, whose method ReadFrom would take everything.
type bounded struct {
	buffer bytes.Buffer
	left   int64
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.left -= int64(len(p)); b.left < 0 {
		return 0, ErrTooLarge
	}
	return b.buffer.Write(p)
}
