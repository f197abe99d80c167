package build

import (
	"context"
	"errors"
	"fmt"
	"regexp"

	"valuefold.dev/controller/internal/child"
	"valuefold.dev/controller/internal/fault"
)

// Builder has children that build.
type Builder struct {
	children child.Pool
}

// NewBuilder gives a builder. Its children are this program, also after its file was replaced.
func NewBuilder(mostOutput, mostMemory int64) *Builder {
	return &Builder{child.Pool{Command: child.Command{
		Program: child.Self, Args: []string{Word}, Dir: "/", MostOutput: mostOutput, MostMemory: mostMemory,
		// The collector works hard before the kernel refuses.
		Env: []string{"HOME=/nonexistent", "TMPDIR=/nonexistent", fmt.Sprintf("GOMEMLIMIT=%d", mostMemory*3/4)},
	}}}
}

// Build gives the objects of a folder of a source as YAML, and what was looked for in the source. With origins each
// object says which file it came from.
func (b *Builder) Build(ctx context.Context, root, folder string, origins bool) (text []byte, read []string, err error) {
	var built answer
	err = b.children.Do(ctx, request{Root: root, Folder: folder, Origins: origins}, &built)
	if err == nil {
		err = b.children.CheckSize(built.Text)
	}
	var ended *child.Ended
	switch {
	case errors.As(err, &ended):
		faults := fault.Of("build", "the build %v", err)
		faults.MayPass = ended.MayPass
		return nil, nil, faults
	case err == nil && built.Fault != "":
		err = fault.Of("build", "%s", fault.Hide(address.ReplaceAllString(built.Fault, "0x…"), root))
	}
	return built.Text, built.Read, err
}

// kustomize prints addresses of its objects, which differ in each run: a retry would look like a new fault.
var address = regexp.MustCompile(`\b0x[0-9a-f]{6,}\b`)
