// Package child runs other programs: each in a process group of its own, bounded in time, memory and output, without
// a network, and with nothing of this process' environment.
package child

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"syscall"
	"time"
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

// Ended is a program that did not come to its end.
type Ended struct {
	text string
	// MayPass is true if the same run may come to its end another time.
	MayPass bool
}

func (e *Ended) Error() string { return e.text }

var (
	// ErrTimeout means that the context ended first.
	ErrTimeout = &Ended{"took longer than spec.timeout", true}
	// ErrTooLarge means that the program wrote more than MostOutput.
	ErrTooLarge = &Ended{"wrote too much", false}
	// ErrKilled means that a signal ended the program, as a lack of memory does.
	ErrKilled = &Ended{"was killed", true}
)

const (
	mostMessages = 1 << 20
	patience     = 5 * time.Second
)

// Run runs a program to its end. An exit status is no error.
func Run(ctx context.Context, c Command) (Output, error) {
	stdout, stderr := &bounded{left: c.MostOutput}, &bounded{left: mostMessages}
	cmd := c.confined(ctx)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	if c.Stdin != nil {
		cmd.Stdin = bytes.NewReader(c.Stdin)
	}
	if err := start(cmd); err != nil {
		return Output{}, err
	}
	err := wait(cmd)
	output := Output{stdout.buffer.Bytes(), stderr.buffer.Bytes(), cmd.ProcessState.ExitCode()}
	if ended := c.ended(ctx, cmd, stdout.left < 0, output.Stderr); ended != nil {
		return output, ended
	}
	if errors.As(err, new(*exec.ExitError)) {
		err = nil
	}
	return output, err
}

// ended says why a program has ended early, if it has.
func (c Command) ended(ctx context.Context, cmd *exec.Cmd, isTooLarge bool, messages []byte) error {
	switch status := cmd.ProcessState.ExitCode(); {
	case ctx.Err() != nil:
		return ErrTimeout
	case isTooLarge:
		return c.tooLarge()
	case status == exitNotStarted:
		return fmt.Errorf("cannot start: %s", messages)
	case status < 0:
		return c.killed()
	}
	return nil
}

// CheckSize refuses what a worker gave as a part of its answer.
func (c Command) CheckSize(output []byte) error {
	if int64(len(output)) > c.MostOutput {
		return c.tooLarge()
	}
	return nil
}

func (c Command) tooLarge() error {
	return fmt.Errorf("%w: more than %d bytes", ErrTooLarge, c.MostOutput)
}

func (c Command) killed() error {
	return fmt.Errorf("%w: it may need more than %d MiB", ErrKilled, c.MostMemory>>20)
}

// Self is this program.
const Self = "/proc/self/exe"

// confined is the command by way of this program, which confines itself before it becomes that one.
func (c Command) confined(ctx context.Context) *exec.Cmd {
	args := append([]string{limitWord, strconv.FormatInt(c.MostMemory, 10), c.Program}, c.Args...)
	cmd := exec.CommandContext(ctx, Self, args...)
	cmd.Dir, cmd.Env = c.Dir, c.Env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error {
		endTree(cmd.Process.Pid)
		return nil
	}
	cmd.WaitDelay = patience
	return cmd
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
