package build

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	securefs "github.com/fluxcd/pkg/kustomize/filesys"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"valuefold.dev/controller/internal/source"
)

// recorder notes what a build looks for in the source, also what it does not find: while all of that is the same, so is
// what is built.
type recorder struct {
	// FileSystem is nil: a build that does more than the methods below panics, and nothing is looked for unnoticed.
	filesys.FileSystem
	disk filesys.FileSystem
	root string
	read map[string]bool
	// files that were read, and whether one of them has a Secret.
	files     []string
	hasSecret bool
}

func newRecorder(root string) (*recorder, error) {
	root, err := filepath.EvalSymlinks(root)
	if err != nil {
		return nil, err
	}
	disk, err := securefs.MakeFsOnDiskSecure(root)
	return &recorder{disk: disk, root: root, read: map[string]bool{}}, err
}

func (r *recorder) note(path, suffix string) {
	if path, err := filepath.Rel(r.root, path); err == nil && filepath.IsLocal(path) {
		r.read[path+suffix] = true
	}
}

func (r *recorder) Exists(path string) bool {
	r.note(path, "")
	return r.disk.Exists(path)
}

func (r *recorder) IsDir(path string) bool {
	r.note(path, "")
	return r.disk.IsDir(path)
}

func (r *recorder) CleanedAbs(path string) (filesys.ConfirmedDir, string, error) {
	r.note(path, "")
	return r.disk.CleanedAbs(path)
}

// A Secret, a generator of one, a patch of one, or what SOPS has sealed.
var secret = regexp.MustCompile(`kind\W+Secret\b|secretGenerator|stringData|ENC\[AES256_GCM`)

func (r *recorder) ReadFile(path string) ([]byte, error) {
	r.note(path, "")
	text, err := r.disk.ReadFile(path)
	if err == nil {
		r.files = append(r.files, path)
		r.hasSecret = r.hasSecret || secret.Match(text)
	}
	return text, err
}

// readAll is for what Flux' generator has read, which has a file system of its own.
func (r *recorder) readAll(folder string) {
	r.note(folder, source.Below)
	_ = r.disk.Walk(folder, func(path string, _ fs.FileInfo, _ error) error {
		_, _ = r.ReadFile(path)
		return nil
	})
}

// shown leaves out what kustomize says where the build has read a Secret: it quotes what it refuses. When in doubt, it
// may.
func (r *recorder) shown(fault string) string {
	if !r.hasSecret {
		return fault
	}
	var named []string
	for _, file := range r.files {
		if inside, err := filepath.Rel(r.root, file); err == nil && strings.Contains(fault, filepath.Base(file)) {
			named = append(named, inside)
		}
	}
	slices.Sort(named)
	text := "kustomize refuses the build"
	if named = slices.Compact(named); len(named) > 0 {
		text += fmt.Sprintf(" and names %s", strings.Join(named[:min(len(named), 5)], ", "))
	}
	return text + "; its message may quote a Secret, so it is not shown: run `kustomize build` to see it"
}
