// Package reached keeps what the targets of patches select: kustomize passes over one that selects nothing without a word.
package reached

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Target is one of a patch, in the kustomization of a directory.
type Target struct {
	Directory string `json:"directory"`
	// Group, version, kind, namespace, name, labelSelector, annotationSelector.
	Fields [7]string `json:"fields"`
}

// Object is what a patch without a target names.
type Object struct {
	Kind      string `json:"kind"`
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

var (
	counts    = map[Target]int{}
	isPartial bool
	leftOut   = map[Object]bool{}
)

// Add notes how many objects a patch applies to.
func Add(directory string, count int, fields ...string) {
	target := Target{Directory: directory}
	copy(target.Fields[:], fields)
	counts[target] += count
}

// Begin is called before a build. In a partial one an object may be in what is not there: kustomize would refuse its patches.
func Begin(partial bool) { counts, isPartial, leftOut = map[Target]int{}, partial, map[Object]bool{} }

// LeavesOut is true for a patch that is left out, and notes it.
func LeavesOut(count int, kind, namespace, name string) bool {
	isLeftOut := isPartial && count == 0
	if isLeftOut {
		leftOut[Object{kind, namespace, name}] = true
	}
	return isLeftOut
}

// LeftOut returns the objects of patches that are left out, in order.
func LeftOut() []Object {
	objects := slices.AppendSeq([]Object{}, maps.Keys(leftOut))
	slices.SortFunc(objects, func(a, b Object) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	return objects
}

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
