//go:build wasip1

package main

import (
	"bytes"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"unsafe"
)

// A library: there is one thread, and its host calls. Go's collector works beside a program, so it is off while a request is
// answered, unless memory ends.
func init() {
	reserve()
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(maxMemory * 3 / 4)
	debug.SetMaxStack(maxStack)
	// How a fatal error came about is not read, and a deep stack takes a minute to print.
	debug.SetTraceback("none")
}

// More than most questions need.
const reserved = 256 << 20

// reserve has the memory grow once. It would grow by little, and V8 takes each time for a reason to collect: a quarter of a build.
func reserve() {
	given = make([]byte, reserved)
	given = nil
	runtime.GC()
}

func main() {}

var given, result []byte

// Where the host writes a frame.
//
//go:wasmexport alloc
func alloc(size uint32) uint32 {
	given = make([]byte, size)
	return address(given)
}

// Where the answer's frame is.
//
//go:wasmexport call
func call() uint32 {
	next, err := readFrame(bytes.NewReader(given))
	given, result = nil, nil
	if err != nil {
		return 0
	}
	result = answered(next)
	collect()
	return address(result)
}

func address(bytes []byte) uint32 { return uint32(uintptr(unsafe.Pointer(unsafe.SliceData(bytes)))) }

var (
	allocated = []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	collected uint64
)

// So much is allocated between two collections.
const betweenCollections = 128 << 20

func collect() {
	metrics.Read(allocated)
	if now := allocated[0].Value.Uint64(); now-collected > betweenCollections {
		runtime.GC()
		collected = now
	}
}
