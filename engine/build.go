package main

import (
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/openapi"
	"sigs.k8s.io/kustomize/kyaml/openapi/kubernetesapi"
	"valuefold.dev/engine/reached"
)

// What the program `kustomize build` does without flags.
func build(r *request, a *answer) error {
	var given struct {
		Dir string
		// No file outside of a kustomization's directory is read.
		Restricted bool
		// Targets by the paths of links.
		Links map[string]string
	}
	if err := r.arguments(&given); err != nil {
		return err
	}
	tree := newFileTree()
	for name, target := range given.Links {
		if err := tree.put(name, &node{link: target}); err != nil {
			return err
		}
	}
	if err := r.each(func(name string, content []byte) error { return tree.put(name, &node{content: content}) }); err != nil {
		return err
	}
	reached.Forget()
	text, err := built(tree, given.Dir, given.Restricted)
	a.results["asked"], a.results["read"] = sorted(tree.asked), sorted(tree.read)
	a.results["missed"] = reached.Nothing()
	if err != nil {
		return err
	}
	a.add("", text)
	return nil
}

func built(tree *fileTree, dir string, restricted bool) ([]byte, error) {
	options := krusty.MakeDefaultOptions()
	// The library's own default is another one than the program's.
	options.Reorder = krusty.ReorderOptionUnspecified
	if !restricted {
		options.LoadRestrictions = types.LoadRestrictionsNone
	}
	all, err := krusty.MakeKustomizer(options).Run(tree, dir)
	// The schema is the process's: one that a kustomization names mixes with what earlier builds left, and stays for later ones.
	// Such a build is made once more, from nothing, and leaves nothing.
	if openapi.GetSchemaVersion() != kubernetesapi.DefaultOpenAPI {
		openapi.ResetOpenAPI()
		all, err = krusty.MakeKustomizer(options).Run(tree, dir)
		openapi.ResetOpenAPI()
	}
	if err != nil {
		return nil, err
	}
	return all.AsYaml()
}
