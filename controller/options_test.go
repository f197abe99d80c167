package main

import (
	"strings"
	"testing"
	"time"

	"valuefold.dev/controller/internal/source"
)

func TestNumbersThatAreTooSmallAreRefused(t *testing.T) {
	good := options{
		concurrent: 1, concurrentPerNamespace: 1, mostSource: source.Limits{Bytes: 1, Files: 1}, mostOutput: 1, mostMemory: leastMemory,
		sourceWait: time.Second, mostTime: time.Second,
	}
	if err := good.check(); err != nil {
		t.Fatal(err)
	}
	for flag, change := range map[string]func(*options){
		"concurrent-per-namespace": func(o *options) { o.concurrentPerNamespace = 0 },
		"concurrent":               func(o *options) { o.concurrent = -1 },
		"kept-sources":             func(o *options) { o.keptSources = -1 },
		"requeue-dependency":       func(o *options) { o.sourceWait = 0 },
		"max-memory-bytes":         func(o *options) { o.mostMemory-- },
	} {
		bad := good
		change(&bad)
		if err := bad.check(); err == nil || !strings.HasPrefix(err.Error(), "--"+flag+" ") {
			t.Errorf("%s: got %v", flag, err)
		}
	}
}
