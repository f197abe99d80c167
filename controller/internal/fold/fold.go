// Package fold turns an unpacked source into the text that is published: build, render, fold, verify.
package fold

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"os"
	"path/filepath"
	"time"

	"valuefold.dev/controller/api/v1alpha1"
	"valuefold.dev/controller/internal/build"
	"valuefold.dev/controller/internal/fault"
	"valuefold.dev/controller/internal/program"
	"valuefold.dev/controller/internal/source"
)

// Folder runs the steps.
type Folder struct {
	Builder *build.Builder
	Program *program.Program
	// Observe gets the duration of each step.
	Observe func(step string, taken time.Duration)
}

// Request is one run.
type Request struct {
	Spec            v1alpha1.FoldedArtifactSpec
	Name, Namespace string
	// Source is the unpacked source, which other runs read, too.
	Source string
	// Work is a folder of this run alone.
	Work string
	// Keys are variables of SOPS.
	Keys []string
	// Previous is the file of an earlier result, or empty.
	Previous string
	// Folded is Result.Folded of an earlier run of the same object, or empty.
	Folded string
}

// Result is what is published, and what was noticed on the way. Text is nil if there are failures, and if it is the same as
// in the earlier run.
type Result struct {
	Text []byte
	// Folded is a digest of all that the fold reads: what was built and rendered, and settings.
	Folded string
	IsSame bool
	// Read are the files and folders of the source that were looked for: while they are the same, so is the result.
	Read []string
	// MayPass is true for failures that may not be those of the source.
	MayPass  bool
	Items    int
	Failures []v1alpha1.Failure
	Misses   []string
	Warnings []string
	// FoldWarnings are how many of them are of the fold or later.
	FoldWarnings int
}

// Run runs the steps up to the first that fails. An error is not the fault of the source.
func (f Folder) Run(ctx context.Context, request Request) (Result, error) {
	r := &run{Folder: f, Request: request, reads: sha256.New()}
	text, err := r.steps(ctx)
	var found *fault.Fault
	if errors.As(err, &found) {
		r.result.Failures, r.result.MayPass = found.Failures, found.MayPass
		return r.result, nil
	}
	r.result.Text = text
	return r.result, err
}

type run struct {
	Folder
	Request
	result Result
	// inputs of the fold: texts of objects.
	inputs [][]byte
	// reads has what the fold reads.
	reads hash.Hash
}

const everything = "." + source.Below

func (r *run) steps(ctx context.Context) ([]byte, error) {
	if r.Spec.Build != nil {
		built, err := r.build(ctx, false)
		if err != nil {
			return nil, err
		}
		r.inputs = append(r.inputs, built)
	}
	for _, settings := range r.Spec.Render {
		if err := r.render(ctx, settings); err != nil {
			return nil, err
		}
	}
	call, err := r.foldCall()
	if err != nil {
		return nil, err
	}
	r.reads.Write(call.Stdin)
	r.result.Folded = fmt.Sprintf("%x", r.reads.Sum(nil))
	if r.result.IsSame = r.result.Folded == r.Folded; r.result.IsSame {
		return nil, nil
	}
	folded, err := r.fold(ctx, call)
	if err != nil {
		return nil, err
	}
	r.result.Items = itemsIn(folded)
	if r.result.Items == 0 {
		return nil, fault.Of("fold", "there are no objects: applied with pruning, this would delete everything")
	}
	if r.Spec.Verify == nil {
		return folded, nil
	}
	return folded, r.verify(ctx, folded)
}

func (r *run) build(ctx context.Context, origins bool) ([]byte, error) {
	defer r.measured("build")()
	// A path that leads out starts from the root of the source.
	folder := filepath.Join("/", r.Spec.Build.Path)[1:]
	if info, err := os.Stat(filepath.Join(r.Source, folder)); err != nil || !info.IsDir() {
		r.result.Read = append(r.result.Read, filepath.Clean(folder))
		return nil, fault.Of("build", "there is no folder %q in the source", r.Spec.Build.Path)
	}
	text, read, err := r.Builder.Build(ctx, r.Source, folder, origins)
	if read == nil {
		read = []string{everything}
	}
	r.result.Read = append(r.result.Read, read...)
	return text, err
}

func (r *run) render(ctx context.Context, settings v1alpha1.Settings) error {
	defer r.measured("render")()
	call, err := r.settingsCall("render", settings)
	if err != nil {
		return err
	}
	call.Args = append(call.Args, "--root", ".")
	r.result.Read = append(r.result.Read, everything)
	if r.Previous != "" {
		call.Args = append(call.Args, "--previous", r.Previous)
	}
	rendered, err := r.call(ctx, call)
	r.inputs = append(r.inputs, rendered)
	return err
}

func (r *run) fold(ctx context.Context, call program.Call) ([]byte, error) {
	defer r.measured("fold")()
	folded, err := r.call(ctx, call)
	var found *fault.Fault
	if r.Spec.Build == nil || !errors.As(err, &found) {
		return folded, err
	}
	// Once more with the origin of every object, so that the faults name files of the source.
	built, failed := r.build(ctx, true)
	if failed != nil {
		return nil, err
	}
	before := r.result
	r.inputs[0] = built
	call.Locate, call.Stdin = r.locate, r.stream()
	_, again := r.call(ctx, call)
	r.result = before
	if errors.As(again, &found) {
		return nil, found
	}
	return nil, err
}

func (r *run) foldCall() (program.Call, error) {
	call := program.Call{Step: "fold"}
	if r.Spec.Fold != nil {
		var err error
		if call, err = r.settingsCall("fold", *r.Spec.Fold); err != nil {
			return call, err
		}
	}
	call.Folder, call.Stdin = r.Work, r.stream()
	call.Args = append(call.Args, "--quiet")
	if r.Previous != "" {
		call.Args = append(call.Args, "--previous", r.Previous)
	}
	return call, nil
}

// stream has the inputs of the fold. They are separate streams: a document never runs on from one to the next.
func (r *run) stream() []byte { return bytes.Join(r.inputs, []byte("\n---\n")) }

func (r *run) verify(ctx context.Context, folded []byte) error {
	defer r.measured("verify")()
	call := program.Call{Step: "verify", Folder: r.Work, Stdin: folded}
	if r.Spec.Verify.Strict {
		call.Args = append(call.Args, "--strict")
	}
	_, err := r.call(ctx, call)
	return err
}

// call runs the program, and notes what it reports.
func (r *run) call(ctx context.Context, call program.Call) ([]byte, error) {
	call.Temporary, call.Keys = r.Work, r.Keys
	call.Hidden = []string{r.Source, filepath.Join(r.Work, settingsFolder), r.Work}
	report, err := r.Program.Run(ctx, call)
	r.result.Misses = append(r.result.Misses, report.Misses...)
	r.result.Warnings = append(r.result.Warnings, report.Warnings...)
	if call.Step != "render" {
		r.result.FoldWarnings += len(report.Warnings)
	}
	return report.Output, err
}

// write gives the fold a file.
func (r *run) write(name string, text []byte) error {
	fmt.Fprintf(r.reads, "%q %q\n", name, text)
	path := filepath.Join(r.Work, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o600)
}

func (r *run) measured(step string) func() {
	begun := time.Now()
	return func() {
		if r.Observe != nil {
			r.Observe(step, time.Since(begun))
		}
	}
}

// itemsIn counts objects by the lines that begin one: text in an object is indented.
func itemsIn(text []byte) int {
	return bytes.Count(append([]byte("\n"), text...), []byte("\napiVersion:"))
}
