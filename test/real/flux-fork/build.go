package main

import (
	"fmt"
	"sync"

	securefs "github.com/fluxcd/pkg/kustomize/filesys"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/openapi"
)

var oneBuildAtATime sync.Mutex

// buildWithFunctions takes the place of generator.SecureBuild: the same confined file system and the
// same options, and functions that are programs may run.
func buildWithFunctions(root, dir string, remoteBases bool) (built resmap.ResMap, err error) {
	confined := func(root string) (filesys.FileSystem, error) { return securefs.MakeFsOnDiskSecure(root) }
	if remoteBases {
		confined = func(root string) (filesys.FileSystem, error) { return securefs.MakeFsOnDiskSecureBuild(root) }
	}
	disk, err := confined(root)
	if err != nil {
		return nil, err
	}

	// kustomize shares its schema among builds, and panics on some input.
	oneBuildAtATime.Lock()
	defer oneBuildAtATime.Unlock()
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("kustomize panicked: %v", reason)
		}
	}()
	openapi.ResetOpenAPI()
	openapi.Schema()
	defer openapi.ResetOpenAPI()

	plugins := types.MakePluginConfig(types.PluginRestrictionsNone, types.BploUseStaticallyLinked)
	plugins.FnpLoadingOptions.EnableExec = true
	return krusty.MakeKustomizer(&krusty.Options{
		LoadRestrictions: types.LoadRestrictionsNone,
		PluginConfig:     plugins,
	}).Run(disk, dir)
}
