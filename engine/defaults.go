package main

import (
	"reflect"
	"slices"
)

// A default that the user does not set, and that is another one in the new chart, or none.
type changedDefault struct {
	Path []string `json:"path"`
	// Absent where something of a Secret may be in it; and where a chart has none.
	From *any `json:"from,omitempty"`
	To   *any `json:"to,omitempty"`
	// The new chart does not take the old value.
	IsRefused bool `json:"refused,omitempty"`
}

// defaultsBetween are the defaults that differ. @param set the paths that the user sets
func defaultsBetween(old, now map[string]any, path []string, set map[string]bool, all []changedDefault) []changedDefault {
	for _, key := range sortedKeys(old) {
		own := append(slices.Clone(path), key)
		// Of a subchart they are those of its parent: what the user sets there may be in them.
		if set[keyOf(own)] || (key == "global" && len(path) > 0) {
			continue
		}
		from := old[key]
		to, isThere := now[key]
		inner, wasMapping := from.(map[string]any)
		other, isMapping := to.(map[string]any)
		if wasMapping && isMapping {
			all = defaultsBetween(inner, other, own, set, all)
			continue
		}
		if hasSetBelow(own, set) || (isThere && reflect.DeepEqual(from, to)) {
			continue
		}
		found := changedDefault{Path: own, From: &from}
		if isThere {
			found.To = &to
		}
		all = append(all, found)
	}
	return all
}

func hasSetBelow(path []string, set map[string]bool) bool {
	for key := range set {
		if startsWithKeys(key, path) {
			return true
		}
	}
	return false
}

func (w *world) renderingWith(defaults []changedDefault) rendering {
	r := w.usual
	r.isTrial = true
	if slices.ContainsFunc(defaults, func(each changedDefault) bool { return w.isShared(steps(each.Path)) }) {
		r.user, r.trees = withDefaults(copiedMap(r.user), defaults, true), nil
	} else {
		r.values = withDefaults(copiedMap(w.plain.values), defaults, false)
		r.only = w.readersOfDefaults(defaults)
	}
	return r
}

// Of very many at a time nearly all templates read one.
const fewDefaults = 4

func (w *world) readersOfDefaults(all []changedDefault) map[string]bool {
	paths := [][]string{}
	for _, each := range all {
		paths = append(paths, each.Path)
	}
	if len(paths) > fewDefaults {
		return nil
	}
	return w.readersOfAny(paths...)
}

// withDefaults puts the old defaults into values, and takes out what the old chart lacks. For Helm, null of a user
// takes it out.
func withDefaults(values map[string]any, defaults []changedDefault, isUser bool) map[string]any {
	if values == nil {
		values = map[string]any{}
	}
	for _, each := range defaults {
		path := steps(each.Path)
		switch {
		case each.From != nil:
			values, _ = set(values, nil, path, copied(*each.From)).(map[string]any)
		case isUser:
			values, _ = set(values, nil, path, nil).(map[string]any)
		default:
			if above, ok := valueAt(values, each.Path[:len(each.Path)-1]); ok {
				delete(above.(map[string]any), each.Path[len(each.Path)-1])
			}
		}
	}
	return values
}
