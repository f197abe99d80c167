package main

import (
	"runtime"
	"strings"

	helm3 "helm.sh/helm/v3/pkg/chartutil"
	helm4 "helm.sh/helm/v4/pkg/chart/common"
	"sigs.k8s.io/kustomize/api/provenance"
)

// The digest of what this is made of (compile.ts): a program asks only the engine that it was made with.
var sources string

// about answers at once: its caller sees that the engine runs, and what is in it.
func about(_ *request, a *answer) error {
	a.results["runs"] = runtime.GOOS + "/" + runtime.GOARCH
	a.results["sources"] = sources
	for name, version := range map[string]string{
		"kustomize": provenance.GetProvenance().Semver(),
		"helm3":     helm3.DefaultCapabilities.HelmVersion.Version,
		"helm4":     helm4.DefaultCapabilities.HelmVersion.Version,
	} {
		a.results[name] = strings.TrimPrefix(version, "v")
	}
	return nil
}
