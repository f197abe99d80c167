// Package cluster is in place of the cluster that Helm asks for its APIs: it has those that are named, and what a template asks for
// beside them is noted.
package cluster

import (
	"slices"
	"strings"
)

var lacking []string

// Lacks takes an API that is not known: `monitoring.coreos.com/v1`, perhaps with a kind behind it. Another version of a group that
// is known is not noted: that Kubernetes does not have it.
func Lacks(known []string, api string) {
	group, version, _ := strings.Cut(api, "/")
	isOtherVersion := !strings.Contains(version, "/") && slices.ContainsFunc(known, func(each string) bool {
		return strings.HasPrefix(each, group+"/")
	})
	if version != "" && !isOtherVersion && !slices.Contains(lacking, api) {
		lacking = append(lacking, api)
	}
}

// Lacking are those since it was called last, sorted.
func Lacking() []string {
	all := lacking
	lacking = nil
	slices.Sort(all)
	return all
}
