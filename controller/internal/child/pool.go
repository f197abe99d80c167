package child

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// Pool has programs that live: each does one request after another, a JSON text by stdin, and answers by stdout. The
// limits are those of a request. A program that has passed one is ended, and so is one that was used often.
type Pool struct {
	// Command without Stdin.
	Command
	lock sync.Mutex
	idle []*worker
}

const (
	// A worker that is replaced now and then keeps nothing for ever.
	mostRequests = 500
	// Between pushes the memory is for others.
	idleTime  = 30 * time.Second
	mostWords = 1000
)

type worker struct {
	cmd      *exec.Cmd
	requests io.WriteCloser
	answers  io.Reader
	messages *firstWords
	used     int
	expiry   *time.Timer
}

// Do sends a request, and reads the answer. Where a worker ends that was used before, a new one gets the request: what
// the earlier ones needed is no fault of this one.
func (p *Pool) Do(ctx context.Context, request, answer any) error {
	w := p.take()
	if w != nil {
		err := p.try(ctx, w, request, answer)
		if !errors.Is(err, ErrKilled) {
			return err
		}
	}
	w, err := p.start()
	if err != nil {
		return err
	}
	return p.try(ctx, w, request, answer)
}

func (p *Pool) try(ctx context.Context, w *worker, request, answer any) error {
	stop := context.AfterFunc(ctx, func() { endTree(w.cmd.Process.Pid) })
	// Base64 makes four bytes of three.
	limited := &io.LimitedReader{R: w.answers, N: p.MostOutput/3*4 + mostMessages}
	err := json.NewEncoder(w.requests).Encode(request)
	if err == nil {
		err = json.NewDecoder(limited).Decode(answer)
	}
	if isDone := stop() && err == nil; isDone {
		p.put(w)
		return nil
	}
	w.end()
	return cmp.Or(p.ended(ctx, w.cmd, limited.N <= 0, w.messages.text), p.killed())
}

func (p *Pool) start() (*worker, error) {
	w := &worker{cmd: p.confined(context.Background()), messages: &firstWords{}}
	w.cmd.Stderr = w.messages
	var err error
	if w.requests, err = w.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if w.answers, err = w.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	return w, start(w.cmd)
}

// firstWords keeps why a worker did not start. What it says later, as kustomize warns, is not read; it must not fill a
// pipe either.
type firstWords struct{ text []byte }

func (f *firstWords) Write(p []byte) (int, error) {
	f.text = append(f.text, p[:min(len(p), mostWords-len(f.text))]...)
	return len(p), nil
}

func (p *Pool) take() *worker {
	p.lock.Lock()
	defer p.lock.Unlock()
	for len(p.idle) > 0 {
		last := len(p.idle) - 1
		w := p.idle[last]
		p.idle = p.idle[:last]
		if w.expiry.Stop() {
			return w
		}
	}
	return nil
}

func (p *Pool) put(w *worker) {
	// What it keeps comes on top of what others use.
	if w.used++; w.used >= mostRequests || w.memory() > p.MostMemory/4 {
		w.end()
		return
	}
	p.lock.Lock()
	defer p.lock.Unlock()
	// One that has ended stays in the list until it would be taken: the list is never longer than there were at work at once.
	w.expiry = time.AfterFunc(idleTime, w.end)
	p.idle = append(p.idle, w)
}

func (w *worker) end() {
	endTree(w.cmd.Process.Pid)
	_ = wait(w.cmd)
}

// memory is what a worker alone has in memory, in bytes.
func (w *worker) memory() int64 {
	var size, resident, shared int64
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/statm", w.cmd.Process.Pid))
	_, _ = fmt.Sscan(string(text), &size, &resident, &shared)
	return (resident - shared) * int64(os.Getpagesize())
}
