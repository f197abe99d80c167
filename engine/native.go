//go:build !wasip1

package main

import (
	"bufio"
	"io"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	// Go's own status where memory or stack does not suffice.
	exhausted = 2
	// For a request that is being answered when its caller is gone.
	grace = 10 * time.Second
)

// A process: frames on stdin and stdout. Files and the network are taken from it before it reads the first one.
func main() {
	time.Local = time.UTC
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(maxMemory * 3 / 4)
	debug.SetMaxStack(maxStack)
	debug.SetTraceback("none")
	if err := confine(); err != nil {
		os.Exit(1)
	}
	go watchMemory()
	requests := make(chan request)
	go read(os.Stdin, requests)
	for each := range requests {
		if _, err := os.Stdout.Write(answered(each)); err != nil {
			os.Exit(1)
		}
	}
}

// read hands on requests as they come, so that it sees the end of its caller while one is answered.
func read(in io.Reader, requests chan<- request) {
	buffered := bufio.NewReaderSize(in, 1<<16)
	for {
		next, err := readFrame(buffered)
		if err != nil {
			time.AfterFunc(grace, func() { os.Exit(1) })
			close(requests)
			return
		}
		requests <- next
	}
}

func watchMemory() {
	used := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	for range time.Tick(10 * time.Millisecond) {
		metrics.Read(used)
		if used[0].Value.Uint64()-used[1].Value.Uint64() > maxMemory {
			os.Exit(exhausted)
		}
	}
}

// Go's collector works beside us here.
func collect() {}
