//go:build !wasip1

package main

import (
	"bufio"
	"os"
	"runtime/debug"
)

// A process: frames on stdin and stdout. What kustomize warns of on stderr is dropped by the caller.
func main() {
	debug.SetGCPercent(400)
	if err := serve(bufio.NewReaderSize(os.Stdin, 1<<16), os.Stdout); err != nil {
		os.Exit(1)
	}
}

// Go's collector works beside us here.
func collect() {}
