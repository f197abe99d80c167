package child

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"unsafe"

	"golang.org/x/sys/unix"
)

// limitWord is the first argument of this program where it only confines itself and then becomes another program.
const limitWord = "limited"

// BecomeLimited returns unless this process is to become another one: main calls it first, and TestMain where a test
// runs a program. The limits are there before the program is: nothing can be done in between.
func BecomeLimited(args []string) {
	if len(args) < 4 || args[1] != limitWord {
		return
	}
	runtime.LockOSThread()
	most, err := strconv.ParseUint(args[2], 10, 64)
	if err == nil {
		err = unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: most, Max: most})
	}
	if err == nil {
		err = leaveNetwork()
	}
	if err == nil {
		err = unix.Exec(args[3], args[3:], os.Environ())
	}
	fmt.Fprintf(os.Stderr, "%s: %v", args[3], err)
	os.Exit(exitNotStarted)
}

const exitNotStarted = 127

// leaveNetwork takes the network from this thread, and so from what it becomes and starts: a tenant's file may name an
// address in ways that no list of them is complete, for example the vault of a sealed document. Sockets of the machine
// itself stay, as gpg has an agent.
func leaveNetwork() error {
	architecture, isKnown := map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64}[runtime.GOARCH]
	if !isKnown {
		return fmt.Errorf("no rule for the system calls of %s", runtime.GOARCH)
	}
	const number, architectureAt, firstArgument = 0, 4, 16 // in struct seccomp_data
	load := func(offset uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
	}
	jump := func(comparison uint16, value uint32, equal, other uint8) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | comparison | unix.BPF_K, K: value, Jt: equal, Jf: other}
	}
	answer := func(value uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: value}
	}
	const otherNumbers = 0x4000_0000 // the same calls under other numbers, on amd64
	rules := []unix.SockFilter{
		load(architectureAt),
		jump(unix.BPF_JEQ, architecture, 0, 6),
		load(number),
		jump(unix.BPF_JGE, otherNumbers, 4, 0),
		jump(unix.BPF_JEQ, unix.SYS_IO_URING_SETUP, 3, 0),
		jump(unix.BPF_JEQ, unix.SYS_SOCKET, 0, 3),
		load(firstArgument),
		jump(unix.BPF_JEQ, unix.AF_UNIX, 1, 0),
		answer(unix.SECCOMP_RET_ERRNO | uint32(unix.EACCES)),
		answer(unix.SECCOMP_RET_ALLOW),
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	program := unix.SockFprog{Len: uint16(len(rules)), Filter: &rules[0]}
	return unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&program)), 0, 0)
}
