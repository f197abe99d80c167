package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A value that reaches other fields than it did, or makes another text there.
type changedMeaning struct {
	Path   []string    `json:"path"`
	Lost   []fieldName `json:"lost"`
	Gained []fieldName `json:"gained"`
}

// A field of an object as it is named: elements of lists by their names. Without a path, the object.
type fieldName struct {
	Kind string   `json:"kind"`
	Name string   `json:"name"`
	Path []string `json:"path"`
	// Not there, but with another value.
	isAbsent bool
	// The same for the same field, whether its name may be printed or not.
	id string
}

func (f fieldName) String() string { return fmt.Sprintf("{%s %s %v}", f.Kind, f.Name, f.Path) }

// What a value reaches: fields, by texts that are equal where they mean the same.
type reach map[string]fieldName

// So many values of a list are tried one by one, beside the list as a whole.
const fewElements = 4

// reachOf tries two other values of one path. False where the chart refuses them, and does not change without the value.
func (w *world) reachOf(each override, before []object) (reach, bool) {
	found, ok := w.reachOfLeaf(valueLeaf{steps(each.path), each.value}, each.path, before)
	if !ok {
		return w.reachByRemoval(each, before)
	}
	// Of what has nothing in it only whether it is there may count.
	if len(found) == 0 && isEmpty(each.value) {
		if gone, ok := w.reachByRemoval(each, before); ok {
			return gone, true
		}
	}
	// What a list as a whole becomes is another text: only its elements say which.
	if list, isList := each.value.([]any); isList && len(list) > 0 {
		leaves := valueLeaves(list, steps(each.path), nil)
		for _, leaf := range leaves[:min(len(leaves), fewElements)] {
			own, _ := w.reachOfLeaf(leaf, each.path, before)
			maps.Copy(found, own)
		}
	}
	return found, true
}

func isEmpty(value any) bool {
	switch v := value.(type) {
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return false
}

func (w *world) reachOfLeaf(value valueLeaf, path []string, before []object) (reach, bool) {
	if w.isOver() {
		return nil, false
	}
	isChanged := func(result trialResult, _ replacement) bool { return len(result) > 0 }
	results, pair, ok := w.agreed(value, w.readersOfAny(path), isChanged)
	if !ok {
		return nil, false
	}
	objects := []*affectedObject{}
	for _, template := range sortedKeys(results[0]) {
		objects = w.affected(objects, template, of(before, template), results, pair)
	}
	found := reach{}
	for _, object := range objects {
		found.add(object, before, w)
	}
	return found, true
}

func (r reach) add(affected *affectedObject, before []object, w *world) {
	named, real := fieldName{Kind: affected.Kind, Name: affected.Name, Path: []string{}}, fieldName{Kind: affected.Kind, Name: affected.name}
	if affected.Exists != "" {
		own := named
		own.isAbsent, own.id = affected.Exists == "absent", real.key("")
		r[real.key(affected.Exists)] = own
	}
	var in *object
	for i, each := range before {
		if each.kind == affected.Kind && each.namespace == affected.Namespace && each.name == affected.name {
			in = &before[i]
		}
	}
	for _, leaf := range affected.Leaves {
		own, how := named, leaf.How
		var node *yaml.Node
		if real.Path, node = namedSteps(in.node(), leaf.path); node != nil && how == "carries" {
			how += unversioned(node.Value)
		}
		own.Path, own.isAbsent, own.id = w.shownSteps(in, before, leaf.Path), how == "absent", real.key("")
		r[real.key(how)] = own
	}
}

func (o *object) node() *yaml.Node {
	if o == nil {
		return nil
	}
	return o.root
}

// shownSteps are the steps of a path as they may be printed. An element has no name where another secret value makes another.
func (w *world) shownSteps(o *object, before []object, path []any) []string {
	steps, _ := namedSteps(o.node(), path)
	if o == nil {
		return steps
	}
	for _, partner := range w.secretPartners(*o, of(before, nameOf(o.template))) {
		others, _ := namedSteps(partner.node(), path)
		for i, step := range steps {
			if _, isKey := path[i].(string); !isKey && step != others[i] {
				steps[i] = "[]"
			}
		}
	}
	return steps
}

func (f fieldName) key(how string) string {
	return strings.Join(append([]string{f.Kind, f.Name, how}, f.Path...), "\x00")
}

// namedSteps are the steps of a path, with the names of elements in place of their numbers; an element without one has none.
func namedSteps(at *yaml.Node, path []any) ([]string, *yaml.Node) {
	found := []string{}
	for _, step := range path {
		at = stepIn(at, step)
		if key, isKey := step.(string); isKey {
			found = append(found, key)
			continue
		}
		found = append(found, "["+textAt(resolved(at), "name")+"]")
	}
	return found, resolved(at)
}

var versions = regexp.MustCompile(`v?\d+(\.\d+)+[\w.+-]*|[0-9a-f]{7,}`)

// unversioned is a text in which versions and digests are all the same: a new version of a chart has others.
func unversioned(text string) string { return versions.ReplaceAllString(text, "#") }

// reachByRemoval is what changes without a value, and what it is with the value.
func (w *world) reachByRemoval(each override, before []object) (reach, bool) {
	r := w.usual
	r.user, r.isTrial = without(r.user, []override{each}), true
	if w.decidesAny([]override{each}) {
		r.trees = nil
	}
	result, ok := w.try(r)
	if !ok || len(result) == 0 {
		return nil, false
	}
	found := reach{}
	for i, object := range before {
		after, isOther := result[nameOf(object.template)]
		if !isOther {
			continue
		}
		beside := of(before, nameOf(object.template))
		f := follow(object, partnerOf(object, beside, after, replacement{}), replacement{})
		shown := w.named(object, beside)
		named, real := fieldName{Kind: shown.kind, Name: shown.name, Path: []string{}}, fieldName{Kind: object.kind, Name: object.name}
		if f.isGone {
			found[real.key("exists")] = named
			continue
		}
		for _, leaf := range object.leaves() {
			if how := f.how(leaf.node); how != "" {
				own := named
				own.Path = w.shownSteps(&before[i], before, w.shownPath(object, beside, leaf.path))
				real.Path, _ = namedSteps(object.root, leaf.path)
				found[real.key(how+unversioned(leaf.node.Value))] = own
			}
		}
	}
	return found, true
}

// namesOf are those of objects and of all that is in them.
func namesOf(objects []object) map[string]bool {
	all := map[string]bool{}
	for _, each := range objects {
		name := fieldName{Kind: each.kind, Name: each.name}
		for _, leaf := range each.leaves() {
			path, _ := namedSteps(each.root, leaf.path)
			for length := range len(path) + 1 {
				name.Path = path[:length]
				all[name.key("")] = true
			}
		}
	}
	return all
}

// less gives what only one of two has, in order. What another value would add counts only if the other chart has it.
func (r reach) less(other reach, rendered map[string]bool) []fieldName {
	found := []fieldName{}
	for _, key := range sortedKeys(r) {
		if _, isThere := other[key]; !isThere && (!r[key].isAbsent || rendered[r[key].id]) {
			found = append(found, r[key])
		}
	}
	slices.SortStableFunc(found, func(a, b fieldName) int {
		return strings.Compare(fmt.Sprint(a.Kind, a.Name, a.Path), fmt.Sprint(b.Kind, b.Name, b.Path))
	})
	return found
}
