// Package program runs the valuefold program and reads its report.
package program

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"valuefold.dev/controller/api/v1alpha1"
	"valuefold.dev/controller/internal/child"
)

// Program is the valuefold program.
type Program struct {
	Path string
	// SearchPath is the PATH in which it finds sops.
	SearchPath string
	MostOutput int64
	MostMemory int64
}

// Call is one run.
type Call struct {
	// Step is the command: render, fold or verify.
	Step string
	Args []string
	// Stdin holds settings, if the arguments say so.
	Stdin []byte
	// Folder is where relative names start from.
	Folder string
	// Temporary is a folder of this run alone.
	Temporary string
	// Keys are variables of SOPS.
	Keys []string
	// Hidden folders are left out of messages: a path of one run would make each message a new one.
	Hidden []string
	// Locate names the file of a place in an input, or nothing.
	Locate func(Position) string
}

// Report is what a run printed.
type Report struct {
	Output   []byte
	Failures []v1alpha1.Failure
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

// Run gives the report of a run; it has failures if the source has faults.
func (p Program) Run(ctx context.Context, call Call) (Report, error) {
	output, err := child.Run(ctx, child.Command{
		Program: p.Path, Args: append([]string{call.Step, "--format", "json"}, call.Args...),
		Env:   append([]string{"PATH=" + p.SearchPath, "HOME=/nonexistent", "TMPDIR=" + call.Temporary}, call.Keys...),
		Dir:   call.Folder,
		Stdin: call.Stdin, MostOutput: p.MostOutput, MostMemory: p.MostMemory,
	})
	switch {
	case errors.Is(err, child.ErrTimeout), errors.Is(err, child.ErrKilled):
		return failure(call.Step, err.Error()), nil
	case errors.Is(err, child.ErrTooLarge):
		return failure(call.Step, fmt.Sprintf("the output has more than %d bytes", p.MostOutput)), nil
	case err != nil:
		return Report{}, err
	case output.ExitCode == exitBug:
		return Report{}, fmt.Errorf("%w in %s: %s", ErrBug, call.Step, output.Stderr)
	}
	return read(call, output), nil
}

func read(call Call, output child.Output) Report {
	messages := output.Stderr
	if call.Step == reportsOnStdout {
		messages = output.Stdout
	}
	report, isRead := readDiagnostics(call, messages)
	if output.ExitCode == exitOK {
		report.Output = output.Stdout
		return report
	}
	if len(report.Failures) > 0 {
		return report
	}
	// A mistake of usage is text; so is what Node prints before the program starts.
	first, _, _ := strings.Cut(strings.TrimSpace(string(output.Stderr)), "\n")
	if isRead || first == "" {
		first = fmt.Sprintf("ended with status %d", output.ExitCode)
	}
	return failure(call.Step, Cut(Hide(first, call.Hidden...), unknownFailureMax))
}

func failure(step, message string) Report {
	return Report{Failures: []v1alpha1.Failure{{Step: step, Message: message}}}
}
