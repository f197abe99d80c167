package main

import (
	"os/exec"
	"strings"
)

// As the git client of Argo CD lists files, by default.
func lsFiles(top, pattern string) ([]string, error) {
	command := exec.Command("git", "ls-files", "--full-name", "-z", "--", pattern)
	command.Dir = top
	out, err := command.Output()
	if err != nil {
		return nil, err
	}
	parts := strings.Split(string(out), "\x00")
	return parts[:len(parts)-1], nil
}
