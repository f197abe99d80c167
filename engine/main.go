// The engine: kustomize's, Helm's and Flux' own code, and Go's templates. It answers requests in frames, one after another; the
// files of a request lie in memory, and nothing else is reached: no file, no program, no network, no environment.
package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"valuefold.dev/engine/refused/schemas"
)

const (
	// Where the wasm build ends (compile.ts).
	maxMemory = 1 << 30
	maxStack  = maxMemory / 4
)

type operation func(*request, *answer) error

var operations = map[string]operation{
	"about":          about,
	"applicationset": renderAll,
	"build":          build,
	"chart":          chartValues,
	"ignored":        ignored,
	"manifests":      manifests,
	"reads":          readAll,
	"resourceset":    renderAll,
	"substitute":     substitute,
	"template":       renderAll,
	"unpack":         unpack,
}

// An entry of a head: a file of the body.
type entry struct {
	Name string `json:"n"`
	Size int    `json:"s"`
}

type request struct {
	Op    string  `json:"op"`
	Files []entry `json:"files"`
	// With the arguments of the operation.
	head []byte
	body []byte
}

// arguments reads what an operation takes beside files.
func (r *request) arguments(into any) error { return json.Unmarshal(r.head, into) }

// each calls for every file, in the order of the request.
func (r *request) each(call func(name string, content []byte) error) error {
	rest := r.body
	for _, file := range r.Files {
		if file.Size < 0 || file.Size > len(rest) {
			return errors.New("a file is longer than the body")
		}
		if err := call(file.Name, rest[:file.Size:file.Size]); err != nil {
			return err
		}
		rest = rest[file.Size:]
	}
	return nil
}

type answer struct {
	results map[string]any
	files   []entry
	body    []byte
}

func (a *answer) add(name string, content []byte) {
	a.files = append(a.files, entry{name, len(content)})
	a.body = append(a.body, content...)
}

// answered gives the frame of an answer. A panic is the fault of its request, and no other's.
func answered(r request) []byte {
	a := &answer{results: map[string]any{}}
	if err := run(&r, a); err != nil {
		a.results["error"] = err.Error()
	}
	if schemas.Taken() {
		a.results["refers"] = true
	}
	a.results["files"] = append([]entry{}, a.files...)
	text, err := json.Marshal(a.results)
	if err != nil {
		text, a.body = []byte(`{"error":"an answer that is not JSON","files":[]}`), nil
	}
	return frame(text, a.body)
}

func run(r *request, a *answer) (err error) {
	defer func() {
		switch cause := recover().(type) {
		case nil:
		case fatal:
			err = errors.New(string(cause))
		default:
			err = fmt.Errorf("panic: %v", cause)
		}
	}()
	if err := json.Unmarshal(r.head, r); err != nil {
		return err
	}
	operate, ok := operations[r.Op]
	if !ok {
		return fmt.Errorf("no operation %q", r.Op)
	}
	return operate(r, a)
}
