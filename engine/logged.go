package main

import (
	"log"
	"runtime"
	"strings"
)

// What kustomize and Helm log. Where kustomize would end the process, the request fails in its place; other lines are dropped:
// they may name values.
type logged struct{}

// What log.Fatal says.
type fatal string

func init() {
	log.SetFlags(0)
	log.SetOutput(logged{})
}

func (logged) Write(line []byte) (int, error) {
	var callers [8]uintptr
	frames := runtime.CallersFrames(callers[:runtime.Callers(2, callers[:])])
	for {
		frame, more := frames.Next()
		if strings.HasPrefix(frame.Function, "log.Fatal") {
			panic(fatal(strings.TrimSuffix(string(line), "\n")))
		}
		if !more {
			return len(line), nil
		}
	}
}
