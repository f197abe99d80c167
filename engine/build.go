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
		// Something that the kustomizations name is not there.
		Partial bool
	}
	if err := r.arguments(&given); err != nil {
		return err
	}
	tree := newFileTree()
	if err := r.each(tree.put); err != nil {
		return err
	}
	reached.Begin(given.Partial)
	text, err := built(tree, given.Dir)
	a.results["missed"], a.results["leftOut"] = reached.Nothing(), reached.LeftOut()
	if err != nil {
		return err
	}
	a.add("", text)
	return nil
}

func built(tree *fileTree, dir string) ([]byte, error) {
	options := krusty.MakeDefaultOptions()
	// The library's own default is another one than the program's.
	options.Reorder = krusty.ReorderOptionUnspecified
	// No other file than those of the request is there.
	options.LoadRestrictions = types.LoadRestrictionsNone
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
