// Package reached keeps what the targets of patches select: kustomize passes over one that selects nothing without a word.
package reached

import (
	"fmt"
	"slices"
	"strings"
)

// Target is one of a patch, in the kustomization of a directory.
type Target struct {
	Directory string `json:"directory"`
	// Group, version, kind, namespace, name, labelSelector, annotationSelector.
	Fields [7]string `json:"fields"`
}

var counts = map[Target]int{}

// Add notes how many objects a patch applies to.
func Add(directory string, count int, fields ...string) {
	target := Target{Directory: directory}
	copy(target.Fields[:], fields)
	counts[target] += count
}

// Forget is called before a build.
func Forget() { counts = map[Target]int{} }

// Nothing returns the targets that selected nothing, in order.
func Nothing() []Target {
	missed := []Target{}
	for target, count := range counts {
		if count == 0 {
			missed = append(missed, target)
		}
	}
	slices.SortFunc(missed, func(a, b Target) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	return missed
}
