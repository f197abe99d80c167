package main

import (
	"net"
	"os"
	"os/exec"
	"testing"
)

// Confinement is for good, so another process has it.
func TestConfinedProcessReachesNothing(t *testing.T) {
	if os.Getenv("CONFINED") == "" {
		child := exec.Command(os.Args[0], "-test.run=TestConfinedProcessReachesNothing")
		child.Env = []string{"CONFINED=1"}
		if output, err := child.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, output)
		}
		return
	}
	if err := confine(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.ReadFile("/proc/self/environ"); !os.IsPermission(err) {
		t.Errorf("a file: %v", err)
	}
	if err := os.Mkdir("/tmp/valuefold-confined", 0o700); !os.IsPermission(err) {
		t.Errorf("a folder: %v", err)
	}
	if _, err := net.Dial("tcp", "127.0.0.1:1"); err == nil || !os.IsPermission(underlying(err)) {
		t.Errorf("a connection: %v", err)
	}
	if err := exec.Command("/bin/true").Run(); err == nil {
		t.Error("a program runs")
	}
}

func underlying(err error) error {
	if outer, ok := err.(*net.OpError); ok {
		return outer.Err
	}
	return err
}
