package fold

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"go.yaml.in/yaml/v3"
	sigsyaml "sigs.k8s.io/yaml"

	"valuefold.dev/controller/api/v1alpha1"
	"valuefold.dev/controller/internal/fault"
	"valuefold.dev/controller/internal/program"
)

const mostSettings = 1 << 20

// Kinds of settings that a tenant may write. A ConfigMap may hold settings of a fold, too, as flat strings: it is
// refused, as what it says of keys would be read in another way here.
var kindsOf = map[string][]string{
	"render": {"ValueFoldRender", "Konfiguration", "KonfigurationSchema", "ManagementClusterConfiguration"},
	"fold":   {"ValueFold"},
}

// settingsCall names the settings on the command line. They come from a tenant, so what they may not say is refused.
func (r *run) settingsCall(step string, settings v1alpha1.Settings) (program.Call, error) {
	call := program.Call{Step: step, Folder: r.Source}
	text, err := r.settingsText(step, settings)
	if err == nil && step == "fold" {
		call.Settings, text, err = r.copied(text, cmp.Or(settings.Path, "fold.yaml"))
	}
	if err == nil {
		err = r.guard(step, text)
	}
	if err != nil {
		return program.Call{}, fault.Of(step, "%v", err)
	}
	switch {
	case step == "fold":
		call.Args = []string{"--config", call.Settings}
	case settings.Path == "":
		// Directories then start from the root of the source.
		call.Args, call.Stdin = []string{"--config", "-"}, text
	default:
		call.Args = []string{"--config", filepath.Clean(settings.Path)}
	}
	return call, nil
}

const settingsFolder = "settings"

// copied gives the settings of a fold a folder of their own, with the files of the source that they name: a fold reads
// nothing else.
func (r *run) copied(text []byte, path string) (string, []byte, error) {
	settings, err := plainOf(text)
	if err != nil {
		return "", nil, err
	}
	for _, name := range settings.files {
		inside := filepath.Join(filepath.Dir(path), name)
		if filepath.IsAbs(name) || !filepath.IsLocal(inside) {
			return "", nil, fmt.Errorf("the settings name %q, which is outside of the source", name)
		}
		r.result.Read = append(r.result.Read, inside)
		file, err := readInside(r.Source, inside)
		if err == nil {
			err = r.write(filepath.Join(settingsFolder, inside), file)
		}
		if err != nil {
			return "", nil, err
		}
	}
	// Last: no other file takes the place of what was checked.
	path = filepath.Join(settingsFolder, path)
	return filepath.Join(r.Work, path), settings.text, r.write(path, settings.text)
}

func (r *run) settingsText(step string, settings v1alpha1.Settings) ([]byte, error) {
	if settings.Path != "" {
		r.result.Read = append(r.result.Read, filepath.Clean(settings.Path))
		return readInside(r.Source, settings.Path)
	}
	document := map[string]any{
		"apiVersion": "valuefold.dev/v1alpha1", "kind": kindsOf[step][0],
		"metadata": map[string]any{"name": r.Name, "namespace": r.Namespace},
	}
	if settings.Settings != nil {
		document["spec"] = json.RawMessage(settings.Settings.Raw)
	}
	return sigsyaml.Marshal(document)
}

// readInside reads a file of the source; no link leads out of it.
func readInside(source, path string) ([]byte, error) {
	root, err := os.OpenRoot(source)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	file, err := root.Open(filepath.Clean(path))
	if err != nil {
		return nil, fmt.Errorf("there is no file %q in the source", path)
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%q is no file", path)
	}
	text, err := io.ReadAll(io.LimitReader(file, mostSettings+1))
	if err == nil && len(text) > mostSettings {
		err = fmt.Errorf("the settings in %q have more than %d bytes", path, mostSettings)
	}
	return text, err
}

var errSops = errors.New("the settings have `sops`: name keys in spec.decryption too, or leave it out: " +
	"then the Kustomization decrypts")

var errKeys = errors.New("sops.keys and sops.allowPlaintext are not for a controller: " +
	"name keys in spec.decryption; what was sealed stays sealed")

// guard refuses settings that run sops without keys of the object, name others, or leave open what was sealed.
func (r *run) guard(step string, text []byte) error {
	if bytes.ContainsAny(text, "\u0085\u2028\u2029") {
		return errors.New("the settings have a line break of YAML 1.1, which other readers do not see")
	}
	return eachDocument(text, func(document settingsDocument) error {
		sops := document.Spec.Sops
		_, hasKeys := sops["keys"]
		_, allowsPlaintext := sops["allowPlaintext"]
		switch {
		case !slices.Contains(kindsOf[step], document.Kind):
			return fmt.Errorf("the settings are of kind %q: expected one of %q", document.Kind, kindsOf[step])
		case hasKeys || allowsPlaintext:
			return errKeys
		case sops != nil && r.Spec.Decryption == nil:
			return errSops
		}
		return nil
	})
}

type settingsDocument struct {
	Kind string
	Spec struct{ Sops map[string]any }
}

func eachDocument[D any](text []byte, visit func(D) error) error {
	documents := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var document D
		err := documents.Decode(&document)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return errors.New("the settings are no YAML that can be read")
		}
		if err := visit(document); err != nil {
			return err
		}
	}
}
