// Package build builds a kustomization in a child: this program itself, started once per build. kustomize can be
// neither cancelled nor bounded in memory, and one process builds one thing at a time.
package build

import (
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/fluxcd/pkg/kustomize"
	securefs "github.com/fluxcd/pkg/kustomize/filesys"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Word is the first argument of the child.
const Word = "build"

const withOrigins = "origins"

// offline answers every request of kustomize, which fetches what a kustomization names by URL even where remote bases
// are off. It finds no git either: the child has no PATH.
type offline struct{}

func (offline) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, errors.New("nothing is fetched by a build: copy it into the source")
}

// Main is the child: `valuefold-controller build ROOT FOLDER [origins]`. It returns the exit status.
func Main(args []string, stdout, stderr io.Writer) int {
	if len(args) < 2 {
		fmt.Fprintln(stderr, "usage: build ROOT FOLDER [origins]")
		return 2
	}
	http.DefaultTransport = offline{}
	text, err := build(args[0], args[1], len(args) > 2 && args[2] == withOrigins)
	if err == nil {
		_, err = stdout.Write(text)
	}
	if err != nil {
		fmt.Fprint(stderr, err)
		return 1
	}
	return 0
}

// build reads the source and writes to memory alone: other builds read the same folder.
func build(root, folder string, origins bool) ([]byte, error) {
	disk, err := securefs.MakeFsOnDiskSecure(root)
	if err != nil {
		return nil, err
	}
	nothing := unstructured.Unstructured{Object: map[string]any{}}
	text, file, _, err := kustomize.NewGenerator(root, nothing).GenerateManifest(folder)
	if err != nil {
		return nil, err
	}
	if origins {
		text = append(text, "\nbuildMetadata: [originAnnotations]\n"...)
	}
	files := securefs.MakeFsInMemory(disk)
	if err := files.WriteFile(file, text); err != nil {
		return nil, err
	}
	built, err := kustomize.Build(files, folder)
	if err != nil {
		return nil, err
	}
	return built.AsYaml()
}
