// Runs one command and prints what it took, as one line of JSON. A child's peak memory counts from its
// parent's at the time of the fork, so the parent must be small: that is why this is not the bench itself.
//
//	timer [-limit SECONDS] [-out FILE] STDIN COMMAND...
package main

import (
	"context"
	"encoding/json"
	"flag"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
)

type report struct {
	WallMs    float64 `json:"wallMs"`
	CPUMs     float64 `json:"cpuMs"`
	MaxRSSKiB int64   `json:"maxRssKiB"`
	Bytes     int64   `json:"bytes"`
	Status    int     `json:"status"`
	TimedOut  bool    `json:"timedOut"`
	// The end of stderr, to say why a command failed.
	Stderr string `json:"stderr"`
}

// tail keeps the last bytes written to it.
type tail struct{ kept []byte }

func (t *tail) Write(chunk []byte) (int, error) {
	const most = 2000
	t.kept = append(t.kept, chunk[max(0, len(chunk)-most):]...)
	t.kept = t.kept[max(0, len(t.kept)-most):]
	return len(chunk), nil
}

func main() {
	limit := flag.Float64("limit", 600, "seconds after which the command is killed")
	out := flag.String("out", os.DevNull, "where its stdout goes")
	flag.Parse()
	measured, err := measure(flag.Arg(0), flag.Args()[1:], *out, time.Duration(*limit*float64(time.Second)))
	if err != nil {
		os.Stderr.WriteString(err.Error() + "\n")
		os.Exit(1)
	}
	_ = json.NewEncoder(os.Stdout).Encode(measured)
}

func measure(input string, command []string, output string, limit time.Duration) (report, error) {
	stdin, err := os.Open(input)
	if err != nil {
		return report{}, err
	}
	sink, err := os.Create(output)
	if err != nil {
		return report{}, err
	}
	within, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	var stderr tail
	child := exec.CommandContext(within, command[0], command[1:]...)
	child.Stdin, child.Stderr = stdin, &stderr
	stdout, err := child.StdoutPipe()
	if err != nil {
		return report{}, err
	}
	adoptOrphans()
	started := time.Now()
	if err := child.Start(); err != nil {
		return report{}, err
	}
	bytes, copyErr := io.CopyBuffer(struct{ io.Writer }{sink}, struct{ io.Reader }{stdout}, make([]byte, 1<<16))
	_ = child.Wait()
	wall := time.Since(started)
	orphansCPU, orphansKiB := orphans()
	if err := sink.Close(); copyErr == nil {
		copyErr = err
	}
	state := child.ProcessState
	return report{
		WallMs:    float64(wall.Microseconds()) / 1000,
		CPUMs:     float64((state.UserTime() + state.SystemTime() + orphansCPU).Microseconds()) / 1000,
		MaxRSSKiB: max(state.SysUsage().(*syscall.Rusage).Maxrss, orphansKiB),
		Bytes:     bytes,
		Status:    state.ExitCode(),
		TimedOut:  within.Err() != nil,
		Stderr:    string(stderr.kept),
	}, copyErr
}
