package build

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/filesys"

	"valuefold.dev/controller/internal/source"
)

// recorder notes what a build looks for in the source, also what it does not find: while all of that is the same, so is
// what is built.
type recorder struct {
	filesys.FileSystem
	root string
	read map[string]bool
}

func newRecorder(root string) (*recorder, error) {
	root, err := filepath.EvalSymlinks(root)
	return &recorder{root: root, read: map[string]bool{}}, err
}

func (r *recorder) note(path, suffix string) {
	if path, err := filepath.Rel(r.root, path); err == nil && filepath.IsLocal(path) {
		r.read[path+suffix] = true
	}
}

func (r *recorder) Exists(path string) bool {
	r.note(path, "")
	return r.FileSystem.Exists(path)
}

func (r *recorder) IsDir(path string) bool {
	r.note(path, "")
	return r.FileSystem.IsDir(path)
}

func (r *recorder) CleanedAbs(path string) (filesys.ConfirmedDir, string, error) {
	r.note(path, "")
	return r.FileSystem.CleanedAbs(path)
}

func (r *recorder) Open(path string) (filesys.File, error) {
	r.note(path, "")
	return r.FileSystem.Open(path)
}

func (r *recorder) ReadFile(path string) ([]byte, error) {
	r.note(path, "")
	return r.FileSystem.ReadFile(path)
}

func (r *recorder) ReadDir(path string) ([]string, error) {
	r.note(path, source.Below)
	return r.FileSystem.ReadDir(path)
}

func (r *recorder) Glob(pattern string) ([]string, error) {
	r.note(r.root, source.Below)
	return r.FileSystem.Glob(pattern)
}

func (r *recorder) Walk(path string, visit filepath.WalkFunc) error {
	r.note(path, source.Below)
	return r.FileSystem.Walk(path, visit)
}

// A Secret, a generator of one, a patch of one, or what SOPS has sealed.
var secret = regexp.MustCompile(`kind\W+Secret\b|secretGenerator|stringData|ENC\[AES256_GCM`)

// shown leaves out what kustomize says where the build has read a Secret: it quotes what it refuses. When in doubt, it
// may.
func (r *recorder) shown(fault string) string {
	var named []string
	mayQuote := false
	for path := range r.read {
		path, isBelow := strings.CutSuffix(path, source.Below)
		_ = filepath.WalkDir(filepath.Join(r.root, path), func(file string, entry fs.DirEntry, err error) error {
			if err != nil || file != filepath.Join(r.root, path) && !isBelow {
				return fs.SkipAll
			}
			if !entry.Type().IsRegular() {
				return nil
			}
			text, err := os.ReadFile(file)
			mayQuote = mayQuote || err != nil || secret.Match(text)
			if inside, _ := filepath.Rel(r.root, file); strings.Contains(fault, filepath.Base(file)) {
				named = append(named, inside)
			}
			return nil
		})
	}
	if !mayQuote {
		return fault
	}
	slices.Sort(named)
	text := "kustomize refuses the build"
	if named = slices.Compact(named); len(named) > 0 {
		text += fmt.Sprintf(" and names %s", strings.Join(named[:min(len(named), 5)], ", "))
	}
	return text + "; its message may quote a Secret, so it is not shown: run `kustomize build` to see it"
}
