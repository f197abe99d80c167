package main

import "slices"

// A value that the user sets: a scalar, a list as a whole, or an empty mapping.
type override struct {
	path  []string
	value any
}

func overridesIn(value any, path []string, all []override) []override {
	mapping, ok := value.(map[string]any)
	if !ok || len(mapping) == 0 {
		if len(path) > 0 {
			all = append(all, override{path, value})
		}
		return all
	}
	for _, key := range sortedKeys(mapping) {
		all = overridesIn(mapping[key], append(slices.Clone(path), key), all)
	}
	return all
}

// without gives values without some of them. Mappings that have nothing left go, too: an empty one may count as set.
func without(user map[string]any, removed []override) map[string]any {
	left := copiedMap(user)
	if left == nil {
		left = map[string]any{}
	}
	for _, each := range removed {
		remove(left, each.path)
	}
	return left
}

func remove(mapping map[string]any, path []string) {
	key := path[0]
	if len(path) > 1 {
		inner, ok := mapping[key].(map[string]any)
		if !ok {
			return
		}
		if remove(inner, path[1:]); len(inner) > 0 {
			return
		}
	}
	delete(mapping, key)
}

// steps is a path as trials take it.
func steps(path []string) []any {
	all := make([]any, 0, len(path))
	for _, key := range path {
		all = append(all, key)
	}
	return all
}

// valueAt is the value at a path, if there is one.
func valueAt(values any, path []string) (any, bool) {
	for _, key := range path {
		mapping, ok := values.(map[string]any)
		if !ok {
			return nil, false
		}
		if values, ok = mapping[key]; !ok {
			return nil, false
		}
	}
	return values, true
}

// readersOfAny are the templates that read one of some paths, or something below it; nil for all.
func (w *world) readersOfAny(paths ...[]string) map[string]bool {
	for _, each := range paths {
		if w.decidesAny([]override{{path: each}}) {
			return nil
		}
	}
	return w.readersWhere(func(read valueRead) bool {
		return slices.ContainsFunc(paths, read.touches)
	})
}

// rendersSame is true where the chart renders the same bytes with other values of the user.
func (w *world) rendersSame(user map[string]any, isOtherChart bool) bool {
	r := w.usual
	r.user, r.isTrial = user, true
	if isOtherChart {
		// Other charts may be deployed, whose templates are not parsed.
		r.trees = nil
	}
	found, err := w.render(r)
	return err == nil && w.isPlain(found, r)
}

// isPlain is true of a render that has the texts of the first one.
func (w *world) isPlain(found outcome, r rendering) bool {
	for name, text := range found.texts {
		if text != w.byName[nameOf(name)] {
			return false
		}
	}
	for name, text := range w.plain.texts {
		if _, isThere := found.texts[name]; !isThere && r.renders(name) && text != "" {
			return false
		}
	}
	return true
}

// decidesAny is true where one of the values decides which subcharts are deployed.
func (w *world) decidesAny(all []override) bool {
	return slices.ContainsFunc(all, func(each override) bool {
		return w.plain.decides(steps(each.path)) || slices.ContainsFunc(sortedKeys(w.plain.conditions), func(condition string) bool {
			return startsWithKeys(condition, each.path)
		})
	})
}

// A condition is keys with zeros between them.
func startsWithKeys(condition string, path []string) bool {
	keys := keysIn(condition)
	return len(keys) >= len(path) && slices.Equal(keys[:len(path)], path)
}

// settle keeps those of some values that can go with all kept so far, by halves.
func settle(all, kept []override, isFine func([]override) bool) []override {
	switch {
	case len(all) == 0:
		return kept
	case isFine(append(slices.Clone(kept), all...)):
		return append(kept, all...)
	case len(all) == 1:
		return kept
	}
	kept = settle(all[:len(all)/2], kept, isFine)
	return settle(all[len(all)/2:], kept, isFine)
}
