// Package cluster is in place of the cluster that Helm asks for its APIs: it has those that are named, and what a template asks for
// beside them is noted.
package cluster

import (
	"slices"
	"strings"
)

var own, missing []string

// Has are the APIs of Kubernetes itself.
func Has(apis []string) { own = apis }

// Lacks takes an API that is not known: `monitoring.coreos.com/v1`, perhaps with a kind behind it. Another version of a group of
// Kubernetes is not noted: that Kubernetes does not have it.
func Lacks(api string) {
	group, version, _ := strings.Cut(api, "/")
	isOtherVersion := !strings.Contains(version, "/") && slices.ContainsFunc(own, func(each string) bool {
		return strings.HasPrefix(each, group+"/")
	})
	if version != "" && !isOtherVersion && !slices.Contains(missing, api) {
		missing = append(missing, api)
	}
}

// Missing gives what was noted, sorted, and forgets it.
func Missing() []string {
	all := missing
	missing = nil
	slices.Sort(all)
	return all
}
