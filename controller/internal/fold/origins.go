package fold

import (
	"fmt"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"

	"valuefold.dev/controller/internal/program"
)

// locate names a file of the source in place of the built text. kustomize says which file an object came from; of one
// that a generator made it says which kustomization.
func (r *run) locate(p program.Position) string {
	if p.File == "" {
		return ""
	}
	path := filepath.Join(r.Spec.Build.Path, p.File)
	object, key, _ := strings.Cut(p.Text, " ")
	if file := r.generatedFrom(path, object[strings.LastIndex(object, "/")+1:], key); file != "" {
		return fmt.Sprintf("%s:%d:%d", file, p.Line, p.Column)
	}
	return path
}

type generator struct {
	Name  string
	Files []string
}

// generatedFrom gives the file that a generator of a kustomization read into a key of an object.
func (r *run) generatedFrom(kustomization, object, key string) string {
	text, err := readInside(r.Source, kustomization)
	var content struct {
		ConfigMapGenerator []generator `yaml:"configMapGenerator"`
		SecretGenerator    []generator `yaml:"secretGenerator"`
	}
	if err != nil || yaml.Unmarshal(text, &content) != nil {
		return ""
	}
	found, generated := "", ""
	for _, each := range append(content.ConfigMapGenerator, content.SecretGenerator...) {
		// An overlay puts a prefix before the name, and kustomize a hash after it: the longest name that fits is it.
		if !strings.Contains(object, each.Name) || len(each.Name) < len(generated) {
			continue
		}
		if path := fileOf(each.Files, key); path != "" {
			found, generated = filepath.Join(filepath.Dir(kustomization), path), each.Name
		}
	}
	if _, err := readInside(r.Source, found); err != nil {
		return ""
	}
	return found
}

// fileOf reads `KEY=PATH` and `PATH`.
func fileOf(files []string, key string) string {
	for _, each := range files {
		name, path, isNamed := strings.Cut(each, "=")
		if !isNamed {
			name, path = filepath.Base(each), each
		}
		if name == key {
			return path
		}
	}
	return ""
}
