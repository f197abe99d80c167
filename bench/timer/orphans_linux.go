package main

import (
	"syscall"
	"time"
)

const setChildSubreaper = 36

// adoptOrphans makes processes that the command leaves behind children of this one: the engine ends after its caller.
func adoptOrphans() {
	_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, setChildSubreaper, 1, 0)
}

// orphans waits for all of them, and returns what they used.
func orphans() (cpu time.Duration, maxRSSKiB int64) {
	for {
		var usage syscall.Rusage
		if _, err := syscall.Wait4(-1, nil, 0, &usage); err == syscall.EINTR {
			continue
		} else if err != nil {
			return cpu, maxRSSKiB
		}
		cpu += time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
		maxRSSKiB = max(maxRSSKiB, usage.Maxrss)
	}
}
