// flux-fork does to a source what a kustomize-controller does that lets functions run, from the fetched source
// to the manifests that it applies, or to the text of its status. It has no cluster: variables are those
// that the Kustomization itself holds.
//
//	flux-fork [-stock] [-times N] KUSTOMIZATION SOURCE
//
// Each reconciliation answers one line of JSON. What functions write to stderr is the controller's log.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	generator "github.com/fluxcd/pkg/kustomize"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/yaml"
)

type build = func(root, dir string, remoteBases bool) (resmap.ResMap, error)

// answer holds the manifests, or the message of the condition Ready.
type answer struct {
	Manifests string `json:"manifests,omitempty"`
	Message   string `json:"message,omitempty"`
}

func main() {
	stock := flag.Bool("stock", false, "build as stock Flux does")
	times := flag.Int("times", 1, "how many times to reconcile")
	flag.Parse()
	build := build(buildWithFunctions)
	if *stock {
		build = generator.SecureBuild
	}
	lines := json.NewEncoder(os.Stdout)
	for range *times {
		manifests, err := reconcile(flag.Arg(0), flag.Arg(1), build)
		told := answer{Manifests: string(manifests)}
		if err != nil {
			told = answer{Message: err.Error()}
		}
		if err := lines.Encode(told); err != nil {
			panic(err)
		}
	}
}

func reconcile(file, source string, build build) ([]byte, error) {
	kustomization, err := read(file)
	if err != nil {
		return nil, err
	}
	// The controller unpacks the source into a directory of its own, and throws that away.
	root, err := os.MkdirTemp("", "kustomization-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(root)
	if err := os.CopyFS(root, os.DirFS(source)); err != nil {
		return nil, err
	}
	path, _, _ := unstructured.NestedString(kustomization.Object, "spec", "path")
	dir := filepath.Join(root, path)
	if _, err := generator.NewGenerator(root, kustomization).WriteFile(dir); err != nil {
		return nil, err
	}
	built, err := build(root, dir, true)
	if err != nil {
		return nil, fmt.Errorf("kustomize build failed: %w", err)
	}
	if err := substitute(kustomization, built); err != nil {
		return nil, err
	}
	return built.AsYaml()
}

func substitute(kustomization unstructured.Unstructured, built resmap.ResMap) error {
	if _, asked, _ := unstructured.NestedMap(kustomization.Object, "spec", "postBuild"); !asked {
		return nil
	}
	for _, each := range built.Resources() {
		changed, err := generator.SubstituteVariables(context.Background(), nil, kustomization, each)
		if err != nil {
			return fmt.Errorf("post build failed for '%s/%s': %w", each.GetGvk(), each.GetName(), err)
		}
		if changed == nil {
			continue
		}
		if _, err := built.Replace(each); err != nil {
			return err
		}
	}
	return nil
}

func read(file string) (unstructured.Unstructured, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return unstructured.Unstructured{}, err
	}
	var object map[string]any
	err = yaml.Unmarshal(text, &object)
	return unstructured.Unstructured{Object: object}, err
}
