// Package exec has the names of os/exec that kustomize uses. No program is started.
package exec

import (
	"errors"
	"io"
)

var errRefused = errors.New("no program is started here")

type Cmd struct {
	Path           string
	Args           []string
	Env            []string
	Dir            string
	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

type ExitError struct{ error }

func Command(name string, args ...string) *Cmd {
	return &Cmd{Path: name, Args: append([]string{name}, args...)}
}

func LookPath(string) (string, error) { return "", errRefused }

func (*Cmd) Run() error                      { return errRefused }
func (*Cmd) Output() ([]byte, error)         { return nil, errRefused }
func (*Cmd) CombinedOutput() ([]byte, error) { return nil, errRefused }
func (c *Cmd) String() string                { return c.Path }
