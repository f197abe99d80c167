// Package build builds kustomizations in a child: this program itself, started with one word. kustomize can be neither
// cancelled nor bounded in memory, and one process builds one thing at a time.
package build

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"

	"github.com/fluxcd/pkg/kustomize"
	securefs "github.com/fluxcd/pkg/kustomize/filesys"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/openapi"

	"valuefold.dev/controller/internal/source"
)

// Word is the first argument of the child.
const Word = "build"

// request is a line of stdin. The folder is one of the root.
type request struct {
	Root, Folder string
	Origins      bool
}

// answer is a line of stdout.
type answer struct {
	Text []byte
	// Fault is what kustomize said of a build that failed.
	Fault string
	// Read are the files and folders of the root that were looked for.
	Read []string
}

// offline answers every request of kustomize, which fetches what a kustomization names by URL even where remote bases
// are off. It finds no git either: the child has no PATH.
type offline struct{}

func (offline) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, errors.New("nothing is fetched by a build: copy it into the source")
}

// Main is the child. It returns the exit status.
func Main(stdin io.Reader, stdout, stderr io.Writer) int {
	http.DefaultTransport = offline{}
	// What kustomize prints is no answer.
	os.Stdout = os.Stderr
	requests, answers := json.NewDecoder(stdin), json.NewEncoder(stdout)
	for {
		var asked request
		err := requests.Decode(&asked)
		if errors.Is(err, io.EOF) {
			return 0
		}
		if err == nil {
			err = answers.Encode(answerTo(asked))
		}
		if err != nil {
			fmt.Fprint(stderr, err)
			return 1
		}
	}
}

func answerTo(asked request) answer {
	files, err := newRecorder(asked.Root)
	if err != nil {
		return answer{Fault: err.Error()}
	}
	text, err := build(asked, files)
	done := answer{Text: text, Read: slices.Collect(maps.Keys(files.read))}
	if err != nil {
		done.Fault = files.shown(err.Error())
	}
	return done
}

// build reads the source and writes to memory alone: other builds read the same folder.
func build(asked request, files *recorder) (_ []byte, err error) {
	// It panics on some input.
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("kustomize panicked: %v", reason)
		}
	}()
	folder := filepath.Join(files.root, asked.Folder)
	text, file, action, err := kustomize.NewGenerator(files.root, unstructured.Unstructured{Object: map[string]any{}}).
		GenerateManifest(folder)
	switch {
	case err != nil:
		files.readAll(folder)
	case action == kustomize.CreatedAction:
		files.note(folder, source.Below)
	}
	for _, name := range konfig.RecognizedKustomizationFileNames() {
		_, _ = files.ReadFile(filepath.Join(folder, name))
	}
	if err != nil {
		return nil, err
	}
	if asked.Origins {
		text = append(text, "\nbuildMetadata: [originAnnotations]\n"...)
	}
	memory := securefs.MakeFsInMemory(files)
	if err := memory.WriteFile(file, text); err != nil {
		return nil, err
	}
	built, err := run(memory, folder)
	if err != nil {
		return nil, err
	}
	return built.AsYaml()
}

// run has the options of Flux. The schema of Kubernetes' kinds takes most of the time of a build: it is read again only
// where a kustomization named another.
func run(files filesys.FileSystem, folder string) (resmap.ResMap, error) {
	_ = openapi.Schema()
	builtin := openapi.GetSchemaVersion()
	defer func() {
		if openapi.GetSchemaVersion() != builtin {
			openapi.ResetOpenAPI()
		}
	}()
	return krusty.MakeKustomizer(&krusty.Options{
		LoadRestrictions: types.LoadRestrictionsNone, PluginConfig: types.DisabledPluginConfig(),
	}).Run(files, folder)
}
