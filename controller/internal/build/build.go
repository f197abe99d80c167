package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"

	"valuefold.dev/controller/internal/child"
)

// Builder starts children.
type Builder struct {
	// Program is this program; the tests start their own.
	Program    string
	MostOutput int64
	MostMemory int64
}

// Error is what the author of the source can mend.
type Error struct{ Message string }

func (e *Error) Error() string { return e.Message }

// Build gives the objects of a folder as YAML. With origins each object says which file it came from.
func (b Builder) Build(ctx context.Context, root, folder, temporary string, origins bool) ([]byte, error) {
	args := []string{Word, root, folder}
	if origins {
		args = append(args, withOrigins)
	}
	output, err := child.Run(ctx, child.Command{
		Program: b.Program, Args: args, Dir: root, MostOutput: b.MostOutput, MostMemory: b.MostMemory,
		Env: []string{
			"HOME=/nonexistent", "TMPDIR=" + temporary,
			// The collector works hard before the kernel refuses.
			fmt.Sprintf("GOMEMLIMIT=%d", b.MostMemory*3/4),
		},
	})
	switch {
	case errors.Is(err, child.ErrTooLarge):
		return nil, &Error{fmt.Sprintf("the build has more than %d bytes", b.MostOutput)}
	case errors.Is(err, child.ErrTimeout), errors.Is(err, child.ErrKilled):
		return nil, &Error{err.Error()}
	case err != nil:
		return nil, err
	case output.ExitCode == 1:
		return nil, &Error{address.ReplaceAllString(string(output.Stderr), "0x…")}
	case output.ExitCode != 0:
		return nil, &Error{fmt.Sprintf("kustomize ended with status %d: it may need more than %d MiB",
			output.ExitCode, b.MostMemory>>20)}
	}
	return output.Stdout, nil
}

// kustomize prints addresses of its objects, which differ in each run: a retry would look like a new fault.
var address = regexp.MustCompile(`\b0x[0-9a-f]{6,}\b`)

// Self is the path of this program, also after its file was replaced.
func Self() string {
	if path, err := os.Executable(); err == nil {
		return path
	}
	return "/proc/self/exe"
}
