// Package program runs the valuefold program and reads its report.
package program

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"valuefold.dev/controller/internal/child"
	"valuefold.dev/controller/internal/fault"
)

// Program is the valuefold program. Without keys its runs share children that live; with keys, and so with sops, each has
// a process of its own.
type Program struct {
	alone    child.Command
	children child.Pool
}

// New gives the program. It finds sops in the search path.
func New(path, searchPath string, mostOutput, mostMemory int64) *Program {
	command := child.Command{
		Program: path, Dir: "/", MostOutput: mostOutput, MostMemory: mostMemory,
		Env: []string{"PATH=" + searchPath, "HOME=/nonexistent"},
	}
	p := &Program{alone: command, children: child.Pool{Command: command}}
	p.children.Args = []string{"worker"}
	return p
}

// request is a line of the worker's stdin, and answer one of its stdout.
type request struct {
	Args      []string `json:"args"`
	Directory string   `json:"directory"`
	Stdin     []byte   `json:"stdin"`
}

type answer struct {
	ExitCode int    `json:"exitCode"`
	Stdout   []byte `json:"stdout"`
	Messages string `json:"messages"`
}

// Call is one run.
type Call struct {
	// Step is the command: render, fold or verify.
	Step string
	Args []string
	// Stdin holds objects, or settings if the arguments say so.
	Stdin []byte
	// Folder is where relative names start from.
	Folder string
	// Temporary is a folder of this run alone.
	Temporary string
	// Keys are variables of SOPS.
	Keys []string
	// Settings is a file that was written anew for this run: its lines are not those that its author sees.
	Settings string
	// Hidden folders are left out of messages: a path of one run would make each message a new one.
	Hidden []string
	// Locate names the file of a place in an input, or nothing.
	Locate func(Position) string
}

// Report is what a run printed.
type Report struct {
	Output   []byte
	Misses   []string
	Warnings []string
}

// ErrBug means that the program failed by itself. Its text is for the log.
var ErrBug = errors.New("a bug in valuefold")

const (
	exitOK            = 0
	exitBug           = 2
	reportsOnStdout   = "verify"
	unknownFailureMax = 300
)

// Run gives the report of a run, also next to a fault of the source.
func (p *Program) Run(ctx context.Context, call Call) (Report, error) {
	output, err := p.output(ctx, call)
	var ended *child.Ended
	switch {
	case errors.As(err, &ended):
		faults := fault.Of(call.Step, "%v", err)
		faults.MayPass = ended.MayPass
		return Report{}, faults
	case err != nil:
		return Report{}, err
	case output.ExitCode == exitBug:
		return Report{}, fmt.Errorf("%w in %s: %s", ErrBug, call.Step, output.Stderr)
	}
	return read(call, output)
}

func (p *Program) output(ctx context.Context, call Call) (child.Output, error) {
	args := append([]string{call.Step, "--format", "json"}, call.Args...)
	if len(call.Keys) == 0 {
		var done answer
		err := p.children.Do(ctx, request{args, call.Folder, call.Stdin}, &done)
		if err == nil {
			err = p.alone.CheckSize(done.Stdout)
		}
		return child.Output{Stdout: done.Stdout, Stderr: []byte(done.Messages), ExitCode: done.ExitCode}, err
	}
	command := p.alone
	command.Args, command.Dir, command.Stdin = args, call.Folder, call.Stdin
	command.Env = append(slices.Clone(command.Env), append(call.Keys, "TMPDIR="+call.Temporary)...)
	return child.Run(ctx, command)
}

func read(call Call, output child.Output) (Report, error) {
	messages := output.Stderr
	if call.Step == reportsOnStdout {
		messages = output.Stdout
	}
	report, faults, isRead := readDiagnostics(call, messages)
	switch {
	case output.ExitCode == exitOK:
		report.Output = output.Stdout
		return report, nil
	case isRead && len(faults.Failures) > 0:
		return report, faults
	}
	// A mistake of usage is text; so is what Node prints before the program starts.
	first, _, _ := strings.Cut(strings.TrimSpace(string(output.Stderr)), "\n")
	if isRead || first == "" {
		first = fmt.Sprintf("ended with status %d", output.ExitCode)
	}
	return report, fault.Of(call.Step, "%s", fault.Cut(fault.Hide(first, call.Hidden...), unknownFailureMax))
}
